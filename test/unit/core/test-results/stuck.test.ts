import { expect, test } from 'vitest'
import { isBlocked, isStuck, stuckMajority } from '../../../../src/core/test-results/stuck.js'

test.each([
  { streak: undefined, stuck: false },
  { streak: 2, stuck: false },
  { streak: 3, stuck: true },
])('$streak full runs in a row: stuck is $stuck', ({ streak, stuck }) =>
  expect(isStuck(streak)).toBe(stuck),
)

test.each([
  { why: 'half is no majority', stuck: 5, failing: 10, majority: false },
  { why: 'one more than half is', stuck: 6, failing: 10, majority: true },
  { why: 'the only failure is', stuck: 1, failing: 1, majority: true },
  { why: 'two of three is', stuck: 2, failing: 3, majority: true },
  { why: 'none is stuck', stuck: 0, failing: 3, majority: false },
  { why: 'nothing fails', stuck: 0, failing: 0, majority: false },
])('$why', ({ stuck, failing, majority }) =>
  expect(stuckMajority({ stuck, failing })).toBe(majority),
)

test.each(
  // prettier-ignore
  [
  { why: 'the reflective iteration did not help',         stuckMajority: true,  progress: false, strategy: 'reflective',   blocked: true },
  { why: 'it moved a test',                               stuckMajority: true,  progress: true,  strategy: 'reflective',   blocked: false },
  { why: 'other tests are stuck no more',                 stuckMajority: false, progress: false, strategy: 'reflective',   blocked: false },
  { why: 'the reflective iteration is still to come',     stuckMajority: true,  progress: false, strategy: 'conservative', blocked: false },
  { why: 'nothing was tried yet',                         stuckMajority: true,  progress: false, strategy: undefined,      blocked: false },
],
)('blocked: $why', ({ why: _, blocked, ...facts }) => expect(isBlocked(facts)).toBe(blocked))
