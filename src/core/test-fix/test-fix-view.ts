// How a test-fix run describes itself: status, result and the sentences in them.
import {
  ERROR_SHOWN,
  FAILURES_SHOWN,
  type Criticality,
  type Measured,
  type TestRun,
} from '../../contract/test-run.js'
import type {
  IterationSummary,
  ReportedFailure,
  RunResult,
  RunStatus,
  RunUsage,
  StatusReply,
  TestFixOutcome,
} from '../../contract/result.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { TurnResult } from '../../contract/turn.js'
import type { CommitResult } from '../../contract/workspace.js'
import { REVIEW_RATE } from './gate.js'
import { plainLine } from '../text/one-line.js'
import { passRate } from '../test-results/pass-rate.js'

export const NO_USAGE: RunUsage = { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false }

/** Pass rate of a run in percent, `null` where nothing was measured. */
export function rateOf(run: TestRun | undefined): number | null {
  return run?.kind === 'measured' ? passRate(run.passed, run.total) : null
}

/** Adds one turn to a run's usage. Money only where every priced turn says so. */
export function addUsage(usage: RunUsage, turn: TurnResult): RunUsage {
  const cost =
    turn.usage.costUsd === undefined ? usage.costUsd : (usage.costUsd ?? 0) + turn.usage.costUsd
  return {
    turns: usage.turns + 1,
    inputTokens: usage.inputTokens + turn.usage.inputTokens,
    outputTokens: usage.outputTokens + turn.usage.outputTokens,
    estimated: usage.estimated || turn.usage.estimated,
    agentMs: (usage.agentMs ?? 0) + turn.durationMs,
    costUsd: cost,
  }
}

/** Record status of an outcome. */
export function statusOf(outcome: TestFixOutcome): RunStatus {
  return outcome === 'success' || outcome === 'partial_success' ? 'completed' : 'failed'
}

/** Returns failures for a result; one without an assessment counts as high. */
export function reportedFailures(
  failures: readonly {
    test: string
    file: string
    error?: string | undefined
    criticality?: Criticality | undefined
  }[],
): ReportedFailure[] {
  return failures.slice(0, FAILURES_SHOWN).map((f) => ({
    test: f.test,
    file: f.file,
    criticality: f.criticality ?? 'high',
    error: (f.error ?? '').slice(0, ERROR_SHOWN),
  }))
}

/** The summary of iteration 0. */
export function baselineSummary(run: TestRun): IterationSummary {
  return {
    iteration: 0,
    passRate: rateOf(run),
    ...counts(run),
    result: run.kind === 'measured' ? 'baseline' : 'not_started',
    commit: null,
    turns: 0,
    ...noteOf(run),
  }
}

function noteOf(run: TestRun): { note?: string } {
  if (run.kind !== 'measured') return { note: firstSentence(run.reason) }
  return run.note === undefined ? {} : { note: run.note }
}

/** The same of a run that may have nothing to measure: then the reason stands there. */
export function openingSummary({
  lastRun,
  unmeasured = 'nothing was measured',
}: {
  lastRun?: TestRun | undefined
  unmeasured?: string | undefined
}): IterationSummary {
  return lastRun === undefined
    ? {
        iteration: 0,
        passRate: null,
        result: 'not_started',
        commit: null,
        turns: 0,
        note: unmeasured,
      }
    : baselineSummary(lastRun)
}

export function counts(run: TestRun): { passed?: number; total?: number } {
  return run.kind === 'measured' ? { passed: run.passed, total: run.total } : {}
}

/** The result of a run; `state` is missing where it ended before its workspace was ready. */
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
    passRate: rateOf(run),
    reviewNeeded:
      outcome === 'partial_success' || (outcome === 'success' && (state?.review ?? []).length > 0),
    ...bestFacts(state),
    ...confirmationOf(state),
    ...changesShown(state ?? {}),
    ...(state?.fullRuns === undefined ? {} : { fullRuns: state.fullRuns }),
    ...seenBesides(state),
    ...(state?.changedTestFiles === undefined ? {} : { changedTestFiles: state.changedTestFiles }),
    branch: state?.prepared.workspace.branch ?? null,
    commits: state?.commits ?? [],
    failures: reportedFailures(run?.kind === 'measured' ? run.failures : []),
    failuresTotal: run?.kind === 'measured' ? run.failuresTotal : 0,
    reason:
      [reason, ...(state?.review ?? [])].filter((text) => text !== undefined).join('; ') || null,
    recordDir: state?.prepared.recordDir ?? null,
    usage: state?.usage ?? NO_USAGE,
    history: state?.history ?? [],
  }
}

