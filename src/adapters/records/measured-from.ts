// A measured run from its results file alone: everything in it but what the run took is counted
// again.
import type { FileRef } from '../../contract/files.js'
import {
  ERROR_SHOWN,
  STUCK_SHOWN,
  type Comparison,
  type Measured,
  type StoredRun,
  type StoredTest,
  type TestFailure,
} from '../../contract/test-run.js'
import { levelsOf } from '../../core/test-results/criticality.js'
import { isStuck } from '../../core/test-results/stuck.js'
import {
  countTests,
  failuresOf,
  fingerprintText,
  shownId,
} from '../../core/test-results/test-merge.js'
import { firstChars } from '../../core/text/test-text.js'
import { digest } from '../state-dir.js'
import { readStoredRun } from '../test-runners/stored-run.js'

/** Failures that travel with a state. */
const SHOWN = 5
const FLAKY_SHOWN = 20

export function measuredFrom(results: FileRef, output: FileRef): Measured {
  const run = readStoredRun(results)
  const failures = failuresOf(run.tests, run.missing, (error) => firstChars(error, ERROR_SHOWN))
  const failing = failingOf(run)
  const stuck = failing.filter((one) => isStuck(one.streak))
  return {
    kind: 'measured',
    commit: run.commit,
    ...countTests(run.tests, run.missing),
    flakyTests: run.tests
      .filter((one) => one.status === 'flaky')
      .map(shownId)
      .slice(0, FLAKY_SHOWN),
    failures: failures.slice(0, SHOWN),
    failuresTotal: failures.length,
    results,
    output,
    fingerprint: digest(fingerprintText(failures)),
    durationMs: run.durationMs ?? 0,
    // Only a run that was compared has streaks; without failures there is nothing to compare.
    ...(failing.some((one) => one.streak === undefined)
      ? {}
      : {
          comparison: {
            levels: levelsOf(failing),
            ...unknown(run),
            stuck: stuck.length,
            stuckTests: stuck.map(shownId).slice(0, STUCK_SHOWN),
          },
        }),
  }
}

// Without the runs before it nothing says what it repaired or broke.
function unknown(run: StoredRun): Omit<Comparison, 'levels' | 'stuck' | 'stuckTests'> {
  const { passed, failed } = countTests(run.tests, run.missing)
  return {
    repaired: 0,
    broken: 0,
    brokenTests: [],
    moved: 0,
    counts: { baselinePassing: passed, broken: 0, passing: passed, failing: failed },
    brokenSinceBaseline: [],
    size: 0,
    flaky: 0,
    flakyTests: [],
  }
}

function failingOf(run: StoredRun): (StoredTest | TestFailure)[] {
  return [...run.tests.filter((one) => one.status === 'failed'), ...run.missing]
}
