// Whether a fix may rest on a degraded analysis: one that no agent of the chain gave properly.
// Source: 004 "Degraded Analysis Handling"; ccw §3.7 trap 9; architecture §6 rule 9.

/** From this iteration on a degraded analysis ends the run as blocked. */
export const DEGRADED_UNTIL = 3

/**
 * @param iteration the iteration that begins, from 1; the first has nothing to have improved on
 * @param improved the pass rate rose with the iteration before it
 */
export function acceptDegraded({ iteration, improved }: { iteration: number; improved: boolean }): boolean {
  return iteration <= 1 || (iteration < DEGRADED_UNTIL && improved)
}
