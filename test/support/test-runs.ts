// Test runs as the decision tables need them: numbers first, everything else plausible.
import type { Comparison, Measured, NotMeasured } from '../../src/contract/test-run.js'

const file = (name: string) => ({ path: `/state/${name}`, sha256: 'e3b0c442', bytes: 0 })

export function measured(passed: number, total: number, rest: Partial<Measured> = {}): Measured {
  const failed = total - passed
  return {
    kind: 'measured',
    commit: 'c0ffee',
    total,
    passed,
    failed,
    skipped: 0,
    flaky: 0,
    flakyTests: [],
    failures: Array.from({ length: Math.min(failed, 5) }, (_, n) => ({
      test: `test ${n + 1}`,
      file: 'a.test.ts',
      error: `expected ${n + 1}`,
    })),
    failuresTotal: failed,
    results: file('results.json'),
    output: file('output.log'),
    fingerprint: `f${failed}`,
    durationMs: 10,
    ...rest,
  }
}

export function notStarted(rest: Partial<NotMeasured> = {}): NotMeasured {
  return {
    kind: 'not_started',
    commit: 'c0ffee',
    reason: 'a.test.ts could not be loaded: SyntaxError',
    tail: 'SyntaxError',
    durationMs: 10,
    ...rest,
  }
}

/** A comparison in which nothing happened. */
export function compared(rest: Partial<Comparison> = {}): Comparison {
  return {
    levels: { high: 0, medium: 0, low: 0, undecided: 0 },
    repaired: 0,
    broken: 0,
    brokenTests: [],
    moved: 0,
    counts: { baselinePassing: 0, broken: 0, passing: 0, failing: 0 },
    brokenSinceBaseline: [],
    size: 0,
    flaky: 0,
    flakyTests: [],
    stuck: 0,
    stuckTests: [],
    ...rest,
  }
}
