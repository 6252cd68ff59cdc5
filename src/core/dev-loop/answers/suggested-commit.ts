// Reads the commit that complete suggests, with its message as git keeps it.
import { type Details, detail, sectionOf, valueIn, textIn } from './action-details.js'
import { type WorkerReading, WORKER_ITEM_CHARS } from '../../../contract/dev-loop/action-reading.js'
import { resultBlocks, textOf } from '../../answers/result-block.js'
import { oneLine } from '../../text/one-line.js'
import { plainText, firstChars } from '../../text/test-text.js'
import { bare, isNone, isSample } from '../../answers/agent-values.js'

/** Maximum length of a suggested commit message, in characters. */
export const MESSAGE_CHARS = 2_000

/** Returns the suggested commit; `undefined` without a message. */
export function suggestionIn(details: Details): WorkerReading['suggestion'] {
  const names = ['COMMIT_SUGGESTION']
  const value = detail(details, names)
  const text = value === undefined ? sectionOf(details, names) : undefined
  const [fields] =
    text === undefined
      ? []
      : resultBlocks(`COMMIT_SUGGESTION:\n${text}`, 'COMMIT_SUGGESTION', [
          'message',
          'files',
          'branch_strategy',
          'ready_for_pr',
        ])
  const inField = fields?.fields.get('message')?.text
  const said =
    typeof value === 'string'
      ? value
      : (valueIn(value, 'message') ??
        valueIn(value, 'commit_message') ??
        inField ??
        (fields?.fields.has('branch_strategy') === true ? undefined : text))
  const message = typeof said === 'string' ? commitMessage(said) : undefined
  if (message === undefined) return undefined
  const branch =
    textIn(value, 'branch_strategy', WORKER_ITEM_CHARS) ??
    (fields === undefined ? undefined : textOf(fields, 'branch_strategy'))
  return {
    message,
    ...(branch === undefined ? {} : { branchStrategy: oneLine(branch, WORKER_ITEM_CHARS) }),
  }
}

/**
 * Returns a message as git keeps it: LF, no control characters, at most one blank line in a row;
 * `undefined` for none.
 */
function commitMessage(said: string): string | undefined {
  const lines = plainText(said.replace(/\r\n?|[\u2028\u2029]/g, '\n'))
    .split('\n')
    .filter((line) => !/^\s*(?:`{3,}|~{3,})/.test(line))
  const clean = lines.map((line) =>
    line
      .replace(/[\u0080-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
      .trimEnd(),
  )
  const message = bare(
    firstChars(
      clean
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      MESSAGE_CHARS,
    ),
  )
  return isNone(message) || isSample(message) ? undefined : message
}
