import { expect, test } from 'vitest'
import { effectiveness, isRegression } from '../../../src/core/regression.js'
import { measured, notStarted } from '../../support/test-runs.js'

test.each([
  { why: 'ccw §3.7 trap 4: 10 points are not one', before: measured(100, 100),     after: measured(90, 100),      regressed: false },
  { why: '10.01 points are',                  before: measured(10_000, 10_000), after: measured(8_999, 10_000), regressed: true },
  { why: '11 points are',                     before: measured(100, 100),     after: measured(89, 100),      regressed: true },
  { why: 'a better rate is not one',          before: measured(3, 5),         after: measured(5, 5),         regressed: false },
  { why: 'a missing test counts as failed',   before: measured(8, 10),        after: measured(6, 10),        regressed: true },
  { why: 'other totals compare by rate',      before: measured(2, 3),         after: measured(5, 9),         regressed: true },
  { why: 'ccw §3.7 trap 3: a suite that no longer starts is', before: measured(1, 10),        after: notStarted(),           regressed: true },
  { why: 'ccw §3.7 trap 4: one that never started is not', before: notStarted(),           after: notStarted(),           regressed: false },
  { why: 'one that starts at last is not',    before: notStarted(),           after: measured(0, 10),        regressed: false },
])('004 regression: $why', ({ before, after, regressed }) => expect(isRegression(before, after)).toBe(regressed))

test.each([
  { why: 'more passed',                              before: measured(3, 5),         after: measured(4, 5),           effect: 'improved' },
  { why: 'the same rate',                            before: measured(3, 5),         after: measured(6, 10),          effect: 'unchanged' },
  { why: 'fewer passed, by 10 points',               before: measured(10, 10),       after: measured(9, 10),          effect: 'worse' },
  { why: 'fewer passed, by 10.01 points',            before: measured(10_000, 10_000), after: measured(8_999, 10_000), effect: 'regressed' },
  { why: 'the same rate to a decimal, fewer passed', before: measured(9_999, 10_000), after: measured(9_998, 10_000), effect: 'worse' },
  { why: 'the suite starts at last',                 before: notStarted(),           after: measured(0, 5),           effect: 'improved' },
  { why: 'the suite no longer starts',               before: measured(0, 5),         after: notStarted(),             effect: 'regressed' },
  { why: 'the suite starts neither time',            before: notStarted(),           after: notStarted(),             effect: 'unchanged' },
])('004 step 5c effectiveness: $why -> $effect', ({ before, after, effect }) => expect(effectiveness(before, after)).toBe(effect))
