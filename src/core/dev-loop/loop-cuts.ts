// Cuts the lists and texts of a loop's state, in rungs: each rung keeps less than the one before.
import { unfollowed } from '../run/task-work.js'
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import { oneLine } from '../text/one-line.js'
import { firstChars, lastChars } from '../text/test-text.js'
import { keptFindings } from './kept-findings.js'
import type { WorkerSummary } from '../../contract/dev-loop/loop-record.js'
import type { TestRun } from '../../contract/test-run.js'

/** Characters that a reason always keeps. */
const LEAST_WHY = 60
/** Loop-backs that are always carried. */
const LOOP_BACKS_CARRIED = 6

type Rung = (state: LoopState) => LoopState

/**
 * How many entries of each list stay, the newest, and how many characters of each text. `round`:
 * whether the reports of the last parallel round stay.
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

// Each rung keeps less than the one before; open tasks lose last.
// prettier-ignore
const AMOUNTS: readonly Amount[] = [
  {
    history: 10, notes: 200, failures: 20, closed: 10, findings: 20,
    warnings: 10, files: 5, conflicts: 20, ids: 100, commits: 100,
    completed: 200, open: 1000, text: 200, tail: 300, message: 2000,
  },
  {
    history: 5, notes: 120, failures: 10, closed: 3, findings: 20,
    warnings: 5, files: 3, conflicts: 10, ids: 50, commits: 40,
    completed: 100, open: 400, text: 120, tail: 150, message: 1000,
  },
  {
    history: 3, notes: 80, failures: 1, closed: 0, findings: 10,
    warnings: 3, files: 1, conflicts: 5, ids: 20, commits: 20,
    completed: 60, open: 200, text: 80, tail: 60, message: 500,
  },
  {
    history: 2, notes: 60, failures: 0, closed: 0, findings: 6,
    warnings: 1, files: 0, conflicts: 3, ids: 10, commits: 10,
    completed: 30, open: 120, text: 60, tail: 0, message: 300,
  },
  {
    history: 1, notes: 40, failures: 0, closed: 0, findings: 3,
    warnings: 0, files: 0, conflicts: 1, ids: 5, commits: 5,
    completed: 20, open: 60, text: 40, tail: 0, message: 200,
  },
  {
    history: 0, notes: 40, failures: 0, closed: 0, findings: 2,
    warnings: 0, files: 0, conflicts: 0, ids: 3, commits: 2,
    completed: 10, open: 40, text: 20, tail: 0, message: 150, round: false,
  },
]

/** The cuts, from the mildest. */
export const RUNGS: readonly Rung[] = AMOUNTS.map(
  (amount): Rung =>
    (state) =>
      cut(state, amount),
)

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
    findings: keptFindings(
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
    tasks: (a.closed > 0 ? state.tasks : unfollowed(state.tasks)).map((task) => ({
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
