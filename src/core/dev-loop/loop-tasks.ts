// The tasks of a loop: what init makes of the description, what is next, and what a worker's end
// changes.
import type { LoopState, WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import type { LoopMode } from '../../contract/dev-loop/loop-input.js'
import { WORKER_ITEM_CHARS, type LoopTask } from '../../contract/dev-loop/action-reading.js'
import { taskProblem } from '../dev-cycle/plan-tasks.js'
import { textKey } from '../dev-cycle/documents/same-text.js'
import { oneLine } from '../text/one-line.js'
import { afterCommit, followed, isWorkOf, withCommits } from '../run/task-work.js'
import type { TaskWork } from '../../contract/workspace.js'
import { wentHow } from './action-went.js'

const PRIORITIES = ['high', 'medium', 'low'] as const

/** How often a task is tried that a develop fails on, or is blocked at. */
export const TRIES_MOST = 2
const WHY_CHARS = 120

/**
 * Tasks that wait for a develop. One in progress is no worker's at a decision: the worker was cut
 * off.
 */
export function pendingTasks(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.filter(({ status }) => status === 'pending' || status === 'in_progress')
}

export function completedTasks(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.filter(({ status }) => status === 'completed')
}

export function blockedTasks(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.filter(({ status }) => status === 'blocked')
}

/**
 * The task of the next develop: by priority, then in the order of the plan. One that was set aside
 * comes last and is tried once more; a person may have it tried as often as wanted, and of several
 * the one with the fewest tries comes first.
 */
export function taskFor({
  tasks,
  mode = 'auto',
}: Pick<LoopState, 'tasks'> & { mode?: LoopMode }): LoopTask | undefined {
  const left = tasks.filter(
    (task) => task.status !== 'completed' && (mode === 'interactive' || triesOf(task) < TRIES_MOST),
  )
  return left.sort(
    (a, b) =>
      isAside(a) - isAside(b) ||
      triesOf(a) - triesOf(b) ||
      PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) ||
      numberOf(a.id) - numberOf(b.id),
  )[0]
}

/** Tasks that are not done and were tried as often as they may. */
export function givenUp(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.filter((task) => task.status !== 'completed' && triesOf(task) >= TRIES_MOST)
}

function isAside(task: LoopTask): 0 | 1 {
  return task.status === 'blocked' || triesOf(task) > 0 ? 1 : 0
}

function triesOf({ aside }: LoopTask): number {
  return aside?.times ?? 0
}

/** Adds a further task of the user, pending. The description has its whole text. */
export function furtherTask({ tasks }: Pick<LoopState, 'tasks'>, text: string): LoopTask {
  return {
    id: freeId(tasks),
    description: shortTask(text),
    priority: 'medium',
    status: 'pending',
    files: [],
  }
}

/** The first task, and each further one below a line that numbers it. */
export function loopDescription(texts: readonly string[]): string {
  return texts
    .map((text, n) => (n === 0 ? text : `\n\n--- FURTHER TASK ${n} ---\n${text}`))
    .join('')
}

/**
 * Why a further task cannot be taken, or `undefined`. `texts`: the first task and every further
 * one.
 */
export function furtherTaskProblem(texts: readonly string[], text: string): string | undefined {
  return taskProblem(text, loopDescription([...texts, text]).length, {
    task: 'further task',
    tasks: 'further tasks',
    run: 'loop',
  })
}

/** The tasks after a worker has ended. */
export function tasksAfter(
  state: Pick<LoopState, 'tasks' | 'texts'> & Partial<Pick<LoopState, 'namesTasks' | 'takenBack'>>,
  end: WorkerEnd,
): LoopTask[] {
  switch (end.action) {
    case 'init':
      return planned(state, end.tasks ?? [])
    case 'develop':
      return developed(state, end)
    case 'debug':
      return end.status === 'failed' && end.timedOut !== true
        ? state.tasks
        : state.tasks.map(debugged)
    case 'validate':
    case 'complete':
      return state.tasks
  }
}

/**
 * A breakdown takes the place of what is open, but for what the user has added; what is done stays
 * done. No id is given twice. Without one nothing changes, and a loop without tasks gets one that
 * is its description.
 */
