import { expect, test } from 'vitest'
import { passRate } from '../../../../src/core/test-results/pass-rate.js'

test.each([
  { passed: 20, total: 20, rate: 100 },
  { passed: 0, total: 3, rate: 0 },
  { passed: 1, total: 3, rate: 33.3 },
  { passed: 2, total: 3, rate: 66.6 },
  { passed: 19, total: 20, rate: 95 },
  { passed: 2374, total: 2500, rate: 94.9 },
  { passed: 2499, total: 2500, rate: 99.9 }, // 99.96
  { passed: 999_999, total: 1_000_000, rate: 99.9 },
  { passed: 29, total: 100, rate: 29 }, // 0.29 * 1000 is 289.99… in floating point
  { passed: 57, total: 1000, rate: 5.7 },
])('pass rate: $passed of $total is $rate', ({ passed, total, rate }) =>
  expect(passRate(passed, total)).toBe(rate),
)

test('no test has no pass rate', () => expect(() => passRate(0, 0)).toThrow(RangeError))
