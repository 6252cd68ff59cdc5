// Tracks best states that are not confirmed by canaries, and searches the newest one that is not
// refuted.
//
// A best state is provisional until it is confirmed. If the runner can select files, at most three
// follow each other: the next one is confirmed before the run continues. Otherwise all of them wait
// for the end. If one is refuted, states before it may still be honest, and a bisection finds the
// newest.
import type { Best, TestFixState } from '../../contract/test-fix/test-fix-state.js'

/** Best states in a row that no canary has looked at. */
export const MOST_PROVISIONAL = 3

/** Earlier best states that a run carries, about 1 kB each: a bisection needs at most five runs. */
const MOST_KEPT = 31
/** The newest of them, of which none is dropped. */
const NEWEST_KEPT = 8

type Standing = Pick<TestFixState, 'start' | 'earlier' | 'best' | 'confirmation' | 'prepared'>

/**
 * Best states since the last one that canaries have looked at; the commit that the run began from
 * counts as such.
 */
export function provisional(state: Standing): number {
  const { start, earlier = [], best, prepared } = state
  const states = [start, ...earlier, best].filter((one) => one !== undefined)
  const known = states.findLastIndex(
    (one) => one.commit === prepared.workspace.base || isLookedAt(state, one),
  )
  return states.length - 1 - known
}

/**
 * Whether canaries look at the best state before a person's change of tests is committed on it:
 * from then on no state before it can be gone back to.
 */
export function confirmsBeforeChange(
  state: Pick<Standing, 'start' | 'best' | 'confirmation'>,
): boolean {
  const { start, best } = state
  return start !== undefined && best !== undefined && !isLookedAt(state, best)
}

/**
 * The earlier best states that a run keeps: all, or where there are too many every second of the
 * older ones. The one that was looked at always stays.
 */
export function earlierKept(
  state: Pick<TestFixState, 'confirmation'>,
  earlier: readonly Best[],
): Best[] {
  if (earlier.length <= MOST_KEPT) return [...earlier]
  const newest = earlier.length - NEWEST_KEPT
  return earlier.filter((one, n) => n % 2 === 0 || n >= newest || isLookedAt(state, one))
}

/** Whether canaries have looked at a state and did not refute it. */
export function isLookedAt(
  { confirmation }: Pick<TestFixState, 'confirmation'>,
  { commit }: Pick<Best, 'commit'>,
): boolean {
  return confirmation?.commit === commit && confirmation.refuted !== true
}

/**
 * States by age: the one at `good` stands, -1 is the one before all of them; those from `bad` on
 * are refuted.
 */
export type Search = { good: number; bad: number }

/** Where the search begins: at the newest state that was looked at. */
export function searchIn(
  state: Pick<TestFixState, 'confirmation'>,
  earlier: readonly Best[],
): Search {
  return { good: earlier.findLastIndex((one) => isLookedAt(state, one)), bad: earlier.length }
}

/**
 * The state that is confirmed next; `undefined` where the search is over and `good` is the newest
 * that stands.
 */
export function nextToConfirm({ good, bad }: Search): number | undefined {
  return bad - good > 1 ? Math.ceil((good + bad) / 2) : undefined
}

export function narrowed({ good, bad }: Search, at: number, isRefuted: boolean): Search {
  return isRefuted ? { good, bad: at } : { good: at, bad }
}
