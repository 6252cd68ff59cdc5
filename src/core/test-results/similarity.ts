// How alike the failures of two full runs are.

/**
 * Likeness of two sets of failing tests, 0-1: those in both over those in either (Jaccard).
 *
 * Nothing against nothing is 1. The ids are of file and name, a repeated one counts once.
 */
export function similarity(before: readonly string[], now: readonly string[]): number {
  const [a, b] = [new Set(before), new Set(now)]
  const all = new Set([...a, ...b]).size
  if (all === 0) return 1
  return [...a].filter((id) => b.has(id)).length / all
}
