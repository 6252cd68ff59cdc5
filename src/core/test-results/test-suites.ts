// A test that fails before its subtests begin is reported as a test; once it gets to them it is a
// suite.
import type { StoredTest } from '../../contract/test-run.js'

/**
 * The tests of a baseline that can be missed: all but those that failed there and now stand around
 * others, one of which runs. Nothing of them is lost: what is in them is counted.
 */
export function stillTests(
  baseline: readonly StoredTest[],
  now: readonly StoredTest[],
): StoredTest[] {
  return baseline.filter(
    (t) =>
      t.status !== 'failed' ||
      !now.some(
        (other) =>
          other.status !== 'skipped' &&
          other.file === t.file &&
          other.test.startsWith(`${t.test} > `),
      ),
  )
}
