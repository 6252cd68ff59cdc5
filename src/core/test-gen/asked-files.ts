// Finds the files that a request for tests is about: those it names, else those whose names have
// its words.
import { fileKind } from '../guard/test-files.js'
import { SOURCE_FILE } from '../test-fix/basic-test-plan.js'
import { fieldOf } from '../text/field-of.js'

/** Files of one request; more are looked at as a whole project. */
export const ASKED_FILES = 50
/** Files that are measured for one task. */
const FOCUS_FILES = 500

/** Words of a request that say nothing about a file. */
const FILLER = new Set(
  'the and for all any with that this from into test tests testing cover coverage code file files write add new missing unit case cases edge error errors function functions class classes module modules src lib app main index init'.split(
    ' ',
  ),
)

/** The code of a project: no tests, no configuration. */
export function sourceFiles(files: readonly string[]): string[] {
  return files.filter((file) => SOURCE_FILE.test(file) && fileKind(file) === 'other')
}

/** Files that a text names by path or by its words; none where it names none. */
export function askedFiles(text: string, files: readonly string[]): string[] {
  const sources = sourceFiles(files)
  const named = namedFiles(text, sources)
  if (named.length > 0) return named.slice(0, ASKED_FILES)
  const words = new Set(
    wordsOf(text).filter((word) => word.length > 2 && !FILLER.has(word) && !FILLER.has(`${word}s`)),
  )
  return sources
    .filter((file) => partsOf(file).some((part) => words.has(part)))
    .slice(0, ASKED_FILES)
}

/** Files whose path, or whose own name, stands in a text. */
export function namedFiles(text: string, files: readonly string[]): string[] {
  const named = new Set(
    [...text.matchAll(/[\w@.-]+(?:\/[\w@.-]+)*\.[A-Za-z]+/g)].map(([path]) =>
      path.replace(/^(?:\.\/)+/, ''),
    ),
  )
  return files.filter((file) => named.has(file) || named.has(baseName(file)))
}

function partsOf(file: string): string[] {
  return wordsOf(file.replace(/\.[^./]+$/, ''))
}

/** Words, split at capitals, in lower case and singular. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** The files in question of a task: its `context.focus_paths`, files or directories. */
export function focusFiles(task: unknown, files: readonly string[]): string[] {
  const paths = fieldOf(fieldOf(task, 'context'), 'focus_paths')
  const named = (Array.isArray(paths) ? (paths as unknown[]) : [])
    .filter((one): one is string => typeof one === 'string')
    .map((one) => one.replace(/^(?:\.\/)+|\/+$/g, ''))
    .filter((one) => one !== '' && one !== '.')
  const sources = sourceFiles(files)
  return named.length === 0
    ? sources.slice(0, FOCUS_FILES)
    : sources
        .filter((file) => named.some((one) => file === one || file.startsWith(`${one}/`)))
        .slice(0, FOCUS_FILES)
}
