import { expect, test } from 'vitest'
import type { LoopState } from '../../../../src/contract/loop.js'
import type { ParallelResults, WorkerSummary } from '../../../../src/contract/loop-record.js'
import { interactiveOutcome, loopStatusOf, needsReview, parallelOutcome } from '../../../../src/core/loop/outcome.js'
import { measured, notStarted } from '../../../support/test-runs.js'
import { loopState, quality, summary, task } from './loop-state.js'

test.each([
  ['completed', 'completed'], ['user_exit', 'user_exit'], ['failed', 'failed'], ['stopped', 'failed'], ['max_iterations', 'failed'],
] as const)('architecture §2 status: %s -> %s', (outcome, status) => expect(loopStatusOf(outcome)).toBe(status))

const done = [task('T1', 'completed')]
const green = { tasks: done, lastRun: measured(5, 5) }

type Row = { why: string; state: Partial<LoopState>; outcome: string; reason?: string }

const OPEN: Row[] = [
  { why: 'all is done and passes',             state: green,                                                                          outcome: 'completed' },
  { why: 'tasks are left',                     state: { ...green, tasks: [...done, task('T2'), task('T3', 'blocked')] },              outcome: 'completed', reason: 'pending: T2; blocked: T3' },
  { why: 'nothing could be measured',          state: { tasks: done, unmeasured: 'there are no tests' },                              outcome: 'completed', reason: 'nothing was measured: there are no tests' },
  { why: 'a test is flaky',                    state: { tasks: done, lastRun: measured(5, 5, { flaky: 1, flakyTests: ['a > b'] }) },  outcome: 'completed', reason: 'passed only on re-run: a > b' },
  { why: 'a check failed before as well',      state: { ...green, quality: quality({ name: 'lint', before: 'failed' }) },             outcome: 'completed' },
]
const FAILING: Row[] = [
  { why: 'tests fail',                         state: { tasks: done, lastRun: measured(4, 5) },                                       outcome: 'failed', reason: 'tests fail: 80 % (4 of 5)' },
  { why: 'the suite does not start',           state: { tasks: done, lastRun: notStarted() },                                         outcome: 'failed', reason: 'a.test.ts could not be loaded: SyntaxError' },
  { why: 'a check fails',                      state: { ...green, quality: quality({ name: 'lint' }) },                               outcome: 'failed', reason: 'lint fails' },
]

const round = (rest: Partial<ParallelResults> = {}): ParallelResults => ({ develop: summary('develop'), debug: summary('debug'), validate: summary('validate'), conflicts: [], merged_at: '2026-11-20T20:00:00+08:00', ...rest })
const lost = (action: 'develop' | 'debug' | 'validate', rest: Partial<WorkerSummary> = {}) => summary(action, { status: 'failed', timedOut: true, ...rest })

test.each<Row>([...OPEN, ...FAILING.map((row) => ({ ...row, reason: `${row.reason}; go on with mode auto: it repairs what fails` }))])('002 §2.4 parallel: $why -> $outcome', ({ state, outcome, reason }) => {
  expect(parallelOutcome(loopState({ mode: 'parallel', parallelResults: round(), ...state }))).toEqual({ outcome, ...(reason === undefined ? {} : { reason }) })
})

test.each([
  { why: 'no round',                                     results: null,                                                                                                outcome: 'failed' },
  { why: 'no worker at all',                             results: round({ develop: null, debug: null, validate: null }),                                               outcome: 'failed' },
  { why: 'none gave an answer',                          results: round({ develop: lost('develop'), debug: lost('debug'), validate: summary('validate', { status: 'unknown' }) }), outcome: 'failed' },
  { why: 'ccw §2.4 trap 9: one left work behind',        results: round({ develop: lost('develop', { filesTotal: 2 }), debug: lost('debug'), validate: null }),        outcome: 'completed' },
  { why: 'one is enough',                                results: round({ develop: lost('develop'), validate: null }),                         outcome: 'completed' },
])('002 §2.4 "partial timeout": $why -> $outcome', ({ results, outcome }) => expect(parallelOutcome(loopState({ ...green, parallelResults: results })).outcome).toBe(outcome))

test.each<Row>([...OPEN, ...FAILING.map((row) => ({ ...row, outcome: 'completed' }))])('architecture §7.20 a person has chosen complete: $why -> $outcome', ({ state, outcome, reason }) => {
  expect(interactiveOutcome(loopState({ mode: 'interactive', ...state }))).toEqual({ outcome, ...(reason === undefined ? {} : { reason }) })
})

test.each([
  ...[...OPEN, ...FAILING].map(({ why, state, reason }) => ({ why, state, outcome: 'completed' as const, review: reason !== undefined })),
  { why: 'it failed: that says enough',        state: { lastRun: measured(4, 5) }, outcome: 'failed' as const,    review: false },
  { why: 'somebody left it',                   state: { lastRun: measured(4, 5) }, outcome: 'user_exit' as const, review: false },
])('review needed: $why -> $review', ({ state, outcome, review }) => expect(needsReview(outcome, loopState(state))).toBe(review))

test('a round of three that came to nothing says why the last of them did not', () => {
  const failed = { iteration: 1, passRate: null, result: 'not_started' as const, commit: null, note: 'develop: failed; no such agent', turns: 0 }
  expect(parallelOutcome(loopState({ parallelResults: null, history: [failed] })).reason).toBe('none of the three workers came to a result; develop: failed; no such agent')
})
