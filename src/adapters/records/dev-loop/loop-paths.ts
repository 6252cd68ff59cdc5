// Where the record of a dev loop is: `.workflow/.loop/`. Ratchet is its only writer; workers write
// copies in their workspace (loop-progress.ts).
import path from 'node:path'
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import * as names from '../record-names.js'

const PLACE = ['.workflow', '.loop'] as const
/** Its file is the prep package, so no loop can have this name. */
const RESERVED = 'prep-package'

/** Endings of the two folders of a record, in a project and in a workspace. */
export const FOLDERS = { workers: '.workers', progress: '.progress' } as const

export type LoopFiles = {
  /** Directory of all records. */
  dir: string
  /** The prep package. */
  prep: string
  /** The state file. */
  master: string
  /** Directory of the workers' output files. */
  workers: string
  /** Directory of the workers' progress files. */
  progress: string
  summary: string
  /** What a person edited in the progress files. */
  edits: string
  /** Files of a suggested commit, where a command line cannot hold them. */
  commitFiles: string
  output: (action: LoopAction) => string
  /** Progress file of an action. */
  note: (action: LoopAction) => string
}

/**
 * Paths of a loop's record; without a name only `dir` and `prep` mean something.
 *
 * @param name id or record name of the loop
 * @throws RefusalError `BadInput` for a name that no record can have
 */
export function loopFiles(project: string, name?: string): LoopFiles {
  const dir = path.join(project, ...PLACE)
  const own = name === undefined ? '' : recordFileName(name)
  const [workers, progress] = [
    path.join(dir, `${own}${FOLDERS.workers}`),
    path.join(dir, `${own}${FOLDERS.progress}`),
  ]
  return {
    dir,
    prep: path.join(dir, `${RESERVED}.json`),
    master: path.join(dir, `${own}.json`),
    workers,
    progress,
    summary: path.join(progress, 'summary.md'),
    edits: path.join(progress, 'edits.ndjson'),
    commitFiles: path.join(progress, 'commit-files.txt'),
    output: (action) => path.join(workers, outputName(action)),
    note: (action) => path.join(progress, noteName(action)),
  }
}

export function outputName(action: LoopAction): string {
  return `${action}.output.json`
}

export function noteName(action: LoopAction): string {
  return `${action}.md`
}

/** The name of a loop in paths. */
export function recordFileName(name: string): string {
  return names.recordFileName(name, 'loop', {
    name: RESERVED,
    problem: 'is the name of the prep package',
  })
}

/** Names of the records there are, also of those that have lost their state file, sorted. */
export function loopNames(project: string): string[] {
  return names
    .namesOfRecords(loopFiles(project).dir, Object.values(FOLDERS))
    .filter((name) => name !== RESERVED)
}

/** Creates the missing directories of a record, and returns its progress directory. */
export function openLoopRecord(project: string, name: string): string {
  const files = loopFiles(project, name)
  const [workers, progress] = [path.basename(files.workers), path.basename(files.progress)]
  return names.openFolders(project, files, [[workers], [progress], [progress, 'history']])
}
