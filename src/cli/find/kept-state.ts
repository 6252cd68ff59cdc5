// The state file of a kept run, whichever it is of.
import type { RunResult } from '../../contract/result.js'

/** What the turns took is not in a record that was rebuilt. */
export const NO_USAGE: RunResult['usage'] = {
  turns: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimated: false,
}

type Reading =
  | { state: 'none' }
  | { state: 'ok' }
  | { state: 'damaged'; problem: string }
  | { state: 'newer'; schema: number }

/**
 * What is wrong with a state file, in half a sentence, or by which later version it was written;
 * empty where it is whole.
 */
export function damageOf(read: Reading): { damage?: string; newer?: number } {
  if (read.state === 'newer') return { newer: read.schema }
  if (read.state === 'none') return { damage: 'its state file is gone' }
  return read.state === 'damaged'
    ? { damage: `its state file cannot be read: ${read.problem}` }
    : {}
}
