// What the supervisor of the local processes decides: restart, wait, give up, replace, stop when
// idle.
//
// Pure, so that the clock and the processes stay in src/dev-server and each rule is one row of a
// table.

/** First wait before a restart, in milliseconds; it doubles with each death in a row. */
export const BACKOFF_FIRST_MS = 500
/** Longest wait before a restart. */
export const BACKOFF_MOST_MS = 30_000
/** A process that lived shorter died fast: the start itself is broken, waiting will not mend it. */
export const FAST_DEATH_MS = 10_000
/** A process that lived longer was healthy: its death begins a new row. */
export const HEALTHY_MS = 60_000
/** Fast deaths in a row after which a process is given up until asked for again. */
export const FAST_DEATHS = 5
/**
 * Wait before the next try where there is no room on the disk: that is no crash, and it ends when
 * somebody frees some.
 */
export const NO_ROOM_MS = 5_000
/** Shortest time between two revivals that no person asked for. */
export const REVIVE_MS = 60_000

/** Deaths of one process so far. */
export type Deaths = { row: number; fast: number }
export const NO_DEATHS: Deaths = { row: 0, fast: 0 }

export type AfterDeath =
  { step: 'restart'; afterMs: number; deaths: Deaths } | { step: 'give_up'; deaths: Deaths }

/**
 * Decides what follows a death that nobody asked for.
 *
 * @param excused the process could not live, as what it needs was gone: it is restarted, and the
 * death does not count
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
 * Whether a process that was given up is tried again: a person always may, a waiting run once a
 * minute.
 */
export function mayRevive(givenUpMs: number, askedBy: 'person' | 'run'): boolean {
  return askedBy === 'person' || givenUpMs >= REVIVE_MS
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Names of the watched variables whose values differ between a running worker and the shell that
 * asks for it, in order. PATH is always watched: it decides which programs the agents are.
 */
export function changedVariables(running: Env, asked: Env, watch: readonly string[]): string[] {
  return [...new Set(['PATH', ...watch])].filter((name) => running[name] !== asked[name]).sort()
}

/** What keeps the local processes up. */
export type Activity = {
  openRuns: number
  unpausedSchedules: number
  /** A process in the foreground holds on to them. */
  held: boolean
  /** Milliseconds since the last open run, or since anybody last asked for something. */
  quietMs: number
}

/**
 * What the local processes stay up for, in words, or `undefined` when nothing has needed them for
 * long enough.
 */
export function staysUpFor(activity: Activity, idleStopMs: number): string | undefined {
  if (activity.openRuns > 0) return 'open runs'
  if (activity.unpausedSchedules > 0) return 'a schedule that is not paused'
  if (activity.held) return 'a process in the foreground'
  return activity.quietMs < idleStopMs ? 'recent use' : undefined
}
