import { expect, test } from 'vitest'
import { falseClaim, repeatsFailure } from '../../../../../src/core/dev-cycle/answers/vas-claims.js'
import { claimed } from '../../../../support/cycle/cycle-results.js'
import { compared, measured } from '../../../../support/test-runs.js'

const removed = compared({
  removed: [{ file: 'a.test.ts', passed: true, total: 1, tests: ['adds'] }],
})
const missing = { file: 'a.test.ts', test: 'adds', error: '', missing: true }
const gone = measured(3, 4, { failures: [missing], comparison: removed })
const goneAndFailing = measured(2, 4, {
  failures: [missing, { file: 'b.test.ts', test: 'subtracts', error: 'no' }],
  comparison: removed,
})

const known = measured(4, 5, {
  comparison: compared({ known: { total: 1, tests: ['a.test.ts > adds'], differently: 0 } }),
})

test.each(
  // prettier-ignore
  [
  { why: 'what was measured',                      run: measured(17, 20), claim: claimed({ passRate: 85, failedTests: ['a'] }),  wrong: undefined },
  { why: 'rounded to two decimals',                run: measured(2, 3),   claim: claimed({ passRate: 66.67 }),                   wrong: undefined },
  { why: 'rounded down, as Ratchet does',          run: measured(2, 3),   claim: claimed({ passRate: 66.6 }),                    wrong: undefined },
  { why: 'rounded to a whole number',              run: measured(2, 3),   claim: claimed({ passRate: 67 }),                      wrong: 'claimed a pass rate of 67 %; measured: 66.6 % (2 of 3)' },
  { why: 'more than was measured',                 run: measured(3, 5),   claim: claimed({ passRate: 100 }),                     wrong: 'claimed a pass rate of 100 %; measured: 60 % (3 of 5)' },
  { why: 'less than was measured',                 run: measured(5, 5),   claim: claimed({ passRate: 80 }),                      wrong: 'claimed a pass rate of 80 %; measured: 100 % (5 of 5)' },
  { why: '100 for 99.96',                          run: measured(2499, 2500), claim: claimed({ passRate: 100 }),                 wrong: 'claimed a pass rate of 100 %; measured: 99.9 % (2499 of 2500)' },
  { why: 'ready although a test fails',            run: measured(4, 5),   claim: claimed({ passRate: 80, ready: true }),         wrong: 'claimed that it is ready for production; measured: 80 % (4 of 5)' },
  { why: 'ready, and what fails failed before',    run: known,            claim: claimed({ passRate: 80, ready: true }),         wrong: undefined },
  { why: 'ready, and another one fails as well',   run: { ...known, passed: 3 }, claim: claimed({ ready: true }),                wrong: 'claimed that it is ready for production; measured: 60 % (3 of 5)' },
  { why: 'ready, and it is',                       run: measured(5, 5),   claim: claimed({ passRate: 100, ready: true }),        wrong: undefined },
  { why: 'not ready although all pass',            run: measured(5, 5),   claim: claimed({ ready: false }),                      wrong: undefined },
  { why: 'no failing test, and nothing else',      run: measured(4, 5),   claim: claimed(),                                      wrong: 'claimed no failing test; measured: 80 % (4 of 5)' },
  { why: 'the right rate without any names',       run: measured(4, 5),   claim: claimed({ passRate: 80 }),                      wrong: undefined },
  { why: 'no failing test, where there is none',   run: measured(5, 5),   claim: claimed(),                                      wrong: undefined },
  { why: 'all that are left, one removed on purpose', run: gone, claim: claimed({ passRate: 100, ready: true, removedTests: ['a.test.ts > adds'] }), wrong: undefined },
  { why: 'the removed one counted as failing',     run: gone,             claim: claimed({ passRate: 75, ready: true, removedTests: ['a.test.ts'] }), wrong: undefined },
  { why: 'all, and the removed one is not named',  run: gone,             claim: claimed({ passRate: 100 }),                     wrong: 'claimed a pass rate of 100 %; measured: 75 % (3 of 4)' },
  { why: 'all, and another one fails',             run: goneAndFailing,   claim: claimed({ passRate: 100, ready: true, removedTests: ['a.test.ts > adds'] }), wrong: 'claimed a pass rate of 100 % and that it is ready for production; measured: 66.6 % (2 of 3, without 1 removed on purpose)' },
],
)('claim: $why', ({ run, claim, wrong }) => expect(falseClaim(claim, run)).toBe(wrong))

const failing = measured(1, 3, {
  failures: [
    { test: 'cart > adds an item', file: 'cart.test.ts', error: 'expected 1' },
    { test: 'ok', file: 'b.test.ts', error: 'boom' },
  ],
})

test.each([
  { text: 'cart > adds an item', repeats: true },
  { text: 'Test "adds an item" fails with expected 1', repeats: true },
  { text: 'cart.test.ts: adds an item failed.', repeats: true },
  { text: 'nothing tells the user when the cart adds an item', repeats: false },
  { text: 'the docs are not ok, links are broken', repeats: false },
  { text: 'no test for an empty cart', repeats: false },
  { text: 'ok', repeats: true },
  { text: 'b.test.ts > ok', repeats: true },
  { text: 'ok: boom', repeats: true },
  { text: 'ok: it threw (b.test.ts:3)', repeats: true },
  { text: 'cart > adds an item: no limit is checked before the order is sent', repeats: false },
  { text: 'ok: nothing says so in the docs', repeats: false },
])('"$text" repeats a measured failure: $repeats', ({ text, repeats }) =>
  expect(repeatsFailure(text, failing)).toBe(repeats),
)
