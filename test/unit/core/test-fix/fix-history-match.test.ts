import { expect, test } from 'vitest'
import {
  bestFix,
  errorPattern,
  fallbackApproach,
  FixHistoryEntry,
  helped,
  placesIn,
  type KnownFix,
} from '../../../../src/core/test-fix/fix-history-match.js'

const fix = (changes: Partial<KnownFix>): KnownFix => ({
  session: 'WFS-test-a',
  iteration: 1,
  task: 'IMPL-fix-1',
  modification_points: ['src/a.ts:f'],
  failures: [{ test: 't', file: 'a.test.ts', error: 'Expected 200, got 401' }],
  affected_tests: [],
  pass_rate_before: 50,
  pass_rate_after: 60,
  result: 'kept',
  ...changes,
})
const failing = [{ test: 't', file: 'a.test.ts', error: 'Expected 200, got 500' }]

test.each(
  // prettier-ignore
  [
  { why: 'kept and better', changes: {}, yes: true },
  { why: 'kept, better than a suite that did not start', changes: { pass_rate_before: null }, yes: true },
  { why: 'kept without effect', changes: { pass_rate_after: 50 }, yes: false },
  { why: 'rolled back', changes: { result: 'rolled_back' }, yes: false },
  { why: 'not measured', changes: { pass_rate_after: null }, yes: false },
  { why: 'without points', changes: { modification_points: [] }, yes: false },
],
)('fallback: a fix that was $why helped: $yes', ({ changes, yes }) =>
  expect(helped(fix(changes))).toBe(yes),
)

test.each(
  // prettier-ignore
  [
  { error: 'Expected 200, got 401', pattern: 'expected #, got #' },
  { error: "TypeError: Cannot read property 'name' of undefined", pattern: 'typeerror: cannot read property _ of undefined' },
  { error: '\n  ENOENT: /tmp/x-12/a.txt is gone 0x7ffe\n at y', pattern: 'enoent: _ is gone #' },
],
)('fallback: "$error" has the pattern "$pattern"', ({ error, pattern }) =>
  expect(errorPattern(error)).toBe(pattern),
)

test.each(
  // prettier-ignore
  [
  { why: 'the same test', fixes: [fix({ task: 'A' })], task: 'A' },
  { why: 'the same error in another test', fixes: [fix({ task: 'A', failures: [{ test: 'x', file: 'y', error: 'Expected 1, got 2' }] })], task: 'A' },
  { why: 'the test before any number of errors', fixes: [fix({ task: 'A', failures: [{ test: 't', file: 'a.test.ts', error: 'other' }] }), fix({ task: 'B', failures: Array.from({ length: 9 }, () => ({ test: 'x', file: 'y', error: 'Expected 1, got 2' })) })], task: 'A' },
  { why: 'the newest of two', fixes: [fix({ task: 'A' }), fix({ task: 'B' })], task: 'B' },
  { why: 'no fix that did not help', fixes: [fix({ result: 'rolled_back' })], task: undefined },
  { why: 'nothing in common', fixes: [fix({ failures: [{ test: 'x', file: 'y', error: 'timeout' }] })], task: undefined },
  { why: 'errors without words', fixes: [fix({ failures: [{ test: 'x', file: 'y', error: '1 2' }] })], failing: [{ test: 'n', file: 'm', error: '3 4' }], task: undefined },
],
)('fallback: $why', ({ fixes, task, failing: given }) =>
  expect(bestFix(given ?? failing, fixes)?.task).toBe(task),
)

test('places: files of the project, tests last, the same one once', () => {
  const known = (name: string) =>
    /^(\/w\/)?(src|tests)\//.test(name) ? name.replace('/w/', '') : undefined
  const errors = [
    'at f (file:///w/src/a.js:10:5)\n at node_modules/x/y.js:3:1\n at tests/a.test.js:7:1',
    'File "/w/src/b.py", line 12, in f\nsrc/a.js:10',
    'http://localhost:3000',
  ]
  expect(placesIn(errors, known, (file) => file.startsWith('tests/'))).toEqual([
    'src/a.js:10',
    'src/b.py:12',
    'tests/a.test.js:7',
  ])
})

test('the approach says that it is no diagnosis, and names the earlier fix', () => {
  expect(fallbackApproach(fix({ root_causes: ['no header'] }), [])).toMatch(
    /not a diagnosis.*IMPL-fix-1 of WFS-test-a, 50 % -> 60 %.*no header/,
  )
  expect(fallbackApproach(undefined, ['a.ts:1'])).toContain('name the places below')
  expect(fallbackApproach(undefined, [])).toContain('name no place')
})

test('reads the known fields of an entry of another version', () => {
  expect(
    FixHistoryEntry.parse({
      iteration: 1,
      modification_points: 'x',
      failures: [1],
      pass_rate_after: '60',
    }),
  ).toMatchObject({ modification_points: [], failures: [], pass_rate_after: null, result: '' })
})
