// Which of two measured commits is better. Every run ends at its best one, the baseline included.
import type { Best, TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { Comparison, Counts } from '../../contract/test-run.js'

/** Counts of a measured commit. `size`: changed lines since the baseline. */
export type Standing = Counts & { size: number }

/**
 * Whether `a` is better than `b`: more of the baseline's tests pass, then fewer are broken, then
 * nothing fails, then more pass in all, then the change is smaller. Of equals the earlier one
 * stays.
 */
export function isBetter(a: Standing, b: Standing): boolean {
  const order = [
    a.baselinePassing - b.baselinePassing,
    b.broken - a.broken,
    Number(a.failing === 0) - Number(b.failing === 0),
    a.passing - b.passing,
    b.size - a.size,
  ]
  return (order.find((difference) => difference !== 0) ?? 0) > 0
}

export type Hindsight = {
  best: Best
  counts: Counts
  start: Best | undefined
  earlier: Best[]
}

/**
 * The best states in the light of the flaky tests of today: one that is worse without them than a
 * state before it drops out. One that is as good repaired a flaky test, and stays. `undefined`
 * where that changes nothing.
 */
export function inHindsight(
  { start, earlier = [], best }: Pick<TestFixState, 'start' | 'earlier' | 'best'>,
  comparison: Pick<Comparison, 'start' | 'earlier' | 'best'>,
): Hindsight | undefined {
  if (start === undefined || best === undefined) return undefined
  if (comparison.start === undefined || comparison.best === undefined) return undefined
  const known = new Map(comparison.earlier?.map(({ commit, ...counts }) => [commit, counts]))
  let last = { state: start, counts: comparison.start }
  const states = [last]
  for (const state of [...earlier, best]) {
    const counts = state === best ? comparison.best.counts : known.get(state.commit)
    if (counts === undefined) continue // its results are gone
    if (isBetter({ ...last.counts, size: 0 }, { ...counts, size: 0 })) continue
    last = { state, counts }
    states.push(last)
  }
  if (comparison.earlier === undefined && last.state === best) return undefined
  return {
    best: last.state,
    counts: last.counts,
    start: last.state === start ? undefined : start,
    earlier: states.slice(1, -1).map(({ state }) => state),
  }
}

/** Whether the tip is not the best state: a run ends only with the verdict of that one. */
export function isBelowBest({ atBest, best }: Pick<TestFixState, 'atBest' | 'best'>): boolean {
  return atBest === false && best !== undefined
}
