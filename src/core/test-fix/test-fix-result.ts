// Builds the result and the status of a test-fix run from its state.
import type { TestFixOutcome, RunStatus, RunResult, StatusReply } from '../../contract/result.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import { isStart } from './end-reason.js'
import { rateOf } from '../test-results/pass-rate.js'
import { surroundings, seenBesides, reportedFailures } from '../run/reported-failures.js'
import { NO_USAGE } from '../run/run-usage.js'
import { resultWarnings } from '../run/result-warnings.js'

/** Returns the record status of an outcome. */
export function statusOf(outcome: TestFixOutcome): RunStatus {
  return outcome === 'success' || outcome === 'partial_success' ? 'completed' : 'failed'
}

/** Returns the result of a run; without `state` if it ended before its workspace was ready. */
export function runResult(
  id: string,
  outcome: TestFixOutcome,
  reason: string | undefined,
  state: TestFixState | undefined,
): RunResult {
  const run = state?.best?.run ?? state?.lastRun
  return {
    id,
    kind: 'test-fix',
    outcome,
    status: statusOf(outcome),
    iterations: state?.iteration ?? 0,
    ...(state === undefined ? {} : { maxIterations: state.maxIterations }),
    passRate: rateOf(run),
    reviewNeeded:
      outcome === 'partial_success' || (outcome === 'success' && (state?.review ?? []).length > 0),
    ...bestFacts(state),
    ...confirmationOf(state),
    ...changesShown(state ?? {}),
    ...(state?.fullRuns === undefined ? {} : { fullRuns: state.fullRuns }),
    ...seenBesides(state),
    ...surroundings(state),
    ...(state?.changedTestFiles === undefined ? {} : { changedTestFiles: state.changedTestFiles }),
    branch: state?.prepared.workspace.branch ?? null,
    commits: state?.commits ?? [],
    failures: reportedFailures(run?.kind === 'measured' ? run.failures : []),
    failuresTotal: run?.kind === 'measured' ? run.failuresTotal : 0,
    reason:
      [reason, ...(state?.review ?? [])].filter((text) => text !== undefined).join('; ') || null,
    warnings: resultWarnings(state?.warnings),
    recordDir: state?.prepared.recordDir ?? null,
    usage: state?.usage ?? NO_USAGE,
    history: state?.history ?? [],
  }
}

/** Returns what a result says about the best state. */
function bestFacts(
  state: TestFixState | undefined,
): Pick<RunResult, 'best' | 'baselinePassRate' | 'broken' | 'head'> {
  if (state === undefined) return { best: null, baselinePassRate: null, broken: [] }
  const { best, baselineRate = null, head } = state
  return {
    best:
      best === undefined
        ? null
        : { commit: best.commit, iteration: best.iteration, passRate: rateOf(best.run) },
    baselinePassRate: baselineRate,
    broken: best?.run.comparison?.brokenSinceBaseline ?? [],
    head,
  }
}

/** Returns what a result says about canaries. */
function confirmationOf(
  state: TestFixState | undefined,
): Pick<RunResult, 'confirmed' | 'unconfirmed'> {
  if (state?.best === undefined || isStart(state)) return {}
  const { commit, reason } = state.confirmation ?? {}
  if (commit !== state.best.commit)
    return { confirmed: false, unconfirmed: 'the run ended before its results were confirmed' }
  return reason === undefined ? { confirmed: true } : { confirmed: false, unconfirmed: reason }
}

/** Returns proposed test changes for result and status; nothing if there are none. */
export function changesShown({
  proposals = [],
}: Pick<TestFixState, 'proposals'>): Pick<RunResult, 'proposedTestChanges'> {
  if (proposals.length === 0) return {}
  return {
    proposedTestChanges: proposals.map(({ file, why, answer }) => ({
      file,
      why,
      answer,
    })),
  }
}

/** Returns what a status says about the best state. */
export function bestStatus(
  state: TestFixState | undefined,
): Pick<StatusReply, 'best' | 'baselinePassRate' | 'broken'> {
  const { best, baselinePassRate } = bestFacts(state)
  return {
    best: best ?? null,
    baselinePassRate: baselinePassRate ?? null,
    broken: state?.best?.run.comparison?.counts.broken ?? 0,
  }
}
