// Whether a fix may rest on a degraded analysis: one that no agent of the chain gave properly.

/**
 * Iterations in a row that may be spent without a usable analysis and without progress; the next
 * one blocks the run.
 */
export const DEGRADED_IN_A_ROW = 2

/**
 * - `accept`: the fix rests on earlier fixes and on what the failures say. In the first iteration,
 * and after progress.
 * - `spend`: the iteration is spent without a fix.
 * - `block`: the second such iteration in a row without progress.
 *
 * @param iteration the iteration that begins, from 1
 * @param progress the iteration before repaired or moved a test
 * @param inARow degraded iterations before this one, in a row and without progress
 */
export function degradedVerdict({
  iteration,
  progress,
  inARow,
}: {
  iteration: number
  progress: boolean
  inARow: number
}): 'accept' | 'spend' | 'block' {
  if (progress || iteration <= 1) return 'accept'
  return inARow + 1 >= DEGRADED_IN_A_ROW ? 'block' : 'spend'
}
