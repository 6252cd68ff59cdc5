// The tasks that write and check tests, in the queue of a session.
import type { TaskEntry } from '../../contract/test-fix/task.js'

const GATES: readonly TaskEntry['type'][] = ['code-validation', 'test-quality-review']

/** Closes the task that would have written tests, and the gates of those tests. */
export function withoutGeneration(queue: readonly TaskEntry[], id: string): TaskEntry[] {
  return queue.map((task) =>
    task.id === id || (GATES.includes(task.type) && isAfter(queue, task, id))
      ? { ...task, status: 'completed' }
      : task,
  )
}

/** Puts a supplement in front. The gates and the last test task are due again, with all retries. */
export function withSupplement(queue: readonly TaskEntry[], added: TaskEntry): TaskEntry[] {
  const last = queue.findLast(({ type, parent }) => type === 'test-fix' && parent === undefined)
  return [
    added,
    ...queue
      .filter(({ id }) => id !== added.id)
      .map((task): TaskEntry => {
        if (GATES.includes(task.type)) return { ...task, status: 'pending', attempts: 0 }
        return task.id === last?.id ? { ...task, status: 'pending' } : task
      }),
  ]
}

function isAfter(queue: readonly TaskEntry[], task: TaskEntry, id: string): boolean {
  return task.dependsOn.some((other) => {
    const found = queue.find((one) => one.id === other)
    return other === id || (found !== undefined && isAfter(queue, found, id))
  })
}
