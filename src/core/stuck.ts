// Stuck tests: those that fail in one full run after the other, whatever is tried.
// Source: 004 "Check for repeated failures"; architecture §6 rule 7.

/** Full runs in a row that a test fails in until it is stuck, the initial run included. */
export const STUCK_RUNS = 3

/** The streak of a test that fails now. @param previous its streak in the last full run, absent where it did not fail there */
export function nextStreak(previous: number | undefined): number {
  return (previous ?? 0) + 1
}

export function isStuck(streak: number | undefined): boolean {
  return streak !== undefined && streak >= STUCK_RUNS
}

/** More than half of the failing tests are stuck; exactly half is no majority. */
export function stuckMajority({ stuck, failing }: { stuck: number; failing: number }): boolean {
  return stuck * 2 > failing
}

/**
 * Whether the run is blocked: the iteration that a stuck majority made reflective is over, and its
 * full run has one still. A majority that comes back later gets its reflective iteration first.
 *
 * @param iteration iterations spent, the one just measured included
 * @param stuckSwitch the iteration that was made reflective because of a stuck majority
 */
export function stuckAgain(facts: { iteration: number; stuckSwitch: number | undefined; stuckMajority: boolean }): boolean {
  return facts.stuckMajority && facts.iteration === facts.stuckSwitch
}
