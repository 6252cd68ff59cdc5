// What a fix did to the pass rate, and whether it is rolled back for it. Source: 004 "Evaluate fix
// effectiveness"; architecture §6 rule 6.
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

/** `worse`: fewer passed, but within `REGRESSION_POINTS`, so the fix is kept. */
export type Effectiveness = 'regressed' | 'improved' | 'unchanged' | 'worse'

/**
 * What became of the pass rate from before a fix to after it. Source: 004 step 5c.
 *
 * A suite that starts at last has improved, one that starts neither before nor after is unchanged.
 */
export function effectiveness(before: TestRun, after: TestRun): Effectiveness {
  if (isRegression(before, after)) return 'regressed'
  if (before.kind !== 'measured') return after.kind === 'measured' ? 'improved' : 'unchanged'
  if (after.kind !== 'measured') return 'regressed'
  const gain = after.passed * before.total - before.passed * after.total
  if (gain === 0) return 'unchanged'
  return gain > 0 ? 'improved' : 'worse'
}
