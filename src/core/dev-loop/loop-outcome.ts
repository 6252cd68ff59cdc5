// What a loop has come to at its end.
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import type { ParallelResults, WorkerSummary } from '../../contract/dev-loop/loop-record.js'
import type { RunStatus } from '../../contract/result.js'
import { note } from '../text/short-text.js'
import { openIn, openLine, type Promised } from './loop-open.js'

export type LoopOutcome = 'completed' | 'user_exit' | 'failed' | 'stopped' | 'max_iterations'

/** Returns the record status of an outcome. A loop that a person left can continue. */
export function loopStatusOf(outcome: LoopOutcome): RunStatus {
  return outcome === 'completed' || outcome === 'user_exit' ? outcome : 'failed'
}

/**
 * Whether a person should look at what is completed: something is open all the same, or could not
 * be shown.
 */
export function needsReview(outcome: string, state: Promised): boolean {
  const { items, review } = openIn(state)
  return outcome === 'completed' && items.length + review.length > 0
}

/** What is to be said of a completed loop; `undefined` where nothing is. */
export function completedReason(state: Promised, own?: string): string | undefined {
  const { items, review, known } = openIn(state)
  return note([openLine(items), ...review, known, own])
}

/** Why a round of parallel mode ends the loop: no worker of it came to a result. */
export function roundFailure({
  parallelResults: round,
  history,
}: Pick<LoopState, 'parallelResults' | 'history'>): string | undefined {
  if (round !== null && !workersOf(round).every(cameToNothing)) return undefined
  return (
    note([
      'none of the three workers came to a result',
      history.findLast((one) => one.result === 'not_started' || one.result === 'failed')?.note,
    ]) ?? ''
  )
}

function workersOf({ develop, debug, validate }: ParallelResults): (WorkerSummary | null)[] {
  return [develop, debug, validate]
}

/** Work that a worker left is used, however the worker ended. */
function cameToNothing(worker: WorkerSummary | null): boolean {
  return (
    worker === null ||
    ((worker.status === 'failed' || worker.status === 'unknown') && worker.filesTotal === 0)
  )
}
