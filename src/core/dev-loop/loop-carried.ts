// What of a loop's state travels: to the host that writes its record, and into the next run.
//
// Bounded as a whole: a list that is long is cut only where the others leave it no room, what the
// next decision reads is never cut, and the texts of the tasks are always told whole.
import type { LoopState, WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import type { WorkerSummary } from '../../contract/dev-loop/loop-record.js'
import type { TestRun } from '../../contract/test-run.js'
import { oneLine } from '../text/one-line.js'
import { firstChars, lastChars } from '../text/test-text.js'
import { roomWith, withinBytes } from './within-bytes.js'

/** Bytes reserved for what is carried besides the state. */
const RESERVE = 500
/** Characters that a reason always gets, and loop-backs that always travel. */
const LEAST_WHY = 60
const LOOP_BACKS_CARRIED = 6
/** Failures of the last run that the record may need. */
const FAILURES_RECORDED = 5

type Rung = (state: LoopState) => LoopState

/**
 * How much stays of each list, newest first; of texts, in characters. `round`: what the workers of
 * the last round said.
 */
type Amount = {
  history: number
  notes: number
  failures: number
  closed: number
  findings: number
  warnings: number
  files: number
  conflicts: number
  ids: number
  commits: number
  completed: number
  open: number
  text: number
  tail: number
  message: number
  round?: false
}

// Each loses more than the one before; open tasks lose last.
const RUNGS: readonly Rung[] = (
  [
    {
      history: 10,
      notes: 200,
      failures: 20,
      closed: 10,
      findings: 20,
      warnings: 10,
      files: 5,
      conflicts: 20,
      ids: 100,
      commits: 100,
      completed: 200,
      open: 1000,
      text: 200,
      tail: 300,
      message: 2000,
    },
    {
      history: 5,
      notes: 120,
      failures: 10,
      closed: 3,
      findings: 20,
      warnings: 5,
      files: 3,
      conflicts: 10,
      ids: 50,
      commits: 40,
      completed: 100,
      open: 400,
      text: 120,
      tail: 150,
      message: 1000,
    },
    {
      history: 3,
      notes: 80,
      failures: 1,
      closed: 0,
      findings: 10,
      warnings: 3,
      files: 1,
      conflicts: 5,
      ids: 20,
      commits: 20,
      completed: 60,
      open: 200,
      text: 80,
      tail: 60,
      message: 500,
    },
    {
      history: 2,
      notes: 60,
      failures: 0,
      closed: 0,
      findings: 6,
      warnings: 1,
      files: 0,
      conflicts: 3,
      ids: 10,
      commits: 10,
      completed: 30,
      open: 120,
      text: 60,
      tail: 0,
      message: 300,
    },
    {
      history: 1,
      notes: 40,
      failures: 0,
      closed: 0,
      findings: 3,
      warnings: 0,
      files: 0,
      conflicts: 1,
      ids: 5,
      commits: 5,
      completed: 20,
      open: 60,
      text: 40,
      tail: 0,
      message: 200,
    },
    {
      history: 0,
      notes: 40,
      failures: 0,
      closed: 0,
      findings: 2,
      warnings: 0,
      files: 0,
      conflicts: 0,
      ids: 3,
      commits: 2,
      completed: 10,
      open: 40,
      text: 20,
      tail: 0,
      message: 150,
      round: false,
    },
  ] satisfies Amount[]
).map(
  (amount): Rung =>
    (state) =>
      cut(state, amount),
)

/** For the record: no more of the last worker and of the last run than it is written from. */
export function forRecord({ lastRun, ...state }: LoopState): LoopState {
  const run =
    lastRun?.kind === 'measured'
      ? {
          ...lastRun,
          failures: lastRun.failures.slice(0, FAILURES_RECORDED),
          flakyTests: lastRun.flakyTests.slice(0, FAILURES_RECORDED),
        }
      : lastRun
  return fitted({
    ...state,
    lastRun: run,
    loopBacks: [],
    requestIds: [],
  })
}

/** For the next run, once the record has been written. */
export function forNext(state: LoopState): LoopState {
  return fitted(state)
}

/** Returns the input that a run carries: the rest is in the state and in the record. */
export function carriedInput(
  {
    task: _task,
    extend: _extend,
    base: _base,
    mode: _mode,
    auto: _auto,
    interactive: _interactive,
    ...input
  }: LoopState['input'],
  id: string,
): LoopState['input'] {
  return { ...input, loopId: input.loopId ?? id }
}

function fitted(state: LoopState): LoopState {
  const { last } = state
  return withinBytes(
    last === undefined ? state : { ...state, last: decisive(last) },
    roomWith(state.texts, RESERVE),
    RUNGS,
  )
}

/**
 * Of the last worker only what decides, and the commit it suggests; its output file has the rest.
 */
function decisive({
  tasks: _,
  findings: __,
  recommendations: ___,
  rootCause: ____,
  tasksCompleted: _____,
  tasksRemaining: ______,
  noChange: _______,
  ...end
}: WorkerEnd): WorkerEnd {
  return { ...end, filesClaimed: [] }
}

function cut(state: LoopState, a: Amount): LoopState {
  const {
    last,
    lastRun,
    validation,
    unmeasured,
    parallelResults: round,
    quality,
    suggestion: _,
    ...rest
  } = state
  const to =
    (most: number) =>
    (text: string): string =>
      oneLine(text, most)
  const closed = newest(
    state.findings.filter(({ status }) => status === 'closed'),
    a.closed,
  )
  return {
    ...rest,
    history: newest(state.history, a.history).map((one) =>
      one.note === undefined ? one : { ...one, note: oneLine(one.note, a.notes) },
    ),
    findings: newest(
      state.findings.filter((one) => one.status === 'open' || closed.includes(one)),
      a.findings,
    ).map((one) => ({ ...one, description: oneLine(one.description, a.text) })),
    ...(state.edits === undefined
      ? {}
      : {
          edits: {
            ...state.edits,
            open: state.edits.open.map((one) => ({
              ...one,
              change: one.change.slice(0, a.findings).map(to(a.text)),
            })),
          },
        }),
    loopBacks: newest(state.loopBacks, LOOP_BACKS_CARRIED),
    workers: state.workers.map((one) => shorter(one, a)),
    warnings: newest(state.warnings, a.warnings).map(to(a.text)),
    requestIds: newest(state.requestIds, a.ids),
    commits: newest(state.commits, a.commits),
    tasks: state.tasks.map((task) => ({
      ...task,
      description: oneLine(task.description, task.status === 'completed' ? a.completed : a.open),
      files: task.files.slice(0, a.files),
      ...(task.noChange === undefined ? {} : { noChange: oneLine(task.noChange, a.text) }),
      ...(task.aside === undefined
        ? {}
        : { aside: { ...task.aside, why: oneLine(task.aside.why, a.text) } }),
    })),
    parallelResults:
      round === null || a.round === false
        ? null
        : {
            ...round,
            develop: shorter(round.develop, a),
            debug: shorter(round.debug, a),
            validate: shorter(round.validate, a),
            conflicts: round.conflicts.slice(0, a.conflicts),
          },
    ...(validation === undefined
      ? {}
      : {
          validation: { ...validation, why: oneLine(validation.why, Math.max(LEAST_WHY, a.text)) },
        }),
    ...(unmeasured === undefined
      ? {}
      : { unmeasured: oneLine(unmeasured, Math.max(LEAST_WHY, a.text)) }),
    ...(quality === undefined
      ? {}
      : {
          quality: {
            ...quality,
            checks: quality.checks.map((check) => ({
              ...check,
              command: oneLine(check.command, Math.max(LEAST_WHY, a.text)),
              tail: oneLine(check.tail, a.tail),
            })),
          },
        }),
    ...(lastRun === undefined ? {} : { lastRun: shorterRun(lastRun, a) }),
    ...(last === undefined
      ? {}
      : {
          last: {
            ...last,
            summary: oneLine(last.summary, a.text),
            ...(last.note === undefined ? {} : { note: oneLine(last.note, a.text) }),
            ...(last.suggestion === undefined
              ? {}
              : {
                  suggestion: {
                    ...last.suggestion,
                    message: firstChars(last.suggestion.message, a.message),
                  },
                }),
          },
        }),
  }
}

function shorter<W extends WorkerSummary | null>(worker: W, a: Amount): W {
  return worker === null
    ? worker
    : { ...worker, summary: oneLine(worker.summary, a.text), files: worker.files.slice(0, a.files) }
}

function shorterRun(run: TestRun, a: Amount): TestRun {
  if (run.kind !== 'measured') return { ...run, tail: lastChars(run.tail, a.tail) }
  return {
    ...run,
    failures: run.failures.slice(0, a.failures),
    flakyTests: run.flakyTests.slice(0, a.failures),
  }
}

function newest<T>(list: readonly T[], most: number): T[] {
  return list.slice(Math.max(0, list.length - most))
}
