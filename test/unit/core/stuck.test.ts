import { expect, test } from 'vitest'
import { isStuck, nextStreak, stuckAgain, stuckMajority } from '../../../src/core/stuck.js'

test('004 stuck: the third full run in a row is, the initial one included', () => {
  const streaks = [1, 2, 3].map((runs) => Array.from({ length: runs }).reduce<number | undefined>((streak) => nextStreak(streak), undefined))
  expect(streaks.map(isStuck)).toEqual([false, false, true])
})

test('004 stuck: a test that did not fail is not, and begins anew', () => {
  expect(isStuck(undefined)).toBe(false)
  expect(nextStreak(undefined)).toBe(1)
})

test.each([
  { why: 'half is no majority',         stuck: 5, failing: 10, majority: false },
  { why: 'one more than half is',       stuck: 6, failing: 10, majority: true },
  { why: 'the only failure is',         stuck: 1, failing: 1,  majority: true },
  { why: 'two of three is',             stuck: 2, failing: 3,  majority: true },
  { why: 'none is stuck',               stuck: 0, failing: 3,  majority: false },
  { why: 'nothing fails',               stuck: 0, failing: 0,  majority: false },
])('004 ">50% of failures are stuck": $why', ({ stuck, failing, majority }) => expect(stuckMajority({ stuck, failing })).toBe(majority))

test.each([
  { why: 'the reflective iteration did not help',             iteration: 4, stuckSwitch: 4,         stuckMajority: true,  blocked: true },
  { why: 'it helped',                                         iteration: 4, stuckSwitch: 4,         stuckMajority: false, blocked: false },
  { why: 'it is still to come',                               iteration: 3, stuckSwitch: 4,         stuckMajority: true,  blocked: false },
  { why: 'there was none: another switch does not count',     iteration: 4, stuckSwitch: undefined, stuckMajority: true,  blocked: false },
  { why: 'a majority that comes back gets its own iteration', iteration: 6, stuckSwitch: 4,         stuckMajority: true,  blocked: false },
])('architecture §6.7 blocked: $why', ({ why: _, blocked, ...facts }) => expect(stuckAgain(facts)).toBe(blocked))
