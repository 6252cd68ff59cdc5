// Where a session stands, as iteration-state.json says it: what a resumed run does first.
//
// The sources know only "fix" and "anything else"; a fix that waits for its retest, gates and tests
// that are not planned yet need points of their own.
import { NextAction, type TaskEntry } from '../../contract/test-fix/task.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import { nextTask, retestId } from './queue.js'

/** A run's state says this; `unplanned` and `closed` are for the caller to know. */
export type Standing = Pick<TestFixState, 'pending' | 'queue' | 'lastRun'> & {
  /** There is no analysis yet of what tests to write. */
  unplanned?: boolean
  /** The run has ended and its record has the result. */
  closed?: boolean
}

export function nextAction(standing: Standing): NextAction {
  if (standing.closed === true) return 'none'
  const { pending, queue } = standing
  if (pending !== undefined) return isCommitted(pending) ? 'retest' : 'execute_fix_task'
  const next = nextTask(queue)
  if (next === undefined)
    return queue.some(({ status }) => status === 'blocked') ? 'none' : 'complete'
  switch (next.type) {
    case 'test-fix-iteration':
      return 'execute_fix_task'
    case 'test-fix':
      if (isRetest(next)) return 'retest'
      return standing.lastRun === undefined ? 'test' : 'analyze'
    case 'test-gen':
      return standing.unplanned === true ? 'plan_tests' : 'execute_task'
    case 'code-validation':
    case 'test-quality-review':
    case 'work':
      return 'execute_task'
  }
}

/**
 * Id of the task that `nextAction` is about: the fix, its retest, else the next one; `null` where
 * there is none.
 */
export function currentTask(standing: Standing): string | null {
  if (standing.closed === true) return null
  const { pending, queue } = standing
  if (pending !== undefined)
    return isCommitted(pending) ? retestId(pending.parent, pending.iteration) : pending.task
  return nextTask(queue)?.id ?? null
}

/**
 * Where a record says to resume.
 *
 * What it does not name, and a fix task of iteration 0, which cannot be, is a test run: it spends
 * no agent turn and tells all there is to know.
 */
export function resumePoint(record: {
  next_action: string
  current_iteration: number
}): NextAction {
  const named = NextAction.safeParse(record.next_action)
  if (!named.success) return 'test'
  return named.data === 'execute_fix_task' && record.current_iteration < 1 ? 'test' : named.data
}

/** Committed, or known to have changed nothing. */
function isCommitted({ commit }: NonNullable<Standing['pending']>): boolean {
  return commit !== undefined
}

function isRetest(task: TaskEntry): boolean {
  return task.parent !== undefined
}
