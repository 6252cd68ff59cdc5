// Whether a fix made things worse. Source: 004 "Evaluate fix effectiveness"; architecture §6 rule 6.
import type { TestRun } from '../contract/test-run.js'

/** Drop of the pass rate, in percentage points, above which a fix is rolled back. */
export const REGRESSION_POINTS = 10

/**
 * Compares the full runs before and after a fix.
 *
 * A suite that started before the fix and does not start after it is a regression whatever the rates;
 * a suite that did not start before cannot get worse. Exactly ten points are not a regression.
 */
export function isRegression(before: TestRun, after: TestRun): boolean {
  if (before.kind !== 'measured') return false
  if (after.kind !== 'measured') return true
  // (before - after) in points > 10, in whole numbers: no rounding on the edge.
  const drop = before.passed * after.total - after.passed * before.total
  return drop * 100 > REGRESSION_POINTS * before.total * after.total
}
