import { expect, test } from 'vitest'
import { CycleState } from '../../../../src/contract/dev-cycle/cycle-state.js'
import { IterationSummary, RunResult } from '../../../../src/contract/result.js'
import {
  cycleResult,
  cycleStatusOf,
  summaryOf,
  type IterationFacts,
} from '../../../../src/core/dev-cycle/cycle-view.js'
import { claimed, cycleState, phaseResults } from '../../../support/cycle/cycle-results.js'
import { compared, measured, notStarted } from '../../../support/test-runs.js'

test.each([
  ['completed', 'completed'],
  ['completed_with_issues', 'completed'],
  ['failed', 'failed'],
  ['stopped', 'failed'],
] as const)('status: %s -> %s', (outcome, status) => expect(cycleStatusOf(outcome)).toBe(status))

test('the result of a cycle', () => {
  const state = cycleState({ lastRun: measured(4, 5), commits: ['c1'] })
  expect(() => CycleState.parse(state)).not.toThrow()
  const result = cycleResult(
    'cycle-v1-x',
    { outcome: 'completed_with_issues', reason: '1 issue is open', review: [] },
    state,
  )
  expect(result).toMatchObject({
    kind: 'dev-cycle',
    status: 'completed',
    iterations: 2,
    passRate: 80,
    reviewNeeded: true,
    branch: 'ratchet/cycle-v1-x',
    commits: ['c1'],
    failures: [],
    failuresTotal: 1,
    reason: '1 issue is open',
  })
  expect(RunResult.parse(result)).toEqual(result)
})

test.each(
  // prettier-ignore
  [
  { why: 'completed',                        outcome: 'completed', says: [],                   review: false },
  { why: 'completed, a person should look',  outcome: 'completed', says: ['a test is flaky'],  review: true },
  { why: 'failed',                           outcome: 'failed',    says: ['a test is flaky'],  review: false },
] as const,
)('review needed: $why -> $review', ({ outcome, says, review }) =>
  expect(
    cycleResult('c', { outcome, reason: undefined, review: says }, cycleState()).reviewNeeded,
  ).toBe(review),
)

const counts = { baselinePassing: 4, broken: 1, passing: 4, failing: 1 }
const removed = [{ file: 'a.test.ts', passed: true, total: 1, tests: ['adds'] }]
const one = { counts, brokenSinceBaseline: ['a.test.ts > adds'] }

test('the result names the tests that the cycle broke', () => {
  const state = cycleState({
    commits: ['c1'],
    lastRun: measured(4, 5, { comparison: compared(one) }),
  })
  const end = { outcome: 'stopped', reason: '', review: [] } as const
  expect(cycleResult('c', end, state).broken).toEqual(['a.test.ts > adds'])
  expect(cycleResult('c', end, cycleState()).broken).toEqual([])
})

test('a test whose removal VAS calls meant is not broken, if VAS looked at the head', () => {
  const state = cycleState({
    commits: ['c1'],
    results: phaseResults({ vas: { claimed: claimed({ removedTests: ['a.test.ts'] }) } }),
    lastRun: measured(4, 5, { comparison: compared({ ...one, removed }) }),
  })
  const end = { outcome: 'completed', reason: '', review: [] } as const
  expect(cycleResult('c', { ...end, validated: state.head }, state).broken).toEqual([])
  expect(cycleResult('c', { ...end, validated: 'older' }, state).broken).toEqual([
    'a.test.ts > adds',
  ])
})

test('the result names the uncommitted files that the tests saw', () => {
  const { prepared } = cycleState()
  const state = cycleState({ prepared: { ...prepared, measuredWith: ['workspace.copy: .env'] } })
  expect(
    cycleResult('c', { outcome: 'completed', reason: '', review: [] }, state).measuredWith,
  ).toEqual(['workspace.copy: .env'])
})

test('a cycle that ended without a workspace has a result too', () => {
  const result = cycleResult('c', { outcome: 'failed', reason: '', review: [] }, undefined)
  expect(RunResult.parse(result)).toMatchObject({
    iterations: 0,
    passRate: null,
    branch: null,
    recordDir: null,
    reason: null,
  })
})

const facts: IterationFacts = {
  iteration: 2,
  run: measured(4, 5),
  commit: 'c1',
  failed: false,
  claimed: 80,
  turns: 6,
  notes: [],
  startedAt: 1,
  completedAt: 2,
}

test.each<{ why: string; facts: Partial<IterationFacts>; result: string; note?: string }>(
  // prettier-ignore
  [
  { why: 'a commit',                                facts: {},                                                        result: 'kept' },
  { why: 'a commit, although CD failed later',      facts: { failed: true },                                          result: 'kept' },
  { why: 'a commit whose suite does not start',     facts: { run: notStarted(), claimed: null },                      result: 'kept', note: 'a.test.ts could not be loaded: SyntaxError' },
  { why: 'nothing to commit',                       facts: { commit: null },                                          result: 'no_change' },
  { why: 'nothing to commit, CD failed',            facts: { commit: null, failed: true },                            result: 'failed' },
  { why: 'nothing to commit, nothing measured',     facts: { commit: null, run: undefined, claimed: null },           result: 'not_started', note: 'nothing was measured' },
  { why: 'what is not measured is said once',       facts: { run: notStarted(), notes: ['a.test.ts could not be loaded: SyntaxError'] }, result: 'kept', note: 'a.test.ts could not be loaded: SyntaxError' },
  { why: 'several notes',                           facts: { claimed: 100, notes: ['CD: timed out', undefined, 'no retry'] }, result: 'kept', note: 'CD: timed out; no retry' },
],
)('an iteration in one line: $why -> $result', ({ facts: rest, result, note }) => {
  const summary = summaryOf({ ...facts, ...rest })
  expect(IterationSummary.parse(summary)).toMatchObject({ iteration: 2, result, turns: 6 })
  expect(summary.note).toBe(note)
})

test('the note of an iteration is bounded', () =>
  expect(
    summaryOf({ ...facts, notes: Array.from({ length: 50 }, () => 'x'.repeat(300)) }).note?.length,
  ).toBeLessThanOrEqual(500))
