// Compares a full run with earlier ones: repaired, broken and moved tests, streaks, and the
// criticality of each failing test. Tests are matched by file and name.
//
// Repaired, broken and moved are relative to the tip: the commit that the fix started from. Streaks
// count every full run, including those of fixes that were rolled back.
import type { CriticalityRule } from '../../contract/config/config.js'
import {
  BROKEN_SHOWN,
  STUCK_SHOWN,
  type Comparison,
  type Counts,
  type Levels,
  type StoredRun,
  type StoredTest,
  type TestFailure,
  type TestMemory,
} from '../../contract/test-run.js'
import { criticalityOf, levelsOf } from './criticality.js'
import {
  claimOn,
  claimsFor,
  indexClaims,
  type ClaimIndex,
  type CriticalityClaim,
} from './criticality-claims.js'
import { similarity } from './similarity.js'
import { isStuck } from './stuck.js'
import { shownId, testId } from './test-merge.js'
import { removedTests } from './removed-tests.js'
import { hasRun, isNotLoaded, isStandIn } from './stand-ins.js'
import { hasMoved, memoriesOf, remember } from './memory.js'
import { reachOf } from './failures/reach.js'
import { signatureOf } from './failures/signature.js'
import { isNumbered } from './stable-names.js'
import { firstWithin } from '../text/test-text.js'

/** Bytes that the names of tests may take in a result, each list. */
const NAMES_BYTES = 1_400

export type ComparedRun = Pick<StoredRun, 'tests' | 'missing' | 'memory'>

export type CompareInput = {
  now: Pick<StoredRun, 'tests' | 'missing'>
  /** Errors of the same test in other executions of the same commit, by `testId`. */
  otherErrors?: ReadonlyMap<string, readonly string[]> | undefined
  baseline?: ComparedRun | undefined
  /** The run of the commit that the fix started from. */
  before?: ComparedRun | undefined
  best?: ComparedRun | undefined
  start?: ComparedRun | undefined
  /** Reads the best states in between: asked only if another test turns out to be flaky. */
  earlier?: (() => readonly (ComparedRun & Pick<StoredRun, 'commit'>)[]) | undefined
  lastFull?: ComparedRun | undefined
  /** Whether what the last full run measured was kept. */
  lastKept: boolean
  /** Ids of tests that were seen passing and failing on one commit. */
  flaky?: ReadonlySet<string> | undefined
  /** Oldest first. */
  claims: readonly CriticalityClaim[]
  rules: readonly CriticalityRule[]
  /** Of this run's failures. */
  fingerprint: string
  /** Changed lines since the run's base. */
  size: number
  /** Whether `Comparison.known` is wanted. */
  tellsKnown?: boolean | undefined
  /** Committed files that are as at the run's base: a line in them is the same line in each run. */
  frozen?: ReadonlySet<string> | undefined
  /** Files that differ from the run's base, where `Comparison.removed` is wanted. */
  changed?: readonly string[] | undefined
}

/**
 * Returns the run with streak, criticality and source at its failing tests, its memory, and the sum
 * of it.
 */
