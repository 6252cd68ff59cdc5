import { expect, test } from 'vitest'
import { IterationSummary, RunResult } from '../../../../src/contract/result.js'
import {
  loopResult,
  summaryOfWorker,
  type WorkerDoneFacts,
} from '../../../../src/core/dev-loop/loop-view.js'
import { compared, measured, notStarted } from '../../../support/test-runs.js'
import { HEAD, ended, late, loopState, task, validation as validated } from './loop-state.js'

test('the result of a loop has its id, its outcome and its iterations', () => {
  const suggestion = { message: 'Add login', command: 'ratchet apply x', readyForPr: true }
  const state = loopState({
    tasks: [task('T1', 'completed')],
    lastRun: { ...measured(4, 5), commit: HEAD },
    commits: ['c1'],
    suggestion,
  })
  const result = loopResult('nightly:1', 'completed', 'tests fail', state)
  expect(RunResult.parse(result)).toEqual(result)
  expect(result).toMatchObject({
    id: 'nightly:1',
    loop_id: 'loop-b-x',
    kind: 'dev-loop',
    outcome: 'completed',
    status: 'completed',
    iterations: 2,
    passRate: 80,
    reviewNeeded: true,
    branch: 'ratchet/loop-b-x',
    commits: ['c1'],
    failures: [],
    failuresTotal: 1,
    reason: 'tests fail',
    recordDir: '/repo/.workflow/.loop/loop-b-x.progress',
    suggestion,
  })
})

test('a measurement before the last commit does not count for it', () => {
  expect(
    loopResult(
      'loop-b-x',
      'user_exit',
      undefined,
      loopState({ lastRun: { ...measured(4, 5), commit: 'older' } }),
    ),
  ).toMatchObject({
    passRate: null,
    failuresTotal: 0,
    reason: 'what was done since the last test run was not measured',
  })
})

test('the result names the tests that the loop broke, also if it has committed since', () => {
  const counts = { baselinePassing: 4, broken: 1, passing: 4, failing: 1 }
  const comparison = compared({ counts, brokenSinceBaseline: ['a.test.ts > adds'] })
  const state = loopState({ commits: ['c1'], lastRun: measured(4, 5, { comparison }) })
  expect(loopResult('l', 'user_exit', '', state).broken).toEqual(['a.test.ts > adds'])
  const validation = validated(true, { removed: ['a.test.ts'] })
  const removed = [{ file: 'a.test.ts', passed: true, total: 1, tests: ['adds'] }]
  const lastRun = measured(4, 5, { comparison: { ...comparison, removed } })
  expect(loopResult('l', 'completed', '', { ...state, validation, lastRun }).broken).toEqual([])
})

test('the result names the uncommitted files that the tests saw', () => {
  const { prepared } = loopState()
  const state = loopState({ prepared: { ...prepared, measuredWith: ['workspace.copy: .env'] } })
  expect(loopResult('l', 'completed', '', state).measuredWith).toEqual(['workspace.copy: .env'])
})

test('a loop that ended without a workspace has a result too', () => {
  expect(RunResult.parse(loopResult('loop-b-x', 'failed', '', undefined))).toMatchObject({
    iterations: 0,
    passRate: null,
    branch: null,
    recordDir: null,
    reason: null,
    reviewNeeded: false,
    loop_id: 'loop-b-x',
  })
})

const facts: WorkerDoneFacts = {
  end: ended('develop', { task: 'T1', commit: 'c1', summary: 'built the\nform' }),
  run: measured(4, 5),
  measured: false,
  turns: 1,
  filesTotal: 2,
  startedAt: 1,
  completedAt: 2,
}
const claim = { passed: 5, failed: 0, total: 5, coverage: null }

test.each<{ why: string; facts: Partial<WorkerDoneFacts>; then: Partial<IterationSummary> }>(
  // prettier-ignore
  [
  { why: 'its work is kept',                        facts: {},                                                                           then: { result: 'kept', commit: 'c1', files: 2, task: 'T1', passRate: null, note: 'develop T1: success: built the form' } },
  { why: 'kept, although it failed',                facts: { end: ended('develop', { status: 'failed', commit: 'c1' }) },                then: { result: 'kept', note: 'develop: failed: done' } },
  { why: 'nothing to commit',                       facts: { end: ended('init') },                                                       then: { result: 'no_change', commit: null, note: 'init: success: done' } },
  { why: 'failed, nothing to commit',               facts: { end: ended('debug', { status: 'failed', summary: '', note: 'exit code 1' }) }, then: { result: 'failed', note: 'debug: failed; exit code 1' } },
  { why: 'no agent could be started',               facts: { end: late('develop', { timedOut: false, agent: null, summary: '' }) },      then: { result: 'not_started', note: 'develop: failed' } },
  { why: 'out of time',                             facts: { end: late('develop') },                                                     then: { result: 'no_change', note: 'develop: out of time: Worker timeout' } },
  { why: 'a validate has what was measured',        facts: { end: ended('validate', { claimed: claim }), measured: true },               then: { result: 'no_change', passRate: 80, passed: 4, total: 5, claimed: 100 } },
  { why: 'a validate of a suite that does not start', facts: { end: ended('validate'), measured: true, run: notStarted() },              then: { passRate: null } },
],
)('displayResult in one line: $why', ({ facts: rest, then }) =>
  expect(IterationSummary.parse(summaryOfWorker({ ...facts, ...rest }))).toMatchObject({
    iteration: 2,
    turns: 1,
    startedAt: 1,
    completedAt: 2,
    ...then,
  }),
)

test('the note of a worker is bounded', () =>
  expect(
    summaryOfWorker({
      ...facts,
      end: ended('develop', { summary: 'x'.repeat(900), note: 'y'.repeat(900) }),
    }).note?.length,
  ).toBeLessThan(400))
