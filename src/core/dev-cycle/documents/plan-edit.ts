// Applies a person's edit of the plan to the promised tasks: an added task stays promised even if
// the planner drops it later, a removed one is no longer promised.
import type { CyclePromise } from '../../../contract/dev-cycle/cycle-state.js'
import { PLAN_TASKS_TRACKED } from '../../../contract/dev-cycle/phase-reading.js'
import type { PlanEdit } from '../../../contract/dev-cycle/person-edit.js'
import { oneLine } from '../../text/one-line.js'
import { jsonDocument } from './json-document.js'
import { changeOf } from './person-edits.js'
import { readPlanFile } from './plan-file.js'
import { planned } from '../promised.js'
import { textKey } from './same-text.js'

/** Of a task's title that travels, in characters. */
const TITLE_CHARS = 60

/** Compares two plans; a plan that cannot be read has no tasks. */
export function planEdit(before: string | undefined, after: string): PlanEdit {
  const [old, now] = [tasksIn(before ?? ''), tasksIn(after)]
  const isSame = (a: { id: string; text: string }, b: { id: string; text: string }): boolean =>
    a.id === b.id && textKey(a.text) === textKey(b.text)
  return {
    tasks: now,
    added: now.filter((task) => !old.some((one) => isSame(one, task))).map(({ id }) => id),
    removed: old
      .filter(({ id }) => !now.some((one) => one.id === id))
      .map(({ id, text }) => ({ id, text })),
  }
}

/**
 * The change in words: one line for each added, reworded or removed task; where the tasks are the
 * same, the lines of the file.
 */
export function planChange(before: string | undefined, after: string): string[] {
  const { added, removed } = planEdit(before, after)
  const read = readPlanFile(after)
  const tasks = read.ok ? read.plan.tasks.filter(({ id }) => added.includes(id)) : []
  const now = tasks.map(
    ({ id, title, description }) =>
      `${id}: ${title === undefined || title === description ? description : `${title}: ${description}`}`,
  )
  const gone = removed.map(({ id, text }) => `${id}: ${text}`)
  return now.length + gone.length > 0
    ? changeOf(gone.join('\n'), now.join('\n'))
    : changeOf(laidOut(before), laidOut(after))
}

// The agents write JSON as Ratchet lays it out.
function laidOut(text: string | undefined): string {
  const read = jsonDocument(text ?? '')
  return read.ok ? JSON.stringify(read.value, null, 2) : ''
}

/** The tasks of a plan that a cycle keeps track of. */
export function tasksIn(text: string): PlanEdit['tasks'] {
  const read = readPlanFile(text)
  if (!read.ok) return []
  return read.plan.tasks.slice(0, PLAN_TASKS_TRACKED).map(({ id, title, description, status }) => ({
    id,
    text: oneLine(title ?? description, TITLE_CHARS),
    ...(status === 'completed' ? { done: true } : {}),
  }))
}

/** The promised tasks after a person's edit of the plan. */
export function withPlanEdit(
  before: readonly CyclePromise[],
  { tasks, added, removed }: PlanEdit,
): CyclePromise[] {
  const left = before.filter(
    ({ id }) => !removed.some((one) => one.id === id) && !added.includes(id),
  )
  return planned(left, tasks).map((task) =>
    added.includes(task.id) ? { ...task, byPerson: true } : task,
  )
}
