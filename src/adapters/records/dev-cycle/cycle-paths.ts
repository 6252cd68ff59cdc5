// Where the record of a dev cycle lies: `.workflow/.cycle/`. The four agents write a copy of
// the progress directory in their workspace, see progress.ts.
import path from 'node:path'
import { PHASES } from '../../../contract/dev-cycle/discovery.js'
import { ownDir } from '../safe-files.js'
import * as names from '../record-names.js'
import { unwritable } from '../write-file.js'

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

/**
 * Makes the directories of a record, as far as they are missing; `.workflow/` is hidden from git by
 * its own ignore file. Returns the progress directory.
 *
 * @throws RecordUnwritableError if a link or a file is in the way
 */
export function openCycleRecord(project: string, name: string): string {
  const { dir, progress } = cycleFiles(project, name)
  try {
    names.openPlace(project, PLACE[1])
    for (const part of [
      ...PHASES.flatMap((phase) => [[phase], [phase, 'history']]),
      ['coordination'],
    ])
      ownDir(dir, [path.basename(progress), ...part], 'refused')
  } catch (error) {
    throw unwritable(progress, error)
  }
  return progress
}
