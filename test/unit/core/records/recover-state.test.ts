import { expect, test } from 'vitest'
import type { TaskEntry } from '../../../../src/contract/test-fix/task.js'
import { rebuildState, type RebuildFrom } from '../../../../src/core/records/recover-state.js'

/** An iteration state as other tools write it. */
const SAMPLE = {
  session_id: 'WFS-test-user-auth',
  current_task: 'IMPL-002',
  current_iteration: 2,
  max_iterations: 5,
  started_at: '2025-10-17T10:00:00Z',
  iterations: [
    {
      iteration: 1,
      started_at: '2025-10-17T10:05:00Z',
      completed_at: '2025-10-17T10:15:00Z',
      test_results: { total: 10, passed: 7, failed: 3, failures: ['test1', 'test2', 'test3'] },
      analysis_file: '.process/iteration-1-analysis.md',
      fix_task: 'IMPL-fix-1',
      result: 'partial_success',
    },
  ],
  status: 'active',
  next_action: 'execute_fix_task',
}
const fix = (n: number, status: TaskEntry['status'] = 'pending'): RebuildFrom['fixes'][number] => ({
  entry: {
    id: `IMPL-fix-${n}`,
    title: `Fix ${n}`,
    type: 'test-fix-iteration',
    role: 'test-fix-agent',
    status,
    dependsOn: [],
    file: `IMPL-fix-${n}.json`,
    attempts: 0,
  },
  details: {
    approach: 'Check the token',
    points: ['src/a.ts:f:1-2'],
    rootCauses: [],
    affectedTests: [],
    confidence: null,
    expectedOutcome: '',
    failures: [],
  },
})
const rebuild = (rest: Partial<RebuildFrom>) =>
  rebuildState({
    iterationState: SAMPLE,
    session: {},
    fixHistory: [],
    fixes: [],
    testTask: 'IMPL-002',
    at: 7,
    ...rest,
  })

test('the sample of the source resumes with its fix', () => {
  expect(rebuild({ fixes: [fix(1, 'completed'), fix(2)] })).toEqual({
    startedAt: Date.UTC(2025, 9, 17, 10),
    iteration: 1,
    commits: [],
    usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false },
    history: [
      {
        iteration: 1,
        passRate: 70,
        passed: 7,
        total: 10,
        result: 'kept',
        commit: null,
        turns: 0,
        task: 'IMPL-fix-1',
        parent: 'IMPL-002',
        startedAt: Date.UTC(2025, 9, 17, 10, 5),
        completedAt: Date.UTC(2025, 9, 17, 10, 15),
      },
    ],
    pending: {
      iteration: 2,
      task: 'IMPL-fix-2',
      parent: 'IMPL-002',
      strategy: 'conservative',
      quality: 'normal',
      summary: 'Check the token',
      points: 1,
      affectedFiles: [],
      startedAt: 7,
      turnsBefore: 0,
      notes: [],
    },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'another next_action', state: { ...SAMPLE, next_action: 'retest' }, fixes: [fix(1), fix(2)], iteration: 2, pending: undefined },
  { why: 'the file of the fix is gone', state: SAMPLE, fixes: [fix(1)], iteration: 1, pending: undefined },
  { why: 'the fix was carried out', state: SAMPLE, fixes: [fix(1), fix(2, 'completed')], iteration: 2, pending: undefined },
  { why: 'a later fix is there', state: SAMPLE, fixes: [fix(1), fix(2), fix(3)], iteration: 3, pending: undefined },
  { why: 'only fixes are left', state: undefined, fixes: [fix(1), fix(4)], iteration: 4, pending: undefined },
  { why: 'iterations count from what is known', state: { ...SAMPLE, next_action: 'analyze', current_iteration: 0 }, fixes: [], iteration: 1, pending: undefined },
  { why: 'nothing is left', state: undefined, fixes: [], iteration: 0, pending: undefined },
  { why: 'rubbish in every field', state: { current_iteration: 'two', started_at: 7, next_action: 3, iterations: [{ iteration: 'x' }, null, { iteration: 2, test_results: { total: 0, passed: 0 }, result: 9 }] }, fixes: [], iteration: 2, pending: undefined },
],
)('ids are never used again: $why -> $iteration spent', ({ state, fixes, iteration, pending }) => {
  const restored = rebuild({ iterationState: state, fixes })
  expect(restored).toMatchObject({ iteration })
  expect(restored.pending?.task).toBe(pending)
})

test('the later form without the number of the iteration resumes with its fix', () => {
  const later = {
    current_task: 'IMPL-fix-2',
    selected_strategy: 'aggressive',
    next_action: 'execute_fix_task',
    iterations: [
      { iteration: 1, pass_rate: 85.5, strategy: 'conservative', failed_tests: ['test1'] },
    ],
  }
  const fixes = [fix(1, 'completed'), fix(2)]
  expect(rebuild({ iterationState: later, fixes })).toMatchObject({
    iteration: 1,
    history: [{ iteration: 1, passRate: 85.5, strategy: 'conservative' }],
    pending: { iteration: 2, task: 'IMPL-fix-2', strategy: 'aggressive' },
  })
  expect(
    rebuild({ iterationState: { ...later, current_task: 'IMPL-002' }, fixes }).pending?.task,
  ).toBe('IMPL-fix-2')
})

test('takes missing fields from fix-history.json and from the result of an ended run', () => {
  const entry = {
    iteration: 1,
    task: 'IMPL-fix-1',
    strategy: 'surgical',
    commit: 'abc',
    pass_rate_after: 80,
    result: 'rolled_back',
    reason: 'worse',
  }
  expect(rebuild({ iterationState: '{', fixHistory: [entry, 'odd'] })).toMatchObject({
    iteration: 1,
    startedAt: 7,
    commits: ['abc'],
    history: [
      {
        iteration: 1,
        passRate: 80,
        result: 'rolled_back',
        strategy: 'surgical',
        commit: 'abc',
        note: 'worse',
      },
    ],
  })
  const history = [{ iteration: 0, passRate: 50, result: 'baseline', commit: null, turns: 0 }]
  const result = {
    id: 'x',
    kind: 'test-fix',
    outcome: 'failed',
    status: 'failed',
    iterations: 0,
    passRate: 50,
    reviewNeeded: false,
    branch: null,
    commits: [],
    failures: [],
    failuresTotal: 0,
    reason: null,
    recordDir: null,
    usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false },
    history,
  }
  expect(
    rebuild({ iterationState: undefined, session: { result, created_at: '2025-10-17T10:00:00Z' } }),
  ).toMatchObject({ history, iteration: 0, startedAt: Date.UTC(2025, 9, 17, 10) })
})

test.each([
  ['partial_success', 'kept'],
  ['regression', 'rolled_back'],
  ['no_change', 'no_change'],
  ['constructor', 'failed'],
  [undefined, 'failed'],
])('maps the result %j of another tool to %j', (word, result) => {
  expect(
    rebuild({ iterationState: { iterations: [{ iteration: 1, result: word }] } }).history,
  ).toMatchObject([{ result }])
})
