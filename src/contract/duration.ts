// Durations as people write them: number + ms | s | m | h. One rule for config, flags and
// workflows.
import { z } from 'zod'

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const
const PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/

/** Returns what is wrong with a duration, or `undefined`. */
export function durationProblem(value: unknown): string | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)))
    return `needs a unit, got ${JSON.stringify(value)}; write "${value}s" or "${value}m"`
  if (typeof value !== 'string' || !PATTERN.test(value))
    return `must be a number and ms, s, m or h, like "30m", got ${JSON.stringify(value)}`
  if (durationMs(value) <= 0) return `must be more than 0, got ${JSON.stringify(value)}`
  return undefined
}

/** Returns the milliseconds of a valid duration. */
export function durationMs(value: string): number {
  const [, number, unit] = PATTERN.exec(value) ?? []
  return Math.round(Number(number) * UNITS[unit as keyof typeof UNITS])
}

/** Parses a duration string to milliseconds. */
export const Duration = z
  .unknown()
  .superRefine((value, ctx) => {
    const problem = durationProblem(value)
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
  })
  .transform((value) => (durationProblem(value) === undefined ? durationMs(value as string) : 0))
