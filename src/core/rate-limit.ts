// How long a run waits for an agent whose provider limits its rate.
//
// A reset time that the provider names is waited for and a little more, as clocks differ; without one the
// wait grows with each limit in a row. Source: field.md §3.4; architecture §3.

/** Waited beyond a reset time, in milliseconds. */
export const RESET_MARGIN_MS = 5_000
/** A reset time further away is not believed: it may have been read in the wrong unit. */
export const FURTHEST_RESET_MS = 8 * 24 * 60 * 60_000
const MINUTE_MS = 60_000
/** Waits where nobody names a reset time, by limits in a row, in minutes; the last one repeats. */
const BACKOFF_MINUTES = [1, 2, 5, 10, 20, 30] as const

/**
 * When a limited agent may be tried again, in epoch milliseconds.
 *
 * @param resetsAt as the provider names it, epoch milliseconds
 * @param nth of the limits in a row, from 1
 */
export function limitedUntil({ resetsAt, now, nth }: { resetsAt?: number | undefined; now: number; nth: number }): number {
  if (resetsAt !== undefined && resetsAt > now && resetsAt - now <= FURTHEST_RESET_MS) return resetsAt + RESET_MARGIN_MS
  if (resetsAt !== undefined && resetsAt <= now && nth === 1) return now + RESET_MARGIN_MS
  return now + (BACKOFF_MINUTES[Math.min(nth, BACKOFF_MINUTES.length) - 1] ?? 1) * MINUTE_MS
}
