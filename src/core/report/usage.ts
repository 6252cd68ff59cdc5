// Sums up the usage of agents from their turns.
import type { RunUsage } from '../../contract/result.js'
import type { ReportTurn, UsageRow } from './model.js'
import { roleWords } from './roles.js'
import { waitedMs } from './waits.js'

type Sum = Omit<UsageRow, 'name'>

/** Returns the sum of some turns; with a price if at least one of them has one. */
export function sumOf(turns: readonly ReportTurn[]): Sum {
  const costs = turns.flatMap(({ costUsd }) => costUsd ?? [])
  const cached = turns.flatMap(({ cachedTokens }) => cachedTokens ?? [])
  const tests = turns.flatMap((one) => one.tests ?? [])
  const waited = turns.reduce((sum, one) => sum + waitedMs(one), 0)
  return {
    turns: turns.length,
    inputTokens: turns.reduce((sum, one) => sum + one.inputTokens, 0),
    outputTokens: turns.reduce((sum, one) => sum + one.outputTokens, 0),
    ...(cached.length === 0 ? {} : { cachedTokens: cached.reduce((a, b) => a + b, 0) }),
    ...(costs.length === 0 ? {} : { costUsd: costs.reduce((a, b) => a + b, 0) }),
    estimated: turns.some((one) => one.estimated),
    workedMs: turns.reduce((sum, one) => sum + one.workedMs, 0),
    ...(waited === 0 ? {} : { waitedMs: waited }),
    ...(turns.some((one) => one.waitUnknown === true) ? { waitUnknown: true as const } : {}),
    ...(tests.length === 0
      ? {}
      : {
          tests: {
            runs: tests.reduce((sum, { runs }) => sum + runs, 0),
            ms: tests.reduce((sum, { ms }) => sum + ms, 0),
          },
        }),
  }
}

/** Returns one row for each agent and role, the largest usage first. */
export function usageByAgent(turns: readonly ReportTurn[]): UsageRow[] {
  const names = [...new Set(turns.map(nameOf))]
  return names
    .map((name) => ({ name, ...sumOf(turns.filter((one) => nameOf(one) === name)) }))
    .sort(
      (a, b) =>
        (b.costUsd ?? 0) - (a.costUsd ?? 0) ||
        b.inputTokens + b.outputTokens - (a.inputTokens + a.outputTokens) ||
        (a.name < b.name ? -1 : 1),
    )
}

/** Returns the usage of a run without a recorded one, from its turns. */
export function usageOf(turns: readonly ReportTurn[]): RunUsage {
  const {
    workedMs: agentMs,
    waitedMs: _waited,
    waitUnknown: _unknown,
    tests: _tests,
    ...sum
  } = sumOf(turns)
  return { ...sum, agentMs }
}

function nameOf({ agent, role }: ReportTurn): string {
  return `${agent}, ${roleWords(role)}`
}
