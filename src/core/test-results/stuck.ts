// Stuck tests: those that fail with the same signature in one full run after the other.

/** Full runs in a row with the same signature until a test is stuck, the initial run included. */
export const STUCK_RUNS = 3

export function isStuck(streak: number | undefined): boolean {
  return streak !== undefined && streak >= STUCK_RUNS
}

/** More than half of the failing tests are stuck; exactly half is no majority. */
export function stuckMajority({ stuck, failing }: { stuck: number; failing: number }): boolean {
  return stuck * 2 > failing
}

/**
 * Whether the run is blocked: the last iteration was reflective and made no progress, and most of
 * the failures are still stuck. A run that makes progress is never blocked.
 */
export function isBlocked({
  stuckMajority,
  progress,
  strategy,
}: {
  stuckMajority: boolean
  progress: boolean
  strategy: string | undefined
}): boolean {
  return stuckMajority && !progress && strategy === 'reflective'
}
