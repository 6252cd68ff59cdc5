// How a dev cycle describes itself: status, result, and the summary of an iteration.
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import type { IterationSummary, RunResult, RunStatus } from '../../contract/result.js'
import type { TestRun } from '../../contract/test-run.js'
import { hasCommitted } from '../run/open-items.js'
import { NO_USAGE } from '../run/run-usage.js'
import { changedTestsOf, surroundings, seenBesides } from '../run/reported-failures.js'
import { namedRemoved } from '../run/open-evidence.js'
import { brokenTests } from './broken-tests.js'
import { cycleEvidence } from './cycle-open.js'
import type { CycleOutcome } from './cycle-outcome.js'
import { counts } from '../run/describe-run.js'
import { firstSentence, note } from '../text/short-text.js'
import { rateOf } from '../test-results/pass-rate.js'
import { resultWarnings } from '../run/result-warnings.js'

/** Record status of an outcome: a cycle with issues left has done its work. */
export function cycleStatusOf(outcome: CycleOutcome): RunStatus {
  return outcome === 'completed' || outcome === 'completed_with_issues' ? 'completed' : 'failed'
}

/**
 * The result of a cycle; its failures are filled in by who reads the whole list for the record.
 * `validated`: the commit that VAS looked at last.
 */
export function cycleResult(
  id: string,
  {
    outcome,
    reason,
    review,
    confirmed,
    validated,
  }: {
    outcome: CycleOutcome
    reason: string | undefined
    review: readonly string[]
    confirmed?: boolean | undefined
    validated?: string | undefined
  },
  state: CycleState | undefined,
): RunResult {
  const run = state?.lastRun
  return {
    id,
    kind: 'dev-cycle',
    outcome,
    status: cycleStatusOf(outcome),
    iterations: state?.iteration ?? 0,
    passRate: rateOf(run),
    broken:
      state === undefined
        ? []
        : brokenTests({
            run,
            commits: state.commits,
            hadBaseline: state.baselineOfBase === true,
            removed: namedRemoved(cycleEvidence(state, { issues: [], validated })),
          }),
    reviewNeeded:
      outcome === 'completed_with_issues' || (outcome === 'completed' && review.length > 0),
    ...(confirmed === true ? { confirmedByPerson: true } : {}),
    ...(state === undefined || state.commits.length === 0 || hasCommitted(state)
      ? {}
      : { nothingCommitted: true }),
    ...changedTestsOf(state),
    ...seenBesides(state),
    ...surroundings(state),
    branch: state?.prepared.workspace.branch ?? null,
    commits: state?.commits ?? [],
    failures: [],
    failuresTotal: run?.kind === 'measured' ? run.failuresTotal : 0,
    reason: reason === undefined || reason === '' ? null : reason,
    warnings: resultWarnings(state?.warnings),
    recordDir: state?.prepared.recordDir ?? null,
    usage: state?.usage ?? NO_USAGE,
    history: state?.history ?? [],
  }
}

/**
 * One line about an iteration. `commit`: the last one it made; `run`: the last full run of it;
 * `failed`: CD failed. Times are epoch milliseconds.
 */
export type IterationFacts = {
  iteration: number
  run?: TestRun | undefined
  commit: string | null
  failed: boolean
  claimed?: number | null | undefined
  turns: number
  notes: readonly (string | undefined)[]
  startedAt: number
  completedAt: number
}

/**
 * Returns the summary of an iteration: kept if it made a commit, with any test result. A claim is
 * reported as an issue, not here.
 */
export function summaryOf({
  iteration,
  run,
  commit,
  failed,
  claimed,
  turns,
  notes,
  startedAt,
  completedAt,
}: IterationFacts): IterationSummary {
  const unmeasured =
    run?.kind === 'measured'
      ? undefined
      : run === undefined
        ? 'nothing was measured'
        : firstSentence(run.reason)
  const said = note(
    unmeasured === undefined || notes.some((one) => one?.includes(unmeasured))
      ? notes
      : [...notes, unmeasured],
  )
  const idle = unmeasured === undefined ? 'no_change' : 'not_started'
  return {
    iteration,
    passRate: rateOf(run),
    ...(run === undefined ? {} : counts(run)),
    result: commit !== null ? 'kept' : failed ? 'failed' : idle,
    commit,
    ...(claimed === undefined || claimed === null ? {} : { claimed }),
    note: said,
    turns,
    startedAt,
    completedAt,
  }
}
