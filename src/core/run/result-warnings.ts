// The warnings of a run as its result has them: the newest, as many as fit into the history.
const BYTES = 6_000

const bytes = (text: string): number => new TextEncoder().encode(text).length

/** Returns the newest warnings in their order; a first entry counts those that do not fit. */
export function resultWarnings(warnings: readonly string[] = []): string[] {
  let room = BYTES
  const kept: string[] = []
  for (const text of [...warnings].reverse()) {
    room -= bytes(text)
    if (room < 0) break
    kept.unshift(text)
  }
  const earlier = warnings.length - kept.length
  return earlier === 0
    ? kept
    : [`${earlier} earlier warning${earlier === 1 ? ' is' : 's are'} in the record`, ...kept]
}

/** Whether an entry stands for warnings that did not fit. */
export function countsEarlier(text: string): boolean {
  return /^\d+ earlier warnings? (is|are) in the record$/.test(text)
}
