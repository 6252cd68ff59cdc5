// What the end of a run makes of the tasks that are open.
import type { TestFixOutcome } from '../../contract/result.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'

/**
 * Returns the queue of an ended run: completed with it, blocked if it could not continue, and
 * unchanged by a stop.
 */
export function closedQueue(queue: readonly TaskEntry[], outcome: TestFixOutcome): TaskEntry[] {
  const status =
    outcome === 'stopped'
      ? 'pending'
      : outcome === 'failed' || outcome === 'blocked'
        ? 'blocked'
        : 'completed'
  return queue.map((task) =>
    task.status === 'pending' || task.status === 'in_progress' ? { ...task, status } : task,
  )
}

/** Returns the queue of a session that continues: blocked and unfinished tasks are due again. */
export function reopenedQueue(queue: readonly TaskEntry[]): TaskEntry[] {
  return queue.map((task) =>
    task.status === 'blocked' || task.status === 'in_progress'
      ? { ...task, status: 'pending' }
      : task,
  )
}
