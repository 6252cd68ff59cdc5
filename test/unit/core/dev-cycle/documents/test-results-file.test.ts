import { describe, expect, test } from 'vitest'
import { ITEMS_KEPT } from '../../../../../src/contract/dev-cycle/phase-reading.js'
import { readTestResults } from '../../../../../src/core/dev-cycle/documents/test-results-file.js'

const read = (value: unknown) =>
  readTestResults(typeof value === 'string' ? value : JSON.stringify(value))

test('test-results.json is read whole', () => {
  expect(
    read({
      version: '1.0.0',
      timestamp: '2026-01-22T10:00:00+08:00',
      iteration: 1,
      summary: { total: 21, passed: 17, failed: 3, skipped: 1, duration_ms: 1200 },
      by_suite: [
        {
          suite: 'login',
          passed: 1,
          failed: 1,
          tests: [
            { name: 'logs in', status: 'passed' },
            { name: 'logs out', status: 'failed', error: 'no' },
          ],
        },
      ],
      coverage: {
        lines: 78,
        statements: 80,
        functions: 70,
        branches: 60,
        by_file: [{ file: 'a.ts', coverage: 1 }],
      },
    }),
  ).toEqual({
    ok: true,
    value: {
      version: '1.0.0',
      total: 21,
      passed: 17,
      failed: 3,
      skipped: 1,
      passRate: 85,
      coverage: 78,
      failedTests: ['login > logs out'],
    },
  })
})

describe('near forms', () => {
  test.each(
    // prettier-ignore
    [
    { why: '`tests` twice: JSON keeps the list, `total` is the count', value: '{"summary":{"tests":99,"total":2,"passed":2,"failed":0},"tests":99,"tests":[{"name":"a","status":"passed"}]}', want: { total: 2, passed: 2, passRate: 100 } },
    { why: 'test_results, flat', value: { pass_rate: 85, coverage: 78, failed_tests: ['test: OAuth timeout retry'], total_tests: 20 }, want: { total: 20, passed: null, passRate: 85, coverage: 78, failedTests: ['test: OAuth timeout retry'] } },
    { why: 'percent as text', value: { pass_rate: '85%', coverage: '78.5%' }, want: { passRate: 85, coverage: 78.5 } },
    { why: 'counts win over the rate', value: { pass_rate: 100, summary: { total: 10, passed: 8, failed: 2 } }, want: { passRate: 80 } },
    { why: 'rates are rounded down', value: { summary: { total: 3, passed: 2 } }, want: { passRate: 66.6 } },
    { why: 'counts at the top', value: { passed: 3, failed: 1 }, want: { total: 4, passed: 3, failed: 1, passRate: 75 } },
    { why: 'counts as text', value: { summary: { total: '4', passed: '3', failed: '1', skipped: '0' } }, want: { total: 4, passRate: 75 } },
    { why: 'only suites', value: { suites: [{ name: 's', tests: [{ name: 'a', status: 'passed' }, { name: 'b', status: 'FAIL' }, { name: 'c', status: 'skipped' }] }] }, want: { total: 3, passed: 1, failed: 1, skipped: 1, passRate: 50, failedTests: ['s > b'] } },
    { why: 'more passed than there are', value: { summary: { total: 3, passed: 5 } }, want: { passRate: null } },
    { why: 'no test at all', value: { summary: { total: 0, passed: 0, failed: 0, skipped: 0 } }, want: { total: 0, passRate: null } },
    { why: 'only skipped tests', value: { summary: { total: 2, passed: 0, failed: 0, skipped: 2 } }, want: { passRate: null } },
    { why: "a reporter's coverage", value: { passed: 1, failed: 0, coverage: { total: { lines: { pct: 81.25 } } } }, want: { coverage: 81.25 } },
    { why: 'no coverage', value: { passed: 1, failed: 0, coverage: null }, want: { coverage: null } },
    { why: 'coverage outside of 0-100', value: { passed: 1, failed: 0, coverage: { lines: 780 } }, want: { coverage: null } },
    { why: 'failed tests as objects', value: { passed: 1, failed: 2, failed_tests: [{ suite: 's', name: 'a' }, { test: 'b', severity: 'high' }] }, want: { failedTests: ['s > a', 'b'] } },
    { why: 'odd types', value: { version: {}, summary: { total: -1, passed: {}, failed: [] }, coverage: 50 }, want: { total: null, passed: null, failed: null, coverage: 50 } },
    { why: 'a byte order mark', value: '\ufeff{"passed":1,"failed":0}', want: { passRate: 100 } },
  ],
  )('$why', ({ value, want }) => expect(read(value)).toMatchObject({ ok: true, value: want }))

  test('failed tests are bounded', () => {
    expect(
      read({
        passed: 0,
        failed: 900,
        failed_tests: Array.from({ length: 900 }, (_, i) => `t${i}`),
      }),
    ).toMatchObject({ ok: true, value: { failed: 900, failedTests: { length: ITEMS_KEPT } } })
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'an empty file', value: '', says: 'the file is empty' },
  { why: 'what is no JSON', value: '{"summary": {"total": 1,}}', says: 'it is not JSON, line 1' },
  { why: 'JSON without a count', value: { version: '1.0.0', tests: 'later' }, says: 'has no counts' },
  { why: 'null', value: 'null', says: 'has no counts' },
],
)('test-results.json: $why is refused', ({ value, says }) =>
  expect(read(value)).toEqual({ ok: false, problem: expect.stringContaining(says) as string }),
)
