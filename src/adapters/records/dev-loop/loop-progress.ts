// What the workers of a loop find and write below their working directory: sandboxed agents may
// write nowhere else.
import path from 'node:path'
import { LOOP_ACTIONS, type LoopAction } from '../../../contract/dev-loop/loop-input.js'
import {
  copyOfRecord,
  openOwnDir,
  OWN_DIR,
  projectFiles,
  removeOwnDirs,
  restoreMissing,
} from '../workspace-copies.js'
import { FOLDERS, loopFiles, noteName, outputName, recordFileName } from './loop-paths.js'

/** Paths in a workspace, absolute where `cwd` is. `progress` and `workersDir` are directories. */
export type LoopPathsInWorkspace = {
  progress: string
  workersDir: string
  outputFile: (action: LoopAction) => string
  progressFile: (action: LoopAction) => string
}

/** What a prompt may name. */
export type LaidOutLoop = LoopPathsInWorkspace & { projectTech?: string; guidelines?: string }

/** Where the workers of a loop write. */
export function loopPathsIn(cwd: string, name: string): LoopPathsInWorkspace {
  const progress = loopProgressDir(cwd, name)
  const workersDir = path.join(cwd, OWN_DIR, `${recordFileName(name)}${FOLDERS.workers}`)
  return {
    progress,
    workersDir,
    outputFile: (action) => path.join(workersDir, outputName(action)),
    progressFile: (action) => path.join(progress, noteName(action)),
  }
}

/** Where the workers of a loop write what they found and did. */
export function loopProgressDir(cwd: string, name: string): string {
  return path.join(cwd, OWN_DIR, `${recordFileName(name)}${FOLDERS.progress}`)
}

/**
 * Makes the directories in a workspace. Output files are those of the record; a progress file that
 * is there stays: its worker may be at it. Links, pipes and directories that stand where a file
 * belongs are removed.
 */
export function layOutLoop(cwd: string, project: string, name: string): LaidOutLoop {
  const paths = loopPathsIn(cwd, name)
  const record = loopFiles(project, name)
  openOwnDir(cwd, [[path.basename(paths.workersDir)], [path.basename(paths.progress)]])
  for (const action of LOOP_ACTIONS) {
    copyOfRecord(record.output(action), paths.outputFile(action))
    restoreMissing(record.note(action), paths.progressFile(action), 'log')
  }
  return { ...paths, ...projectFiles({ cwd, project, into: path.join(paths.progress, 'sources') }) }
}

/** Removes both directories from a tree that is the user's own. The record has all of it. */
export function removeLoopProgress(cwd: string, name: string): void {
  const { progress, workersDir } = loopPathsIn(cwd, name)
  removeOwnDirs(cwd, [path.basename(progress), path.basename(workersDir)])
}
