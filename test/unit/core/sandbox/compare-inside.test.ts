import { expect, test } from 'vitest'
import type { TestRun } from '../../../../src/contract/test-run.js'
import { differenceInside } from '../../../../src/core/sandbox/compare-inside.js'

const measured = (passed: number, failing: readonly string[] = [], skipped = 0): TestRun => ({
  kind: 'measured',
  commit: 'c',
  total: passed + failing.length,
  passed,
  failed: failing.length,
  skipped,
  flaky: 0,
  flakyTests: [],
  failures: failing.map((name) => ({ test: name, file: 'a.test', error: 'no' })),
  failuresTotal: failing.length,
  results: { path: '/r', sha256: '', bytes: 0 },
  output: { path: '/o', sha256: '', bytes: 0 },
  fingerprint: 'f',
  durationMs: 1,
})
const broken: TestRun = {
  kind: 'not_started',
  commit: 'c',
  reason: 'it did not start.',
  tail: '',
  durationMs: 1,
}

test.each(
  // prettier-ignore
  [
  { why: 'the same', inside: measured(2, ['x']), outside: measured(2, ['x']), says: undefined },
  { why: 'one more fails', inside: measured(1, ['x', 'y']), outside: measured(2, ['x']), says: 'one test fails only inside: a.test > y' },
  { why: 'two more fail', inside: measured(0, ['x', 'y']), outside: measured(2), says: '2 tests fail only inside: a.test > x, a.test > y' },
  { why: 'one is skipped', inside: measured(1, [], 1), outside: measured(2), says: 'inside 1 passed, 0 failed, 1 skipped; outside 2 passed, 0 failed, 0 skipped' },
  { why: 'nothing starts inside', inside: broken, outside: measured(2), says: 'the tests do not run inside: it did not start.' },
  { why: 'nothing starts at all', inside: broken, outside: broken, says: undefined },
],
)('$why', ({ inside, outside, says }) => {
  expect(differenceInside(inside, outside)).toBe(says)
})
