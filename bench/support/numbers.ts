// Times and the numbers that sum them up.

/** Milliseconds that something took. */
export async function timed(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await what()
  return performance.now() - began
}

/**
 * Milliseconds of a core that this process and its threads used meanwhile: a busy machine changes
 * it little.
 */
export async function cpuTimed(
  what: () => Promise<unknown>,
): Promise<{ ms: number; cpuMs: number }> {
  const before = process.cpuUsage()
  const ms = await timed(what)
  const { user, system } = process.cpuUsage(before)
  return { ms, cpuMs: (user + system) / 1_000 }
}

/**
 * The value below which this part of all values lies, by the nearest rank: `quantile(times, 0.5)`
 * is the median.
 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
