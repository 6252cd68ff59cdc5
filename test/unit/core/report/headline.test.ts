import { expect, test } from 'vitest'
import { headline, toneOf, type HeadlineFacts } from '../../../../src/core/report/headline.js'

const facts = (rest: Partial<HeadlineFacts>): HeadlineFacts => ({
  kind: 'test-fix',
  outcome: 'success',
  iterations: 3,
  passRate: 100,
  passed: 9,
  total: 9,
  failing: 0,
  openIssues: 0,
  ...rest,
})

test.each(
  // prettier-ignore
  [
  { why: 'green', facts: {}, sentence: 'All 9 tests pass after 3 iterations.' },
  { why: 'green at once', facts: { iterations: 0 }, sentence: 'All 9 tests pass already; nothing was changed.' },
  { why: 'one test, one iteration', facts: { iterations: 1, passed: 1, total: 1 }, sentence: 'The only test passes after 1 iteration.' },
  { why: 'in the band', facts: { outcome: 'partial_success', passRate: 97.5, passed: 39, total: 40 }, sentence: '97.5 % of the tests pass after 3 iterations; what is left needs a review.' },
  { why: 'the budget is spent', facts: { outcome: 'failed', passRate: 80, passed: 8, total: 10 }, sentence: '2 of 10 tests fail after 3 iterations.' },
  { why: 'counts are not known', facts: { outcome: 'failed', passRate: 80, passed: undefined, total: undefined, failing: 2 }, sentence: '2 tests fail after 3 iterations.' },
  { why: 'nothing was measured', facts: { outcome: 'failed', passRate: null }, sentence: 'The run failed after 3 iterations: nothing was measured.' },
  { why: 'blocked', facts: { outcome: 'blocked', passRate: 90, passed: 9, total: 10 }, sentence: 'The run could not continue after 3 iterations: 1 of 10 tests fails.' },
  { why: 'stopped', facts: { outcome: 'stopped', passRate: 66.6, passed: 6, total: 9 }, sentence: 'The run was stopped after 3 iterations: 3 of 9 tests fail.' },
  { why: 'a cycle', facts: { kind: 'dev-cycle', outcome: 'completed' }, sentence: 'The task is done after 3 iterations: all 9 tests pass.' },
  { why: 'a cycle with issues', facts: { kind: 'dev-cycle', outcome: 'completed_with_issues', openIssues: 1 }, sentence: 'The task was worked on for 3 iterations; 1 issue is open: all 9 tests pass.' },
  { why: 'a loop that was left', facts: { kind: 'dev-loop', outcome: 'user_exit', iterations: 1 }, sentence: 'The loop was left after 1 action, and can continue: all 9 tests pass.' },
  { why: 'open', facts: { outcome: 'open', passRate: null, iterations: 0 }, sentence: 'The run is in progress: 0 iterations done, nothing was measured.' },
  { why: 'no run has it', facts: { outcome: 'unfinished', passRate: 50, passed: 1, total: 2 }, sentence: 'The run is unfinished, and nothing is working on it: 1 of 2 tests fails.' },
] satisfies { why: string; facts: Partial<HeadlineFacts>; sentence: string }[],
)('outcomes: $why -> $sentence', ({ facts: given, sentence }) =>
  expect(headline(facts(given))).toBe(sentence),
)

test.each([
  { outcome: 'success', review: false, tone: 'good' },
  { outcome: 'completed', review: true, tone: 'warn' },
  { outcome: 'partial_success', review: true, tone: 'warn' },
  { outcome: 'stopped', review: false, tone: 'warn' },
  { outcome: 'failed', review: false, tone: 'bad' },
  { outcome: 'blocked', review: false, tone: 'bad' },
  { outcome: 'max_iterations', review: false, tone: 'bad' },
  { outcome: 'open', review: false, tone: 'open' },
])('an outcome is coloured: $outcome, review $review -> $tone', ({ outcome, review, tone }) =>
  expect(toneOf(outcome, review)).toBe(tone),
)
