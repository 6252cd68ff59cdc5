// From several executions to one run: flaky tests, tests that went missing, and the counts.
import type { StoredTest, TestFailure } from '../../contract/test-run.js'
import { hasRun, isNotLoaded, isStandIn, notRunNow } from './stand-ins.js'

/** What identifies a test across runs: its file and its full name within it. */
export function testId({ file, test }: { file: string; test: string }): string {
  return `${file}\0${test}`
}

/** The same as people, agents and rules of the configuration know it. */
export function shownId({ file, test }: { file: string; test: string }): string {
  return `${file} > ${test}`
}

/**
 * Marks as flaky what failed first and passed on a re-run; everything else keeps its first result.
 * So does what passed first and failed on a re-run, unless it passed in an earlier run: a re-run of
 * some files may lack what other files set up. A failed set-up of a suite is reported as a test
 * with the suite's name, and its tests as skipped; if a re-run shows the suite's tests passed and
 * the failure gone, all of them are flaky. So is a file that loaded in one of the two.
 */
export function mergeRerun(
  first: readonly StoredTest[],
  rerun: readonly StoredTest[],
  earlier?: readonly StoredTest[],
): StoredTest[] {
  const passedEarlier =
    earlier === undefined
      ? undefined
      : new Set(earlier.filter(({ status }) => status === 'passed').map(testId))
  const again = new Map(rerun.map((t) => [testId(t), t.status]))
  const loaded = first.filter(
    (t) =>
      isNotLoaded(t) && t.status === 'failed' && !again.has(testId(t)) && hasRun(t.file, rerun),
  )
  const known = new Set(first.map(testId))
  const healed = first.filter(
    (t) => t.status === 'failed' && !again.has(testId(t)) && suitePassed(t, rerun),
  )
  const merged = first.map((t) => {
    const now = again.get(testId(t))
    const inHealed =
      loaded.includes(t) ||
      (isStandIn(t) && !isNotLoaded(t) && now === undefined) ||
      healed.some(
        (suite) =>
          suite === t || (t.status === 'skipped' && now === 'passed' && isInSuite(t, suite)),
      )
    const isDoubtful =
      t.status === 'passed' && now === 'failed' && passedEarlier?.has(testId(t)) === false
    return inHealed || isDoubtful || (t.status === 'failed' && now === 'passed')
      ? { ...t, status: 'flaky' as const }
      : t
  })
  // The tests of a file that loaded the second time are known from there alone.
  return [
    ...merged,
    ...rerun.filter(
      (t) =>
        !known.has(testId(t)) &&
        !isStandIn(t) &&
        loaded.some(({ file }) => hasRun(file, [{ ...t, status: 'passed' }])),
    ),
  ]
}

/**
 * Merges a run with an earlier one of the same commit: a test that passed in one of them and failed
 * in the other is flaky, which counts as passed. A test that only the earlier run has keeps what it
 * was there.
 */
export function mergeSameCommit(
  now: readonly StoredTest[],
  earlier: readonly StoredTest[],
): StoredTest[] {
  const before = new Map(earlier.map((one) => [testId(one), one]))
  const there = new Set(now.map(testId))
  const merged = now.map((one) => {
    const was = before.get(testId(one))?.status
    const loadedBefore = isNotLoaded(one) && was === undefined && hasRun(one.file, earlier)
    const differs =
      loadedBefore ||
      (one.status === 'failed' && (was === 'passed' || was === 'flaky')) ||
      (one.status === 'passed' && (was === 'failed' || was === 'flaky'))
    return differs ? { ...one, status: 'flaky' as const } : one
  })
  const left = earlier.filter((one) => one.status !== 'skipped' && !there.has(testId(one)))
  return [
    ...merged,
    ...left.map((one) =>
      isStandIn(one) && one.status === 'failed' && (!isNotLoaded(one) || hasRun(one.file, now))
        ? { ...one, status: 'flaky' as const }
        : one,
    ),
  ]
}

/**
 * Merges a run with one more of the files of its missing tests: a test that only the second one ran
 * failed once. So did those of a file that only ran the second time.
 */