/** What the tests of a run saw although no commit holds it. */
export function seenBesides(
  state: { prepared: { measuredWith?: string[] | undefined } } | undefined,
): Pick<RunResult, 'measuredWith'> {
  const files = state?.prepared.measuredWith
  return files === undefined ? {} : { measuredWith: files }
}

/** What a result says of the best state. */
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

/** Whether the best state is what the run began from: nothing of it was made by an agent. */
export function isStart({ best, prepared }: Pick<TestFixState, 'best' | 'prepared'>): boolean {
  return best?.commit === prepared.workspace.base
}

/** What a result says of canaries. */
function confirmationOf(
  state: TestFixState | undefined,
): Pick<RunResult, 'confirmed' | 'unconfirmed'> {
  if (state?.best === undefined || isStart(state)) return {}
  const { commit, reason } = state.confirmation ?? {}
  if (commit !== state.best.commit)
    return { confirmed: false, unconfirmed: 'the run ended before its results were confirmed' }
  return reason === undefined ? { confirmed: true } : { confirmed: false, unconfirmed: reason }
}

/** Proposed test changes as result and status name them; nothing where there are none. */
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

/** The same in a status. */
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

export const NOTHING_MEASURED = 'no run of the tests measured anything'

/** Commit of the first fix; `undefined` where no fix changed anything. */
export function firstFix({
  history,
  pending,
}: Pick<TestFixState, 'history' | 'pending'>): string | undefined {
  return (
    history.find(({ iteration, commit }) => iteration > 0 && commit !== null)?.commit ??
    pending?.commit ??
    undefined
  )
}

/**
 * What is to be said of the best state at the end; `undefined` where the last iteration made it.
 */
export function bestNote(
  state: Pick<TestFixState, 'best' | 'history' | 'iteration' | 'pending'>,
): string | undefined {
  const { best, history, iteration } = state
  if (best === undefined)
    return firstFix(state) === undefined
      ? undefined
      : `${NOTHING_MEASURED}, so nothing is handed over`
  if (iteration === 0 || history.every(({ iteration: n, commit }) => n === 0 || commit === null))
    return undefined
  if (best.iteration === 0) return 'no fix improved on the start, so there is nothing to apply'
  return best.iteration === iteration
    ? undefined
    : `the branch is at iteration ${best.iteration}, the best one measured`
}

/** Ignored files of the agent that were not measured, and what that means. */
export function leftOutNote(run: TestRun): string | undefined {
  if (run.kind !== 'measured' || run.leftOut === undefined) return undefined
  return `measured without ${run.leftOut.join(', ')}: git ignores ${run.leftOut.length === 1 ? 'it' : 'them'}, so no commit holds ${run.leftOut.length === 1 ? 'it' : 'them'}`
}

/** "60.0 % (3 of 5), 1 flaky", or why there is no rate. */
export function describeRun(run: TestRun): string {
  if (run.kind !== 'measured') return firstSentence(run.reason)
  return `${passRate(run.passed, run.total)} % (${run.passed} of ${run.total}${run.flaky > 0 ? `, ${run.flaky} flaky` : ''}${run.skipped > 0 ? `, ${run.skipped} skipped` : ''})`
}

/**
 * The iterations as a Markdown table, a line each.
 *
 * @param of what stands between passed and total: the Web UI sets "4/9" as a fraction
 */
export function historyTable(history: readonly IterationSummary[], of: ' of ' | '/'): string[] {
  const strategies = history.some((h) => h.strategy !== undefined)
  const row = (h: IterationSummary): string => {
    const rate =
      h.passRate === null
        ? 'not measured'
        : `${h.passRate} %${h.passed === undefined ? '' : ` (${h.passed}${of}${h.total})`}`
    const strategy = strategies
      ? ` ${h.strategy ?? ''}${h.analysis === 'degraded' ? ', degraded analysis' : ''} |`
      : ''
    return `| ${h.iteration} | ${rate} |${strategy} ${h.result.replaceAll('_', ' ')} | ${plainLine(h.note ?? '', NOTE_CHARS)} |`
  }
  return [
    `| iteration | pass rate |${strategies ? ' strategy |' : ''} result | note |`,
    `|---|---|---|---|${strategies ? '---|' : ''}`,
    ...history.map(row),
  ]
}

