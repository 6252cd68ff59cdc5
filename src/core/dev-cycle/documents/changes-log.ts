// Reads a changes.log: one JSON object a line. Three shapes are in use, RA's, EP's and VAS's, the
// versioning rules' and CD's; an entry is their union.
import { count, sentence } from '../../answers/agent-values.js'
import { fieldOf } from '../../text/field-of.js'
import { jsonOf } from '../../text/json.js'
import { oneLine } from '../../text/one-line.js'
import { firstChars } from '../../text/test-text.js'

/** Longest text of an entry, and longest path, in characters. */
const TEXT_CHARS = 500
const PATH_CHARS = 1_000

export type ChangesEntry = {
  timestamp?: string
  iteration?: number
  version?: string
  agent?: string
  action?: string
  file?: string
  task?: string
  change?: string
  description?: string
  lines_added?: number
  lines_removed?: number
}

/**
 * The entries in order. Lines that are no entry are counted, empty ones are not; an array of
 * entries is read too.
 */
export function readChangesLog(text: string): { entries: ChangesEntry[]; skipped: number } {
  const plain = text.replace(/^\ufeff/, '')
  const whole = plain.trimStart().startsWith('[') ? jsonOf(plain) : undefined
  const values = Array.isArray(whole)
    ? (whole as unknown[])
    : plain
        .split(/\r\n|\r|\n/)
        .filter((line) => line.trim() !== '')
        .map(jsonOf)
  const read = values.map(entryOf)
  const entries = read.filter((entry) => entry !== undefined)
  return { entries, skipped: read.length - entries.length }
}

// Without one of the fields it is some other JSON.
function entryOf(value: unknown): ChangesEntry | undefined {
  const text = (most: number, ...keys: string[]): string | undefined => {
    const said = keys
      .map((key) => sentence(fieldOf(value, key)))
      .find((one) => one !== undefined && one !== '')
    return said === undefined
      ? undefined
      : firstChars(most === PATH_CHARS ? said : oneLine(said), most)
  }
  const number = (key: string): number | undefined => count(fieldOf(value, key))
  // The versioning rules name what was changed by type and id.
  const named = [text(TEXT_CHARS, 'type'), text(TEXT_CHARS, 'id')]
    .filter((one) => one !== undefined)
    .join(' ')
  const entry = {
    timestamp: text(TEXT_CHARS, 'timestamp', 'ts', 'time'),
    iteration: number('iteration'),
    version: text(TEXT_CHARS, 'version'),
    agent: text(TEXT_CHARS, 'agent', 'role'),
    action: text(TEXT_CHARS, 'action'),
    file: text(PATH_CHARS, 'file', 'path'),
    task: text(TEXT_CHARS, 'task', 'task_id'),
    change: text(TEXT_CHARS, 'change', 'changes') ?? (named === '' ? undefined : named),
    description: text(TEXT_CHARS, 'description', 'summary', 'reason'),
    lines_added: number('lines_added'),
    lines_removed: number('lines_removed'),
  }
  const said = Object.entries(entry).filter(([, one]) => one !== undefined)
  return said.length === 0 ? undefined : Object.fromEntries(said)
}
