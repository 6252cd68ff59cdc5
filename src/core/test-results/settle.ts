// From the first execution of a full run to its tests: what failed is run again, what is missing
// too, and what would count as broken once more on the commit before the fix.
// `adapters/test-runners/run` executes, `test/simulation` pretends to.
import type { StoredRun, StoredTest, TestFailure, TestListing } from '../../contract/test-run.js'
import { mergeMissing, mergeRerun, mergeSameCommit, missingTests, testId } from './test-merge.js'
import { stillTests } from './test-suites.js'
import { expectedTests } from './expected.js'
import { listedAgain, mayBeUnstable, runWithStableNames, withStableNames } from './stable-names.js'
import { isNotLoaded, isStandIn } from './stand-ins.js'

type Named = { file: string; test: string }

/** Earlier runs that a full run is compared with. */
export type Earlier = {
  baseline?: StoredRun | undefined
  before?: StoredRun | undefined
  best?: StoredRun | undefined
  start?: StoredRun | undefined
  lastFull?: StoredRun | undefined
}

/** Why some tests run again. */
export type Reason = 'failed' | 'missing' | 'names' | 'broken'

export type Again = {
  /**
   * Runs the files of some tests again on the measured commit; `undefined` where that says nothing
   * about them.
   */
  here: (tests: readonly Named[], why: Reason) => Promise<StoredTest[] | undefined>
  /** The same on the commit of an earlier run; absent where no other commit can be shown. */
  there?:
    | ((run: StoredRun, tests: readonly Named[], why: Reason) => Promise<StoredTest[] | undefined>)
    | undefined
}

export type SettleInput = {
  commit: string
  first: readonly StoredTest[]
  flakyRetries: number
  earlier: Earlier
  /** See `Compare.ownTests`. */
  ownTests?: boolean | undefined
  /** A change that a person accepted is measured: it is undone for what it breaks. */
  accepted?: boolean | undefined
  again: Again
}

export type Settled = {
  tests: StoredTest[]
  missing: TestFailure[]
  /** Ids of tests that were seen passing and failing on one commit. */
  flaky: Set<string>
  /** Errors of the same test in other executions of this commit, by id. */
  otherErrors: Map<string, string[]>
  /** The earlier runs, with the names that this run has. */
  earlier: Earlier
  listings: TestListing[]
}

