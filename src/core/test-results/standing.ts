// Which of two measured commits is better. Every run ends at its best one, the baseline included.
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
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

/**
 * Whether the state that the run began from is better than the best one, as flaky tests have come
 * to light since.
 */
export function isStartBetter({ start, best }: Comparison, bestSize: number): boolean {
  return (
    start !== undefined &&
    best !== undefined &&
    isBetter({ ...start, size: 0 }, { ...best.counts, size: bestSize })
  )
}

/** Whether the tip is not the best state: a run ends only with the verdict of that one. */
export function isBelowBest({ atBest, best }: Pick<TestFixState, 'atBest' | 'best'>): boolean {
  return atBest === false && best !== undefined
}
