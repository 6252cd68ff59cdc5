// What a loop has come to at its end. The work of its workers is what was measured, whatever they say.
// Source: 002 §2.2, §2.4; ccw §2.1 "Termination", §2.4 trap 8; architecture §2 "Outcomes".
import type { LoopState } from '../../contract/loop.js'
import type { WorkerSummary } from '../../contract/loop-record.js'
import type { RunStatus } from '../../contract/result.js'
import { describeRun, flakyNames, flakyReason, note, shortList } from '../test-fix-view.js'
import { blockedTasks, pendingTasks } from './loop-tasks.js'
import { failingChecks } from './validation.js'

export type LoopOutcome = 'completed' | 'user_exit' | 'failed' | 'stopped' | 'max_iterations'
type Ended = { outcome: LoopOutcome; reason?: string }

/** Record status of an outcome. A loop that a person left can go on. */
export function loopStatusOf(outcome: LoopOutcome): RunStatus {
  return outcome === 'completed' || outcome === 'user_exit' ? outcome : 'failed'
}

/** The outcome of parallel mode, after the merge, its measurement, and complete. */
export function parallelOutcome(state: LoopState): Ended {
  const { parallelResults: round } = state
  if (round === null || [round.develop, round.debug, round.validate].every(cameToNothing)) return { outcome: 'failed', reason: note(['none of the three workers came to a result', state.history.findLast((one) => one.result === 'not_started' || one.result === 'failed')?.note]) ?? '' }
  const failing = failures(state)
  if (failing !== undefined) return { outcome: 'failed', reason: note([failing, tasksLeft(state), 'go on with mode auto: it repairs what fails']) ?? '' }
  return completed(state)
}

/** The outcome where a person has chosen complete: it is completed, and what is open is said. */
export function interactiveOutcome(state: LoopState): Ended {
  return completed(state)
}

/** Whether somebody should look at the result: something fails, or was not measured, is left, or flaky. */
export function needsReview(outcome: LoopOutcome, state: LoopState): boolean {
  return outcome === 'completed' && leftOpen(state).length > 0
}

/** Work that a worker left is used, however the worker ended. */
function cameToNothing(worker: WorkerSummary | null): boolean {
  return worker === null || ((worker.status === 'failed' || worker.status === 'unknown') && worker.filesTotal === 0)
}

function completed(state: LoopState): Ended {
  const reason = note(leftOpen(state))
  return { outcome: 'completed', ...(reason === undefined ? {} : { reason }) }
}

function leftOpen(state: LoopState): string[] {
  const { lastRun: run } = state
  const unmeasured = run === undefined ? `nothing was measured: ${state.unmeasured ?? 'no tests were run'}` : undefined
  const flaky = run?.kind === 'measured' && run.flaky > 0 ? flakyReason(flakyNames(run)) : undefined
  return [failures(state), unmeasured, tasksLeft(state), flaky].filter((one) => one !== undefined)
}

function failures({ lastRun: run, quality }: LoopState): string | undefined {
  const tests = run === undefined || (run.kind === 'measured' && run.failed === 0 && run.passed > 0) ? undefined : run.kind === 'measured' ? `tests fail: ${describeRun(run)}` : describeRun(run)
  const checks = failingChecks(quality).map(({ name }) => name)
  return note([tests, checks.length === 0 ? undefined : `${checks.join(', ')} fail${checks.length === 1 ? 's' : ''}`])
}

function tasksLeft({ tasks }: LoopState): string | undefined {
  const pending = pendingTasks(tasks).map(({ id }) => id)
  const blocked = blockedTasks(tasks).map(({ id }) => id)
  return note([pending.length === 0 ? undefined : `pending: ${shortList(pending)}`, blocked.length === 0 ? undefined : `blocked: ${shortList(blocked)}`])
}
