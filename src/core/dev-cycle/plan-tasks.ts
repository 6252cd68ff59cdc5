// The task of a cycle and its extensions, as one description and back.
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import { DESCRIPTION_CHARS, TASK_CHARS } from '../../contract/dev-cycle/cycle-input.js'
import { MAX_ITERATIONS } from '../../contract/test-fix/test-fix-input.js'
import { repositoryMark } from '../prompts/from-repository.js'
import { oneLine } from '../text/one-line.js'
import { textKey } from './documents/same-text.js'

/** Length of a title, in characters. */
export const TITLE_CHARS = 100

type Tasks = CycleState['tasks']

/** Of a refined task. `whose`: what follows of a package that the repository brings. */
const refinedHeading = (whose: string): string =>
  `\n\n--- REFINED BY THE PREP PACKAGE${whose}; WHERE THE TWO DIFFER, THE WORDS ABOVE COUNT ---\n`
const REFINED = new RegExp(refinedHeading('(?: OF THE REPOSITORY, (.+))?'))
const MARKER = /\n\n--- ITERATION (\d+) ---\n/

/** Title of a cycle: the first characters of its task as it was typed, in one line. */
export function cycleTitle(task: string): string {
  return oneLine(task.split(REFINED, 1)[0] ?? '')
    .slice(0, TITLE_CHARS)
    .replace(/[\ud800-\udbff]$/, '')
}

/**
 * The typed words, and below them what a prep package makes of them, where that is another text or
 * the repository's.
 *
 * @param brought path of the package, if the repository brings it
 */
export function withRefined(typed: string, refined: string, brought?: string): string {
  if (brought === undefined && textKey(typed) === textKey(refined)) return typed
  const whose = brought === undefined ? '' : ` OF THE REPOSITORY, ${oneLine(brought)}`
  return `${typed}${refinedHeading(whose)}${refined}`
}

/** The mark of a description with the refined task of a package that the repository brings. */
export function packageMark(described: string): readonly string[] {
  return repositoryMark(
    [REFINED.exec(described)?.[1]],
    'the part below "REFINED BY THE PREP PACKAGE", and the tasks, focus and sources that came with it',
  )
}

/** The first task, and each extension below a line that names the iteration it came in with. */
export function description(tasks: Tasks): string {
  return tasks
    .map(({ text, iteration }, n) => (n === 0 ? text : `${marker(iteration)}${text}`))
    .join('')
}

/**
 * The tasks that a record's description was made of.
 *
 * The history says what each extension is, so that one which quotes such a line stays whole. Where
 * the two do not agree, the description counts: it is what the agents were told.
 */
export function splitDescription(text: string, taskHistory: readonly string[]): Tasks {
  const extensions: Tasks = []
  let rest = text
  for (const extension of taskHistory.slice(1).reverse()) {
    const before = rest.endsWith(extension) ? rest.slice(0, rest.length - extension.length) : ''
    const found = /\n\n--- ITERATION (\d+) ---\n$/.exec(before)
    if (found === null) return byMarkers(text, taskHistory)
    extensions.unshift({ text: extension, iteration: Number(found[1]) })
    rest = before.slice(0, found.index)
  }
  return [{ text: rest === '' ? (taskHistory[0] ?? '') : rest, iteration: 1 }, ...extensions]
}

function byMarkers(text: string, taskHistory: readonly string[]): Tasks {
  const [first = '', ...parts] = text.split(MARKER)
  const extensions = parts.flatMap((part, n) =>
    n % 2 === 1 ? [{ text: part, iteration: Number(parts[n - 1]) }] : [],
  )
  return [{ text: first === '' ? (taskHistory[0] ?? '') : first, iteration: 1 }, ...extensions]
}

/** The extensions that a description has got since; none where it is another description. */
export function addedTasks(before: string, now: string): string[] {
  if (!now.startsWith(before)) return []
  return now
    .slice(before.length)
    .split(MARKER)
    .filter((_part, n) => n > 0 && n % 2 === 0)
}

/** What an iteration was extended by, whole; `undefined` where by nothing. */
export function extensionOf(tasks: Tasks, iteration: number): string | undefined {
  const texts = tasks
    .slice(1)
    .filter((task) => task.iteration === iteration)
    .map(({ text }) => text)
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** Why an extension cannot be taken, or `undefined`. `tasks`: with the extensions that wait. */
export function extensionProblem(tasks: Tasks, extension: string): string | undefined {
  const length = description([...tasks, { text: extension, iteration: MAX_ITERATIONS }]).length
  return taskProblem(extension, length, { task: 'extension', tasks: 'extensions', run: 'cycle' })
}

/**
 * Why a text cannot be added to a description, or `undefined`. `length`: of the description with
 * it; `words`: what they are called.
 */
export function taskProblem(
  text: string,
  length: number,
  words: { task: string; tasks: string; run: string },
): string | undefined {
  if (text.trim() === '') return `the ${words.task} is empty`
  if (text.length > TASK_CHARS)
    return `the ${words.task} has ${text.length} characters, at most ${TASK_CHARS} are allowed; put the rest into a file of the repository and name it`
  if (length <= DESCRIPTION_CHARS) return undefined
  return `the task with all its ${words.tasks} would have ${length} characters, at most ${DESCRIPTION_CHARS} are allowed; begin a new ${words.run}, or put the text into a file of the repository and name it`
}

function marker(iteration: number): string {
  return `\n\n--- ITERATION ${iteration} ---\n`
}
