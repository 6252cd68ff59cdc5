// Dev cycles as the command line sees them, from their records alone: which one an id means, how it
// ended, and what keeps it from going on. All of it holds where no server is left.
import { existsSync } from 'node:fs'
import type { CycleRecord } from '../contract/cycle-record.js'
import type { RefusalError } from '../contract/failures.js'
import { fileName } from '../contract/ids.js'
import type { IterationSummary, RunResult } from '../contract/result.js'
import { iterationsDone } from '../core/cycle/next-iteration.js'
import { cycleVersion } from '../core/cycle/versions.js'
import { cycleFiles, cycleNames } from '../adapters/records/cycle/place.js'
import { readCycle } from '../adapters/records/cycle/restore.js'
import type { CycleReading } from '../adapters/records/cycle/restore.js'
import { StoredNotes } from '../adapters/records/cycle/schema.js'
import { registeredProjects } from '../adapters/registry.js'
import { userDirs } from '../adapters/state-dir.js'
import type { Dirs } from '../adapters/state-dir.js'
import type { Context } from './context.js'
import { badInput } from './errors.js'
import { nearest } from './nearest.js'
import { projectPath } from './project.js'

export type ProjectCycle = {
  project: string
  /** Of its files. */
  name: string
  /** Of its run: that in its record, else the one it was asked for by. */
  id: string
  read: CycleReading
}

/** The cycle of a project by its id, also where only its progress directory is left; `undefined` where there is none. */
export function cycleIn(project: string, wanted: string): ProjectCycle | undefined {
  const name = fileName(wanted)
  const read = readCycle(project, name)
  if (read.state === 'none' && !existsSync(cycleFiles(project, name).progress)) return undefined
  return { project, name, id: read.state === 'ok' ? read.record.cycle_id : wanted, read }
}

/**
 * The cycle of this id: of this project, else of another one of this user.
 *
 * @param project the run's, where it is known
 */
export function cycleOf(context: Context, wanted: string, project?: string): ProjectCycle | undefined {
  if (project !== undefined) return cycleIn(project, wanted)
  for (const one of [projectPath(context), ...registeredProjects(userDirs(context.env)).map((known) => known.path)]) {
    const found = cycleIn(one, wanted)
    if (found !== undefined) return found
  }
  return undefined
}

/** Ids of the cycles that a project has, as far as their records can be read. */
export function cycleIds(project: string): string[] {
  return cycleNames(project).map((name) => cycleIn(project, name)?.id ?? name)
}

/** The refusal for an id that no cycle has, with the nearest ones of this project. Source: ccw §1.1. */
export function cycleNotFound(context: Context, id: string): RefusalError {
  const project = projectPath(context)
  const near = nearest(id, cycleIds(project))
  return badInput('Cycle not found', `${id} is neither on the server nor in ${cycleFiles(project).dir}`, near.length === 0 ? 'begin one with: ratchet cycle "<task>"' : `cycles of this project: ${near.join(', ')}`)
}

/** Project of this user that has the record of a cycle. */
export function projectOfCycle(dirs: Dirs, id: string): string | undefined {
  return registeredProjects(dirs).find((known) => cycleIn(known.path, id) !== undefined)?.path
}

/** How a cycle ended, as its record says it; `undefined` where it does not say that it has. */
export function cycleResult({ project, name, read }: ProjectCycle): RunResult | undefined {
  if (read.state !== 'ok') return undefined
  const { record } = read
  const { outcome, branch, commits } = record.ratchet
  if (outcome === undefined) return undefined
  // Where the record lies, not where it says: a project may have been moved or copied.
  const recordDir = cycleFiles(project, name).progress
  const stored = notesOf(record)?.result
  if (stored?.outcome === outcome) return { ...stored, recordDir }
  return {
    id: record.cycle_id, kind: 'dev-cycle', outcome, status: record.status, iterations: record.current_iteration, passRate: record.test_results?.pass_rate ?? null,
    reviewNeeded: outcome === 'completed_with_issues', branch: branch ?? null, commits, failures: [], failuresTotal: record.test_results?.failed_tests.length ?? 0,
    reason: record.failure_reason ?? null, recordDir,
    // What the turns took is not in a record that was rebuilt.
    usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false }, history: historyOf(record),
  }
}

/** The iterations of a cycle by its record; empty where that has no summaries. */
export function historyOf(record: CycleRecord): IterationSummary[] {
  return notesOf(record)?.history ?? []
}

function notesOf(record: CycleRecord): StoredNotes | undefined {
  return StoredNotes.safeParse(record.ratchet).data
}

/** One line for each iteration that a record tells of, where it has no summaries: version and issues. */
export function iterationLines(record: CycleRecord): string[] {
  return record.iterations.map(({ number, issues_found: issues, completed_at: end }) => {
    const found = end === undefined ? 'not ended' : issues.length === 0 ? 'no issues' : `${issues.length} issue${issues.length === 1 ? '' : 's'}`
    return `${`iteration ${number}`.padEnd(13)}v${cycleVersion(number)}  ${found}`
  })
}

/**
 * Further iterations for a cycle that is to have so many in all; one that was cut off is done again and
 * is not spent.
 *
 * @throws RefusalError `BadInput` where none is left
 */
export function furtherIterations({ id, read }: ProjectCycle, inAll: number): number {
  const last = read.state === 'ok' ? read.record.iterations.at(-1) : undefined
  const spent = iterationsDone(last === undefined ? undefined : { number: last.number, isOver: last.completed_at !== undefined })
  if (inAll > spent) return inAll - spent
  throw badInput(`the cycle ${id} has spent ${spent} iteration${spent === 1 ? '' : 's'}, none of ${inAll} is left`, '--max-iterations', `write ${spent + 1} or more`)
}

/** What is wrong with the state file of a cycle, in half a sentence; `undefined` where it is whole. */
export function cycleDamage({ read }: ProjectCycle): string | undefined {
  if (read.state === 'none') return 'its state file is gone'
  return read.state === 'damaged' ? `its state file cannot be read: ${read.problem}` : undefined
}

/** Why a cycle cannot go on, `undefined` where it can. A further task lets also a completed one; what is damaged or gone is rebuilt on the way. */
export function cycleObstacle({ id, name, project, read }: ProjectCycle, extended: boolean): RefusalError | undefined {
  const file = cycleFiles(project, name).master
  if (read.state === 'newer') return badInput(`the record of the cycle ${id} is of a later version (schema ${read.schema})`, file, 'update ratchet')
  if (read.state !== 'ok' || extended || read.record.status !== 'completed') return undefined
  const { outcome = 'completed' } = read.record.ratchet
  return badInput(`the cycle ${id} is ${outcome.replaceAll('_', ' ')}`, file, `give it a further task: ratchet extend ${id} "<task>"`)
}
