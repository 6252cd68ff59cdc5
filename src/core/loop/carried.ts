// What of a loop's state travels: to the host that writes its record, and into the next run.
//
// Bounded as a whole: a list that is long is cut only where the others leave it no room, what the next
// decision reads is never cut, and the texts of the tasks are always told whole.
// Source: architecture §1 "compact, schema-checked state", "inputs and results < 16 kB".
import type { LoopState, WorkerEnd } from '../../contract/loop.js'
import { oneLine } from '../one-line.js'
import { roomWith, withinBytes } from './within-bytes.js'

/** Bytes that are left for what travels beside the state. */
const RESERVE = 500
/** Failures of the last run that the record may need. */
const FAILURES_RECORDED = 5

type Rung = (state: LoopState) => LoopState

/** How much of each list stays. Characters, where nothing else is said. */
type Amount = { history: number; notes: number; failures: number; closed: number; findings: number; warnings: number; files: number; conflicts: number; ids: number; commits: number; completed: number; open: number; text: number; tail: number }

// Each loses more than the one before; open tasks lose last.
const RUNGS: readonly Rung[] = ([
  { history: 10, notes: 200, failures: 10, closed: 10, findings: 20, warnings: 10, files: 5, conflicts: 20, ids: 100, commits: 100, completed: 200, open: 200, text: 200, tail: 300 },
  { history: 5, notes: 120, failures: 3, closed: 3, findings: 20, warnings: 5, files: 3, conflicts: 10, ids: 50, commits: 40, completed: 100, open: 200, text: 120, tail: 150 },
  { history: 3, notes: 80, failures: 1, closed: 0, findings: 10, warnings: 3, files: 1, conflicts: 5, ids: 20, commits: 20, completed: 60, open: 200, text: 80, tail: 60 },
  { history: 2, notes: 60, failures: 0, closed: 0, findings: 6, warnings: 1, files: 0, conflicts: 3, ids: 10, commits: 10, completed: 30, open: 120, text: 60, tail: 0 },
  { history: 1, notes: 40, failures: 0, closed: 0, findings: 3, warnings: 0, files: 0, conflicts: 1, ids: 5, commits: 5, completed: 20, open: 60, text: 40, tail: 0 },
] satisfies Amount[]).map((amount): Rung => (state) => cut(state, amount))

/** For the record: no more of the last worker and of the last run than it is written from. */
export function forRecord(state: LoopState): LoopState {
  const { lastRun } = state
  return fitted({ ...state, requestIds: [], ...(lastRun?.kind === 'measured' ? { lastRun: { ...lastRun, failures: lastRun.failures.slice(0, FAILURES_RECORDED), flakyTests: lastRun.flakyTests.slice(0, FAILURES_RECORDED) } } : {}) })
}

/** For the next run, once the record has been written. */
export function forNext(state: LoopState): LoopState {
  return fitted(state)
}

/** What a run is told of its own start: the rest stands in the state, and in the record. */
export function carriedInput({ task: _task, extend: _extend, base: _base, mode: _mode, auto: _auto, interactive: _interactive, ...input }: LoopState['input'], id: string): LoopState['input'] {
  return { ...input, loopId: input.loopId ?? id }
}

function fitted(state: LoopState): LoopState {
  const { last } = state
  return withinBytes(last === undefined ? state : { ...state, last: decisive(last) }, roomWith(state.texts, RESERVE), RUNGS)
}

/** Of the last worker only what decides; its output file has the rest. */
function decisive({ tasks: _, findings: __, recommendations: ___, suggestion: ____, rootCause: _____, tasksCompleted: ______, tasksRemaining: _______, ...end }: WorkerEnd): WorkerEnd {
  return { ...end, filesClaimed: [] }
}

function cut(state: LoopState, a: Amount): LoopState {
  const { lastRun, parallelResults: round, quality, suggestion: _, ...rest } = state
  const texts = (most: number) => (text: string): string => oneLine(text, most)
  const worker = <W extends LoopState['workers'][number] | null>(one: W): W => (one === null ? one : { ...one, summary: texts(a.text)(one.summary), files: one.files.slice(0, a.files) })
  const closed = newest(state.findings.filter(({ status }) => status === 'closed'), a.closed)
  return {
    ...rest,
    history: newest(state.history, a.history).map((one) => (one.note === undefined ? one : { ...one, note: texts(a.notes)(one.note) })),
    findings: newest(state.findings.filter((one) => one.status === 'open' || closed.includes(one)), a.findings).map((one) => ({ ...one, description: texts(a.text)(one.description) })),
    workers: state.workers.map(worker),
    warnings: newest(state.warnings, a.warnings).map(texts(a.text)),
    requestIds: newest(state.requestIds, a.ids),
    commits: newest(state.commits, a.commits),
    tasks: state.tasks.map((task) => ({ ...task, description: texts(task.status === 'completed' ? a.completed : a.open)(task.description), files: task.files.slice(0, a.files) })),
    parallelResults: round === null ? null : { ...round, develop: worker(round.develop), debug: worker(round.debug), validate: worker(round.validate), conflicts: round.conflicts.slice(0, a.conflicts) },
    ...(quality === undefined ? {} : { quality: { ...quality, checks: quality.checks.map((check) => ({ ...check, tail: texts(a.tail)(check.tail) })) } }),
    ...(lastRun === undefined ? {} : { lastRun: lastRun.kind === 'measured' ? { ...lastRun, failures: lastRun.failures.slice(0, a.failures), flakyTests: lastRun.flakyTests.slice(0, a.failures) } : { ...lastRun, tail: lastRun.tail.slice(-a.tail) } }),
    ...(state.last === undefined ? {} : { last: { ...state.last, summary: texts(a.text)(state.last.summary) } }),
  }
}

function newest<T>(list: readonly T[], most: number): T[] {
  return list.slice(Math.max(0, list.length - most))
}
