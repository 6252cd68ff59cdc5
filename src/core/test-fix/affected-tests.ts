// The tests that a fix is about, where its analysis names none: the failing tests say it, together
// with the places that are to be changed.
import type { FailureFact } from './failure-facts.js'
import { filesOf } from './modification-point.js'
import { shownId } from '../test-results/test-merge.js'

/** Most tests that are named. */
const MOST = 20

/**
 * Failing tests that have to do with the modification points: they lie in a file that is to be
 * changed, their error names one, or they are named after one. All failing tests where none has.
 */
export function impliedTests(
  points: readonly string[],
  failures: readonly FailureFact[],
): string[] {
  const files = filesOf(points)
  const meant = failures.filter((failure) =>
    files.some(
      (file) =>
        failure.file === file || failure.error.includes(file) || stem(failure.file) === stem(file),
    ),
  )
  return (meant.length > 0 ? meant : failures).slice(0, MOST).map(shownId)
}

/** `tests/test_calc.py`, `src/calc.test.ts` and `calc_test.go` are named after `calc`. */
function stem(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  return name
    .replace(/^test[_-]/i, '')
    .replace(/(?:[._-](?:test|tests|spec|e2e)|Tests?)$/, '')
    .toLowerCase()
}
