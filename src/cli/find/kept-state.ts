// Judges the state file of a run with a record, of any kind.
import type { RunResult } from '../../contract/result.js'

/** The usage of a rebuilt record, which does not know it. */
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
 * Returns what is wrong with a state file, as half a sentence, or the later version that wrote it;
 * empty if it is intact.
 */
export function damageOf(read: Reading): { damage?: string; newer?: number } {
  if (read.state === 'newer') return { newer: read.schema }
  if (read.state === 'none') return { damage: 'its state file is gone' }
  return read.state === 'damaged'
    ? { damage: `its state file cannot be read: ${read.problem}` }
    : {}
}
