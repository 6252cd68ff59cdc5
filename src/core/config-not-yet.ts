// Settings that are planned but not implemented. They are no typos, and must not be ignored, as the
// user relies on them.
import { at } from './agents/agent-events.js'

/** A setting that is not implemented: its key, the problem, and what to do instead. */
export type NotYet = { at: string[]; what: string; next: string }

const REPORTS = ['cargo', 'trx']
const WHAT = 'is not supported in this version'

/** Returns the first such setting of a configuration as it was read, or `undefined`. */
export function notYet(config: unknown): NotYet | undefined {
  const format = at(config, 'test', 'report', 'format')
  if (typeof format !== 'string' || !REPORTS.includes(format)) return undefined
  return {
    at: ['test', 'report', 'format'],
    what: `"${format}" ${WHAT}`,
    next: 'let the runner write JUnit XML and name it: { "format": "junit", "path": "reports/*.xml" }',
  }
}
