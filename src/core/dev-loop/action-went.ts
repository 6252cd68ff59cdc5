// Whether what a worker has done counts.
import type { WorkerEnd } from '../../contract/dev-loop/loop-state.js'

/**
 * `partial` also where it ran out of time, left work without a word, or names its own task among
 * those that remain.
 */
export function wentHow(
  end: Pick<WorkerEnd, 'action' | 'status' | 'timedOut' | 'commit' | 'task' | 'tasksRemaining'>,
): 'done' | 'partial' | 'failed' {
  if (end.status === 'success') return isLeft(end) ? 'partial' : 'done'
  if (end.status === 'partial' || end.timedOut === true) return 'partial'
  if (end.status !== 'unknown') return 'failed'
  return end.action === 'develop' && end.commit === null ? 'failed' : 'partial'
}

function isLeft({ task, tasksRemaining }: Pick<WorkerEnd, 'task' | 'tasksRemaining'>): boolean {
  return task !== undefined && tasksRemaining?.includes(task) === true
}
