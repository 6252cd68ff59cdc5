// Where the record of a preparation is, `.workflow/.prep/<id>/`, and where commands read packages.
import path from 'node:path'
import type { PrepFor } from '../../../contract/prep/prep-input.js'
import { cycleFiles } from '../dev-cycle/cycle-paths.js'
import { loopFiles } from '../dev-loop/loop-paths.js'
import { openFolders, recordFileName } from '../record-names.js'

/** Paths of a record. Copies of replaced packages are in its directory, too. */
export function prepFiles(
  project: string,
  name: string,
): Record<'dir' | 'progress' | 'package', string> {
  const dir = path.join(project, '.workflow', '.prep')
  const progress = path.join(dir, recordFileName(name, 'preparation'))
  return { dir, progress, package: path.join(progress, 'package.json') }
}

/** Returns the file that a command reads. */
export function packageFile(project: string, command: PrepFor): string {
  return command === 'cycle' ? cycleFiles(project).prep : loopFiles(project).prep
}

/** Creates the missing directories of a record, and returns its own. */
export function openPrepRecord(project: string, name: string): string {
  const files = prepFiles(project, name)
  return openFolders(project, files, [[path.basename(files.progress)]])
}
