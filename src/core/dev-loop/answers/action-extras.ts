// Reads what each worker adds to its block: tasks, findings, a root cause, counts, a suggested
// commit. All of it is optional: a worker that prints only the block is read too.
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import type { WorkerReading } from '../../../contract/dev-loop/action-reading.js'
import { breakdown } from './breakdown.js'
import { detailList, type Details } from './action-details.js'
import { defined } from '../../text/defined.js'
import { namedTasks, unchanged, type Titles } from './task-claims.js'
import { diagnosis } from './diagnosis.js'
import { claimedBy, failuresIn, removedIn } from './validate-claims.js'
import { suggestionIn } from './suggested-commit.js'

/** Keys of a block besides those of every worker. */
export const EXTRA_KEYS = [
  'tasks_completed',
  'completed_tasks',
  'tasks_remaining',
  'pending_tasks',
  'no_change',
  'findings',
  'issues',
  'root_cause',
  'failures',
  'failed_tests',
  'removed_tests',
  'test_results',
  'tests',
  'tests_passing',
  'coverage',
  'recommendations',
  'branch_strategy',
  'ready_for_pr',
  'metrics',
  'tasks_blocked',
  'blocked_tasks',
]

type Extras = Partial<
  Pick<
    WorkerReading,
    | 'tasks'
    | 'tasksCompleted'
    | 'tasksRemaining'
    | 'noChange'
    | 'findings'
    | 'rootCause'
    | 'claimed'
    | 'removedTests'
    | 'suggestion'
    | 'recommendations'
  >
>

/**
 * Returns what the worker of this action adds; keys it says nothing about are missing.
 *
 * @param titles of the loop's tasks, by id
 */
export function extrasOf(action: LoopAction, details: Details, titles?: Titles): Extras {
  if (action === 'init') return defined({ tasks: breakdown(details) })
  if (action === 'develop')
    return defined({
      ...namedTasks(details, titles),
      noChange: unchanged(details),
    })
  if (action === 'debug') return diagnosis(details)
  if (action === 'validate')
    return defined({
      claimed: claimedBy(details),
      findings: failuresIn(details),
      removedTests: removedIn(details),
    })
  return defined({
    suggestion: suggestionIn(details),
    recommendations: detailList(details, ['recommendations']),
  })
}
