import { expect, test } from 'vitest'
import type { PendingFix } from '../../../../src/contract/test-fix/test-fix-state.js'
import {
  NextAction,
  type TaskEntry,
  type TaskType,
} from '../../../../src/contract/test-fix/task.js'
import { currentTask, nextAction, resumePoint } from '../../../../src/core/test-fix/next-action.js'
import { insertFix, setStatus } from '../../../../src/core/test-fix/queue.js'
import { measured } from '../../../support/test-runs.js'

const task = (id: string, type: TaskType, rest: Partial<TaskEntry> = {}): TaskEntry => ({
  id,
  title: id,
  type,
  role: 'test-fix-agent',
  status: 'pending',
  dependsOn: [],
  attempts: 0,
  ...rest,
})
const queue = [
  task('IMPL-001', 'test-gen'),
  task('IMPL-001.3', 'code-validation', { dependsOn: ['IMPL-001'] }),
  task('IMPL-002', 'test-fix', { dependsOn: ['IMPL-001.3'] }),
]
const upTo = (id: string): TaskEntry[] =>
  queue.map((one, at) => ({
    ...one,
    status: at < queue.findIndex((other) => other.id === id) ? 'completed' : 'pending',
  }))
const open = [task('IMPL-002', 'test-fix', { status: 'in_progress' })]
const withFix = insertFix(open, {
  iteration: 3,
  parent: 'IMPL-002',
  title: 'fix',
  file: 'IMPL-fix-3.json',
  dependsOn: [],
  maxIterations: 5,
})
const lastRun = measured(1, 2)
const pending: PendingFix = {
  iteration: 3,
  task: 'IMPL-fix-3',
  parent: 'IMPL-002',
  strategy: 'conservative',
  quality: 'normal',
  summary: 'fix',
  points: 1,
  affectedFiles: [],
  startedAt: 0,
  turnsBefore: 2,
  notes: [],
}

test.each(
  // prettier-ignore
  [
  { why: 'tests that are not planned yet',              standing: { queue, unplanned: true },                                         action: 'plan_tests',       current: 'IMPL-001' },
  { why: 'tests that are planned',                      standing: { queue },                                                          action: 'execute_task',     current: 'IMPL-001' },
  { why: 'a gate, even with unplanned tests',           standing: { queue: upTo('IMPL-001.3'), unplanned: true },                     action: 'execute_task',     current: 'IMPL-001.3' },
  { why: 'the first test run',                          standing: { queue: upTo('IMPL-002') },                                        action: 'test',             current: 'IMPL-002' },
  { why: 'failures to analyse',                         standing: { queue: open, lastRun },                                           action: 'analyze',          current: 'IMPL-002' },
  { why: 'a fix that is to be made',                    standing: { queue: withFix, lastRun, pending },                               action: 'execute_fix_task', current: 'IMPL-fix-3' },
  { why: 'a fix that was committed, not measured',      standing: { queue: withFix, lastRun, pending: { ...pending, commit: 'c0ffee' } }, action: 'retest',       current: 'IMPL-002-retest-3' },
  { why: 'a fix that changed nothing, not recorded',    standing: { queue: withFix, lastRun, pending: { ...pending, commit: null } }, action: 'retest',           current: 'IMPL-002-retest-3' },
  { why: 'a fix in the queue alone',                    standing: { queue: withFix, lastRun },                                        action: 'execute_fix_task', current: 'IMPL-fix-3' },
  { why: 'its retest in the queue alone',               standing: { queue: setStatus(withFix, 'IMPL-fix-3', 'completed'), lastRun },  action: 'retest',           current: 'IMPL-002-retest-3' },
  { why: 'a work task after the tests',                 standing: { queue: [task('IMPL-003', 'work')], lastRun },                     action: 'execute_task',     current: 'IMPL-003' },
  { why: 'nothing left',                                standing: { queue: [task('IMPL-002', 'test-fix', { status: 'completed' })], lastRun }, action: 'complete', current: null },
  { why: 'only what is blocked left',                   standing: { queue: [task('IMPL-002', 'test-fix', { status: 'blocked' })], lastRun },   action: 'none',     current: null },
  { why: 'a closed run, with any queue',                standing: { queue: withFix, lastRun, pending, closed: true },                 action: 'none',             current: null },
],
)('$why -> $action of $current', ({ standing, action, current }) => {
  expect(nextAction(standing)).toBe(action)
  expect(currentTask(standing)).toBe(current)
})

test.each([
  { says: 'execute_fix_task', at: 2, point: 'execute_fix_task' },
  { says: 'execute_fix_task', at: 0, point: 'test' },
  { says: 'run_tests', at: 2, point: 'test' },
  { says: '', at: 0, point: 'test' },
  { says: 'retest', at: 2, point: 'retest' },
  { says: 'complete', at: 5, point: 'complete' },
])('"$says" in iteration $at -> $point', ({ says, at, point }) =>
  expect(resumePoint({ next_action: says, current_iteration: at })).toBe(point),
)

test('every name of an action is read back unchanged', () => {
  for (const action of NextAction.options)
    expect(resumePoint({ next_action: action, current_iteration: 1 })).toBe(action)
})
