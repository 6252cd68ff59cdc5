// The failing tests of a run as prompts name them: history carries only the first few, the results
// file has them all.
import { existsSync } from 'node:fs'
import { ERROR_SHOWN, type TestFailure, type TestRun } from '../../contract/test-run.js'
import { shownId } from '../../core/test-results/test-merge.js'
import { firstChars } from '../../core/text/test-text.js'
import { storedRunIn } from './stored-run.js'

/**
 * The run with its first `most` failing tests, those that did not fail before the run first. A
 * results file that is gone leaves the few that travelled.
 */
export function withFailingTests(run: TestRun, most: number): TestRun {
  if (
    run.kind !== 'measured' ||
    run.failures.length >= Math.min(most, run.failuresTotal) ||
    !existsSync(run.results.path)
  )
    return run
  const { tests, missing } = storedRunIn(run.results.path)
  const failing = [...tests.filter(({ status }) => status === 'failed'), ...missing]
  const known = new Set(run.comparison?.known?.tests ?? [])
  const isKnown = (one: { test: string; file: string }): boolean => known.has(shownId(one))
  const failures = [...failing.filter((one) => !isKnown(one)), ...failing.filter(isKnown)]
    .slice(0, most)
    .map((one): TestFailure => ({
      test: one.test,
      file: one.file,
      error: firstChars(one.error ?? '', ERROR_SHOWN),
      ...('missing' in one && one.missing === true ? { missing: true } : {}),
    }))
  return failures.length === 0 ? run : { ...run, failures }
}
