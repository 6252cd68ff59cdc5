// What a person reads before an agent may do something. The title is the agent's own word, so the
// kind, the input of the tool and the paths are shown with it.
import { LINE_SHOWN, oneLine } from '../text/one-line.js'
import { shortList } from '../text/short-text.js'

/** Longest input of a tool in a question, in characters. */
const INPUT_SHOWN = 600
/** Number of paths in a question. */
const PATHS_SHOWN = 3

/** `input`: what the agent passes to the tool, as it sent it. `paths`: files that it names. */
export type PermissionFacts = { title: string; kind: string; input: unknown; paths: string[] }

export function permissionText({ title, kind, input, paths }: PermissionFacts): string {
  const text = inputText(input)
  const lines = paths.slice(0, PATHS_SHOWN).map((path) => oneLine(path, LINE_SHOWN))
  return [
    oneLine(title, LINE_SHOWN),
    `${oneLine(kind, LINE_SHOWN)}${text === '' ? '' : `: ${text}`}`,
    ...(lines.length === 0 ? [] : [`in ${shortList(lines, paths.length)}`]),
  ].join(' | ')
}

/** Tells one request of a turn from another: the same title may hide another input. */
export function permissionMark({ title, kind, input, paths }: PermissionFacts): string {
  return JSON.stringify([title, kind, input ?? null, paths])
}

function inputText(input: unknown): string {
  if (input === undefined || input === null) return ''
  const text = oneLine(typeof input === 'string' ? input : JSON.stringify(input))
  if (text === '{}') return ''
  return text.length <= INPUT_SHOWN
    ? text
    : `${text.slice(0, INPUT_SHOWN)}… (${text.length - INPUT_SHOWN} characters more)`
}
