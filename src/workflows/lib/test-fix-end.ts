// The ways out of a run of the test-fix cycle: into the next iteration, or to its end.
import { ActivityFailure, ApplicationFailure, CancellationScope, allHandlersFinished, condition, continueAsNew, isCancellation } from '@temporalio/workflow'
import type { RunResult, TestFixOutcome } from '../../contract/result.js'
import type { testFixCycle } from '../test-fix-cycle.js'
import { closedQueue } from '../../core/closed-queue.js'
import { note, runResult } from '../../core/test-fix-view.js'
import { StopRequested } from './control.js'
import { record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'

/** Why a run ends. */
export type End = { outcome: TestFixOutcome; reason?: string }

/** The one way into the next iteration: a compact state, no open handler, no open question. */
export async function nextIteration(run: TestFixRun): Promise<never> {
  for (;;) {
    await run.control.safePoint()
    run.questions.withdrawAll()
    if (allHandlersFinished()) break
    await condition(() => allHandlersFinished() || run.control.stop !== undefined)
  }
  const { pause } = run.control
  return continueAsNew<typeof testFixCycle>(run.input, { ...run.ready, requestIds: run.questions.requestIds, ...(pause === undefined ? {} : { pause }) })
}

/** Ends the run. A cancellation that arrives meanwhile cannot keep it from its record. */
export function close(run: TestFixRun, { outcome, reason }: End): Promise<RunResult> {
  return CancellationScope.nonCancellable(() => closeRecorded(run, outcome, reason))
}

async function closeRecorded(run: TestFixRun, outcome: TestFixOutcome, reason: string | undefined): Promise<RunResult> {
  run.closing = true
  run.questions.withdrawAll()
  run.enter('closing', 'host: writing the record')
  const { state } = run
  if (state?.queue !== undefined) state.queue = closedQueue(state.queue, outcome)
  const unjudged = run.unmeasured === undefined ? undefined : `${run.unmeasured.slice(0, 10)} is on the branch but was not measured`
  const result = runResult(run.id, outcome, note([reason, unjudged]), state)
  if (state !== undefined) result.failures = await record(run, result)
  run.outcome = outcome
  run.enter(outcome, 'nothing')
  await condition(allHandlersFinished)
  return result
}

/** Gives every way out of the cycle its proper end: stop, Web UI Cancel, refusals. */
export async function ending(run: TestFixRun, body: () => Promise<RunResult>): Promise<RunResult> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof StopRequested) return close(run, { outcome: 'stopped', reason: error.message === '' ? 'stopped by request' : `stopped by request: ${error.message}` })
    if (isCancellation(error)) {
      await close(run, { outcome: 'stopped', reason: 'cancelled' })
      throw error
    }
    // Something that only a person can mend. With a workspace the run ends properly, before it there is nothing to end.
    if (error instanceof ActivityFailure && run.state !== undefined && !run.closing) return close(run, { outcome: 'blocked', reason: error.cause?.message ?? error.message })
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.nonRetryable === true)
      throw ApplicationFailure.create({ type: error.cause.type ?? 'Refused', message: error.cause.message, nonRetryable: true, details: error.cause.details ?? [], cause: error })
    throw error
  }
}
