// The queue of a test-fix session: what comes next, and how a fix gets in front.
//
// Order: a fix first, its retest right behind it, the rest by dependencies, then by id. A task
// waits for what it depends on to be completed or rolled back; what is not in the queue any more
// was closed.
import type { IterationSummary } from '../../contract/result.js'
import type { TaskEntry, TaskStatus } from '../../contract/test-fix/task.js'
import type { CommitResult } from '../../contract/workspace.js'
import { compareIds } from './task-ids.js'

export { compareIds } from './task-ids.js'

/** Longest title of an entry, in characters. */
const TITLE_CHARS = 120

/** A task with one of these is closed, so its dependants can start. */
const CLOSED: readonly TaskStatus[] = ['completed', 'rolled_back']

/** What is wrong with the tasks of a session, or `undefined`. */
export function queueProblem(tasks: readonly TaskEntry[]): string | undefined {
  if (tasks.length === 0) return 'there is no task'
  const ids = new Set<string>()
  for (const { id } of tasks) {
    if (ids.has(id)) return `two tasks have the id ${id}`
    ids.add(id)
  }
  for (const { id, dependsOn } of tasks) {
    const unknown = dependsOn.find((other) => !ids.has(other))
    if (unknown !== undefined) return `${id} depends on ${unknown}, which is not there`
  }
  const cycle = cycleIn(tasks)
  return cycle === undefined ? undefined : `tasks depend on each other: ${cycle.join(' -> ')}`
}

/** Ids around a cycle, the first one again at the end. */
function cycleIn(tasks: readonly TaskEntry[]): string[] | undefined {
  const left = leftOver(tasks)
  let id = left[0]?.id
  const path: string[] = []
  // Every task that is left has a dependency that is left: following them comes round.
  while (id !== undefined && !path.includes(id)) {
    path.push(id)
    id = left
      .find((task) => task.id === path.at(-1))
      ?.dependsOn.find((other) => left.some((task) => task.id === other))
  }
  return id === undefined ? undefined : [...path.slice(path.indexOf(id)), id]
}

function leftOver(tasks: readonly TaskEntry[]): TaskEntry[] {
  const done = new Set(inOrder(tasks).map(({ id }) => id))
  return tasks.filter(({ id }) => !done.has(id))
}

/** The tasks by dependencies, then by id. Those of a cycle come last: `queueProblem` refuses it. */
export function ordered(tasks: readonly TaskEntry[]): TaskEntry[] {
  return [...inOrder(tasks), ...leftOver(tasks).sort((a, b) => compareIds(a.id, b.id))]
}

function inOrder(tasks: readonly TaskEntry[]): TaskEntry[] {
  const known = new Set(tasks.map(({ id }) => id))
  const waiting = [...tasks].sort((a, b) => compareIds(a.id, b.id))
  const placed = new Set<string>()
  const order: TaskEntry[] = []
  for (;;) {
    const at = waiting.findIndex((task) =>
      task.dependsOn.every((id) => placed.has(id) || !known.has(id)),
    )
    const next = waiting[at]
    if (next === undefined) return order
    waiting.splice(at, 1)
    placed.add(next.id)
    order.push(next)
  }
}

/** The first open task, in the order of the queue, that waits for nothing. */
export function nextTask(queue: readonly TaskEntry[]): TaskEntry | undefined {
  const status = new Map(queue.map((task) => [task.id, task.status]))
  const isClosed = (id: string): boolean => CLOSED.includes(status.get(id) ?? 'completed')
  return queue.find((task) => isOpen(task) && task.dependsOn.every(isClosed))
}

/**
 * Pending tasks that can never begin, because what they depend on is blocked, directly or through
 * others.
 */
export function unreachable(queue: readonly TaskEntry[]): TaskEntry[] {
  const stopped = new Set(queue.filter((task) => task.status === 'blocked').map(({ id }) => id))
  for (let before = -1; before !== stopped.size;) {
    before = stopped.size
    for (const task of queue)
      if (task.status === 'pending' && task.dependsOn.some((id) => stopped.has(id)))
        stopped.add(task.id)
  }
  return queue.filter((task) => task.status === 'pending' && stopped.has(task.id))
}

export type NewFix = {
  iteration: number
  parent: string
  title: string
  file: string
  dependsOn: readonly string[]
  maxIterations: number
}

/**
 * Puts `IMPL-fix-N` in front and its retest `<parent>-retest-N` right behind it; the rest stays as
 * it was.
 *
 * @throws where one of the two ids is there already: ids are never used again
 */
