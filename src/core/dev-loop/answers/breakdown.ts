// Reads the tasks of an init worker: JSON, a list `T1: …`, `- T1 [high]: …`, a table, or the
// bullets below TASK_BREAKDOWN.
//
// The worker's own ids are only read, not kept: tasks are T1, T2, … in its order, so that every
// later worker can name one.
import {
  TASK_TEXT_CHARS,
  TASKS_KEPT,
  WORKER_ITEM_CHARS,
  type LoopTask,
} from '../../../contract/dev-loop/action-reading.js'
import { bare, isNone, isSample, items, sentence } from '../../answers/agent-values.js'
import { oneLine } from '../../text/one-line.js'
import { detail, jsonAt, sectionOf, textIn, valueIn, type Details } from './action-details.js'

/** Files that are kept of a task, and the longest path: a cut one is no path. */
export const TASK_FILES = 4
export const TASK_FILE_CHARS = 100

/** Entries that are looked at. */
const ENTRIES_READ = 200
/** Of a line that may be a task, in characters. */
const LINE_CHARS = TASK_TEXT_CHARS + 200

const NAMES = ['tasks', 'TASK_BREAKDOWN', 'pending_tasks']
const TASK =
  /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]?\]\s+)?[#*_`\s]{0,8}(T\d{1,4})[*_`]*\s{0,3}(?:[[(]([^\])]{1,30})[\])])?[*_`]*\s{0,3}(?:[:.)–—-])[*_`]*\s+(.*)$/
const PRIORITY =
  /(?:\s*[-–—|,;]?\s*[[(]|\s*\|)\s*(?:priority\s*[:=]\s*)?(critical|highest|high|urgent|medium|normal|low|p\d)(?:\s+priority)?\s*[\])]?\s*$/i
const FIELD = /^\s*(?:[-*+•]\s+)?[*_`]*(priority|files?)[*_`]*\s*:[*_`]*\s*(.*)$/i

const ROW = /^\s*\|\s*[*_`]*(T\d{1,4})[*_`]*\s*\|([^|]+)\|(.*)$/
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]?\]\s+)?/
/** The number that a task without one is read with, and arrays that are looked at. */
const TASK_OF_LIST = 0
const ARRAYS_READ = 20

type Raw = { id: string; description: string; priority: string; files: string[] }

/** The breakdown, at most `TASKS_KEPT` tasks, all pending; `undefined` where there is none. */
export function breakdown(details: Details): LoopTask[] | undefined {
  const value = detail(details, NAMES)
  const list = Array.isArray(value) ? value : arrayIn(details)
  const section = sectionOf(details, ['TASK_BREAKDOWN', 'tasks'])
  const inWords = list === undefined ? listed(section ?? details.text) : []
  const raw =
    list !== undefined
      ? list.slice(0, ENTRIES_READ).flatMap((one: unknown) => rawTask(one) ?? [])
      : inWords.length > 0 || section === undefined
        ? inWords
        : bulleted(section)
  const real = raw.filter(({ description }) => !isNone(description) && !isSample(description))
  const once = real
    .filter(
      (one, at) =>
        real.findIndex(
          ({ id, description }) => description === one.description && id === one.id,
        ) === at,
    )
    .slice(0, TASKS_KEPT)
  return once.length === 0
    ? undefined
    : once.map(({ description, priority, files }, at) => ({
        id: `T${at + 1}`,
        description: oneLine(description, TASK_TEXT_CHARS),
        priority: priorityOf(priority),
        status: 'pending',
        files,
      }))
}

/** An array without a name: in the block, or in a fence of its own. */
function arrayIn({ block, text }: Details): unknown[] | undefined {
  const fences = [
    ...text.matchAll(/^[ \t]{0,20}(?:`{3,}|~{3,})\w{0,20}[ \t]{0,20}\n\s{0,20}(?=\[)/gm),
  ].map((fence) => text.slice(fence.index + fence[0].length))
  const values = [block.fields.get('tasks')?.text ?? '', ...fences.reverse()]
    .slice(0, ARRAYS_READ)
    .map((one) => jsonAt(one.trim()))
  return values.find(
    (value): value is unknown[] =>
      Array.isArray(value) &&
      value.some((one) => typeof one === 'object' && rawTask(one) !== undefined),
  )
}

