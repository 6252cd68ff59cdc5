// Makes a value small enough to travel, by the least loss that is enough.
import { jsonBytes } from '../text/test-text.js'

/** Bytes of JSON that a payload has at most. */
export const PAYLOAD_BYTES = 16_000
/** Bytes reserved for everything besides the texts of the tasks, which is always complete. */
const LEAST_BYTES = 6_000

/**
 * The value after as many of the rungs as it takes to have at most `most` bytes of JSON; after the
 * last it is as small as it gets.
 */
export function withinBytes<T>(value: T, most: number, rungs: readonly ((value: T) => T)[]): T {
  let kept = value
  for (const rung of rungs) {
    if (jsonBytes(kept) <= most) break
    kept = rung(kept)
  }
  return kept
}

/**
 * Returns the bytes for a value with the texts of the tasks: `reserve` of the payload is for its
 * other parts.
 */
export function roomWith(texts: unknown, reserve: number): number {
  const needed = jsonBytes(texts)
  return needed + Math.max(LEAST_BYTES, PAYLOAD_BYTES - reserve - needed)
}
