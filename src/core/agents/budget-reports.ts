// Whether the agents of a run report what its budget counts. Turns and minutes are counted by
// Ratchet, tokens are estimated where an agent reports none; money can only be reported. A budget
// in money alone would never be reached by an agent that reports none: it is refused. One in tokens
// alone is reached late by an agent that reports a part of them: that is said.
import type { AgentDefinition } from '../../contract/config/agent-config.js'
import { KNOWN_AGENTS } from '../../contract/known-agents.js'
import type { BudgetLimits } from './budget.js'
import { joinNames } from '../text/join-names.js'

/**
 * An agent in use, and whether it tells what a turn has cost (`undefined` where that is not known),
 * and of its tokens only those of the last model call.
 */
export type UsageReport = { agent: string; cost: boolean | undefined; tokensOfLastCall?: boolean }

/** What is wrong with a budget, and what to do; `refused` where a run must not begin with it. */
export type BudgetProblem = { message: string; next: string; refused: boolean }

/** Whether an agent tells what a turn has cost. */
export function reportsCost(definition: AgentDefinition): boolean | undefined {
  if (definition.known !== undefined) return KNOWN_AGENTS[definition.known].reports.cost
  if (definition.protocol === 'exec' && definition.output === 'text') return false
  return definition.protocol === 'playbook' ? true : undefined
}

/** What is known of an agent's reports before its first turn. */
export function usageReport(agent: string, definition: AgentDefinition): UsageReport {
  const { known } = definition
  return {
    agent,
    cost: reportsCost(definition),
    tokensOfLastCall: known !== undefined && KNOWN_AGENTS[known].tokensOfLastCall === true,
  }
}

/** Judges a budget against the agents that draw on it; `undefined` where it can be kept. */
export function budgetProblem(
  limits: BudgetLimits,
  agents: readonly UsageReport[],
): BudgetProblem | undefined {
  return limits.maxCostUsd > 0 ? costProblem(limits, agents) : tokensProblem(limits, agents)
}

function tokensProblem(
  { maxTokens, maxTurns, maxMinutes }: BudgetLimits,
  agents: readonly UsageReport[],
): BudgetProblem | undefined {
  const some = agents
    .filter(({ tokensOfLastCall }) => tokensOfLastCall === true)
    .map(({ agent }) => agent)
  if (maxTokens <= 0 || maxTurns > 0 || maxMinutes > 0 || some.length === 0) return undefined
  return {
    message: `limits.maxTokens is the only budget, and ${joinNames(some)} ${some.length === 1 ? 'reports' : 'report'} the tokens of a turn's last model call only: more is spent than is counted`,
    next: 'set limits.maxCostUsd, limits.maxTurns or limits.maxMinutes too',
    refused: false,
  }
}

function costProblem(
  { maxTokens, maxTurns, maxMinutes }: BudgetLimits,
  agents: readonly UsageReport[],
): BudgetProblem | undefined {
  const without = agents.filter(({ cost }) => cost === false).map(({ agent }) => agent)
  const unsure = agents.filter(({ cost }) => cost === undefined).map(({ agent }) => agent)
  const alone = maxTokens <= 0 && maxTurns <= 0 && maxMinutes <= 0
  if (without.length > 0 && alone)
    return {
      message: `limits.maxCostUsd is the only budget, and ${joinNames(without)} ${without.length === 1 ? 'reports' : 'report'} no cost: it would never be reached`,
      next: 'set limits.maxTokens, limits.maxTurns or limits.maxMinutes too',
      refused: true,
    }
  if (without.length > 0)
    return {
      message: `what ${joinNames(without)} ${without.length === 1 ? 'costs' : 'cost'} is not reported and does not count towards limits.maxCostUsd; the other limits count it`,
      next: '',
      refused: false,
    }
  if (unsure.length === 0) return undefined
  return {
    message: `whether ${joinNames(unsure)} ${unsure.length === 1 ? 'reports its' : 'report their'} cost is not known; what is not reported does not count towards limits.maxCostUsd`,
    next: alone ? 'set limits.maxTokens, limits.maxTurns or limits.maxMinutes too' : '',
    refused: false,
  }
}
