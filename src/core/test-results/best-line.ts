// What a run brings, in one line: how many tests pass now, how many did before, and what it
// broke.
import type { RunResult } from '../../contract/result.js'
import { NOTHING_MEASURED, firstFix } from '../test-fix/end-reason.js'
import { shortList } from '../text/short-text.js'

/**
 * "38 → 47 of 50 tests pass, 1 broken: a.test > adds", of a cycle or loop only what it broke;
 * `undefined` where there is nothing to say.
 */
export function bestLine({
  history,
  best,
  broken = [],
}: Pick<RunResult, 'history' | 'best' | 'broken'>): string | undefined {
  const broke = broken.length === 0 ? undefined : `${broken.length} broken: ${shortList(broken)}`
  const first = history.find(({ passed }) => passed !== undefined)
  const now = history.findLast(
    ({ iteration, result }) =>
      iteration === best?.iteration &&
      (result === 'kept' || result === 'baseline' || result === 'not_started'),
  )
  if (
    best === null ||
    best === undefined ||
    first?.passed === undefined ||
    now?.passed === undefined
  )
    return broke
  // Another total says that there are other tests.
  const before = first.total === now.total ? `${first.passed}` : `${first.passed} of ${first.total}`
  const change = first === now ? '' : `${before} → `
  return `${change}${now.passed} of ${now.total} tests pass${broke === undefined ? '' : `, ${broke}`}`
}

/**
 * Why nothing of a run is handed over; `undefined` where something is, such as tests that were
 * written before the first fix.
 */
export function whyNothing({
  best,
  commits,
  confirmed,
  history,
}: Pick<RunResult, 'best' | 'commits' | 'confirmed' | 'history'>): string | undefined {
  if (best === null) return firstFix({ history }) === undefined ? undefined : NOTHING_MEASURED
  // Canaries are asked about every best state but the start.
  return best?.iteration === 0 && commits.length > 0 && confirmed === undefined
    ? 'no fix made it better than the start'
    : undefined
}

/**
 * That canaries did not confirm the results of the best state, and why; `undefined` where they did,
 * or were not asked.
 */
export function unconfirmedLine({
  confirmed,
  unconfirmed,
}: Pick<RunResult, 'confirmed' | 'unconfirmed'>): string | undefined {
  return confirmed === false
    ? `results not confirmed: ${unconfirmed ?? 'no canary was written'}`
    : undefined
}
