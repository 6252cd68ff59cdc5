// Adds up what the turns of a run used, and says it.
import type { RunUsage } from '../../contract/result.js'
import type { TurnResult } from '../../contract/turn.js'
import { sumOfKnown } from '../agents/tokens.js'
import { dollars } from '../text/money.js'

export const NO_USAGE: RunUsage = { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false }

/** Adds one turn to a run's usage. The cost is the sum of the turns that report one. */
export function addUsage(usage: RunUsage, turn: TurnResult): RunUsage {
  const cached = sumOfKnown(usage.cachedTokens, turn.usage.cachedTokens)
  return {
    turns: usage.turns + 1,
    inputTokens: usage.inputTokens + turn.usage.inputTokens,
    outputTokens: usage.outputTokens + turn.usage.outputTokens,
    estimated: usage.estimated || turn.usage.estimated,
    agentMs: (usage.agentMs ?? 0) + turn.durationMs,
    costUsd: sumOfKnown(usage.costUsd, turn.usage.costUsd),
    ...(cached !== undefined && { cachedTokens: cached }),
  }
}

/** Adds a turn if a prompt was sent in it. */
export function addPrompted(usage: RunUsage, turn: TurnResult): RunUsage {
  return turn.attempts > 0 ? addUsage(usage, turn) : usage
}

/**
 * Returns the usage of a run's agents: `3 agent turns, 900 tokens in (400 cached), 80 out, $0.21`;
 * without a price if none was reported.
 */
export function usageText(
  { turns, inputTokens, cachedTokens, outputTokens, estimated, costUsd }: RunUsage,
  one: string,
): string {
  const cached = cachedTokens === undefined ? '' : ` (${cachedTokens} cached)`
  return `${turns} ${one}${turns === 1 ? '' : 's'}, ${inputTokens} tokens in${cached}, ${outputTokens} out${estimated ? ' (estimated)' : ''}${costUsd === undefined ? '' : `, $${dollars(costUsd)}`}`
}
