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
  dropped: Best[]
}

/** Most states that a run carries after they dropped out, the newest. */
const DROPPED_KEPT = 8

/**
 * The best states in the light of the flaky tests of today: one that is worse without them than a
 * state before it drops out, and returns if further flaky tests show that it is better. One that is
 * as good repaired a flaky test, and stays. `undefined` where that changes nothing.
 */
export function inHindsight(
  {
    start,
    earlier = [],
    dropped = [],
    best,
  }: Pick<TestFixState, 'start' | 'earlier' | 'dropped' | 'best'>,
  comparison: Pick<Comparison, 'start' | 'earlier' | 'best'>,
): Hindsight | undefined {
  if (best === undefined || comparison.best === undefined) return undefined
  const known = new Map(comparison.earlier?.map(({ commit, ...counts }) => [commit, counts]))
  known.set(best.run.commit, comparison.best.counts)
  const [first, atFirst] =
    start === undefined ? [best, known.get(best.run.commit)] : [start, comparison.start]
  if (atFirst === undefined) return undefined
  let last = { state: first, counts: atFirst }
  const states = [last]
  const out: Best[] = []
  const later = [...earlier, ...(start === undefined ? [] : [best]), ...dropped]
  for (const state of later.sort((a, b) => a.iteration - b.iteration)) {
    const counts = known.get(state.run.commit)
    if (counts === undefined) continue // its results are gone
    const [a, b] = [
      { ...counts, size: 0 },
      { ...last.counts, size: 0 },
    ]
    if (dropped.includes(state) ? isBetter(a, b) : !isBetter(b, a)) {
      last = { state, counts }
      states.push(last)
    } else out.push(state)
  }
  if (comparison.earlier === undefined && last.state === best) return undefined
  return {
    best: last.state,
    counts: last.counts,
    start: last.state === first ? undefined : first,
    earlier: states.slice(1, -1).map(({ state }) => state),
    dropped: out.slice(-DROPPED_KEPT),
  }
}

/** Whether the tip is not the best state: a run ends only with the verdict of that one. */
export function isBelowBest({ atBest, best }: Pick<TestFixState, 'atBest' | 'best'>): boolean {
  return atBest === false && best !== undefined
}
