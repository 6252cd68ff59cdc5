// The pass rate as people read it.

/**
 * Percent of tests that passed, with one decimal, rounded down: 99.96 is 99.9, never 100.
 *
 * @param total at least 1, without skipped tests
 */
export function passRate(passed: number, total: number): number {
  if (total < 1) throw new RangeError('a pass rate needs at least one test')
  return Math.floor((passed * 1000) / total) / 10
}