export function compareRuns(
  input: CompareInput,
): ComparedRun & { comparison: Comparison; memory: TestMemory[] } {
  const { now, baseline, before, best, start, lastFull, claims, rules, fingerprint } = input
  const earlier = memoriesOf(lastFull)
  const seenFlaky = new Set([
    ...(input.flaky ?? []),
    ...now.tests.filter(({ status }) => status === 'flaky').map(testId),
  ])
  const isFlaky = (id: string): boolean => seenFlaky.has(id) || earlier.get(id)?.flaky === true
  const failingNow = failing(now).map((one) => {
    const id = testId(one)
    const errors = [one.error ?? '', ...(input.otherErrors?.get(id) ?? [])]
    const isComparable = input.frozen?.has(one.file) === true && !isNumbered(one)
    const reach = isComparable ? reachOf(one.file, errors) : undefined
    return { ...one, id, signature: signatureOf(errors), reach }
  })
  const memory = remember({
    before: earlier,
    lastKept: input.lastKept,
    tests: now.tests,
    failing: failingNow,
    flaky: seenFlaky,
  })
  const remembered = memoriesOf({ memory })

  const atBaseline = passing(baseline)
  const atTip = passing(before)
  const regressed = new Set(
    failing(before)
      .filter(({ source }) => source === 'regression')
      .map(testId),
  )
  const failedAtTip = new Set(failing(before).map(testId))
  const standIns = new Set(
    failing(before)
      .filter((one) => isStandIn(one) && (!isNotLoaded(one) || hasRun(one.file, now.tests)))
      .map(testId),
  )
  const index = indexClaims(claimsFor(claims, fingerprint))
  const rated = (one: { file: string; test: string; status?: StoredTest['status'] }) => {
    const id = testId(one)
    // A fix that was kept although it broke a test does not make the test a failure like any other.
    const passedBefore = !isFlaky(id) && (atBaseline.has(id) || atTip.has(id) || regressed.has(id))
    const { level, source } = criticalityOf({
      rules,
      id: shownId(one),
      flaky: one.status === 'flaky',
      passedBefore,
      claim: claimOn(index, one),
    })
    return { criticality: level, source }
  }
  const withStreak = (one: { file: string; test: string }) => ({
    streak: remembered.get(testId(one))?.streak ?? 1,
    ...rated(one),
  })
  const tests = now.tests.map((one) =>
    one.status === 'failed'
      ? { ...one, ...withStreak(one) }
      : one.status === 'flaky'
        ? { ...one, ...rated(one) }
        : one,
  )
  const missing = now.missing.map((one) => ({ ...one, ...withStreak(one) }))

  const failures = failing({ tests, missing })
  const steady = failingNow.filter(({ id }) => !isFlaky(id))
  const passes = passing(now)
  const failsNow = new Set(failingNow.map(({ id }) => id))
  // Of a file that loads again nothing is left but its tests. One that runs none is not repaired.
  const isGone = (id: string): boolean => standIns.has(id) && !failsNow.has(id)
  const broken = steady.filter(({ id }) => atTip.has(id))
  const failedAtBaseline = new Set(failing(baseline).map(testId))
  // Also one that was flaky since: what failed before the run is never held against it.
  const known =
    input.tellsKnown !== true
      ? []
      : failingNow.filter((one) => !('missing' in one) && failedAtBaseline.has(one.id))
  const removed = removedTests(
    now.missing,
    input.changed ?? [],
    (one) => atBaseline.has(testId(one)) && !isFlaky(testId(one)),
  )
  const stuck = failures.filter((one) => !isFlaky(testId(one)) && isStuck(one.streak))
  const counts = (run: Pick<StoredRun, 'tests' | 'missing'>): Counts =>
    countsOf(run, baseline ?? now, isFlaky)
  const flaky = memory.filter((one) => one.flaky === true)
  const isNewlyFlaky = flaky.some((one) => earlier.get(testId(one))?.flaky !== true)
  const between = isNewlyFlaky ? input.earlier?.() : undefined
  const comparison: Comparison = {
    levels: levelsOf(failures),
    repaired: [...failedAtTip].filter((id) => (passes.has(id) || isGone(id)) && !isFlaky(id))
      .length,
    broken: broken.length,
    brokenTests: names(broken, BROKEN_SHOWN),
    // A test that went missing says nothing about its failure.
    moved: steady
      .filter((one) => !('missing' in one))
      .filter((one) => failedAtTip.has(one.id) && hasMoved(earlier.get(one.id), one)).length,
    counts: counts(now),
    brokenSinceBaseline: names(
      steady.filter(({ id }) => atBaseline.has(id)),
      BROKEN_SHOWN,
    ),
    ...(best === undefined
      ? {}
      : { best: { counts: counts(best), ...heldOf(best, passes, isFlaky) } }),
    ...(start === undefined ? {} : { start: counts(start) }),
    ...(between === undefined
      ? {}
      : { earlier: between.map((run) => ({ commit: run.commit, ...counts(run) })) }),
    ...(known.length === 0
      ? {}
      : {
          known: {
            total: known.length,
            tests: names(known, BROKEN_SHOWN),
            differently: known.filter(({ id }) => (remembered.get(id)?.seen?.length ?? 1) > 1)
              .length,
          },
        }),
    ...(removed.length === 0 ? {} : { removed }),
    size: input.size,
    flaky: flaky.length,
    flakyTests: names(flaky, BROKEN_SHOWN),
    stuck: stuck.length,
    stuckTests: names(stuck, STUCK_SHOWN),
    ...(lastFull === undefined
      ? {}
      : { similarity: similarity(failing(lastFull).map(testId), failures.map(testId)) }),
  }
  return { tests, missing, memory, comparison }
}