export function mergeMissing(
  now: readonly StoredTest[],
  again: readonly StoredTest[],
  missing: readonly { file: string; test: string }[],
): StoredTest[] {
  const ids = new Set(missing.map(testId))
  const files = new Set(missing.filter(isNotLoaded).map(({ file }) => file))
  const here = new Map(now.map((one) => [testId(one), one.status]))
  const back = again.filter(
    (one) =>
      one.status !== 'skipped' &&
      !isStandIn(one) &&
      [undefined, 'skipped'].includes(here.get(testId(one))) &&
      (ids.has(testId(one)) || [...files].some((file) => hasRun(file, [one]))),
  )
  const backIds = new Set(back.map(testId))
  return [
    ...now.filter((one) => !backIds.has(testId(one))),
    ...back.map((one) => (one.status === 'passed' ? { ...one, status: 'flaky' as const } : one)),
  ]
}

function suitePassed(suite: StoredTest, rerun: readonly StoredTest[]): boolean {
  const own = rerun.filter((t) => isInSuite(t, suite))
  return own.some((t) => t.status === 'passed') && own.every((t) => t.status !== 'failed')
}

function isInSuite(test: StoredTest, suite: StoredTest): boolean {
  return (
    test.file === suite.file &&
    test !== suite &&
    (suite.test === suite.file || test.test.startsWith(`${suite.test} > `))
  )
}

/**
 * Returns tests that ran in an earlier run and are now missing or skipped. They count as failed.
 * The failed set-up of a suite is no test and is not missing once a test of the suite runs. The
 * same holds for the entry of a file that could not be loaded.
 */
export function missingTests(
  now: readonly StoredTest[],
  earlier: readonly StoredTest[],
): TestFailure[] {
  const status = new Map(now.map((t) => [testId(t), t.status]))
  const isRepairedSetUp = (t: StoredTest): boolean =>
    t.status === 'failed' &&
    earlier.some((other) => isInSuite(other, t)) &&
    now.some((other) => other.status !== 'skipped' && isInSuite(other, t))
  const missing = earlier
    .filter((t) => t.status !== 'skipped' && !isStandIn(t) && !isRepairedSetUp(t))
    .flatMap((t) => {
      const seen = status.get(testId(t))
      if (seen !== undefined && seen !== 'skipped') return []
      const error =
        seen === 'skipped'
          ? 'ran in an earlier run, is skipped now'
          : 'was in an earlier run, is missing now'
      return [{ test: t.test, file: t.file, error, missing: true }]
    })
  return [...missing, ...notRunNow(earlier, now, missing)]
}

export type Counts = {
  total: number
  passed: number
  failed: number
  skipped: number
  flaky: number
}

/**
 * Counts a run. `total` is without skipped tests, but with the missing; flaky tests count as
 * passed.
 */
export function countTests(tests: readonly StoredTest[], missing: readonly TestFailure[]): Counts {
  const of = (status: StoredTest['status']) => tests.filter((t) => t.status === status).length
  const counted = new Set(missing.map(testId))
  const flaky = of('flaky')
  const passed = of('passed') + flaky
  const failed = of('failed') + missing.length
  const skipped = tests.filter((t) => t.status === 'skipped' && !counted.has(testId(t))).length
  return { total: passed + failed, passed, failed, skipped, flaky }
}

/**
 * The failing tests in a fixed order, the missing ones included; `shown` cuts an error for a
 * result.
 */
export function failuresOf(
  tests: readonly StoredTest[],
  missing: readonly TestFailure[],
  shown: (error: string) => string,
): TestFailure[] {
  const failed = tests
    .filter((t) => t.status === 'failed')
    .map(({ test, file, error, streak, criticality, source }) => ({
      test,
      file,
      error: shown(error ?? ''),
      streak,
      criticality,
      source,
    }))
  return [...failed, ...missing].sort((a, b) => (testId(a) < testId(b) ? -1 : 1))
}

/**
 * A text that is equal for the same failures: file, test and first line of each error, in order,
 * with what differs between two runs of the same code (numbers, addresses, temporary paths) taken
 * out.
 */
export function fingerprintText(failures: readonly TestFailure[]): string {
  return failures
    .map((f) => `${testId(f)}\0${stableLine(f.error)}`)
    .sort()
    .join('\n')
}

function stableLine(error: string): string {
  return (error.split('\n', 1)[0] ?? '')
    .replace(/(\/private)?\/(var\/folders|tmp|var\/tmp)\/[^\s'":,)]+/g, '<tmp>')
    .replace(/0x[0-9a-f]+/gi, '<n>')
    .replace(/\d+(\.\d+)?/g, '<n>')
}
