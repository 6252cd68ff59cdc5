// Builds the line with which a user commits the work of a loop. Every part from an agent or a file
// name is quoted, and cannot end its quotes.
import { fileName } from '../../contract/ids.js'
import type { SuggestedCommit } from '../../contract/result.js'
import type { WorkerReading } from '../../contract/dev-loop/action-reading.js'
import { oneLine } from '../text/one-line.js'

/** Number of files in a line; more of them are in a file of the record. */
export const FILES_NAMED = 20
/**
 * Characters of the first line of a message, of one of its paragraphs, and how many of these there
 * are.
 */
const TITLE_CHARS = 100
const PARAGRAPH_CHARS = 500
const PARAGRAPHS = 10

export type CommitFacts = {
  /** Of the run, as the command line takes it. */
  id: string
  /** Name of its record, where that is another. */
  record?: string
  /** Absolute, so that the line works in any directory; without it only in the project's. */
  project?: string
  suggestion: WorkerReading['suggestion']
  /** Of the loop: the message where none is suggested. */
  title: string
  /** Changed by the loop, relative to the root of the repository. */
  files: string[]
  filesTotal: number
  /** Nothing is open, and tests were run. */
  ready: boolean
}

/**
 * How the work may be committed, and whether it is ready for a pull request, by what is open. What
 * the worker says of it does not count.
 */
export function suggestedCommit(p: CommitFacts): SuggestedCommit {
  const paragraphs = paragraphsOf(p.suggestion?.message ?? '')
  const [title = 'Work of a dev loop', ...body] =
    paragraphs.length > 0 ? paragraphs : paragraphsOf(p.title)
  const names =
    p.filesTotal > FILES_NAMED || p.files.length > FILES_NAMED
      ? undefined
      : p.files.map((file) => quoted(pathspec(file))).join(' ')
  const list = `--pathspec-from-file=${quoted(commitFilesPath(p.record ?? p.id))}`
  const messages = [title, ...body].map((text) => `-m ${quoted(text)}`).join(' ')
  const parts = [
    ...(p.project === undefined ? [] : [`cd -- ${quoted(p.project)}`]),
    `ratchet apply ${word(p.id)}`,
    ...(p.files.length === 0
      ? []
      : names === undefined
        ? [`git add -A ${list}`, `git commit ${messages} ${list}`]
        : [`git add -A -- ${names}`, `git commit ${messages} -- ${names}`]),
  ]
  const { branchStrategy } = p.suggestion ?? {}
  return {
    message: [title, ...body].join('\n\n'),
    command: parts.join(' && '),
    readyForPr: p.ready,
    ...(branchStrategy === undefined
      ? {}
      : { branchStrategy: oneLine(branchStrategy, PARAGRAPH_CHARS) }),
  }
}

/** Where the files stand that are too many for a line, from the project's directory. */
export function commitFilesPath(id: string): string {
  return `.workflow/.loop/${fileName(id)}.progress/commit-files.txt`
}

/** Content of that file, as `git add --pathspec-from-file` reads it. */
export function commitFilesText(files: readonly string[]): string {
  return files.map((file) => `${pathspec(file)}\n`).join('')
}

/** Title and paragraphs, each in one line; an item of a list is a paragraph. */
function paragraphsOf(message: string): string[] {
  const [first = '', ...rest] = message.replace(/\r\n?/g, '\n').trim().split('\n')
  const body = rest
    .join('\n')
    .split(/\n\s*\n|\n(?=\s*[-*+] )/)
    .map((text) => oneLine(text, PARAGRAPH_CHARS))
    .filter((text) => text !== '')
  const title = oneLine(first, TITLE_CHARS)
  return title === '' ? body.slice(0, PARAGRAPHS) : [title, ...body.slice(0, PARAGRAPHS - 1)]
}

// Relative to the root of the repository, and no pattern. In a shell line a control character can
// only be matched by a pattern.
function pathspec(file: string): string {
  if (CONTROL.test(file))
    return `:(top,glob)${file.replace(/[\\*?[\]]/g, String.raw`\$&`).replace(CONTROLS, '?')}`
  return PLAIN.test(file) ? `:/${file}` : `:(top,literal)${file}`
}

const CONTROL = /[\u0000-\u001f\u007f]/
const CONTROLS = new RegExp(CONTROL, 'g')
/** Names in which nothing means anything to git. */
const PLAIN = /^[\w.][\w./@+,=-]*$/

function quoted(text: string): string {
  return `'${text.replace(CONTROLS, ' ').replaceAll("'", String.raw`'\''`)}'`
}

/** Quotes an id unless it consists of letters, digits and marks without a meaning in a shell. */
function word(text: string): string {
  return /^[\w.][\w.:-]*$/.test(text) ? text : quoted(text)
}