function planned(
  { tasks, texts }: Pick<LoopState, 'tasks' | 'texts'>,
  breakdown: readonly LoopTask[],
): LoopTask[] {
  if (breakdown.length === 0)
    return tasks.length > 0 ? tasks : [{ ...furtherTask({ tasks: [] }, texts[0] ?? ''), id: 'T1' }]
  const added = new Set(texts.slice(1).map(shortTask))
  const kept = tasks.filter(
    ({ status, description }) => status === 'completed' || added.has(description),
  )
  const known = new Set(kept.map(({ description }) => textKey(description)))
  const all = [...kept]
  for (const task of breakdown) {
    if (known.has(textKey(task.description))) continue
    const isTaken = all.some(({ id }) => id === task.id)
    all.push({
      ...task,
      id: isTaken ? freeId([...tasks, ...breakdown, ...all]) : task.id,
      status: 'pending',
    })
  }
  return all
}

/**
 * A parallel develop has all pending tasks: if it names none as done, it claims those it was given,
 * except for what it says is left. Later tasks do not count.
 */
export function withGiven<
  E extends Pick<
    WorkerEnd,
    'action' | 'status' | 'tasksCompleted' | 'tasksRemaining' | 'noChange' | 'unnamed'
  >,
>(end: E, given: readonly LoopTask[]): E {
  if (end.action !== 'develop' || end.status !== 'success' || namesTasks(end)) return end
  return {
    ...end,
    unnamed: true,
    tasksCompleted: given
      .map(({ id }) => id)
      .filter((id) => end.tasksRemaining?.includes(id) !== true),
  }
}

/** Whether a develop names tasks by their ids. What one that failed names closes none. */
export function namesTasks({
  status,
  tasksCompleted = [],
  noChange = [],
  unnamed,
}: Pick<WorkerEnd, 'status' | 'tasksCompleted' | 'noChange' | 'unnamed'>): boolean {
  return (
    (status === 'success' || status === 'partial') &&
    unnamed !== true &&
    (tasksCompleted.length > 0 || noChange.length > 0)
  )
}

/**
 * Pending again, where everything that develop changed for a task was decided for another version
 * in a merge.
 */
export function withLost(
  tasks: readonly LoopTask[],
  ids: readonly string[],
  { files, filesTotal }: { files: readonly string[]; filesTotal: number },
  choices: Readonly<Record<string, string>>,
): LoopTask[] {
  const isLost = (file: string): boolean =>
    choices[file] !== undefined && choices[file] !== 'develop'
  return tasks.map((task) => {
    if (!ids.includes(task.id) || task.status !== 'completed' || task.noChange !== undefined)
      return task
    const own = task.files.filter((file) => files.includes(file))
    const changed = own.length > 0 ? own : filesTotal > files.length ? [] : files
    const [first] = changed
    return first !== undefined && changed.every(isLost)
      ? { ...plain(task), status: 'pending' as const, lost: first }
      : task
  })
}

/** The tasks whose work the commit of a worker may take back. */
export function tasksFollowed(tasks: readonly LoopTask[], end: Developed): TaskWork[] {
  return followed(tasks, ({ status }) => status === 'completed', tasksOf(end))
}

type Developed = Partial<Pick<WorkerEnd, 'action' | 'task' | 'tasksCompleted'>>

/** The tasks that the commit of a worker is made for. */
function tasksOf({ action, task, tasksCompleted = [] }: Developed): string[] {
  if (action !== 'develop') return []
  return [...new Set([...tasksCompleted, ...(task === undefined ? [] : [task])])]
}

/** Pending again, where a commit has taken back everything that was changed for a task. */
export function withTakenBack(
  tasks: readonly LoopTask[],
  asked: readonly TaskWork[],
  ids: readonly string[],
  end: Developed,
): LoopTask[] {
  return afterCommit(tasks, asked, { ids, own: tasksOf(end) }, (task) =>
    task.status === 'completed' ? { ...task, status: 'pending' } : task,
  )
}

