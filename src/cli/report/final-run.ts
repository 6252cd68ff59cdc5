// The final full run for reports: every test with its status if the record has them, else the
// failures in the result.
import type { RunResult } from '../../contract/result.js'
import type { StoredRun } from '../../contract/test-run.js'
import { MISSING } from '../../core/report/build.js'
import { plainText } from '../../core/text/test-text.js'

export type ReportedTest = {
  file: string
  test: string
  /** `flaky`: failed, then passed on re-run; counts as passed. */
  status: 'passed' | 'failed' | 'skipped' | 'flaky'
  error: string
  durationMs: number
  /** Of failing tests, if it is known. */
  criticality?: string
}

export type FinalRun = {
  runner: string
  commit: string | undefined
  /** In the order of files, so that the same run gives the same report. */
  tests: ReportedTest[]
  /** False if only the first failures are known. */
  whole: boolean
  /** What is missing if it is not whole, in sentences: a reader of the file has seen no warning. */
  note?: string
  /** Why nothing was measured; there is no test then. */
  problem?: string
}

/** Why a report of a measured run lacks tests. */
export const NOT_ALL_TESTS =
  'the list of all tests no longer exists; the report contains only the failed ones'

/**
 * Builds the final run of a result; `stored` is that run with all its tests, if the record has it.
 */
export function finalRun(result: RunResult, stored: StoredRun | undefined): FinalRun {
  if (result.passRate === null)
    return {
      runner: 'ratchet',
      commit: undefined,
      tests: [],
      whole: false,
      problem: result.reason ?? `the run ended ${result.outcome} before anything was measured`,
    }
  if (stored === undefined)
    return {
      runner: 'ratchet',
      commit: result.commits.at(-1),
      tests: sorted(result.failures.map((f) => row({ ...f, status: 'failed' }))),
      whole: false,
      note: noteOf(result),
    }
  const levels = new Map(result.failures.map((f) => [key(f), f.criticality]))
  const tests = new Map(stored.tests.map((one) => [key(one), row(one)]))
  // Missing tests of the baseline count as failed, even if the report lists them as skipped.
  for (const one of stored.missing)
    tests.set(
      key(one),
      row({ ...one, status: 'failed', error: one.error === '' ? MISSING : one.error }),
    )
  for (const [id, one] of tests)
    if (one.status === 'failed' && one.criticality === undefined && levels.has(id))
      one.criticality = levels.get(id)
  return {
    runner: stored.runner,
    commit: stored.commit,
    tests: sorted([...tests.values()]),
    whole: true,
  }
}

// A report without tests must not pass for a run without failures.
function noteOf({ passRate, failures, failuresTotal }: RunResult): string {
  const unnamed = failuresTotal - failures.length
  return `${NOT_ALL_TESTS}. ${passRate} % of the tests passed${unnamed > 0 ? `; ${unnamed} that failed ${unnamed === 1 ? 'is' : 'are'} not named here` : ''}.`
}

function key({ file, test }: { file: string; test: string }): string {
  return `${file}\0${test}`
}

type Raw = {
  file: string
  test: string
  status: ReportedTest['status']
  error?: string | undefined
  durationMs?: number | undefined
  criticality?: string | undefined
}

function row({ file, test, status, error = '', durationMs = 0, criticality }: Raw): ReportedTest {
  // Only failures have a criticality.
  return {
    file: oneLine(file) || '(no file)',
    test: oneLine(test) || '(no name)',
    status,
    error: printable(error),
    durationMs,
    ...(status !== 'failed' || criticality === undefined ? {} : { criticality }),
  }
}

function sorted(tests: ReportedTest[]): ReportedTest[] {
  return tests.sort((a, b) => compare(a.file, b.file) || compare(a.test, b.test))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Removes what a report cannot contain: colours, control characters, lone surrogates. */
export function printable(text: string): string {
  // XML cannot contain these characters, even escaped.
  return plainText(text).replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g,
    '\ufffd',
  )
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}
