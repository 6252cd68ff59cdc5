// What tests are asked for: the words of a person, a document, or what an earlier run changed.
import { fieldOf } from '../text/field-of.js'
import { oneLine } from '../text/one-line.js'
import { askedFiles, namedFiles, sourceFiles } from './asked-files.js'

/** Largest file that says what to test. */
export const REQUEST_BYTES = 64 * 1024
const TITLE_CHARS = 100

export type RequestSource =
  | { from: 'all' }
  | { from: 'text'; text: string }
  | { from: 'file'; name: string; text: string }
  /** `changed`: files of its commits; `summaries`: of its record, by name. */
  | { from: 'run'; name: string; changed: string[]; summaries: { name: string; text: string }[] }

/**
 * `about`: one line. `document`: for the record, where there is more than that line. `files`: the
 * files in question; all of the code where none is named.
 */
export type TestRequest = {
  about: string
  document?: string
  files: string[]
  warning?: string
}

/** @param files of the project, relative to it */
export function testRequest(source: RequestSource, files: readonly string[]): TestRequest {
  switch (source.from) {
    case 'all':
      return { about: 'all of the code', files: [] }
    case 'text':
      return requested(
        oneLine(source.text, TITLE_CHARS),
        source.text,
        askedFiles(source.text, files),
      )
    case 'file':
      return requested(`what ${source.name} asks for`, source.text, askedFiles(source.text, files))
    case 'run': {
      const { name, changed, summaries } = source
      const sources = sourceFiles(files)
      const text = summaries.map((one) => one.text).join('\n')
      const own = sources.filter((file) => changed.includes(file))
      return requested(
        `what ${name} changed`,
        [
          `# Changes of ${name}`,
          '',
          ...(changed.length === 0
            ? ['No changed file is known.']
            : changed.map((one) => `- ${one}`)),
          ...summaries.flatMap((one) => ['', `## ${one.name}`, '', one.text.trim()]),
        ].join('\n'),
        own.length > 0 ? own : namedFiles(text, sources),
      )
    }
  }
}

function requested(about: string, text: string, files: string[]): TestRequest {
  return {
    about,
    document: `${text.trimEnd()}\n`,
    files,
    ...(files.length > 0
      ? {}
      : {
          warning: `no file of the project has a name from the request (${about}), so its coverage and mutants are those of all code`,
        }),
  }
}

/** Whether Ratchet planned a task and measures its tests. */
export function isGeneration(task: unknown): boolean {
  return fieldOf(fieldOf(task, 'meta'), 'analysis_type') === 'coverage-gap'
}
