// An exclusive lock on this host, such as one test run at a time per project.
import { acquireClaim, type ClaimOptions, type Release } from './claims.js'

/**
 * Waits for the lock and takes it; a dead owner's lock is free. Not re-entrant.
 *
 * @param dir names the lock; a directory of claims is made there
 */
export function acquireLock(dir: string, options: ClaimOptions = {}): Promise<Release> {
  return acquireClaim(dir, 1, options)
}
