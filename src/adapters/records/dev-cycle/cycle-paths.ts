// Where the record of a dev cycle is: `.workflow/.cycle/`. The four agents write a copy of its
// progress directory in their workspace (cycle-progress.ts).
import path from 'node:path'
import { PHASES } from '../../../contract/dev-cycle/discovery.js'
import * as names from '../record-names.js'

const PLACE = ['.workflow', '.cycle'] as const
/** Its file is the prep package, so no cycle can have this name. */
const RESERVED = 'prep-package'

/** Files of the coordination directory, in a record and in a workspace. */
export const COORDINATION = {
  board: 'coordination/discoveries.ndjson',
  timeline: 'coordination/timeline.md',
  decisions: 'coordination/decisions.log',
  feedback: 'coordination/feedback.md',
  summary: 'coordination/summary.md',
  edits: 'coordination/edits.ndjson',
} as const

export type CycleFiles = Record<
  keyof typeof COORDINATION | 'dir' | 'prep' | 'master' | 'progress',
  string
>

/**
 * Paths of a cycle's record; without a name only `dir` and `prep` mean something.
 *
 * @param name id or record name of the cycle
 * @throws RefusalError `BadInput` for a name that no record can have
 */
export function cycleFiles(project: string, name?: string): CycleFiles {
  const dir = path.join(project, ...PLACE)
  const own = name === undefined ? '' : recordFileName(name)
  const progress = path.join(dir, `${own}.progress`)
  const files = Object.fromEntries(
    Object.entries(COORDINATION).map(([key, file]) => [key, path.join(progress, file)]),
  ) as Record<keyof typeof COORDINATION, string>
  return {
    ...files,
    dir,
    prep: path.join(dir, `${RESERVED}.json`),
    master: path.join(dir, `${own}.json`),
    progress,
  }
}

/** The name of a cycle in paths. */
export function recordFileName(name: string): string {
  return names.recordFileName(name, 'cycle', {
    name: RESERVED,
    problem: 'is the name of the prep package',
  })
}

/** Names of the records there are, also of those that have lost their master file, sorted. */
export function cycleNames(project: string): string[] {
  return names
    .namesOfRecords(cycleFiles(project).dir, ['.progress'])
    .filter((name) => name !== RESERVED)
}

/** Creates the missing directories of a record, and returns its progress directory. */
export function openCycleRecord(project: string, name: string): string {
  const files = cycleFiles(project, name)
  const own = path.basename(files.progress)
  return names.openFolders(project, files, [
    ...PHASES.flatMap((phase) => [
      [own, phase],
      [own, phase, 'history'],
    ]),
    [own, 'coordination'],
  ])
}
