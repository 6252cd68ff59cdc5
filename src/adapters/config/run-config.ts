// Builds the configuration of a run: without any configured role it uses the agents found on this
// machine, and it checks that they can be held to the budget. Runs on the agents' host, so that the
// frozen configuration holds the result and history only names.
import {
  agentDefinition,
  agentsFor,
  namesAgents,
  type Config,
} from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { KNOWN_NAMES } from '../../contract/known-agents.js'
import { chooseRoles, type ChosenRoles } from '../../core/agents/agent-choice.js'
import { budgetProblem, usageReport, type BudgetProblem } from '../../core/agents/budget-reports.js'
import { findAgent, findProgram, isUsable, type Place } from '../agents/detect-agents.js'
import { loadConfig, type LoadedConfig } from './config.js'
import { digest } from '../state-dir.js'
import type { Role } from '../../contract/config/agent-config.js'

/**
 * `chosen`: the roles that were given to agents found here; absent where the configuration names
 * any itself.
 */
export type RunConfig = LoadedConfig & { chosen?: ChosenRoles; warnings: string[] }

/** Roles of a test-fix run. */
export const ROLES_OF_FIX: readonly Role[] = [
  'cli-planning-agent',
  'test-fix-agent',
  'code-developer',
]

/**
 * Loads the configuration for a run with these roles.
 *
 * @param read what was read of it, if that was checked before
 * @throws RefusalError `BadConfig`, also for a budget that would never be reached
 */
export function runConfig(
  project: string,
  env: NodeJS.ProcessEnv,
  roles: readonly Role[],
  read = loadConfig(project),
): RunConfig {
  const loaded = withFoundAgents(read, { project, env })
  const problem = configBudgetProblem(loaded.config, roles)
  if (problem?.refused === true)
    throw new RefusalError('BadConfig', problem.message, loaded.file ?? project, problem.next)
  return {
    ...loaded,
    warnings:
      problem === undefined
        ? []
        : [[problem.message, ...(problem.next === '' ? [] : [problem.next])].join('; ')],
  }
}

/**
 * The configuration with the agents that are here in their roles, where it names no role at all.
 */
export function withFoundAgents(loaded: LoadedConfig, place: Place): Omit<RunConfig, 'warnings'> {
  if (namesAgents(loaded.config)) return loaded
  const chosen = chooseRoles(KNOWN_NAMES.filter((name) => isThere(loaded.config, name, place)))
  if (chosen.default === undefined) return loaded
  const config = { ...loaded.config, roles: { ...loaded.config.roles, ...chosen } }
  return { config, file: loaded.file, hash: digest(JSON.stringify(config)), chosen }
}

/** What is wrong with the budget of a configuration for the agents of these roles. */
export function configBudgetProblem(
  config: Config,
  roles: readonly Role[],
): BudgetProblem | undefined {
  const names = [...new Set(roles.flatMap((role) => agentsFor(config, role)))]
  return budgetProblem(
    config.limits,
    names.flatMap((agent) => {
      const definition = agentDefinition(config, agent)
      return definition === undefined ? [] : [usageReport(agent, definition)]
    }),
  )
}

// An entry of the same name may be the known agent with other settings, or another agent
// altogether.
function isThere(config: Config, name: (typeof KNOWN_NAMES)[number], place: Place): boolean {
  const definition = agentDefinition(config, name)
  if (definition === undefined || definition.protocol === 'playbook') return false
  return definition.known === name
    ? isUsable(findAgent(name, place, definition))
    : findProgram(definition.command, place) !== null
}