export function insertFix(
  queue: readonly TaskEntry[],
  { iteration, parent, title, file, dependsOn, maxIterations }: NewFix,
): TaskEntry[] {
  const made = {
    role: 'test-fix-agent',
    status: 'pending',
    parent,
    iteration,
    maxIterations,
    attempts: 0,
  } as const
  const fix: TaskEntry = {
    ...made,
    id: `IMPL-fix-${iteration}`,
    title: title.slice(0, TITLE_CHARS),
    type: 'test-fix-iteration',
    dependsOn: [...dependsOn],
    file,
  }
  const retest: TaskEntry = {
    ...made,
    id: retestId(parent, iteration),
    title: `Retest after ${fix.id}`,
    type: 'test-fix',
    dependsOn: [fix.id],
  }
  for (const { id } of [fix, retest])
    if (queue.some((task) => task.id === id))
      throw new Error(`a task ${id} is in the queue already`)
  return [fix, retest, ...queue]
}

export function retestId(parent: string, iteration: number): string {
  return `${parent}-retest-${iteration}`
}

/** Whether a task was made by an iteration: a fix, or the retest of one. */
export function isFixOrRetest(task: TaskEntry): boolean {
  return (
    task.type === 'test-fix-iteration' || (task.type === 'test-fix' && task.parent !== undefined)
  )
}

/** @throws where no task has that id */
export function setStatus(
  queue: readonly TaskEntry[],
  id: string,
  status: TaskStatus,
): TaskEntry[] {
  return changed(queue, id, () => ({ status }))
}

/**
 * Counts one attempt.
 *
 * @throws where no task has that id
 */
export function spend(queue: readonly TaskEntry[], id: string): TaskEntry[] {
  return changed(queue, id, (task) => ({ attempts: task.attempts + 1 }))
}

/** The queue with a test task that judges new work: if none is open, the last is due again. */
export function withTestTask(queue: readonly TaskEntry[]): TaskEntry[] {
  const tests = queue.filter(({ type, parent }) => type === 'test-fix' && parent === undefined)
  const last = tests.at(-1)
  return last === undefined || tests.some(({ status }) => !CLOSED.includes(status))
    ? [...queue]
    : setStatus(queue, last.id, 'pending')
}

/**
 * Notes whether a task that is to write tests has written any. A repair that adds none leaves those
 * that there are.
 */
export function withWritten(
  queue: readonly TaskEntry[],
  id: string,
  { noTests }: Pick<CommitResult, 'noTests'>,
  isFirst: boolean,
): TaskEntry[] {
  return changed(queue, id, (task) => ({
    noTests: isFirst || noTests === undefined ? noTests : task.noTests,
  }))
}

/**
 * Counts one attempt of a test task, without the fix and the retest that it was spent on.
 *
 * @throws where no task has that id
 */
export function spendIteration(
  queue: readonly TaskEntry[],
  { parent, iteration }: { parent: string; iteration: number },
): TaskEntry[] {
  const retest = retestId(parent, iteration)
  return pruned(spend(queue, parent)).filter(({ id }) => id !== retest)
}

function changed(
  queue: readonly TaskEntry[],
  id: string,
  change: (task: TaskEntry) => Partial<TaskEntry>,
): TaskEntry[] {
  if (!queue.some((task) => task.id === id)) throw new Error(`no task ${id} in the queue`)
  return queue.map((task) => (task.id === id ? { ...task, ...change(task) } : task))
}

/** The queue without closed fixes and retests: the history has them. */
export function pruned(queue: readonly TaskEntry[]): TaskEntry[] {
  return queue.filter((task) => !(isFixOrRetest(task) && CLOSED.includes(task.status)))
}

/** The last fix whose commit was kept: what the next one builds on. */
export function lastKeptFix(history: readonly IterationSummary[]): string | undefined {
  return history.findLast(({ result, task }) => result === 'kept' && task !== undefined)?.task
}

/**
 * Returns the iterations of a test task: the flag, else `meta.max_iterations`, else the
 * configuration or its default, plus those granted while the run was open.
 */
export function iterationLimit(limits: {
  flag: number | undefined
  task: number | undefined
  config: number
  extended: number | undefined
}): number {
  return (limits.flag ?? limits.task ?? limits.config) + (limits.extended ?? 0)
}

function isOpen({ status }: TaskEntry): boolean {
  return status === 'pending' || status === 'in_progress'
}
