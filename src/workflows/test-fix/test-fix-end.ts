// The ways out of a run of the test-fix cycle: into the next iteration, or to its end.
import { ActivityFailure } from '@temporalio/workflow'
import type { TestFixInput } from '../../contract/test-fix/test-fix-input.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { RunResult, TestFixOutcome } from '../../contract/result.js'
import { closedQueue } from '../../core/test-fix/closed-queue.js'
import { bestNote } from '../../core/test-fix/end-reason.js'
import { closeRun, continueRun } from '../run/run-end.js'
import { record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'
import { firstSentence, note } from '../../core/text/short-text.js'
import { runResult } from '../../core/test-fix/test-fix-result.js'
import { backBeforeFixes, backToBest, rollBack } from './go-back.js'

/** Why a run ends. `limit`: the iteration limit that ends it; a higher one lets it continue. */
export type End = { outcome: TestFixOutcome; reason?: string; limit?: number | undefined }

/** What follows a task: the end of the run, the next task at once, or the next iteration. */
export type Then = End | 'next task' | 'next iteration'

/** Starts the next iteration as a new run with a compact state. */
export function nextIteration(run: TestFixRun): Promise<never> {
  return continueRun<TestFixInput, TestFixState>(run, (carried) => [
    run.input,
    { ...run.ready, ...carried },
  ])
}

/** Ends the run with its branch at the best state. */
export function close(run: TestFixRun, { outcome, reason }: End): Promise<RunResult> {
  return closeRun(run, outcome, {
    settle: async () => {
      const { state } = run
      if (state?.queue !== undefined) state.queue = closedQueue(state.queue, outcome)
      const unjudged =
        run.unmeasured === undefined ? undefined : `${run.unmeasured.slice(0, 10)} was not measured`
      const standing = state === undefined ? undefined : ((await endAtBest(run)) ?? bestNote(state))
      const text = note([reason, unjudged, notSaid(reason, state?.forged?.reason), standing])
      return runResult(run.id, outcome, text, state)
    },
    record: async (result) => ({ failures: await record(run, result) }),
  })
}

/** Returns the text unless the reason already contains it. */
function notSaid(reason: string | undefined, text: string | undefined): string | undefined {
  return text === undefined || reason?.includes(text) === true ? undefined : text
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
    const { pending } = state
    // Its ref keeps the candidate: a resumed session continues with its retest.
    if (typeof pending?.commit === 'string')
      await rollBack(run, pending.iteration, `${step}/candidate`)
    if (state.best === undefined) await backBeforeFixes(run, step)
    else if (state.atBest !== true) await backToBest(run, step)
    return undefined
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error
    const stays = `the branch stays at its last published commit, which is not the best measured state: ${firstSentence(error.cause?.message ?? error.message)}`
    run.warn(stays)
    return stays
  }
}
