// Files that a commit step restored besides those that git sees.
import type { CommitResult } from '../contract/workspace.js'

const TAMPERED_SHOWN = 20

/** Adds restored files to those that a commit names. */
export function withTampered<T extends CommitResult>(committed: T, more: readonly string[]): T {
  const { tampered, tamperedTotal = tampered.length } = committed
  return more.length === 0
    ? committed
    : {
        ...committed,
        tampered: [...tampered, ...more].slice(0, TAMPERED_SHOWN),
        tamperedTotal: tamperedTotal + more.length,
      }
}
