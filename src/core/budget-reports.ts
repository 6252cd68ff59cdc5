// Whether the agents of a run report what its budget counts. Turns and minutes are counted by Ratchet,
// tokens are estimated where an agent reports none; money can only be reported. A budget in money alone
// would never be reached by an agent that reports none: it is refused. Source: field.md §3.3; agents.md §6.
import type { AgentDefinition } from '../contract/config.js'
import { KNOWN_AGENTS } from '../contract/known-agents.js'
import type { BudgetLimits } from './budget.js'

/** An agent in use, and whether it tells what a turn has cost; `undefined` where that is not known. */
export type CostReport = { agent: string; cost: boolean | undefined }

/** What is wrong with a budget, and what to do; `refused` where a run must not begin with it. */
export type BudgetProblem = { message: string; next: string; refused: boolean }

/** Whether an agent tells what a turn has cost. */
export function reportsCost(definition: AgentDefinition): boolean | undefined {
  if (definition.known !== undefined) return KNOWN_AGENTS[definition.known].reports.cost
  if (definition.protocol === 'exec' && definition.output === 'text') return false
  return definition.protocol === 'playbook' ? true : undefined
}

/** Judges a budget against the agents that draw on it; `undefined` where it can be kept. */
export function budgetProblem({ maxCostUsd, maxTokens, maxTurns, maxMinutes }: BudgetLimits, agents: readonly CostReport[]): BudgetProblem | undefined {
  if (maxCostUsd <= 0) return undefined
  const without = agents.filter(({ cost }) => cost === false).map(({ agent }) => agent)
  const unsure = agents.filter(({ cost }) => cost === undefined).map(({ agent }) => agent)
  const alone = maxTokens <= 0 && maxTurns <= 0 && maxMinutes <= 0
  if (without.length > 0 && alone)
    return { message: `limits.maxCostUsd is the only budget, and ${listed(without)} ${without.length === 1 ? 'reports' : 'report'} no cost: it would never be reached`, next: 'set limits.maxTokens, limits.maxTurns or limits.maxMinutes too', refused: true }
  if (without.length > 0) return { message: `what ${listed(without)} ${without.length === 1 ? 'costs' : 'cost'} is not reported and does not count towards limits.maxCostUsd; the other limits count it`, next: '', refused: false }
  if (unsure.length === 0) return undefined
  return { message: `whether ${listed(unsure)} ${unsure.length === 1 ? 'reports its' : 'report their'} cost is not known; what is not reported does not count towards limits.maxCostUsd`, next: alone ? 'set limits.maxTokens, limits.maxTurns or limits.maxMinutes too' : '', refused: false }
}

function listed(names: readonly string[]): string {
  return names.join(', ').replace(/, (?=[^,]*$)/, ' and ')
}
