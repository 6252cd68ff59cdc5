// Formats a duration for people.

/** Returns `42s`, `3m 05s` or `2h 04m`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const two = (n: number): string => String(n).padStart(2, '0')
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  return `${Math.floor(seconds / 3_600)}h ${two(Math.floor((seconds % 3_600) / 60))}m`
}
