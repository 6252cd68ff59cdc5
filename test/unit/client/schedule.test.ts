// The request for a schedule: the input of its runs is checked when it is created, not at two in
// the morning.
import { expect, test } from 'vitest'
import { scheduleOptions, type SchedulePlan } from '../../../src/client/schedule.js'

const PLAN: SchedulePlan = { kind: 'test-fix', input: { project: '/p' }, cron: '0 2 * * *' }

test('a nightly run starts under an id of its own, and is skipped while the last one is open', () => {
  expect(
    scheduleOptions('nightly', { ...PLAN, timezone: 'Europe/Berlin', note: 'every night' }),
  ).toEqual({
    scheduleId: 'nightly',
    spec: { cronExpressions: ['0 2 * * *'], timezone: 'Europe/Berlin' },
    action: {
      type: 'startWorkflow',
      workflowType: 'testFixCycle',
      workflowId: 'nightly',
      taskQueue: 'ratchet',
      args: [{ project: '/p' }],
    },
    policies: { overlap: 'SKIP', catchupWindow: '6 hours' },
    state: { note: 'every night' },
  })
})

test.each<{ why: string; id?: string; plan: SchedulePlan; message: string }>(
  // prettier-ignore
  [
  { why: 'an input that the run would refuse', plan: { ...PLAN, input: { project: 'p' } }, message: 'project: must be an absolute path' },
  { why: 'a cycle without a task', plan: { kind: 'dev-cycle', input: { project: '/p' }, cron: '@daily' }, message: 'task: Missing cycleId or task' },
  { why: 'an id that is none', id: '../x', plan: PLAN, message: 'must be 1-100 letters' },
  { why: 'an id that is too long with the time behind it', id: 'n'.repeat(80), plan: PLAN, message: 'must have at most 79 characters' },
  { why: 'a kind that is none', plan: { ...PLAN, kind: 'fix' as 'test-fix' }, message: 'kind: must be one of' },
],
)('$why is refused', ({ id = 'nightly', plan, message }) =>
  expect(() => scheduleOptions(id, plan)).toThrow(message),
)
