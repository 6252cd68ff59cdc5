// Slots for agents on this host, all projects together (`limits.agentsPerHost`).
import { acquireClaim, type ClaimOptions, type Release } from './claims.js'

/**
 * Waits for one of `count` slots and takes it, first come first served; a dead owner's slot is
 * free. Where callers name different counts, each keeps to its own.
 */
export function acquireSlot(
  dir: string,
  count: number,
  options: ClaimOptions = {},
): Promise<Release> {
  return acquireClaim(dir, count, options)
}
