// The baseline of a session after its tests were written: the run that has them, on the floor of
// what passed before.
import type { StoredRun, StoredTest } from '../../contract/test-run.js'
import { testId } from './test-merge.js'

/**
 * A baseline with the tests of a later run; a test that passed at the baseline, or is gone, stays
 * as it was there.
 */
export function foundedOn(baseline: StoredRun, now: { tests: readonly StoredTest[] }): StoredRun {
  const floor = new Map(
    baseline.tests
      .filter(({ status }) => status === 'passed' || status === 'flaky')
      .map((one) => [testId(one), one]),
  )
  const there = new Set(now.tests.map(testId))
  return {
    ...baseline,
    tests: [
      ...now.tests.map((one) => floor.get(testId(one)) ?? one),
      ...baseline.tests.filter((one) => !there.has(testId(one))),
    ],
  }
}
