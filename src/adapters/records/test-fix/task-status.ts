// Statuses in the task files. Everything else in them belongs to who wrote them and stays.
import path from 'node:path'
import type { TestFixState } from '../../../contract/test-fix/test-fix-state.js'
import type { TaskStatus } from '../../../contract/test-fix/task.js'
import { isFixOrRetest } from '../../../core/test-fix/queue.js'
import { fixIdOf } from '../../../core/records/record-view.js'
import { fixStatus } from '../../../core/records/todo-list.js'
import { fixNumber, taskStatus } from '../../../core/test-fix/task-file.js'
import { jsonText } from '../write-file.js'
import { textIn, type Projected } from '../write-if-unchanged.js'

type Task = Record<string, unknown>

/**
 * The task files with the statuses of a run, and what is wrong with those that cannot be written.
 */
export function projectTasks(
  dir: string,
  state: TestFixState,
  at: string,
): { files: Projected[]; warnings: string[] } {
  const files: Projected[] = []
  const warnings: string[] = []
  for (const [file, status] of statuses(state)) {
    const name = `.task/${file}`
    const text = textIn(path.join(dir, name))
    if (text === undefined) continue
    const task = parsed(text)
    if (task === undefined)
      warnings.push(`${name} is not JSON any more: its status was not written`)
    else
      files.push({
        name,
        text: withStatus(task, text, status, at),
        part: statusPart,
        ...(fixNumber(path.basename(file, '.json')) === undefined ? {} : { untracked: true }),
      })
  }
  return { files, warnings }
}

/** The file of a fix task that is carried out now; nothing where it is gone or cannot be read. */
export function beginTask(dir: string, id: string, at: string): Projected[] {
  const name = `.task/${id}.json`
  const text = textIn(path.join(dir, name))
  const task = text === undefined ? undefined : parsed(text)
  return text === undefined || task === undefined
    ? []
    : [{ name, text: withStatus(task, text, 'in_progress', at), untracked: true }]
}

/** File name and status of every task that the run knows. */
function statuses(state: TestFixState): Map<string, TaskStatus> {
  const { queue = [], history, pending } = state
  const own = queue
    .filter((task) => !isFixOrRetest(task) && task.file !== undefined)
    .map((task) => [task.file as string, task.status] as const)
  const fixes = history
    .filter((one) => one.iteration > 0)
    .flatMap((one) => [
      [`${fixIdOf(one)}.json`, fixStatus(one.result)] as const,
      ...(one.parts ?? []).map(({ task, result }) => [`${task}.json`, fixStatus(result)] as const),
    ])
  const blocked = queue.some((task) => task.id === pending?.task && task.status === 'blocked')
  const begun =
    pending === undefined || pending.planned === true
      ? []
      : [pending, ...(pending.causes ?? [])].map(
          ({ task }) => [`${task}.json`, blocked ? 'blocked' : 'in_progress'] as const,
        )
  return new Map([...own, ...fixes, ...begun])
}

// A word of another tool's for the same status is left as it is.
function withStatus(task: Task, text: string, status: TaskStatus, at: string): string {
  if (taskStatus(task['status']) === status) return text
  const history = Array.isArray(task['status_history']) ? (task['status_history'] as unknown[]) : []
  return jsonText({
    ...task,
    status,
    status_history: [...history, { from: task['status'] ?? null, to: status, changed_at: at }],
  })
}

/** The projected part of a task file. Fix tasks are untracked: an analysis may write one again. */
function statusPart(text: string): string {
  const task = parsed(text)
  return task === undefined
    ? text
    : (taskStatus(task['status']) ?? JSON.stringify(task['status'] ?? null))
}

function parsed(text: string): Task | undefined {
  try {
    const task = JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
    return typeof task === 'object' && task !== null && !Array.isArray(task)
      ? (task as Task)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
