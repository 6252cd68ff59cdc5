// Finds new entries in a run's history.
import type { IterationSummary } from '../../contract/result.js'

/**
 * Returns the index of the first new entry of a history; the oldest ones may have been dropped
 * meanwhile.
 */
export function newEntries(
  before: readonly IterationSummary[] | undefined,
  history: readonly IterationSummary[],
): number {
  const last = JSON.stringify(before?.at(-1))
  return last === undefined
    ? 0
    : history.findLastIndex((entry) => JSON.stringify(entry) === last) + 1
}
