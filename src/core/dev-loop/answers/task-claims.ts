// Reads which tasks a developer names as done, as left, as blocked, or as needing no change.
import {
  type WorkerReading,
  WORKER_ITEM_CHARS,
  type NoChange,
  TASKS_KEPT,
} from '../../../contract/dev-loop/action-reading.js'
import { shortList } from '../../text/short-text.js'
import { ENTRIES_READ, type Details, detail, textIn, saidIn, detailList } from './action-details.js'
import { isNone, isSample } from '../../answers/agent-values.js'
import { taskEntry, tasksIn, type Mention } from '../../answers/named-tasks.js'
import { textOf } from '../../answers/result-block.js'
import { oneLine } from '../../text/one-line.js'

/** Number of task ids that are kept. */
const IDS_KEPT = 50

/** Returns what to ask a develop that says it is done and names none of its tasks. */
export function namingProblem(
  {
    status,
    tasksCompleted = [],
    tasksRemaining = [],
    noChange = [],
  }: Pick<WorkerReading, 'status' | 'tasksCompleted' | 'tasksRemaining' | 'noChange'>,
  given: readonly string[],
): string | undefined {
  const named = new Set([...tasksCompleted, ...tasksRemaining, ...noChange.map(({ id }) => id)])
  if (status !== 'success' || given.length === 0 || given.some((id) => named.has(id)))
    return undefined
  return `tasks_completed names none of the tasks: give the ids of those that are done, as [${shortList([...given], given.length, 3)}], or no_change with a reason`
}

/** Returns whether the worker names a task that it could not do. */
export function namesBlocked(details: Details): boolean {
  const inTasks = ['tasks_remaining', 'remaining_tasks', 'pending_tasks', 'tasks'].some((name) => {
    const value = detail(details, [name])
    return (
      Array.isArray(value) &&
      value
        .slice(0, ENTRIES_READ)
        .some(
          (one: unknown) => textIn(one, 'status', WORKER_ITEM_CHARS)?.toLowerCase() === 'blocked',
        )
    )
  })
  return (
    inTasks || [...saidIn(details, 'tasks_blocked'), ...saidIn(details, 'blocked_tasks')].length > 0
  )
}

/** Titles of the tasks of a loop, by id. */
export type Titles = ReadonlyMap<string, string>

/**
 * Returns the ids of the tasks that a develop names as done and as left; `tasks_completed: 2` is a
 * count and names none.
 */
export function namedTasks(
  details: Details,
  titles?: Titles,
): Pick<WorkerReading, 'tasksCompleted' | 'tasksRemaining'> {
  const completed = said(details, ['tasks_completed', 'completed_tasks'])
  const remaining = said(details, ['tasks_remaining', 'remaining_tasks', 'pending_tasks'])
  const { done, left } = tasksIn(completed ?? [], mentions, titles)
  const named = (remaining ?? []).flatMap((text) => mentions(text).map(({ id }) => id))
  const all = [...new Set([...named, ...left])].slice(0, IDS_KEPT)
  return {
    tasksCompleted: completed === undefined ? undefined : done.slice(0, IDS_KEPT),
    tasksRemaining: remaining === undefined && left.length === 0 ? undefined : all,
  }
}

function said(details: Details, names: readonly string[]): string[] | undefined {
  const value = detail(details, names)
  const entries = Array.isArray(value)
    ? value
        .slice(0, ENTRIES_READ)
        .map((one: unknown) => (typeof one === 'number' ? `T${one}` : (taskEntry(one) ?? '')))
    : typeof value === 'string'
      ? [value]
      : names.flatMap((name) => textOf(details.block, name) ?? [])
  const isNamed = entries.some((one) => mentions(oneLine(one, WORKER_ITEM_CHARS)).length > 0)
  if (!isNamed && value === undefined && detailList(details, names) === undefined) return undefined
  return entries.map((one) => oneLine(one, WORKER_ITEM_CHARS))
}

function mentions(text: string): Mention[] {
  return [...text.matchAll(/\bT-?0*(\d{1,4})\b/gi)].map(
    ({ 0: { length }, 1: number = '', index }) => ({
      id: `T${number}`,
      from: index,
      to: index + length,
    }),
  )
}

/**
 * Returns the tasks that need no change: `[{ "id": "T2", "why": "…" }]`, or `T2: …` in words. One
 * without a reason does not count.
 */
export function unchanged(details: Details): NoChange[] | undefined {
  const value = detail(details, ['no_change'])
  const list: readonly unknown[] = Array.isArray(value)
    ? value.slice(0, ENTRIES_READ)
    : value === undefined
      ? (detailList(details, ['no_change']) ?? [])
      : [value]
  const found = list.flatMap((one): NoChange[] => {
    const text =
      typeof one === 'string'
        ? one
        : `${textIn(one, 'id', WORKER_ITEM_CHARS) ?? ''}: ${['why', 'reason'].map((key) => textIn(one, key, WORKER_ITEM_CHARS)).find((said) => said !== undefined) ?? ''}`
    const [, id = '', why = ''] =
      /^\W{0,5}T-?0*(\d{1,4})\b\W{0,8}(.*)$/i.exec(oneLine(text, WORKER_ITEM_CHARS)) ?? []
    return id === '' || isNone(why) || isSample(why) ? [] : [{ id: `T${id}`, why }]
  })
  return found.length === 0 ? undefined : found.slice(0, TASKS_KEPT)
}
