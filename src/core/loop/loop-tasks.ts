// The tasks of a loop: what init makes of the description, what is next, and what a worker's end changes.
// Source: ccw §2.1 "task", §2.2, §2.4 trap 2; architecture §7.19.
import type { LoopState, WorkerEnd } from '../../contract/loop.js'
import { WORKER_ITEM_CHARS } from '../../contract/worker-reading.js'
import type { LoopTask } from '../../contract/worker-reading.js'
import { taskProblem } from '../cycle/tasks.js'
import { textKey } from '../cycle/same-text.js'
import { oneLine } from '../one-line.js'

const PRIORITIES = ['high', 'medium', 'low'] as const

/** Tasks that wait for a develop. One in progress is no worker's at a decision: the worker was cut off. */
export function pendingTasks(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.filter(({ status }) => status === 'pending' || status === 'in_progress')
}

export function completedTasks(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.filter(({ status }) => status === 'completed')
}

export function blockedTasks(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.filter(({ status }) => status === 'blocked')
}

/** The task of the next develop: by priority, then in the order of the plan. */
export function taskFor({ tasks }: Pick<LoopState, 'tasks'>): LoopTask | undefined {
  return pendingTasks(tasks).sort((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) || numberOf(a.id) - numberOf(b.id))[0]
}

/** A further task of the user's, pending. Its whole text stands in the description. */
export function furtherTask({ tasks }: Pick<LoopState, 'tasks'>, text: string): LoopTask {
  return { id: freeId(tasks), description: shortTask(text), priority: 'medium', status: 'pending', files: [] }
}

/** The first task, and each further one below a line that numbers it. */
export function loopDescription(texts: readonly string[]): string {
  return texts.map((text, n) => (n === 0 ? text : `\n\n--- FURTHER TASK ${n} ---\n${text}`)).join('')
}

/** Why a further task cannot be taken, or `undefined`. `texts`: the first task and every further one. */
export function furtherTaskProblem(texts: readonly string[], text: string): string | undefined {
  return taskProblem(text, loopDescription([...texts, text]).length, { task: 'further task', tasks: 'further tasks', run: 'loop' })
}

/** The tasks after a worker has ended. */
export function tasksAfter(state: Pick<LoopState, 'tasks' | 'texts'>, end: WorkerEnd): LoopTask[] {
  switch (end.action) {
    case 'init':
      return planned(state, end.tasks ?? [])
    case 'develop':
      return developed(state, end)
    case 'debug':
      return end.status === 'failed' && end.timedOut !== true ? state.tasks : withStatus(state.tasks, blockedTasks(state.tasks), 'pending')
    case 'validate':
    case 'complete':
      return state.tasks
  }
}

/**
 * A breakdown takes the place of what is open, but for what the user has added; what is done stays done.
 * No id is given twice. Without one nothing changes, and a loop without tasks gets one that is its description.
 */
function planned({ tasks, texts }: Pick<LoopState, 'tasks' | 'texts'>, breakdown: readonly LoopTask[]): LoopTask[] {
  if (breakdown.length === 0) return tasks.length > 0 ? tasks : [{ ...furtherTask({ tasks: [] }, texts[0] ?? ''), id: 'T1' }]
  const added = new Set(texts.slice(1).map(shortTask))
  const kept = tasks.filter(({ status, description }) => status === 'completed' || added.has(description))
  const known = new Set(kept.map(({ description }) => textKey(description)))
  const all = [...kept]
  for (const task of breakdown) {
    if (known.has(textKey(task.description))) continue
    const isTaken = all.some(({ id }) => id === task.id)
    all.push({ ...task, id: isTaken ? freeId([...tasks, ...breakdown, ...all]) : task.id, status: 'pending' })
  }
  return all
}

/**
 * A develop that has others beside it has all pending tasks: where it names none that it has done, it has done
 * those it was given, but for what it says is left. A task that came later is not among them.
 */
export function withGiven<E extends Pick<WorkerEnd, 'action' | 'status' | 'tasksCompleted' | 'tasksRemaining'>>(end: E, given: readonly LoopTask[]): E {
  if (end.action !== 'develop' || end.status !== 'success' || (end.tasksCompleted ?? []).length > 0) return end
  return { ...end, tasksCompleted: given.map(({ id }) => id).filter((id) => end.tasksRemaining?.includes(id) !== true) }
}

function developed({ tasks }: Pick<LoopState, 'tasks'>, end: WorkerEnd): LoopTask[] {
  const own = tasks.filter(({ id }) => id === end.task)
  if (end.status !== 'success' && end.status !== 'partial') return withStatus(tasks, own, end.blocked === true ? 'blocked' : 'pending')
  const named = tasks.filter(({ id }) => end.tasksCompleted?.includes(id) === true)
  if (end.status === 'partial') return withStatus(withStatus(tasks, own, end.blocked === true ? 'blocked' : 'pending'), named, 'completed')
  return withStatus(tasks, [...own, ...named], 'completed')
}

function withStatus(tasks: readonly LoopTask[], which: readonly LoopTask[], status: LoopTask['status']): LoopTask[] {
  return tasks.map((task) => (which.some(({ id }) => id === task.id) ? { ...task, status } : task))
}

function shortTask(text: string): string {
  return oneLine(text, WORKER_ITEM_CHARS)
}

// One more than the highest, so that none is given twice.
function freeId(tasks: readonly LoopTask[]): string {
  return `T${Math.max(0, ...tasks.map(({ id }) => numberOf(id))) + 1}`
}

function numberOf(id: string): number {
  return Number(/(\d{1,6})$/.exec(id)?.[1] ?? 0)
}
