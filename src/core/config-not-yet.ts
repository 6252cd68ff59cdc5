// What the configuration will know and this version does not do yet. It is no misspelling, and must
// not be ignored either: who sets it relies on it.
import { at } from './agents/agent-events.js'

/** A setting that is not there yet: where it stands, what is wrong, and what to do instead. */
export type NotYet = { at: string[]; what: string; next: string }

const REPORTS = ['cargo', 'trx']
const WHAT = 'is known, but not there in this version'

/** The first such setting of a configuration as it was read, or `undefined`. */
export function notYet(config: unknown): NotYet | undefined {
  const format = at(config, 'test', 'report', 'format')
  if (typeof format !== 'string' || !REPORTS.includes(format)) return undefined
  return {
    at: ['test', 'report', 'format'],
    what: `"${format}" ${WHAT}`,
    next: 'let the runner write JUnit XML and name it: { "format": "junit", "path": "reports/*.xml" }',
  }
}
