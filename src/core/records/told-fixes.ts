// Completes the fixes of a session that another tool wrote: its fix-history names no results, which
// its iterations and its fix tasks have.
import type { FixHistoryEntry } from '../test-fix/fix-history-match.js'
import { rateBefore, type FixDetails } from './record-view.js'
import { recordedHistory } from './recover-state.js'

/**
 * Returns the fixes with what else the session says of them; those with a result as they are.
 *
 * @param more content of iteration-state.json, and what the file of a fix task says
 */
export function withOutcomes(
  fixes: readonly FixHistoryEntry[],
  more: { iterationState: () => unknown; detailsOf: (task: string) => FixDetails | undefined },
): FixHistoryEntry[] {
  if (fixes.every(({ result }) => result !== '')) return [...fixes]
  const history = recordedHistory({
    iterationState: more.iterationState(),
    session: {},
    fixHistory: [],
    testTask: '',
  })
  return fixes.map((fix) => {
    if (fix.result !== '') return fix
    const { iteration, task = `IMPL-fix-${iteration}` } = fix
    const told = history.find((one) => one.iteration === iteration)
    const details = more.detailsOf(task)
    return {
      ...fix,
      task,
      result: told?.result ?? '',
      pass_rate_before: fix.pass_rate_before ?? rateBefore(history, iteration),
      pass_rate_after: fix.pass_rate_after ?? told?.passRate ?? null,
      failures: fix.failures.length > 0 ? fix.failures : (details?.failures ?? []),
      root_causes: fix.root_causes ?? details?.rootCauses,
    }
  })
}