export async function settle({
  commit,
  first,
  flakyRetries,
  earlier,
  ownTests = false,
  accepted = false,
  again,
}: SettleInput): Promise<Settled> {
  const otherErrors = new Map<string, string[]>()
  const { listings: carried = [] } = earlier.lastFull ?? earlier.baseline ?? {}
  let listings = carried
  let past = named(earlier, listings)
  const withMissing = (tests: StoredTest[]): Results => ({
    tests,
    missing: missingTests(
      tests,
      stillTests(
        expectedTests(ownTests ? [past.baseline] : [past.baseline, past.before, past.best]),
        tests,
      ),
    ),
  })

  const rerunFailed = async (tests: StoredTest[]): Promise<StoredTest[] | undefined> => {
    const ran = await again.here(tests.filter(isFailed), 'failed')
    if (ran === undefined) return undefined
    const second = withStableNames(ran, listings)
    for (const one of second)
      if (isFailed(one))
        otherErrors.set(testId(one), [...(otherErrors.get(testId(one)) ?? []), one.error ?? ''])
    const tip = past.before ?? past.baseline
    return mergeRerun(tests, second, tip?.commit === commit ? undefined : tip?.tests)
  }
  let tests = withStableNames(first, listings)
  for (let retry = 1; retry <= flakyRetries && tests.some(isFailed); retry++) {
    const merged = await rerunFailed(tests)
    if (merged === undefined) break // the failures stay as they are
    tests = merged
  }
  for (const one of new Set(Object.values(past)))
    if (one?.commit === commit) tests = mergeSameCommit(tests, one.tests)

  // Tests of the old commit, by commit, as they were listed once more.
  const listed = new Map<string, StoredTest[]>()
  let now = withMissing(tests)
  for (const { run, tests: missed } of firstMissed(now.missing, past, listings)) {
    const second = run.commit === commit ? undefined : await again.there?.(run, missed, 'names')
    if (second === undefined) continue
    listed.set(run.commit, second)
    listings = listedAgain(listings, filesOf(missed), run.tests, second)
  }
  if (listed.size > 0) {
    past = named(earlier, listings)
    now = withMissing(withStableNames(tests, listings))
  }

  // A file of which nothing was run is left out by the suite itself: run by its name it would seem
  // to be flaky.
  const runs = new Set(now.tests.map(({ file }) => file))
  const missed = now.missing.filter(isNew(past)).filter(({ file }) => runs.has(file))
  const second = missed.length === 0 ? undefined : await again.here(missed, 'missing')
  if (second !== undefined)
    now = withMissing(mergeMissing(now.tests, withStableNames(second, listings), missed))

  const { before } = past
  const flaky = new Set<string>()
  if (before !== undefined && again.there !== undefined && before.commit !== commit) {
    const brokenIn = ({ tests: all, missing }: Results): Named[] => {
      const passed = new Set(before.tests.filter(({ status }) => status === 'passed').map(testId))
      return [...all.filter(isFailed), ...missing].filter((one) => passed.has(testId(one)))
    }
    // The re-runs of failed tests were the second run of this commit; an accepted change has three.
    const more = Number(flakyRetries === 0) + Number(accepted)
    for (let n = 0; n < more && brokenIn({ ...now, missing: [] }).length > 0; n++)
      now = withMissing((await rerunFailed(now.tests)) ?? now.tests)
    const broken = brokenIn(now)
    const known = listed.get(before.commit) ?? []
    const left = broken.filter(({ file }) => !known.some((one) => one.file === file))
    const there = left.length === 0 ? [] : await again.there(before, left, 'broken')
    const ran = withStableNames(
      [...known, ...(there ?? []).filter(({ file }) => !known.some((one) => one.file === file))],
      listings,
    )
    for (const one of broken) if (failsIn(ran, one)) flaky.add(testId(one))
  }
  return { ...now, flaky, otherErrors, earlier: past, listings }
}

type Results = { tests: StoredTest[]; missing: TestFailure[] }

function isFailed({ status }: { status: StoredTest['status'] }): boolean {
  return status === 'failed'
}

function named(earlier: Earlier, listings: readonly TestListing[]): Earlier {
  const known = new Map<StoredRun, StoredRun>()
  return Object.fromEntries(
    Object.entries(earlier).map(([name, run]) => {
      if (run !== undefined && !known.has(run)) known.set(run, runWithStableNames(run, listings))
      return [name, run && known.get(run)]
    }),
  )
}

/** Whether a test is missing for the first time. */
function isNew({ before, baseline }: Earlier): (one: Named) => boolean {
  const known = new Set(((before ?? baseline)?.missing ?? []).map(testId))
  return (one) => !known.has(testId(one))
}

/**
 * Tests that are missing for the first time and whose names may be unstable, by the oldest run that
 * has them: it is the user's own commit in most cases.
 */
function firstMissed(
  missing: readonly TestFailure[],
  past: Earlier,
  listings: readonly TestListing[],
): { run: StoredRun; tests: Named[] }[] {
  const isNewly = isNew(past)
  const runs = [past.start, past.best, past.baseline, past.before].filter(
    (run) => run !== undefined,
  )
  const groups = new Map<StoredRun, Named[]>()
  for (const one of missing) {
    if (isStandIn(one) || !isNewly(one) || !mayBeUnstable(listings, one.file)) continue
    const run = runs.find(({ tests }) =>
      tests.some((other) => other.file === one.file && other.test === one.test),
    )
    if (run !== undefined) groups.set(run, [...(groups.get(run) ?? []), one])
  }
  return [...groups].map(([run, tests]) => ({ run, tests }))
}

/** A test fails where it failed or its file could not be loaded. That it is absent says nothing. */
function failsIn(ran: readonly StoredTest[], { file, test }: Named): boolean {
  return ran.some(
    (one) =>
      one.file === file &&
      ((one.test === test && (one.status === 'failed' || one.status === 'flaky')) ||
        (isNotLoaded(one) && isFailed(one))),
  )
}

function filesOf(tests: readonly Named[]): string[] {
  return [...new Set(tests.map(({ file }) => file))]
}
