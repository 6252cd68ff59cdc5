// Fixes of earlier sessions for an analysis.
import { expect, test } from 'vitest'
import { earlierLessons } from '../../../../src/core/records/earlier-lessons.js'
import type { KnownFix } from '../../../../src/core/test-fix/fix-history-match.js'

const FAILURE = {
  file: 'test/pay.test.js',
  test: 'pays once',
  error: 'TypeError: total is not a function at /a/pay.js:12',
}
const fix = (of: Partial<KnownFix>): KnownFix => ({
  iteration: 1,
  session: 'WFS-test-old',
  modification_points: ['src/pay.js:total'],
  failures: [FAILURE],
  affected_tests: [],
  pass_rate_before: 50,
  pass_rate_after: 100,
  result: 'kept',
  ...of,
})

// prettier-ignore
test.each<{ why: string; of: Partial<KnownFix>; worked: number; failed: number }>([
  { why: 'the same test',                     of: {},                                                              worked: 1, failed: 0 },
  { why: 'rolled back',                       of: { result: 'rolled_back', pass_rate_after: 20 },                  worked: 0, failed: 1 },
  { why: 'kept, and nothing more passed',     of: { pass_rate_after: 50 },                                         worked: 0, failed: 1 },
  { why: 'another test, the same error',      of: { failures: [{ file: 'x', test: 'y', error: 'TypeError: total is not a function at /b/pay.js:7' }] }, worked: 1, failed: 0 },
  { why: 'another test, another error',       of: { failures: [{ file: 'x', test: 'y', error: 'RangeError: no stock' }] }, worked: 0, failed: 0 },
  { why: 'this session',                      of: { session: 'WFS-test-now' },                                     worked: 0, failed: 0 },
  { why: 'no place',                          of: { modification_points: [] },                                     worked: 0, failed: 0 },
])('a fix of $why', ({ of, worked, failed }) => {
  const lessons = earlierLessons([FAILURE], [fix(of)], 'WFS-test-now')
  expect([lessons.worked.length, lessons.failed.length]).toEqual([worked, failed])
})

test('an error without words is like none', () => {
  const bare = { ...FAILURE, error: '1 != 2' }
  const known = fix({ failures: [{ file: 'x', test: 'y', error: '3 != 4' }] })
  expect(earlierLessons([bare], [known], 'now').worked).toEqual([])
})

test('five of each, the closest first, then the newest', () => {
  const error = [{ file: 'x', test: 'y', error: FAILURE.error }]
  const known = [
    ...Array.from({ length: 8 }, (_, n) => fix({ session: `s${n}`, failures: error })),
    fix({ session: 'same-test' }),
  ]
  expect(earlierLessons([FAILURE], known, 'now').worked.map(({ session }) => session)).toEqual([
    'same-test',
    's7',
    's6',
    's5',
    's4',
  ])
})
