// The ways out of a run of the dev loop: into the next run, or to its end.
import { CancellationScope, continueAsNew } from '@temporalio/workflow'
import type { RunResult } from '../../contract/result.js'
import { forNext } from '../../core/dev-loop/loop-carried.js'
import { openIn } from '../../core/dev-loop/loop-open.js'
import type { LoopOutcome } from '../../core/dev-loop/loop-outcome.js'
import { loopResult } from '../../core/dev-loop/loop-view.js'
import { note } from '../../core/text/short-text.js'
import type { devLoop } from './workflow.js'
import type { LoopRun } from './loop-run.js'
import { record } from './loop-steps.js'
import { allClosed, boundary, ended, lastRecord } from '../run/run-end.js'

/** Why a loop ends. */
export type LoopEnd = { outcome: LoopOutcome; reason?: string }

/** Starts the next run: a compact state, no open handler, no open question. */
export async function nextRun(run: LoopRun): Promise<never> {
  const carried = await boundary(run)
  const { ready: state } = run
  return continueAsNew<typeof devLoop>(state.input, forNext({ ...state, ...carried }))
}

/**
 * Ends the loop with a complete record. A cancellation that arrives meanwhile does not prevent it.
 */
export function close(run: LoopRun, end: LoopEnd): Promise<RunResult> {
  return CancellationScope.nonCancellable(() => closeRecorded(run, end))
}

async function closeRecorded(run: LoopRun, { outcome, reason }: LoopEnd): Promise<RunResult> {
  run.closing = true
  run.questions.withdrawAll()
  run.enter('closing', 'host: writing the record')
  const { state } = run
  // The task of a running worker is not lost with the worker.
  if (state !== undefined)
    state.tasks = state.tasks.map((task) =>
      task.status === 'in_progress' ? { ...task, status: 'pending' } : task,
    )
  // Tasks that a validation closed are done.
  if (state !== undefined && outcome === 'completed' && openIn(state).items.length === 0)
    state.tasks = state.tasks.map((task) => ({ ...task, status: 'completed' }))
  const result = loopResult(run.id, outcome, note([reason]), state)
  if (state !== undefined) {
    const lost = await lastRecord(
      run,
      async () => void Object.assign(result, await record(run, result)),
    )
    if (lost !== undefined) result.reason = note([result.reason ?? undefined, lost]) ?? lost
  }
  run.outcome = outcome
  run.enter(outcome, 'nothing')
  await allClosed(run)
  return result
}

/** Ends the loop properly for every kind of exit. */
export function ending(run: LoopRun, body: () => Promise<RunResult>): Promise<RunResult> {
  return ended(run, body, (why, reason) =>
    close(run, { outcome: why === 'stopped' ? 'stopped' : 'failed', reason }),
  )
}
