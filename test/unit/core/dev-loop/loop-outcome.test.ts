import { expect, test } from 'vitest'
import type { LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import type {
  ParallelResults,
  WorkerSummary,
} from '../../../../src/contract/dev-loop/loop-record.js'
import {
  completedReason,
  loopStatusOf,
  needsReview,
  roundFailure,
} from '../../../../src/core/dev-loop/loop-outcome.js'
import { compared, measured } from '../../../support/test-runs.js'
import { loopState, quality, summary, task, validation } from './loop-state.js'

test.each([
  ['completed', 'completed'],
  ['user_exit', 'user_exit'],
  ['failed', 'failed'],
  ['stopped', 'failed'],
  ['max_iterations', 'failed'],
] as const)('status: %s -> %s', (outcome, status) => expect(loopStatusOf(outcome)).toBe(status))

const done = [task('T1', 'completed')]
const green = { tasks: done, lastRun: measured(5, 5), validation: validation(true) }

type Row = { why: string; state: Partial<LoopState>; reason?: string; review: boolean }

test.each<Row>(
  // prettier-ignore
  [
  { why: 'all is done and passes',             state: green,                                                                          review: false },
  { why: 'nothing could be measured',          state: { tasks: done, unmeasured: 'there are no tests', validation: validation(true) }, review: true, reason: 'no test ran: there are no tests' },
  { why: 'a test is flaky',                    state: { ...green, lastRun: measured(5, 5, { flaky: 1, flakyTests: ['a > b'] }) },     review: true, reason: 'passed only on re-run: a > b' },
  { why: 'a check failed before as well',      state: { ...green, quality: quality({ name: 'lint', before: 'failed' }) },             review: false },
  { why: 'tests failed before as well',        state: { ...green, lastRun: measured(4, 5, { comparison: compared({ known: { total: 1, tests: ['a > b'], differently: 0 } }) }) }, review: false, reason: '1 test failed before the run and still does: a > b' },
  { why: 'a task needed no change',            state: { ...green, tasks: [{ ...task('T1', 'completed'), noChange: 'it is there' }] }, review: true, reason: 'T1 needed no change: it is there' },
  { why: 'existing tests were changed',        state: { ...green, changedInRun: { files: ['a.test.js'], total: 1 } },                 review: true, reason: 'existing tests were changed: a.test.js' },
  { why: 'a person completes it with tasks left', state: { ...green, confirmed: true, tasks: [...done, task('T2'), task('T3', 'blocked')] }, review: true, reason: '2 items are open: T2 is not done: build T2; T3 is not done: build T3' },
  { why: 'a person completes it, and nothing was committed', state: { ...green, confirmed: true, commits: [] },                       review: true, reason: '1 item is open: nothing was committed: no file of the project has changed' },
],
)('completed: $why', ({ state, reason, review }) => {
  const whole = loopState({ mode: 'interactive', ...state })
  expect(completedReason(whole)).toBe(reason)
  expect(needsReview('completed', whole)).toBe(review)
  expect(needsReview('user_exit', whole)).toBe(false)
})

const round = (rest: Partial<ParallelResults> = {}): ParallelResults => ({
  develop: summary('develop'),
  debug: summary('debug'),
  validate: summary('validate'),
  conflicts: [],
  merged_at: '2026-11-20T20:00:00+08:00',
  ...rest,
})
const lost = (action: 'develop' | 'debug' | 'validate', rest: Partial<WorkerSummary> = {}) =>
  summary(action, { status: 'failed', timedOut: true, ...rest })

test.each(
  // prettier-ignore
  [
  { why: 'no round',                                     results: null,                                                                                                ends: true },
  { why: 'no worker at all',                             results: round({ develop: null, debug: null, validate: null }),                                               ends: true },
  { why: 'none gave an answer',                          results: round({ develop: lost('develop'), debug: lost('debug'), validate: summary('validate', { status: 'unknown' }) }), ends: true },
  { why: 'one left work behind',        results: round({ develop: lost('develop', { filesTotal: 2 }), debug: lost('debug'), validate: null }),        ends: false },
  { why: 'one is enough',                                results: round({ develop: lost('develop'), validate: null }),                                                 ends: false },
],
)('$why -> $ends', ({ results, ends }) =>
  expect(roundFailure(loopState({ ...green, parallelResults: results })) !== undefined).toBe(ends),
)

test('a round of three without a result has the reason of the last worker', () => {
  const failed = {
    iteration: 1,
    passRate: null,
    result: 'not_started' as const,
    commit: null,
    note: 'develop: failed; no such agent',
    turns: 0,
  }
  expect(roundFailure(loopState({ parallelResults: null, history: [failed] }))).toBe(
    'none of the three workers came to a result; develop: failed; no such agent',
  )
})
