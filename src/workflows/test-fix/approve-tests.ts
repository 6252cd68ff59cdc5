// In interactive mode, a person approves the plan of tests before they are paid for, and the tests
// once they are written.
import { testsToWrite, testsWritten } from '../../core/run/approvables.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import { untilApproved } from '../run/approve.js'
import { roleTurn } from '../run/role-turn.js'
import type { Then } from './test-fix-end.js'
import { record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'

/**
 * Returns once the tests of a task may be written.
 *
 * @param isPlanned the record has a plan of the tests
 */
export async function approveTestPlan(
  run: TestFixRun,
  task: TaskEntry,
  isPlanned: boolean,
): Promise<void> {
  const state = run.ready
  if (state.interactive !== true || state.testPlanApproved === true) return
  let hasPlan = isPlanned
  await untilApproved(run, {
    about: () => testsToWrite(task, hasPlan, state.prepared),
    record: () => record(run),
    change: async (words, nth) => {
      const planned = await roleTurn(run, {
        role: 'cli-planning-agent',
        task: task.id,
        step: `${task.id}/change-${nth}/plan`,
        phase: 'planning tests',
        limitMs: state.prepared.limits.analysisMs,
        judgedByTree: false,
        ask: () => ({ about: 'plan-tests', task: task.id, change: words }),
        read: { as: 'plan' },
      })
      hasPlan ||= planned.ok
      return planned.ok ? undefined : planned.reason
    },
  })
  state.testPlanApproved = true
}

/** Notes that a task has written tests, about which a person is asked before the next task. */
export function noteWritten(run: TestFixRun, { id, type }: TaskEntry): void {
  if (run.ready.interactive === true && type === 'test-gen') run.ready.writtenTests = id
}

/**
 * Returns once no written tests wait for approval.
 *
 * @param rewrite has them changed as a person says; returns how the run would end if that fails
 */
export async function approveWritten(
  run: TestFixRun,
  rewrite: (task: TaskEntry, words: string, nth: number) => Promise<Then | undefined>,
): Promise<void> {
  const state = run.ready
  const task = run.queue.find(({ id }) => id === state.writtenTests)
  if (task === undefined) return
  await untilApproved(run, {
    about: () => testsWritten(task.id, state.prepared.workspace.branch),
    record: () => record(run),
    change: async (words, nth) => {
      const end = await rewrite(task, words, nth)
      return typeof end === 'object' ? end.reason : undefined
    },
  })
  delete state.writtenTests
}
