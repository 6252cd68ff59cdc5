// The last full run in detail, from its results file: which tests fail, and how critical that is by
// now.
import { existsSync } from 'node:fs'
import type { CriticalityRule } from '../../contract/config/config.js'
import type { FileRef } from '../../contract/files.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { Criticality, StoredRun, StoredTest, TestFailure } from '../../contract/test-run.js'
import { criticalityOf } from '../../core/test-results/criticality.js'
import { claimOn, claimsFor, indexClaims } from '../../core/test-results/criticality-claims.js'
import { lineIn, testTypeOf, type FailureFact } from '../../core/test-fix/failure-facts.js'
import { shownId, testId } from '../../core/test-results/test-merge.js'
import { readClaims } from '../test-runners/claim-reports.js'
import { storedRunIn } from '../test-runners/stored-run.js'

export type LastRun = {
  /** Failing tests, the most critical first, the missing ones included. */
  failures: FailureFact[]
  tests: StoredTest[]
  /** Failing tests of the last full run of all. */
  lastFull: FailureFact[]
}

const ORDER: Record<Criticality, number> = { high: 0, medium: 1, low: 2 }

/**
 * What the state's last run says. A results file that is gone leaves the few failures that the
 * state itself has.
 */
export function lastRunOf(
  state: Pick<TestFixState, 'lastRun' | 'lastFull' | 'claims'>,
  rules: readonly CriticalityRule[],
): LastRun {
  const run = state.lastRun
  const stored = run?.kind === 'measured' ? storedBy(run.results) : undefined
  const full =
    state.lastFull === undefined ||
    (run?.kind === 'measured' && run.results.sha256 === state.lastFull.sha256)
      ? stored
      : storedBy(state.lastFull)
  const lastFull = sorted(
    full === undefined
      ? []
      : failing(full).map((one) =>
          factOf(one, { level: one.criticality ?? 'high', source: one.source }),
        ),
  )
  if (run?.kind !== 'measured') return { failures: [], tests: [], lastFull }
  const claims = indexClaims(
    claimsFor(
      state.claims !== undefined && existsSync(state.claims.path) ? readClaims(state.claims) : [],
      run.fingerprint,
    ),
  )
  // The state may be at an earlier commit, whose run knows nothing of the tries behind it.
  const streaks = new Map(
    full === undefined ? [] : failing(full).map((one) => [testId(one), one.streak]),
  )
  const rated = (one: StoredTest | TestFailure): FailureFact =>
    factOf(
      { ...one, streak: streaks.get(testId(one)) ?? one.streak },
      run.comparison === undefined
        ? { level: 'high', source: undefined }
        : criticalityOf({
            rules,
            id: shownId(one),
            flaky: false,
            passedBefore: one.source === 'regression',
            claim: claimOn(claims, one),
          }),
    )
  return {
    failures: sorted((stored === undefined ? run.failures : failing(stored)).map(rated)),
    tests: stored?.tests ?? [],
    lastFull,
  }
}

function factOf(
  one: StoredTest | TestFailure,
  { level, source }: { level: Criticality; source: string | undefined },
): FailureFact {
  const { test, file, error = '', streak } = one
  const line = lineIn(error, file)
  return {
    test,
    file,
    error,
    criticality: level,
    line,
    source,
    streak,
    test_type: testTypeOf(file),
    ...('missing' in one && one.missing === true ? { missing: true } : {}),
  }
}

function sorted(failures: FailureFact[]): FailureFact[] {
  return failures.sort((a, b) => ORDER[a.criticality] - ORDER[b.criticality])
}

function storedBy(ref: FileRef): StoredRun | undefined {
  return existsSync(ref.path) ? storedRunIn(ref.path) : undefined
}

function failing(run: StoredRun): (StoredTest | TestFailure)[] {
  return [...run.tests.filter((t) => t.status === 'failed'), ...run.missing]
}
