// How a dev loop describes itself: status, result, and one line about each worker.
import type { LoopState, WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import type { IterationSummary, RunResult } from '../../contract/result.js'
import type { TestRun } from '../../contract/test-run.js'
import { oneLine } from '../text/one-line.js'
import { namedRemoved } from '../run/open-evidence.js'
import { hasCommitted } from '../run/open-items.js'
import { NO_USAGE } from '../run/run-usage.js'
import { changedTestsOf, surroundings, seenBesides } from '../run/reported-failures.js'
import { loopStatusOf, needsReview, type LoopOutcome } from './loop-outcome.js'
import { brokenTests } from '../dev-cycle/broken-tests.js'
import { evidenceOf } from './loop-open.js'
import { claimedRate } from './validation.js'
import { wentHow } from './action-went.js'
import { counts } from '../run/describe-run.js'
import { note } from '../text/short-text.js'
import { rateOf } from '../test-results/pass-rate.js'
import { resultWarnings } from '../run/result-warnings.js'

const SUMMARY_CHARS = 160

/** The test run that speaks of the head; `undefined` where work was committed since. */
export function currentRun({
  lastRun,
  head,
}: Pick<LoopState, 'lastRun' | 'head'>): TestRun | undefined {
  return lastRun?.commit === head ? lastRun : undefined
}

/**
 * The result of a loop; its failures and the suggested commit are filled in by who writes the
 * record.
 */
export function loopResult(
  id: string,
  outcome: LoopOutcome,
  reason: string | undefined,
  state: LoopState | undefined,
): RunResult {
  const run = state === undefined ? undefined : currentRun(state)
  const said = note([
    reason,
    run === undefined && state?.lastRun !== undefined
      ? 'what was done since the last test run was not measured'
      : undefined,
  ])
  return {
    id,
    kind: 'dev-loop',
    outcome,
    status: loopStatusOf(outcome),
    iterations: state?.iteration ?? 0,
    passRate: rateOf(run),
    broken:
      state === undefined
        ? []
        : brokenTests({
            run: state.lastRun,
            commits: state.commits,
            hadBaseline: state.baselineOfBase === true,
            removed: namedRemoved(evidenceOf(state)),
          }),
    reviewNeeded: state !== undefined && needsReview(outcome, state),
    ...changedTestsOf(state),
    ...seenBesides(state),
    ...surroundings(state),
    branch: state?.prepared.workspace.branch ?? null,
    commits: state?.commits ?? [],
    failures: [],
    failuresTotal: run?.kind === 'measured' ? run.failuresTotal : 0,
    reason: said === undefined || said === '' ? null : said,
    warnings: resultWarnings(state?.warnings),
    recordDir: state?.prepared.recordDir ?? null,
    usage: state?.usage ?? NO_USAGE,
    history: state?.history ?? [],
    loop_id: state?.prepared.name ?? id,
    ...(state?.confirmed === true ? { confirmedByPerson: true } : {}),
    ...(state === undefined || state.commits.length === 0 || hasCommitted(state)
      ? {}
      : { nothingCommitted: true }),
    ...(state?.suggestion === undefined ? {} : { suggestion: state.suggestion }),
  }
}

/**
 * One worker. `run`: the last full run; `measured`: this worker's step made it, or confirmed it.
 * `turns`: of agents. Times are epoch milliseconds.
 */
export type WorkerDoneFacts = {
  end: WorkerEnd
  run: TestRun | undefined
  measured: boolean
  turns: number
  /** By git. */ filesTotal: number
  /** What it looked at, where that is not the loop's own work. */ about?: string
  startedAt: number
  completedAt: number
}

/** Returns the summary of a worker: `kept` if its work was committed, with any status. */
export function summaryOfWorker({
  end,
  run,
  measured,
  turns,
  filesTotal,
  about,
  startedAt,
  completedAt,
}: WorkerDoneFacts): IterationSummary {
  const rate = measured ? rateOf(run) : null
  const said = oneLine(end.summary, SUMMARY_CHARS)
  const what = `${end.action}${end.task === undefined ? '' : ` ${end.task}`}${about === undefined ? '' : ` of ${about}`}: ${end.timedOut === true ? 'out of time' : end.status.replaceAll('_', ' ')}`
  const result =
    end.commit !== null
      ? 'kept'
      : end.synthetic === true && end.agent === null
        ? 'not_started'
        : wentHow(end) === 'failed'
          ? 'failed'
          : 'no_change'
  const claim = claimedRate(end.claimed)
  return {
    iteration: end.iteration,
    passRate: rate,
    ...(measured && run !== undefined ? counts(run) : {}),
    result,
    commit: end.commit,
    ...(claim === null ? {} : { claimed: claim }),
    note:
      note([
        said === '' ? what : `${what}: ${said}`,
        end.note === undefined ? undefined : oneLine(end.note, SUMMARY_CHARS),
      ]) ?? what,
    turns,
    files: filesTotal,
    task: end.task,
    startedAt,
    completedAt,
  }
}
