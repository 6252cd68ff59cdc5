// What a full run says beside the runs before it: streaks, new failures, and how critical each
// failing test is.
//
// Streaks go over every full run, also over one whose fix was rolled back: it was tried, and the test
// failed. New failures and regressions are told against the run that the fix began from. Tests are
// matched by file and name. Source: 004 steps 5b and 5c, "Check for repeated failures"; architecture
// §6 rules 4 and 7; ccw §3.7 trap 12.
import type { CriticalityRule } from '../contract/config.js'
import { STUCK_SHOWN } from '../contract/test-run.js'
import type { Comparison, Levels, StoredRun, StoredTest, TestFailure } from '../contract/test-run.js'
import { criticalityOf, levelsOf } from './criticality.js'
import { claimOn, claimsFor, indexClaims } from './criticality-claims.js'
import type { ClaimIndex, CriticalityClaim } from './criticality-claims.js'
import { similarity } from './similarity.js'
import { isStuck, nextStreak } from './stuck.js'
import { shownId, testId } from './test-merge.js'
import { firstWithin } from './test-text.js'

/** Bytes that the names of stuck tests may take in a result. */
const STUCK_BYTES = 1_400

export type ComparedRun = Pick<StoredRun, 'tests' | 'missing'>

export type CompareInput = {
  now: ComparedRun
  /** The run that the fix began from. */
  before?: ComparedRun | undefined
  lastFull?: ComparedRun | undefined
  /** Oldest first. */
  claims: readonly CriticalityClaim[]
  rules: readonly CriticalityRule[]
  /** Of this run's failures. */
  fingerprint: string
}

/** Returns the run with streak, criticality and source at its failing tests, and the sum of it. */
export function compareRuns({ now, before, lastFull, claims, rules, fingerprint }: CompareInput): ComparedRun & { comparison: Comparison } {
  const streaks = new Map(failing(lastFull).map((one) => [testId(one), one.streak ?? 1]))
  const passed = new Set((before?.tests ?? []).filter(passes).map(testId))
  const regressed = new Set(failing(before).filter((one) => one.source === 'regression').map(testId))
  const index = indexClaims(claimsFor(claims, fingerprint))
  const rated = (one: { file: string; test: string; status?: StoredTest['status'] }) => {
    // A fix that was kept although it broke a test does not make the test a failure like any other.
    const passedBefore = passed.has(testId(one)) || regressed.has(testId(one))
    const { level, source } = criticalityOf({ rules, id: shownId(one), flaky: one.status === 'flaky', passedBefore, claim: claimOn(index, one) })
    return { criticality: level, source }
  }
  const withStreak = (one: { file: string; test: string }) => ({ streak: nextStreak(streaks.get(testId(one))), ...rated(one) })

  const tests = now.tests.map((one) => (one.status === 'failed' ? { ...one, ...withStreak(one) } : one.status === 'flaky' ? { ...one, ...rated(one) } : one))
  const missing = now.missing.map((one) => ({ ...one, ...withStreak(one) }))
  const failures = failing({ tests, missing })
  const stuck = failures.filter((one) => isStuck(one.streak))
  const comparison: Comparison = {
    levels: levelsOf(failures),
    stuck: stuck.length,
    stuckTests: firstWithin(stuck.map(shownId), STUCK_SHOWN, STUCK_BYTES),
    newFailures: failures.filter((one) => passed.has(testId(one))).length,
    ...(lastFull === undefined ? {} : { similarity: similarity(failing(lastFull).map(testId), failures.map(testId)) }),
  }
  return { tests, missing, comparison }
}

/**
 * Levels of a run that was compared, as they are with later claims. That a test passed before stands
 * in the run; everything an agent said is taken from `claims`.
 */
export function levelsWith(run: ComparedRun, claims: readonly CriticalityClaim[], rules: readonly CriticalityRule[], fingerprint: string): Levels {
  const index: ClaimIndex = indexClaims(claimsFor(claims, fingerprint))
  return levelsOf(failing(run).map((one) => {
    const { level, source } = criticalityOf({ rules, id: shownId(one), flaky: false, passedBefore: one.source === 'regression', claim: claimOn(index, one) })
    return { criticality: level, source }
  }))
}

/** Failing tests of a run, the missing ones included. */
function failing(run: ComparedRun | undefined): (StoredTest | TestFailure)[] {
  return run === undefined ? [] : [...run.tests.filter((one) => one.status === 'failed'), ...run.missing]
}

/** Flaky tests count as passed. */
function passes({ status }: StoredTest): boolean {
  return status === 'passed' || status === 'flaky'
}
