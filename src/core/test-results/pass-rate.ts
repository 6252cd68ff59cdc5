// The pass rate of a test run, as people read it.
import type { TestRun } from '../../contract/test-run.js'

/**
 * Percent of tests that passed, with one decimal, rounded down: 99.96 is 99.9, never 100.
 *
 * @param total at least 1, without skipped tests
 */
export function passRate(passed: number, total: number): number {
  if (total < 1) throw new RangeError('a pass rate needs at least one test')
  return Math.floor((passed * 1000) / total) / 10
}

/** Returns the pass rate of a run in percent, `null` if nothing was measured. */
export function rateOf(run: TestRun | undefined): number | null {
  return run?.kind === 'measured' ? passRate(run.passed, run.total) : null
}

/** Returns `60.0 %`, or `not measured`. */
export function percentText(rate: number | null): string {
  return rate === null ? 'not measured' : `${rate.toFixed(1)} %`
}

/** Returns `66.6 → 88.8 %`; a rate that was not measured says so. */
export function ratesText(before: number | null, after: number | null): string {
  if (before === null && after === null) return percentText(null)
  const first = after === null ? percentText(before) : percentText(before).replace(' %', '')
  return `${first} → ${percentText(after)}`
}
