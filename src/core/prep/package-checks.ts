// Checks that every prep package has to pass, for a cycle and for a loop.
import { DESCRIPTION_CHARS, TASK_CHARS } from '../../contract/dev-cycle/cycle-input.js'
import { textKey } from '../dev-cycle/documents/same-text.js'
import { withRefined } from '../dev-cycle/plan-tasks.js'
import { fieldOf } from '../text/field-of.js'
import { oneLine } from '../text/one-line.js'

/** Lowest quality score of a task that may start, of 10. */
export const LEAST_QUALITY = 6
/** Age, in milliseconds, from which a package no longer describes the project. */
const OLDEST_PREP_MS = 24 * 60 * 60 * 1000
/** How far ahead the clock of the package's writer may be, in milliseconds. */
const CLOCK_SKEW_MS = 5 * 60 * 1000

/**
 * The project that the run is for, the time in epoch milliseconds, the typed task, and whether
 * `--prep` names the package. `brought`: its path from the project, if the repository brings it.
 */
export type PrepCase = {
  project: string
  now: number
  typed: string
  named?: boolean
  brought?: string | undefined
}

/**
 * Returns a sentence for every check that fails. The paths are compared as texts; a trailing slash
 * makes no difference.
 *
 * @param fields required ones, and whether they are there
 */
export function packageProblems(
  raw: unknown,
  at: PrepCase,
  fields: readonly [string, boolean][] = [],
): string[] {
  const task = refinedIn(raw)
  return [
    status(raw),
    root(raw, at.project),
    quality(raw),
    age(raw, at.now),
    missing([['task.refined', task !== undefined && task !== ''], ...fields]),
    tooLong(task, at),
    at.named === true ? undefined : otherTask(raw, at.typed),
  ].filter((problem) => problem !== undefined)
}

/** Returns the refined task of a package. */
export function refinedIn(raw: unknown): string | undefined {
  const task = fieldOf(fieldOf(raw, 'task'), 'refined')
  return typeof task === 'string' ? task.trim() : undefined
}

function status(raw: unknown): string | undefined {
  const said = fieldOf(raw, 'prep_status')
  return said === 'ready' ? undefined : `prep_status must be "ready", it is ${shown(said)}`
}

function root(raw: unknown, project: string): string | undefined {
  const named = fieldOf(fieldOf(raw, 'environment'), 'project_root')
  if (typeof named === 'string' && plainPath(named) === plainPath(project)) return undefined
  return `environment.project_root must be ${shown(project)}, it is ${shown(named)}`
}

function quality(raw: unknown): string | undefined {
  const score = fieldOf(fieldOf(raw, 'task'), 'quality_score')
  return typeof score === 'number' && score >= LEAST_QUALITY
    ? undefined
    : `task.quality_score must be at least ${LEAST_QUALITY} of 10, it is ${shown(score)}`
}

function age(raw: unknown, now: number): string | undefined {
  const text = fieldOf(raw, 'generated_at')
  const made = typeof text === 'string' ? Date.parse(text) : Number.NaN
  if (Number.isNaN(made)) return `generated_at must be a date and time, it is ${shown(text)}`
  if (made > now + CLOCK_SKEW_MS) return `generated_at is in the future: ${shown(text)}`
  return now - made <= OLDEST_PREP_MS
    ? undefined
    : `it is older than 24 hours: generated_at is ${shown(text)}`
}

function missing(fields: readonly [string, boolean][]): string | undefined {
  const lacking = fields.filter(([, ok]) => !ok).map(([name]) => name)
  return lacking.length === 0 ? undefined : `required fields are missing: ${lacking.join(', ')}`
}

function tooLong(refined: string | undefined, { typed, brought }: PrepCase): string | undefined {
  if (refined === undefined) return undefined
  if (refined.length > TASK_CHARS)
    return `task.refined must have at most ${TASK_CHARS} characters, it has ${refined.length}`
  const { length } = withRefined(typed, refined, brought)
  return length <= DESCRIPTION_CHARS
    ? undefined
    : `the typed task and task.refined must have at most ${DESCRIPTION_CHARS} characters together, they have ${length}`
}

function otherTask(raw: unknown, typed: string): string | undefined {
  const [original, refined] = ['original', 'refined'].map((key) =>
    fieldOf(fieldOf(raw, 'task'), key),
  )
  if ([original, refined].some((one) => typeof one === 'string' && textKey(one) === textKey(typed)))
    return undefined
  return `it is for another task, ${shown(original ?? refined)}; --prep <file> uses it anyway`
}

function plainPath(path: string): string {
  return path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '')
}

/** A value of a package in a message. */
export function shown(value: unknown): string {
  return value === undefined ? 'not there' : oneLine(JSON.stringify(value), 100)
}
