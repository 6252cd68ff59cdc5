// Summarizes iterations for the history of a run, and shows the history as a table.
import type { TestRun } from '../../contract/test-run.js'
import type { IterationSummary } from '../../contract/result.js'
import { rateOf } from '../test-results/pass-rate.js'
import { counts } from './describe-run.js'
import { firstSentence, NOTE_CHARS } from '../text/short-text.js'
import { plainLine } from '../text/one-line.js'

/** Returns the summary of iteration 0. */
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

/** Returns the same for a run that may have nothing to measure: its note then says why. */
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

/**
 * Returns the iterations as a Markdown table, one line each.
 *
 * @param of separates passed and total: the Web UI shows "4/9" as a fraction
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

/** Part of the note of a fix after which the same tests fail with the same errors. */
export const SAME_FAILURES = 'the same failures as before'
