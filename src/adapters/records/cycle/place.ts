// Where the record of a dev cycle lies: `.workflow/.cycle/`, the tree of ccw §1.2. The four agents write
// a copy of the progress directory in their workspace, see progress.ts.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { PHASES } from '../../../contract/discovery.js'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import { fileName, idProblem } from '../../../contract/ids.js'
import { unwritable } from '../write-file.js'
import { ownDir, writeOwnSync } from './own-files.js'

const PLACE = ['.workflow', '.cycle'] as const
/** Its file is the prep package, so no cycle can have this name. */
const RESERVED = 'prep-package'

/** Files of the coordination directory, in a record and in a workspace. Source: ccw §1.2. */
export const COORDINATION = {
  board: 'coordination/discoveries.ndjson',
  timeline: 'coordination/timeline.md',
  decisions: 'coordination/decisions.log',
  feedback: 'coordination/feedback.md',
  summary: 'coordination/summary.md',
} as const

export type CycleFiles = Record<keyof typeof COORDINATION | 'dir' | 'prep' | 'master' | 'progress', string>

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
  const files = Object.fromEntries(Object.entries(COORDINATION).map(([key, file]) => [key, path.join(progress, file)])) as Record<keyof typeof COORDINATION, string>
  return { ...files, dir, prep: path.join(dir, `${RESERVED}.json`), master: path.join(dir, `${own}.json`), progress }
}

/** The name of a cycle in paths. */
export function recordFileName(name: string): string {
  const problem = idProblem(name) ?? (name === RESERVED ? 'is the name of the prep package' : undefined)
  if (problem !== undefined) throw new RefusalError(BAD_INPUT, `the id of a cycle ${problem}`, name.slice(0, 120), 'choose another id')
  return fileName(name)
}

/** Names of the records there are, also of those that have lost their master file, sorted. */
export function cycleNames(project: string): string[] {
  const { dir } = cycleFiles(project)
  const names = namesIn(dir).flatMap(({ name, isDirectory }) => (isDirectory ? /^(.+)\.progress$/ : /^(.+)\.json$/).exec(name)?.[1] ?? [])
  return [...new Set(names)].filter((name) => idProblem(name) === undefined && name !== RESERVED).sort()
}

/**
 * Makes the directories of a record, as far as they are missing; `.workflow/` is hidden from git by its
 * own ignore file. Returns the progress directory.
 *
 * @throws RecordUnwritable where a link or a file stands in the way
 */
export function openCycleRecord(project: string, name: string): string {
  const { dir, progress } = cycleFiles(project, name)
  const ignore = path.join(project, '.workflow', '.gitignore')
  try {
    ownDir(path.join(project, '.workflow'), ['.cycle'], 'refused') // a linked .workflow/ is the user's own doing
    for (const part of [...PHASES.flatMap((phase) => [[phase], [phase, 'history']]), ['coordination']]) ownDir(dir, [path.basename(progress), ...part], 'refused')
    if (!existsSync(ignore)) writeOwnSync(ignore, '*\n')
  } catch (error) {
    throw unwritable(progress, error)
  }
  return progress
}

function namesIn(dir: string): { name: string; isDirectory: boolean }[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