/** After a validation, which looks at every task that needs no change. */
export function seen(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.map(({ unseen: _, ...task }) => task)
}

/** What a round of parallel mode begins with: tasks that were blocked are tried again. */
export function reopened(tasks: readonly LoopTask[]): LoopTask[] {
  return tasks.map((task) => (task.status === 'blocked' ? { ...task, status: 'pending' } : task))
}

function developed(
  {
    tasks,
    namesTasks: named,
    takenBack,
  }: Pick<LoopState, 'tasks'> & Partial<Pick<LoopState, 'namesTasks' | 'takenBack'>>,
  end: WorkerEnd,
): LoopTask[] {
  const isOver = end.status === 'success' || end.status === 'partial'
  const unchanged = new Map(isOver ? (end.noChange ?? []).map(({ id, why }) => [id, why]) : [])
  // A developer that can name its tasks has not done those that it was given and does not name.
  const said = isOver && !(end.unnamed === true && named === true) ? (end.tasksCompleted ?? []) : []
  const isNaming = isOver && namesTasks(end)
  return tasks.map((before) => {
    const { id } = before
    const isOwn = id === end.task
    const isMeant = end.commit !== null && (isOwn || said.includes(id))
    const isDoneBefore = before.status === 'completed' || before.takenBack === true
    const isWork = isMeant && isWorkOf(id, isOwn ? [id] : tasksOf(end), isDoneBefore)
    const task = isWork ? withCommits(before, [end.commit ?? '']) : before
    const isLeft = end.tasksRemaining?.includes(id) === true
    const isNamed =
      isOver && !isLeft && end.unnamed !== true && end.tasksCompleted?.includes(id) === true
    const why = unchanged.get(id)
    // What was done for it may be taken back by now.
    if (why !== undefined && !isLeft && (task.status !== 'completed' || takenBack === true))
      return {
        ...plain(task),
        status: 'completed',
        noChange: oneLine(why, WHY_CHARS),
        unseen: true,
      }
    const isDone = said.includes(id) || (isOwn && end.status === 'success')
    if (isDone && !isLeft && end.commit !== null && task.takenBack !== true)
      return {
        ...plain(task),
        status: 'completed',
        ...(task.commits === undefined ? {} : { commits: task.commits }),
        ...(end.unnamed === true && !isOwn ? { claimed: true } : {}),
        ...(isOwn && !isNamed ? { unnamed: true } : {}),
      }
    if (isOwn) return notDone(task, end)
    if (isNamed && task.unnamed === true) return withName(task)
    // It can name its tasks, and did not name this one.
    return isNaming && task.claimed === true && task.status === 'completed'
      ? { ...plain(task), status: 'pending' }
      : task
  })
}

// A later develop names it.
function withName({ unnamed: _, ...task }: LoopTask): LoopTask {
  return task
}

// What a develop leaves of its own task.
function notDone(task: LoopTask, end: WorkerEnd): LoopTask {
  const { claimed: _, ...rest } = task
  const went = wentHow(end)
  if (end.blocked === true || went === 'failed')
    return {
      ...rest,
      status: end.blocked === true ? 'blocked' : 'pending',
      aside: oneMore(task, end.summary === '' ? (end.note ?? 'no usable answer') : end.summary),
    }
  if (went === 'done')
    return {
      ...rest,
      status: 'pending',
      claimed: true,
      aside: oneMore(task, 'develop says that it is done, and changed nothing'),
    }
  return { ...rest, status: 'pending' }
}

function oneMore(task: LoopTask, why: string): NonNullable<LoopTask['aside']> {
  return { ...task.aside, times: triesOf(task) + 1, why: oneLine(why, WHY_CHARS) }
}

function debugged(task: LoopTask): LoopTask {
  return task.status === 'blocked'
    ? { ...task, aside: { times: 0, why: '', ...task.aside, debugged: true } }
    : task
}

// Without what was said of it before.
function plain({ id, description, priority, status, files, contradicts }: LoopTask): LoopTask {
  const task = { id, description, priority, status, files }
  return contradicts === undefined ? task : { ...task, contradicts }
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
