// Sums up the usage of agents over several runs, from their turns.
import { z } from 'zod'
import type { CountedRun } from './counted-run.js'
import { type ReportTurn, UsageRow } from './model.js'
import { roleWords } from './roles.js'
import { sumOf } from './usage.js'

export const STATS_BY = ['work', 'agent', 'model', 'role', 'run'] as const
export type StatsBy = (typeof STATS_BY)[number]

/** Quartiles over turns. */
const Spread = z.object({ q1: z.number(), median: z.number(), q3: z.number() })
export type Spread = z.infer<typeof Spread>

/**
 * One group of turns. Times are milliseconds, tokens are input and output together. `name` is the
 * agent and its role, the agent, the model, the role, or the run. Iterations and gained tests are
 * of the runs that have them and count as a whole, `null` without such a run; the tokens for each
 * are of the same runs. Of `partialRuns` only the turns count that began in the period.
 */
export const StatsRow = UsageRow.extend({
  runs: z.number().int(),
  partialRuns: z.number().int(),
  tokensPerTurn: Spread,
  workedMsPerTurn: Spread,
  outcome: z.string().optional(),
  iterations: z.number().int().nullable(),
  gained: z.number().int().nullable(),
  tokensPerIteration: z.number().nullable(),
  tokensPerGainedTest: z.number().nullable(),
})
export type StatsRow = z.infer<typeof StatsRow>

/**
 * Returns one row for each group, the most tokens first, and one for all turns. A group of agents
 * or roles has the iterations and gained tests of the runs in which they worked.
 */
export function statsOf(
  runs: readonly CountedRun[],
  by: StatsBy,
): { rows: StatsRow[]; all: StatsRow } {
  const groups = new Map<string, CountedRun[]>()
  for (const run of runs)
    for (const [name, turns] of grouped(run, by))
      groups.set(name, [...(groups.get(name) ?? []), { ...run, turns }])
  const rows = [...groups].map(([name, members]) => rowOf(name, members))
  return {
    rows: rows.sort((a, b) => tokensIn(b) - tokensIn(a) || (a.name < b.name ? -1 : 1)),
    all: rowOf('all', runs),
  }
}

function grouped(run: CountedRun, by: StatsBy): Map<string, ReportTurn[]> {
  const groups = new Map<string, ReportTurn[]>(by === 'run' ? [[run.id, []]] : [])
  for (const turn of run.turns) {
    const name = by === 'run' ? run.id : nameOf(turn, by)
    groups.set(name, [...(groups.get(name) ?? []), turn])
  }
  return groups
}

function nameOf({ agent, model, role }: ReportTurn, by: Exclude<StatsBy, 'run'>): string {
  if (by === 'agent') return agent
  if (by === 'model') return model ?? `default of ${agent}`
  return by === 'role' ? roleWords(role) : `${agent}, ${roleWords(role)}`
}

function rowOf(name: string, runs: readonly CountedRun[]): StatsRow {
  const turns = runs.flatMap((run) => run.turns)
  const sum = sumOf(turns)
  const iterated = runs.filter((run) => run.iterations !== null)
  const measured = runs.filter((run) => run.gained !== null)
  const iterations = totalOf(iterated.map((run) => run.iterations ?? 0))
  const gained = totalOf(measured.map((run) => run.gained ?? 0))
  const [only] = runs.length === 1 ? runs : []
  return {
    name,
    runs: runs.length,
    partialRuns: runs.filter(({ partial }) => partial === true).length,
    ...sum,
    ...(only?.outcome === undefined ? {} : { outcome: only.outcome }),
    tokensPerTurn: spreadOf(turns.map(tokensIn)),
    workedMsPerTurn: spreadOf(
      turns.flatMap((one) => (one.endedAt === undefined ? [] : one.workedMs)),
    ),
    iterations,
    gained,
    tokensPerIteration: tokensPer(iterations, iterated),
    tokensPerGainedTest: tokensPer(gained, measured),
  }
}

function totalOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0)
}

function tokensPer(count: number | null, runs: readonly CountedRun[]): number | null {
  if (count === null || count <= 0) return null
  return Math.round(tokensIn(sumOf(runs.flatMap(({ turns }) => turns))) / count)
}

function tokensIn({
  inputTokens,
  outputTokens,
}: Pick<ReportTurn, 'inputTokens' | 'outputTokens'>): number {
  return inputTokens + outputTokens
}

/** Returns the quartiles of some numbers, interpolated and rounded; zeros for none. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share: number): number => {
    const place = (sorted.length - 1) * share
    const low = sorted[Math.floor(place)] ?? 0
    const high = sorted[Math.ceil(place)] ?? low
    return Math.round(low + (high - low) * (place - Math.floor(place)))
  }
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) }
}
