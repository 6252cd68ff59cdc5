// Reads ep/plan.json: tasks, their dependencies, and the critical path.
//
// The form is read leniently, the graph is not: a plan with a duplicate id, an unknown id or a
// cycle has no order of work.
import { ITEMS_KEPT } from '../../../contract/dev-cycle/phase-reading.js'
import type { PlanTask } from '../../../contract/dev-cycle/cycle-record.js'
import { isNone, sentence } from '../../answers/agent-values.js'
import { oneLine } from '../../text/one-line.js'
import { firstChars } from '../../text/test-text.js'
import { jsonDocument } from './json-document.js'
import { graphProblems } from './plan-graph.js'

export type ReadPlan = {
  version?: string
  tasks: PlanTask[]
  totalEstimatedEffort: string
  criticalPath: string[]
}

/** Longest id, title and description, in characters. */
const ID_CHARS = 60
const TITLE_CHARS = 200
const DESCRIPTION_CHARS = 2_000

/** The plan, or what is wrong with it, one sentence each. */
export function readPlanFile(
  text: string,
): { ok: true; plan: ReadPlan } | { ok: false; problems: string[] } {
  const json = jsonDocument(text)
  if (!json.ok) return { ok: false, problems: [`plan.json cannot be read: ${json.problem}`] }
  const top = objectOf(json.value)
  const plan = Array.isArray(json.value)
    ? { tasks: json.value as unknown }
    : top.tasks === undefined
      ? objectOf(top.plan)
      : top
  const raw = tasksOf(plan.tasks)
  if (raw.length === 0) return { ok: false, problems: ['plan.json has no tasks'] }
  const tasks = raw.map(readTask)
  const criticalPath = ids(plan.critical_path ?? plan.criticalPath)
  const problems = [
    ...tasks.flatMap(({ id, description }) =>
      description === '' ? [`${id} has neither a title nor a description`] : [],
    ),
    ...graphProblems(tasks, criticalPath),
  ]
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, ITEMS_KEPT) }
  const version = firstChars(wordOf(plan.version ?? top.version), ID_CHARS)
  return {
    ok: true,
    plan: {
      ...(version === '' ? {} : { version }),
      tasks,
      totalEstimatedEffort: effortOf(plan, raw, tasks),
      criticalPath,
    },
  }
}

function readTask(value: unknown, index: number): PlanTask {
  const raw = objectOf(value)
  const id = firstChars(wordOf(raw.id ?? raw.task_id), ID_CHARS)
  const title = [raw.title, raw.name].map(wordOf).find((one) => one !== '') ?? ''
  const description =
    [raw.description, raw.summary, raw.details, title].map(wordOf).find((one) => one !== '') ?? ''
  const assigned = wordOf(raw.assigned_to ?? raw.assignee)
  return {
    id: id === '' ? `TASK-${String(index + 1).padStart(3, '0')}` : id,
    ...(title === '' ? {} : { title: firstChars(title, TITLE_CHARS) }),
    description: firstChars(description, DESCRIPTION_CHARS),
    effort: effort(raw),
    depends_on: [...new Set(ids(raw.depends_on ?? raw.dependencies ?? raw.dependsOn))],
    status: status(raw.status),
    ...(assigned === '' ? {} : { assigned_to: firstChars(assigned, ID_CHARS) }),
    files: [...new Set(listOf(raw.files ?? raw.file, /\s*[,\n]\s*/, ['path', 'file', 'name']))],
  }
}

/** Small below one hour, medium up to four, large above; medium where nothing is said. */
function effort(raw: Readonly<Record<string, unknown>>): PlanTask['effort'] {
  const word = wordOf(raw.effort ?? raw.size ?? raw.complexity).toLowerCase()
  if (/^(?:s|xs|small|low|trivial|simple|minor)\b/.test(word)) return 'small'
  if (/^(?:m|medium|moderate|normal)\b/.test(word)) return 'medium'
  if (/^(?:l|xl|large|big|high|complex|major)\b/.test(word)) return 'large'
  const hours = hoursOf(raw) ?? hoursOf({ estimated_hours: /^\d/.test(word) ? word : undefined })
  if (hours === undefined) return 'medium'
  return hours < 1 ? 'small' : hours <= 4 ? 'medium' : 'large'
}

function hoursOf(raw: Readonly<Record<string, unknown>>): number | undefined {
  const [, digits, unit] =
    /^(\d{1,5}(?:\.\d{1,3})?)\s*(m|d)?/.exec(
      wordOf(raw.estimated_hours ?? raw.hours ?? raw.estimate),
    ) ?? []
  return digits === undefined
    ? undefined
    : Number(digits) * (unit === 'm' ? 1 / 60 : unit === 'd' ? 8 : 1)
}

function status(value: unknown): PlanTask['status'] {
  const word = wordOf(value)
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  if (/^(?:completed?|done|finished|success)$/.test(word)) return 'completed'
  if (/^(?:in_progress|started|active|doing)$/.test(word)) return 'in_progress'
  return word === 'blocked' ? 'blocked' : 'pending'
}

function effortOf(
  plan: Readonly<Record<string, unknown>>,
  raw: readonly unknown[],
  tasks: readonly PlanTask[],
): string {
  const said = [
    plan.total_estimated_effort,
    plan.estimated_duration,
    plan.estimated_effort,
    plan.total_effort,
  ]
    .map(wordOf)
    .find((one) => one !== '')
  if (said !== undefined) return firstChars(said, TITLE_CHARS)
  const hours = raw.map((one) => hoursOf(objectOf(one)))
  if (hours.every((one) => one !== undefined))
    return `${Math.round(hours.reduce((sum, one) => sum + one, 0) * 10) / 10} h`
  return (['small', 'medium', 'large'] as const)
    .map((size) => ({ size, n: tasks.filter((task) => task.effort === size).length }))
    .filter(({ n }) => n > 0)
    .map(({ size, n }) => `${n} ${size}`)
    .join(', ')
}

function tasksOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return Object.entries(objectOf(value)).map(([id, task]) =>
    typeof task === 'string' ? { id, description: task } : { id, ...objectOf(task) },
  )
}

// A list, one id, "A, B", "A -> B", objects with an id; null and "none" are empty.
function ids(value: unknown): string[] {
  return listOf(value, /\s*(?:,|;|->|→)\s*/, ['id', 'task', 'task_id']).map((id) =>
    firstChars(id, ID_CHARS),
  )
}

function listOf(value: unknown, between: RegExp, keys: readonly string[]): string[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value))
    return typeof value === 'string'
      ? value
          .split(between)
          .map((one) => oneLine(one))
          .filter((one) => !isNone(one))
      : typeof value === 'number'
        ? [String(value)]
        : []
  return value.flatMap((one: unknown) => {
    const named = keys
      .map((key) => objectOf(one)[key])
      .find((field) => typeof field === 'string' || typeof field === 'number')
    const text =
      typeof named === 'string' || typeof named === 'number' ? String(named) : sentence(one)
    return text === undefined || isNone(text) ? [] : [oneLine(text)]
  })
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? oneLine(String(value)) : ''
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
