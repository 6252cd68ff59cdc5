// Compares a run of the tests in a sandbox with one outside of it.
import type { TestRun } from '../../contract/test-run.js'
import { shortList } from '../text/short-text.js'

/**
 * Returns how the run inside differs, in one sentence; `undefined` if both say the same. Neither is
 * of use if the tests cannot be measured outside.
 */
export function differenceInside(inside: TestRun, outside: TestRun): string | undefined {
  if (outside.kind !== 'measured') return undefined
  if (inside.kind !== 'measured') return `the tests do not run inside: ${inside.reason}`
  const failing = (run: typeof inside): string[] =>
    run.failures.map(({ file, test }) => `${file} > ${test}`)
  const known = new Set(failing(outside))
  const only = failing(inside).filter((one) => !known.has(one))
  if (only.length > 0)
    return `${only.length === 1 ? 'one test fails' : `${only.length} tests fail`} only inside: ${shortList(only)}`
  const counts = ({ passed, failed, skipped }: typeof inside): string =>
    `${passed} passed, ${failed} failed, ${skipped} skipped`
  return counts(inside) === counts(outside)
    ? undefined
    : `inside ${counts(inside)}; outside ${counts(outside)}`
}

/** Returns the errors of a run, as text. */
export function errorsOf(run: TestRun): string {
  return run.kind === 'measured'
    ? run.failures.map(({ error }) => error).join('\n')
    : `${run.reason}\n${run.tail}`
}
