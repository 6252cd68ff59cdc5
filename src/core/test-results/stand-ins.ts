// Failing entries that stand for something other than a test: a file that could not be loaded, and
// an error outside of any test. Each counts as one failing test, so that a run with one of them is
// measured and is never a success.
//
// The entry of a file is repaired only when a test of the file runs: a file that loads and skips
// everything, or that is left out of the run, keeps its entry.
import type { StoredTest, TestFailure } from '../../contract/test-run.js'

type Named = { file: string; test: string }
type Ran = Pick<StoredTest, 'file' | 'test' | 'status'>

const NOT_LOADED = '(could not be loaded)'
const OUTSIDE = /^\(error outside of any test\)( \(\d+\))?$/

/** Name of the entry for an error outside of any test. */
export const ERROR_OUTSIDE = '(error outside of any test)'

/** The entry of a file, or of a package of Go, that could not be loaded. */
export function notLoaded({ file, error }: { file: string; error: string }): StoredTest {
  return { file, test: NOT_LOADED, status: 'failed', error }
}

export function isNotLoaded({ test }: Named): boolean {
  return test === NOT_LOADED
}

export function isStandIn(one: Named): boolean {
  return isNotLoaded(one) || OUTSIDE.test(one.test)
}

/**
 * Whether a test of this file ran: it passed or failed. `file` may also be a directory, as of a
 * conftest.py, or a package of Go.
 */
export function hasRun(file: string, tests: readonly Ran[]): boolean {
  return tests.some((one) => one.status !== 'skipped' && !isStandIn(one) && isIn(one.file, file))
}

// A package of Go is its directory without those below, or its import path where the files of its
// tests are not known.
function isIn(own: string, file: string): boolean {
  if (own === file) return true
  if (own.endsWith('.go')) return directoryOf(own) === file
  return (
    own.startsWith(`${file}/`) ||
    (!/\.\w+$/.test(file) &&
      /\..*\//.test(own) &&
      own.endsWith(`/${file}`) &&
      !/\.\w+$/.test(own.slice(own.lastIndexOf('/'))))
  )
}

/**
 * The entries of earlier runs that still fail although they are gone: no test of their file runs.
 *
 * Where a test of the file is missing, the file has run since: its tests count, and not the entry
 * too.
 *
 * @param now every entry of the run
 * @param missing tests that ran in an earlier run and do not now
 */
export function notRunNow(
  earlier: readonly StoredTest[],
  now: readonly StoredTest[],
  missing: readonly Named[],
): TestFailure[] {
  const ranSince = missing.map((one) => ({ ...one, status: 'failed' as const }))
  const stillThere = new Set(now.filter(isNotLoaded).map(({ file }) => file))
  return earlier
    .filter(
      (one) =>
        isNotLoaded(one) &&
        one.status === 'failed' &&
        !stillThere.has(one.file) &&
        !hasRun(one.file, now) &&
        !hasRun(one.file, ranSince),
    )
    .map(({ file, test }) => ({
      test,
      file,
      error: 'it could not be loaded in an earlier run, and no test of it runs now',
      missing: true,
    }))
}

/** The folder of a file, `.` at the root. */
export function directoryOf(file: string): string {
  const at = file.lastIndexOf('/')
  return at === -1 ? '.' : file.slice(0, at)
}
