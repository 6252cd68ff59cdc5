// How a test-fix run describes itself: status, result and the sentences in them.
import { ERROR_SHOWN, FAILURES_SHOWN } from '../contract/test-run.js'
import type { Measured, TestRun } from '../contract/test-run.js'
import type { IterationSummary, ReportedFailure, RunResult, RunStatus, RunUsage, TestFixOutcome } from '../contract/result.js'
import type { TestFixState } from '../contract/state.js'
import type { TurnResult } from '../contract/turn.js'
import { passRate } from './pass-rate.js'

export const NO_USAGE: RunUsage = { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false }

/** Pass rate of a run in percent, `null` where nothing was measured. */
export function rateOf(run: TestRun | undefined): number | null {
  return run?.kind === 'measured' ? passRate(run.passed, run.total) : null
}

/** Adds one turn to a run's usage. Money only where every priced turn says so. */
export function addUsage(usage: RunUsage, turn: TurnResult): RunUsage {
  const cost = turn.usage.costUsd === undefined ? usage.costUsd : (usage.costUsd ?? 0) + turn.usage.costUsd
  return {
    turns: usage.turns + 1,
    inputTokens: usage.inputTokens + turn.usage.inputTokens,
    outputTokens: usage.outputTokens + turn.usage.outputTokens,
    estimated: usage.estimated || turn.usage.estimated,
    ...(cost === undefined ? {} : { costUsd: cost }),
  }
}

/** Record status of an outcome. Source: architecture §2 "status of every kind". */
export function statusOf(outcome: TestFixOutcome): RunStatus {
  return outcome === 'success' || outcome === 'partial_success' ? 'completed' : 'failed'
}

/** Failures as a result reports them; in this form every one counts as high. */
export function reportedFailures(failures: readonly { test: string; file: string; error?: string | undefined }[]): ReportedFailure[] {
  return failures.slice(0, FAILURES_SHOWN).map((f) => ({ test: f.test, file: f.file, criticality: 'high', error: (f.error ?? '').slice(0, ERROR_SHOWN) }))
}

/** The summary of iteration 0. */
export function baselineSummary(run: TestRun): IterationSummary {
  return { iteration: 0, passRate: rateOf(run), ...counts(run), result: run.kind === 'measured' ? 'baseline' : 'not_started', commit: null, turns: 0, ...(run.kind === 'measured' ? {} : { note: firstSentence(run.reason) }) }
}

export function counts(run: TestRun): { passed?: number; total?: number } {
  return run.kind === 'measured' ? { passed: run.passed, total: run.total } : {}
}

/** The result of a run; `state` is missing where it ended before its workspace was ready. */
export function runResult(id: string, outcome: TestFixOutcome, reason: string | undefined, state: TestFixState | undefined): RunResult {
  const run = state?.lastRun
  return {
    id,
    kind: 'test-fix',
    outcome,
    status: statusOf(outcome),
    iterations: state?.iteration ?? 0,
    passRate: rateOf(run),
    reviewNeeded: outcome === 'partial_success',
    branch: state?.prepared.workspace.branch ?? null,
    commits: state?.commits ?? [],
    failures: reportedFailures(run?.kind === 'measured' ? run.failures : []),
    failuresTotal: run?.kind === 'measured' ? run.failuresTotal : 0,
    reason: reason ?? null,
    recordDir: state?.prepared.recordDir ?? null,
    usage: state?.usage ?? NO_USAGE,
    history: state?.history ?? [],
  }
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
  const row = (h: IterationSummary): string => {
    const rate = h.passRate === null ? 'not measured' : `${h.passRate} % (${h.passed}${of}${h.total})`
    return `| ${h.iteration} | ${rate} | ${h.result.replaceAll('_', ' ')} | ${(h.note ?? '').replaceAll('|', '/')} |`
  }
  return ['| iteration | pass rate | result | note |', '|---|---|---|---|', ...history.map(row)]
}

/** Why a fix was rolled back, for the next analysis and the record. Source: 004 "Rollback Failed Fix". */
export function regressionReason(before: Measured, after: TestRun): string {
  if (after.kind !== 'measured') return `the suite ran before the fix and does not after it: ${firstSentence(after.reason)}`
  return `the pass rate fell from ${passRate(before.passed, before.total)} % to ${passRate(after.passed, after.total)} %`
}

/** Longest note in a history that travels from iteration to iteration. */
const NOTE_CHARS = 500

/** One note from several, absent ones left out; `undefined` where there is nothing to say. */
export function note(parts: readonly (string | undefined)[]): string | undefined {
  const text = parts.filter((t) => t !== undefined).join('; ')
  if (text === '') return undefined
  return text.length > NOTE_CHARS ? `${text.slice(0, NOTE_CHARS - 1)}…` : text
}

/** "a, b and 3 more". */
export function shortList(items: readonly string[], total = items.length, shown = 5): string {
  const first = items.slice(0, shown)
  return total > first.length ? `${first.join(', ')} and ${total - first.length} more` : first.join(', ')
}

export function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
