// Bounds the state of a loop for the host that writes its record, and for the next run.
//
// The bound applies to the whole: a long list is cut only if the others leave it no room. What the
// next decision reads is never cut, and the texts of the tasks stay complete.
import type { LoopState, WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import { roomWith, withinBytes } from './within-bytes.js'
import { RUNGS } from './loop-cuts.js'

/** Bytes reserved for what is carried besides the state. */
const RESERVE = 500

/** Failures of the last run that the record may need. */
const FAILURES_RECORDED = 5

/** Returns the state for the record, with what it needs of the last worker and the last run. */
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

/** Returns the state for the next run, once the record has been written. */
export function forNext(state: LoopState): LoopState {
  return fitted(state)
}

/** Returns the input that a run carries: the rest is in the state and in the record. */
export function carriedInput(
  {
    task: _task,
    extend: _extend,
    base: _base,
    prep: _prep,
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
 * Returns the part of the last worker that decides, and the commit it suggests; its output file has
 * the rest.
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
