// Test runs as the decision tables need them: numbers first, everything else plausible.
import type { Measured, NotMeasured } from '../../src/contract/test-run.js'

const file = (name: string) => ({ path: `/state/${name}`, sha256: 'e3b0c442', bytes: 0 })

export function measured(passed: number, total: number, rest: Partial<Measured> = {}): Measured {
  const failed = total - passed
  return {
    kind: 'measured', commit: 'c0ffee', total, passed, failed, skipped: 0, flaky: 0, flakyTests: [],
    failures: Array.from({ length: Math.min(failed, 5) }, (_, n) => ({ test: `test ${n + 1}`, file: 'a.test.ts', error: `expected ${n + 1}` })),
    failuresTotal: failed, results: file('results.json'), output: file('output.log'), fingerprint: `f${failed}`, durationMs: 10, ...rest,
  }
}

export function notStarted(rest: Partial<NotMeasured> = {}): NotMeasured {
  return { kind: 'not_started', commit: 'c0ffee', reason: 'a.test.ts could not be loaded: SyntaxError', tail: 'SyntaxError', durationMs: 10, ...rest }
}
