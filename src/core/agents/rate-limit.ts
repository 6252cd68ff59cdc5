// How long a run waits for an agent whose provider does not serve it: it limits the rate, or it is
// away.
//
// A reset time that the provider names is waited for and a little more, as clocks differ; without
// one the wait grows with each refusal in a row.

/** Waited beyond a reset time, in milliseconds. */
export const RESET_MARGIN_MS = 5_000
/** A reset time further away is not believed: it may have been read in the wrong unit. */
export const FURTHEST_RESET_MS = 8 * 24 * 60 * 60_000
const MINUTE_MS = 60_000
/** Waits without a reset time, by consecutive limits, in minutes; the last one repeats. */
const BACKOFF_MINUTES = [1, 2, 5, 10, 20, 30] as const

/**
 * When a limited agent may be tried again, in epoch milliseconds.
 *
 * @param resetsAt as the provider names it, epoch milliseconds
 * @param nth of the limits in a row, from 1
 */
export function limitedUntil({
  resetsAt,
  now,
  nth,
}: {
  resetsAt?: number | undefined
  now: number
  nth: number
}): number {
  if (resetsAt !== undefined && resetsAt > now && resetsAt - now <= FURTHEST_RESET_MS)
    return resetsAt + RESET_MARGIN_MS
  if (resetsAt !== undefined && resetsAt <= now && nth === 1) return now + RESET_MARGIN_MS
  return now + (BACKOFF_MINUTES[Math.min(nth, BACKOFF_MINUTES.length) - 1] ?? 1) * MINUTE_MS
}

/**
 * The first wait for a provider that is away, which doubles with each try in vain, and the longest.
 */
const AWAY_FIRST_MS = 30_000
const AWAY_LONGEST_MS = 10 * MINUTE_MS

/**
 * When an agent whose provider is away may be tried again, in epoch milliseconds. A time that the
 * provider names counts up to the longest wait: an outage may end sooner than announced.
 *
 * @param nth of the tries in a row, from 1
 */
export function awayUntil({
  resetsAt,
  now,
  nth,
}: {
  resetsAt?: number | undefined
  now: number
  nth: number
}): number {
  if (resetsAt !== undefined && resetsAt > now)
    return Math.min(resetsAt + RESET_MARGIN_MS, now + AWAY_LONGEST_MS)
  return now + Math.min(AWAY_FIRST_MS * 2 ** Math.min(nth - 1, 20), AWAY_LONGEST_MS)
}
