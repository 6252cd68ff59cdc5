// Summaries as vitest 4.1, pytest 9.2, jest 30 and node 20.20 printed them.
import { expect, test } from 'vitest'
import { lostTests, printedFailures } from '../../../../src/core/test-results/summary.js'

const VITEST = (tests: string) =>
  ` ❯ a.test.js (2 tests | 1 failed) 7ms\n\n Test Files  1 failed | 1 passed (2)\n      Tests  ${tests}\n     Errors  1 error\n   Start at  15:48:51\n   Duration  2.11s (transform 39ms)\n\nJUNIT report written to /tmp/y.xml\n`
const JEST =
  'Test Suites: 3 failed, 3 total\nTests:       3 failed, 1 skipped, 1 todo, 3 passed, 8 total\nSnapshots:   0 total\nTime:        0.484 s, estimated 2 s\nRan all test suites.\nTest results written to: y.json\n'
const NODE = (mark: string) =>
  [
    'tests 8',
    'suites 1',
    'pass 2',
    'fail 3',
    'cancelled 1',
    'skipped 1',
    'todo 1',
    'duration_ms 232.0',
  ]
    .map((line) => `${mark} ${line}`)
    .join('\n')

test.each<{ why: string; runner: string; output: string; says: number | undefined }>(
  // prettier-ignore
  [
  { why: 'vitest, some failed', runner: 'vitest', output: VITEST('3 failed | 5 passed (8)'), says: 3 },
  { why: 'vitest, with skipped, todo and retried', runner: 'vitest', output: VITEST('1 failed | 2 passed | 1 skipped | 1 todo (5)'), says: 1 },
  { why: 'vitest, all passed', runner: 'vitest', output: VITEST('5 passed (5)'), says: 0 },
  { why: 'vitest, the last of two, as a test runs vitest itself', runner: 'vitest', output: VITEST('9 failed (9)') + VITEST('1 failed | 1 passed (2)'), says: 1 },
  { why: 'vitest that found no tests', runner: 'vitest', output: ' Test Files  1 failed (1)\n      Tests  no tests\n', says: undefined },
  { why: 'a line of a test that looks like it', runner: 'vitest', output: '      Tests  3 failed | 5 passed (8)\n', says: undefined },
  { why: 'pytest', runner: 'pytest', output: 'FAILED a.py::b\n========== 4 failed, 2 passed, 1 skipped, 1 xfailed, 1 error in 0.04s ==========\n', says: 4 },
  { why: 'pytest -q', runner: 'pytest', output: '2 failed, 1 error in 0.10s\n', says: 2 },
  { why: 'pytest for more than a minute, with warnings and retries', runner: 'pytest', output: '= 1 failed, 200 passed, 3 warnings, 2 rerun in 75.02s (0:01:15) =\n', says: 1 },
  { why: 'pytest before version 6', runner: 'pytest', output: '=== 3 passed in 0.12 seconds ===\n', says: 0 },
  { why: 'pytest with subtests', runner: 'pytest', output: '=== 2 failed, 1 passed, 4 subtests passed in 0.12s ===\n', says: 2 },
  { why: 'pytest -qq says nothing, a test said it long before', runner: 'pytest', output: `9 failed in 0.1s\n${'line\n'.repeat(20)}`, says: undefined },
  { why: 'pytest, words of its own', runner: 'pytest', output: '3 failed, 4 eaten in 0.1s\n', says: undefined },
  { why: 'jest', runner: 'jest', output: JEST, says: 3 },
  { why: 'jest, all passed', runner: 'jest', output: 'Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\n', says: 0 },
  { why: 'jest without its suites', runner: 'jest', output: 'Tests:       3 failed, 3 total\n', says: undefined },
  { why: 'mocha, our reporter', runner: 'mocha', output: '\n5 passing, 3 failing, 1 pending\n', says: 3 },
  { why: 'node, spec', runner: 'node', output: NODE('ℹ'), says: 3 },
  { why: 'node, tap', runner: 'node', output: NODE('#'), says: 3 },
  { why: 'node with dot, where a test is one of tape', runner: 'node', output: '..X\n# tests 3\n# pass 1\n# fail 2\n', says: undefined },
  { why: 'go has events only', runner: 'go', output: '--- FAIL: TestA\nFAIL\n', says: undefined },
],
)('$why: $says', ({ runner, output, says }) => expect(printedFailures(runner, output)).toBe(says))

test.each([
  ['1 failed | 1 passed (5)', 3],
  ['1 failed | 2 passed | 1 skipped | 1 todo (5)', 0],
  ['5 passed (5)', 0],
])('vitest counts tests that never ran: %s', (tests, lost) =>
  expect(lostTests('vitest', VITEST(tests))).toBe(lost),
)
