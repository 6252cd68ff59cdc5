// What of a run's history is new since the look before.
import type { IterationSummary } from '../../contract/result.js'

/**
 * Where in a history the entries begin that were not there before; the oldest may have gone
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
