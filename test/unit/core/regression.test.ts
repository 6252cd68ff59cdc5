import { expect, test } from 'vitest'
import { isRegression } from '../../../src/core/regression.js'
import { measured, notStarted } from '../../support/test-runs.js'

test.each([
  { why: '10 points are not one',             before: measured(100, 100),     after: measured(90, 100),      regressed: false },
  { why: '10.01 points are',                  before: measured(10_000, 10_000), after: measured(8_999, 10_000), regressed: true },
  { why: '11 points are',                     before: measured(100, 100),     after: measured(89, 100),      regressed: true },
  { why: 'a better rate is not one',          before: measured(3, 5),         after: measured(5, 5),         regressed: false },
  { why: 'a missing test counts as failed',   before: measured(8, 10),        after: measured(6, 10),        regressed: true },
  { why: 'other totals compare by rate',      before: measured(2, 3),         after: measured(5, 9),         regressed: true },
  { why: 'a suite that no longer starts is',  before: measured(1, 10),        after: notStarted(),           regressed: true },
  { why: 'one that never started is not',     before: notStarted(),           after: notStarted(),           regressed: false },
  { why: 'one that starts at last is not',    before: notStarted(),           after: measured(0, 10),        regressed: false },
])('004 regression: $why', ({ before, after, regressed }) => expect(isRegression(before, after)).toBe(regressed))
