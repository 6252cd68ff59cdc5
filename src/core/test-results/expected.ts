// The tests that a full run can miss: those of the baseline, of the tip and of the best state.
//
// A file that could not be loaded at the baseline has its tests from a later run alone. What a run
// missed stays missed until it is back.
import type { StoredRun, StoredTest } from '../../contract/test-run.js'
import { testId } from './test-merge.js'

type Results = Pick<StoredRun, 'tests' | 'missing'>

/** Every test of some runs once, as the first run has it in which it was not skipped. */
export function expectedTests(runs: readonly (Results | undefined)[]): StoredTest[] {
  const expected = new Map<string, StoredTest>()
  for (const { tests, missing } of new Set(runs.filter((run) => run !== undefined)))
    for (const one of [
      ...tests,
      ...missing.map(({ file, test }): StoredTest => ({ file, test, status: 'failed' })),
    ]) {
      const known = expected.get(testId(one))
      if (known === undefined || known.status === 'skipped') expected.set(testId(one), one)
    }
  return [...expected.values()]
}
