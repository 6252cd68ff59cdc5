// Whether the tasks of a plan can be worked through in order.
import type { PlanTask } from '../../../contract/dev-cycle/cycle-record.js'
import { shortList } from '../../text/short-text.js'

/**
 * Ids there more than once, dependencies and a critical path that name no task, and a circle, one
 * sentence each.
 */
export function graphProblems(
  tasks: readonly PlanTask[],
  criticalPath: readonly string[],
): string[] {
  const known = new Set(tasks.map(({ id }) => id))
  const last = new Map(tasks.map(({ id }, i) => [id, i]))
  const twice = [...new Set(tasks.map(({ id }) => id).filter((id, i) => last.get(id) !== i))]
  const foreign = tasks.flatMap(({ id, depends_on }) =>
    depends_on
      .filter((one) => !known.has(one))
      .map((one) => `${id} depends on ${one}, which is no task`),
  )
  const off = criticalPath.filter((id) => !known.has(id))
  const circle = circleOf(tasks)
  return [
    ...(twice.length > 0 ? [`the plan has ids more than once: ${shortList(twice)}`] : []),
    ...foreign,
    ...(off.length > 0 ? [`critical_path names what is no task: ${shortList(off)}`] : []),
    ...(circle.length > 0
      ? [`depends_on has a cycle: ${shortList(circle, circle.length, 20)}`.replaceAll(', ', ' -> ')]
      : []),
  ]
}

// Removes tasks without open dependencies until none is left; each remaining task waits for another
// one.
function circleOf(tasks: readonly PlanTask[]): string[] {
  const needs = new Map(tasks.map((task) => [task.id, task.depends_on]))
  const open = new Map(
    tasks.map(({ id, depends_on }) => [id, depends_on.filter((one) => needs.has(one)).length]),
  )
  const waiting = new Map(tasks.map(({ id }) => [id, [] as string[]]))
  for (const { id, depends_on } of tasks) for (const one of depends_on) waiting.get(one)?.push(id)
  const free = [...open].filter(([, n]) => n === 0).map(([id]) => id)
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    open.delete(id)
    for (const next of waiting.get(id) ?? []) {
      const left = (open.get(next) ?? 0) - 1
      if (open.has(next)) open.set(next, left)
      if (left === 0) free.push(next)
    }
  }
  const path: string[] = []
  const seen = new Set<string>()
  let at = open.keys().next().value
  while (at !== undefined && !seen.has(at)) {
    path.push(at)
    seen.add(at)
    at = needs.get(at)?.find((one) => open.has(one))
  }
  return at === undefined ? [] : [...path.slice(path.indexOf(at)), at]
}