// The bullets below the name of the breakdown are tasks, also without their ids.
function bulleted(section: string): Raw[] {
  const lines = section.split('\n').filter((line) => line.trim() !== '')
  const base = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s/.exec(lines[0] ?? '')?.[1]
  if (base === undefined) return []
  const own = lines.map((line) =>
    line.startsWith(base) && /^(?:[-*+•]|\d{1,3}[.)])\s/.test(line.slice(base.length))
      ? line.replace(BULLET, `T${TASK_OF_LIST}: `)
      : line,
  )
  return listed(own.join('\n'), false)
}

function rawTask(value: unknown): Raw | undefined {
  if (typeof value === 'string')
    return taskOn(value) ?? { id: '', description: described(value), priority: '', files: [] }
  if (typeof value !== 'object' || value === null) return undefined
  const id = textIn(value, 'id', WORKER_ITEM_CHARS) ?? ''
  const text = ['description', 'title', 'task', 'name', 'summary']
    .map((key) => textIn(value, key, TASK_TEXT_CHARS))
    .find((one) => one !== undefined)
  const priority = valueIn(value, 'priority')
  return text === undefined
    ? undefined
    : {
        id,
        description: described(text),
        priority:
          typeof priority === 'string' || typeof priority === 'number' ? String(priority) : '',
        files: filesIn(valueIn(value, 'files')),
      }
}

// A list of tasks, with their priorities and files on the same line or below it.
function listed(text: string, byId = true): Raw[] {
  const found: Raw[] = []
  for (const line of text.split('\n')) {
    const task = taskOn(line.slice(0, LINE_CHARS))
    const last = found.at(-1)
    const [, key = '', value = ''] = FIELD.exec(line.slice(0, LINE_CHARS)) ?? []
    if (task !== undefined && found.length >= ENTRIES_READ) break
    if (task !== undefined) found.push(task)
    else if (last !== undefined && key.toLowerCase() === 'priority') last.priority = bare(value)
    else if (last !== undefined && key !== '') last.files = filesIn(value)
  }
  // A plan below the breakdown names its tasks again.
  return byId ? found.filter((one, at) => found.findIndex(({ id }) => id === one.id) === at) : found
}

function taskOn(line: string): Raw | undefined {
  const row = ROW.exec(line)
  if (row !== null) return inRow(row)
  const [, id, label = '', rest = ''] = TASK.exec(line) ?? []
  if (id === undefined) return undefined
  const [, files = ''] = /\|\s*files?\s*:\s*(\[[^\]]*\]|[^|]*)/i.exec(rest) ?? []
  const text = rest.replace(/\s*\|\s*files?\s*:.*$/i, '').trim()
  return {
    id,
    description: described(text.replace(PRIORITY, '')),
    priority:
      label === '' ? (PRIORITY.exec(text)?.[1] ?? '') : label.replace(/^priority\s*[:=]\s*/i, ''),
    files: filesIn(files),
  }
}

// `| T1 | what | high | files |`: the other cells are identified by their content.
function inRow([, id = '', text = '', rest = '']: RegExpExecArray): Raw {
  const cells = rest.split('|').map((cell) => cell.trim())
  const priority = cells.find((cell) => PRIORITY.test(`(${bare(cell)})`)) ?? ''
  return {
    id,
    description: described(text),
    priority: bare(priority),
    files: filesIn(cells.find((cell) => cell !== priority && /[\w-]\.\w+/.test(cell)) ?? []),
  }
}

function described(text: string): string {
  return bare(oneLine(text, TASK_TEXT_CHARS))
}

function filesIn(value: unknown): string[] {
  const files = items(value).map((file) => sentence(file) ?? '')
  return [...new Set(files.filter((file) => file.length <= TASK_FILE_CHARS))].slice(0, TASK_FILES)
}

// A number counts from 1, and P0 is above P1; an unknown word means medium.
function priorityOf(said: string): LoopTask['priority'] {
  const word = said.trim().toLowerCase()
  if (/^(?:p?[01]\b|high|critical|urgent|must|blocker)/.test(word)) return 'high'
  return /^(?:p?[3-9]\b|p?\d{2,}|low|minor|nice|optional|could)/.test(word) ? 'low' : 'medium'
}
