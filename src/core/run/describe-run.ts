// Describes a test run in words: its result, flaky tests, and what an agent claimed about it.
import type { TestRun, Measured } from '../../contract/test-run.js'
import { firstSentence, shortList } from '../text/short-text.js'
import { passRate, rateOf } from '../test-results/pass-rate.js'

/** Returns how many tests passed, and of how many; nothing if nothing was measured. */
export function counts(run: TestRun): { passed?: number; total?: number } {
  return run.kind === 'measured' ? { passed: run.passed, total: run.total } : {}
}

/** Names the ignored files of the agent that were not measured. */
export function leftOutNote(run: TestRun): string | undefined {
  if (run.kind !== 'measured' || run.leftOut === undefined) return undefined
  return `measured without ${run.leftOut.join(', ')}: git ignores ${run.leftOut.length === 1 ? 'it' : 'them'}, so no commit holds ${run.leftOut.length === 1 ? 'it' : 'them'}`
}

/** Returns "60.0 % (3 of 5, 1 flaky)", or why nothing was measured. */
export function describeRun(run: TestRun): string {
  if (run.kind !== 'measured') return firstSentence(run.reason)
  return `${passRate(run.passed, run.total)} % (${run.passed} of ${run.total}${run.flaky > 0 ? `, ${run.flaky} flaky` : ''}${run.skipped > 0 ? `, ${run.skipped} skipped` : ''})`
}

/** Shows a claim next to the measurement; it decides nothing. */
export function claimNote(claimed: number | undefined, after: TestRun): string | undefined {
  const rate = rateOf(after)
  return claimed === undefined || claimed === rate
    ? undefined
    : `the agent claimed ${claimed} %, measured: ${rate === null ? 'nothing' : `${rate} %`}`
}

/**
 * Returns the names of the tests that were flaky in a run or before it, or their number if the run
 * carries no name.
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

/** Says which tests were flaky. */
export function flakyReason(tests: readonly string[]): string {
  return `passed only on re-run: ${shortList([...new Set(tests)])}`
}