/**
 * Returns the levels of a compared run with later claims. The run knows which tests passed before;
 * all agents' assessments come from `claims`.
 */
export function levelsWith(
  run: ComparedRun,
  claims: readonly CriticalityClaim[],
  rules: readonly CriticalityRule[],
  fingerprint: string,
): Levels {
  const index: ClaimIndex = indexClaims(claimsFor(claims, fingerprint))
  return levelsOf(
    failing(run).map((one) => {
      const { level, source } = criticalityOf({
        rules,
        id: shownId(one),
        flaky: false,
        passedBefore: one.source === 'regression',
        claim: claimOn(index, one),
      })
      return { criticality: level, source }
    }),
  )
}

/** Failing tests of a run, the missing ones included. */
function failing(
  run: Pick<StoredRun, 'tests' | 'missing'> | undefined,
): (StoredTest | TestFailure)[] {
  return run === undefined
    ? []
    : [...run.tests.filter((one) => one.status === 'failed'), ...run.missing]
}

/** Ids of tests that pass; flaky ones count as passed. */
function passing(run: Pick<StoredRun, 'tests'> | undefined): Set<string> {
  return new Set(
    (run?.tests ?? [])
      .filter(({ status }) => status === 'passed' || status === 'flaky')
      .map(testId),
  )
}

function countsOf(
  run: Pick<StoredRun, 'tests' | 'missing'>,
  baseline: Pick<StoredRun, 'tests' | 'missing'>,
  isFlaky: (id: string) => boolean,
): Counts {
  const passes = [...passing(run)].filter((id) => !isFlaky(id))
  const fails = [...new Set(failing(run).map(testId))].filter((id) => !isFlaky(id))
  const there = new Set(
    [...baseline.tests.filter(({ status }) => status !== 'skipped'), ...baseline.missing].map(
      testId,
    ),
  )
  const passedThere = passing(baseline)
  return {
    baselinePassing: passes.filter((id) => there.has(id)).length,
    broken: fails.filter((id) => passedThere.has(id)).length,
    passing: passes.length,
    failing: fails.length,
  }
}

/**
 * What is left of the tests of a run: how many there were, how many passed in it, how many pass
 * now.
 */
function heldOf(
  run: Pick<StoredRun, 'tests' | 'missing'>,
  passes: ReadonlySet<string>,
  isFlaky: (id: string) => boolean,
): { total: number; then: number; now: number } {
  const then = passing(run)
  const all = [...new Set([...then, ...failing(run).map(testId)])].filter((id) => !isFlaky(id))
  return {
    total: all.length,
    then: all.filter((id) => then.has(id)).length,
    now: all.filter((id) => passes.has(id)).length,
  }
}

function names(tests: readonly { file: string; test: string }[], most: number): string[] {
  return firstWithin(tests.map(shownId), most, NAMES_BYTES)
}
