// How far each task of a plan is. The plan's own statuses are its author's; who develops says which
// are done.
import type { CyclePromise, PhaseResult } from '../../../contract/dev-cycle/cycle-state.js'
import type { AgentState, CycleRecord, PlanTask } from '../../../contract/dev-cycle/cycle-record.js'

/**
 * The developer as far as it counts here; `result` is the last one, of an earlier iteration while
 * it works.
 */
export type Developer = {
  status: AgentState['status']
  result: Pick<PhaseResult, 'blockers'> | undefined
  promised: readonly CyclePromise[]
}

/**
 * The tasks with their statuses. Where nothing is known of the developer's work, the plan's own
 * stay.
 */
export function withStatuses(
  tasks: readonly PlanTask[],
  { status, result, promised }: Developer,
): PlanTask[] {
  const done = new Set(promised.filter(({ state }) => state !== 'open').map(({ id }) => id))
  const known = tasks.map((task): PlanTask =>
    done.has(task.id) ? { ...task, status: 'completed' } : task,
  )
  if (status === 'running' || status === 'waiting') {
    const next = inOrder(known).find((task) => task.status === 'pending')
    return known.map((task) =>
      task === next && status === 'running' ? { ...task, status: 'in_progress' } : task,
    )
  }
  if (status === 'idle' || result === undefined) return known
  return known.map((task) => {
    if (done.has(task.id)) return task
    return result.blockers.some((blocker) =>
      blocker.split(/[^\w.-]+/).some((word) => word.replace(/\.+$/, '') === task.id),
    )
      ? { ...task, status: 'blocked' }
      : task
  })
}

type Plan = NonNullable<CycleRecord['plan']>

/** The tasks of a plan's file, with the statuses that a record has for the same version of it. */
export function knownStatuses(plan: Plan, before: Plan | undefined): PlanTask[] {
  if (before?.version !== plan.version) return plan.tasks
  return plan.tasks.map((task) => ({
    ...task,
    status: before.tasks.find(({ id }) => id === task.id)?.status ?? task.status,
  }))
}

/** Dependencies first, else as they stand; in a circle as they stand. */
function inOrder(tasks: readonly PlanTask[]): PlanTask[] {
  const left = [...tasks]
  const ordered: PlanTask[] = []
  while (left.length > 0) {
    const next = left.findIndex((task) =>
      task.depends_on.every(
        (id) => ordered.some((one) => one.id === id) || !tasks.some((one) => one.id === id),
      ),
    )
    ordered.push(...left.splice(Math.max(0, next), 1))
  }
  return ordered
}
