// The ways out of a run of the test-fix cycle: into the next iteration, or to its end.
import { ActivityFailure, CancellationScope, continueAsNew } from '@temporalio/workflow'
import type { RunResult, TestFixOutcome } from '../../contract/result.js'
import type { testFixCycle } from './workflow.js'
import { closedQueue } from '../../core/test-fix/closed-queue.js'
import { bestNote } from '../../core/test-fix/end-reason.js'
import { allClosed, boundary, ended, lastRecord } from '../run/run-end.js'
import { backBeforeFixes, backToBest, record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'
import { firstSentence, note } from '../../core/text/short-text.js'
import { runResult } from '../../core/test-fix/test-fix-result.js'

/** Why a run ends. */
export type End = { outcome: TestFixOutcome; reason?: string }

/** Starts the next iteration as a new run: a compact state, no open handler, no open question. */
export async function nextIteration(run: TestFixRun): Promise<never> {
  const carried = await boundary(run)
  return continueAsNew<typeof testFixCycle>(run.input, { ...run.ready, ...carried })
}

/** Ends the run. A cancellation that arrives meanwhile does not prevent its record. */
export function close(run: TestFixRun, { outcome, reason }: End): Promise<RunResult> {
  return CancellationScope.nonCancellable(() => closeRecorded(run, outcome, reason))
}

async function closeRecorded(
  run: TestFixRun,
  outcome: TestFixOutcome,
  reason: string | undefined,
): Promise<RunResult> {
  run.closing = true
  run.questions.withdrawAll()
  run.enter('closing', 'host: writing the record')
  const { state } = run
  if (state?.queue !== undefined) state.queue = closedQueue(state.queue, outcome)
  const unjudged =
    run.unmeasured === undefined ? undefined : `${run.unmeasured.slice(0, 10)} was not measured`
  const standing = state === undefined ? undefined : ((await endAtBest(run)) ?? bestNote(state))
  const result = runResult(
    run.id,
    outcome,
    note([reason, unjudged, notSaid(reason, state?.forged?.reason), standing]),
    state,
  )
  if (state !== undefined) {
    const lost = await lastRecord(
      run,
      async () => void (result.failures = await record(run, result)),
    )
    if (lost !== undefined) result.reason = note([result.reason ?? undefined, lost]) ?? lost
  }
  run.outcome = outcome
  run.enter(outcome, 'nothing')
  await allClosed(run)
  return result
}

/** Returns the text unless the reason already contains it. */
function notSaid(reason: string | undefined, text: string | undefined): string | undefined {
  return text === undefined || reason?.includes(text) === true ? undefined : text
}

/** Ends the cycle properly for every kind of exit. */
export function ending(run: TestFixRun, body: () => Promise<RunResult>): Promise<RunResult> {
  return ended(run, body, (why, reason) =>
    close(run, { outcome: why === 'stopped' ? 'stopped' : 'blocked', reason }),
  )
}

/**
 * Moves the branch to the best measured state, for every outcome; if nothing was measured, to the
 * state before the first fix.
 *
 * @returns where the branch stays, if that fails: the run ends all the same
 */
async function endAtBest(run: TestFixRun): Promise<string | undefined> {
  const state = run.ready
  const step = `end-${state.iteration}`
  try {
    if (state.best === undefined) await backBeforeFixes(run, step)
    else if (state.atBest !== true || typeof state.pending?.commit === 'string')
      await backToBest(run, step)
    return undefined
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error
    const stays = `the branch stays where it was published last, which is not the best measured state: ${firstSentence(error.cause?.message ?? error.message)}`
    run.warn(stays)
    return stays
  }
}