/** Longest note in a history that travels from iteration to iteration. */
const NOTE_CHARS = 500
/** Part of the note of a fix after which the same tests fail with the same errors. */
export const SAME_FAILURES = 'the same failures as before'

/** One note from several, absent ones left out; `undefined` where there is nothing to say. */
export function note(parts: readonly (string | undefined)[]): string | undefined {
  const text = parts.filter((t) => t !== undefined).join('; ')
  if (text === '') return undefined
  return text.length > NOTE_CHARS ? `${text.slice(0, NOTE_CHARS - 1)}…` : text
}

/** "a, b and 3 more". */
export function shortList(items: readonly string[], total = items.length, shown = 5): string {
  const first = items.slice(0, shown)
  return total > first.length
    ? `${first.join(', ')} and ${total - first.length} more`
    : first.join(', ')
}

export function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  if (line.length <= 200) return line
  const end = line.lastIndexOf('. ', 199)
  return end > 0 ? line.slice(0, end + 1) : `${line.slice(0, 199)}…`
}

/** Shows a claim next to the measurement; it decides nothing. */
export function claimNote(claimed: number | undefined, after: TestRun): string | undefined {
  const rate = rateOf(after)
  return claimed === undefined || claimed === rate
    ? undefined
    : `the agent claimed ${claimed} %, measured: ${rate === null ? 'nothing' : `${rate} %`}`
}

/**
 * Names of the tests that were flaky in a run or before it; where none was short enough to travel,
 * how many there are.
 */
export function flakyNames({
  comparison,
  ...run
}: Pick<Measured, 'flaky' | 'flakyTests' | 'comparison'>): string[] {
  const { flaky, flakyTests } = comparison !== undefined && comparison.flaky > 0 ? comparison : run
  return flaky > 0 && flakyTests.length === 0
    ? [`${flaky} test${flaky === 1 ? '' : 's'}`]
    : flakyTests
}

export function flakyReason(tests: readonly string[]): string {
  return `passed only on re-run: ${shortList([...new Set(tests)])}`
}

/** What an agent asked for and did not get. */
export function deniedNote({ denied = [] }: Pick<TurnResult, 'denied'>): string | undefined {
  return denied.length > 0
    ? `permission was denied for ${shortList(denied.map((title) => JSON.stringify(title)))} ("permissions" in the configuration: allow or ask)`
    : undefined
}

/** What is to be told of a turn and of the commit of its work. */
export function turnNotes(
  turn: { result: TurnResult; note?: string },
  committed: CommitResult,
): (string | undefined)[] {
  return [
    turn.note,
    deniedNote(turn.result),
    (committed.changedTests ?? []).length > 0
      ? `${shortList(committed.changedTests ?? [])} changed, as test.mayChange allows`
      : undefined,
    committed.tampered.length > 0
      ? `changes to ${shortList(committed.tampered, committed.tamperedTotal)} were restored`
      : undefined,
  ]
}

/** Why a run with failures left, or with flaky tests, is approved with a review flag. */
export function partialReason(run: Measured, flaky: readonly string[]): string {
  const low =
    run.failuresTotal === 0
      ? undefined
      : `${run.failuresTotal} failing test${run.failuresTotal === 1 ? '' : 's'} of low criticality: ${shortList(
          run.failures.map((f) => `${f.file} > ${f.test}`),
          run.failuresTotal,
        )}`
  return note([low, flaky.length === 0 ? undefined : flakyReason(flaky)]) ?? 'flaky tests'
}

/** Why a run ends whose budget is spent. */
export function budgetReason(run: TestRun, iteration: number, maxIterations: number): string {
  const levels = run.kind === 'measured' ? run.comparison?.levels : undefined
  const inBand =
    run.kind === 'measured' &&
    run.passed * 100 >= REVIEW_RATE * run.total &&
    levels !== undefined &&
    levels.high + levels.medium > 0
  const critical = inBand
    ? `, with ${levels.high} high and ${levels.medium} medium failures left`
    : ''
  return `${describeRun(run)} after ${iteration} of ${maxIterations} iterations${critical}`
}
