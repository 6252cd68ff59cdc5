// What two plays of the same world must have in common.
import type { Played } from './host.js'

/** What a run decided and bought; times and ids are its own. */
export function verdictOf({ result, turns }: Played) {
  const {
    outcome,
    passRate,
    iterations,
    best,
    baselinePassRate,
    broken,
    failuresTotal,
    reason,
    history,
  } = result
  return {
    outcome,
    passRate,
    iterations,
    best,
    baselinePassRate,
    broken,
    failuresTotal,
    reason: reason?.replaceAll(/WFS-test-[\w.-]+/g, 'ID'),
    history: history.map((one) => ({
      iteration: one.iteration,
      result: one.result,
      passRate: one.passRate,
      strategy: one.strategy,
      note: one.note,
    })),
    turns: turns.map((key) => key.split('/').slice(2).join('/')),
  }
}
