// The decisions of the supervisor: restart, wait, give up, stop when idle.
//
// Pure, so that the clock and the processes stay in src/dev-server and each rule is one row of a
// table.

/** First wait before a restart, in milliseconds; it doubles with each death in a row. */
export const BACKOFF_FIRST_MS = 500
/** Longest wait before a restart. */
export const BACKOFF_MOST_MS = 30_000
/** A process that lived shorter died fast: its start is broken, so waiting does not help. */
export const FAST_DEATH_MS = 10_000
/** A process that lived longer was healthy: its death is the first of a new series. */
export const HEALTHY_MS = 60_000
/** Consecutive fast deaths after which a process is given up until it is requested again. */
export const FAST_DEATHS = 5
/**
 * Wait before the next attempt while the disk is full: that is no crash, and it ends when space is
 * freed.
 */
export const NO_ROOM_MS = 5_000
/** Shortest time between two restarts that no person requested. */
export const REVIVE_MS = 60_000

/** Deaths of one process so far. */
export type Deaths = { row: number; fast: number }
export const NO_DEATHS: Deaths = { row: 0, fast: 0 }

export type AfterDeath =
  { step: 'restart'; afterMs: number; deaths: Deaths } | { step: 'give_up'; deaths: Deaths }

/**
 * Decides what follows an unexpected death.
 *
 * @param excused the process could not live, as something it needs was missing: it is restarted,
 * and the death does not count
 */
export function afterDeath(deaths: Deaths, livedMs: number, excused = false): AfterDeath {
  if (excused) return { step: 'restart', afterMs: BACKOFF_FIRST_MS, deaths }
  const row = livedMs >= HEALTHY_MS ? 1 : deaths.row + 1
  const fast = livedMs < FAST_DEATH_MS ? deaths.fast + 1 : 0
  if (fast >= FAST_DEATHS) return { step: 'give_up', deaths: { row, fast } }
  return {
    step: 'restart',
    afterMs: Math.min(BACKOFF_FIRST_MS * 2 ** (row - 1), BACKOFF_MOST_MS),
    deaths: { row, fast },
  }
}

/**
 * Returns whether a process that was given up is tried again: always for a person, once a minute
 * for a waiting run.
 */
export function mayRevive(givenUpMs: number, askedBy: 'person' | 'run'): boolean {
  return askedBy === 'person' || givenUpMs >= REVIVE_MS
}

/** What keeps the local processes running. */
export type Activity = {
  openRuns: number
  unpausedSchedules: number
  /** A process in the foreground keeps them running. */
  held: boolean
  /** Milliseconds since the last open run or the last request. */
  quietMs: number
}

/**
 * Returns why the local processes stay up, in words, or `undefined` if nothing has needed them for
 * long enough.
 */
export function staysUpFor(activity: Activity, idleStopMs: number): string | undefined {
  if (activity.openRuns > 0) return 'open runs'
  if (activity.unpausedSchedules > 0) return 'a schedule that is not paused'
  if (activity.held) return 'a process in the foreground'
  return activity.quietMs < idleStopMs ? 'recent use' : undefined
}
