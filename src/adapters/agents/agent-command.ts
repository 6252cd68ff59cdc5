// From a definition in the config to the command that is started.
import { existsSync } from 'node:fs'
import path from 'node:path'
import which from 'which'
import { agentDefinition, type Config, type Permissions } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { KNOWN_AGENTS } from '../../contract/known-agents.js'
import { packaged } from '../package.js'
import type { AgentDefinition } from '../../contract/config/agent-config.js'

/**
 * The definition of an agent, with what the config's policy for permissions means for it.
 *
 * @throws RefusalError where the config has none of this name
 */
export function definitionOf(config: Config, name: string): AgentDefinition {
  const definition = agentDefinition(config, name)
  if (definition === undefined) {
    throw new RefusalError(
      'BadConfig',
      `no agent is called ${JSON.stringify(name)}`,
      'agents in ratchet.config.json',
      `define agents.${name}, or name another agent under roles`,
    )
  }
  return withPolicy(definition, config.permissions ?? 'deny')
}

// A known agent gets the policy, and perhaps its model, in its own way, unless its entry names a
// mode or those variables.
function withPolicy(definition: AgentDefinition, policy: Permissions): AgentDefinition {
  if (definition.protocol !== 'acp' || definition.known === undefined) return definition
  const { modes, policyEnv, modelEnv } = KNOWN_AGENTS[definition.known]
  const { model, ...rest } = definition
  const mode = definition.mode ?? modes[policy]
  const byEnv = modelEnv !== undefined && model !== undefined ? { [modelEnv]: model } : undefined
  return {
    ...rest,
    ...(mode !== undefined && { mode }),
    ...(model !== undefined && byEnv === undefined && { model }),
    env: { ...policyEnv?.[policy], ...byEnv, ...definition.env },
  }
}

/**
 * Path of a known agent's program in the project's own node_modules, which goes before the one on
 * PATH; `undefined` where it is not there.
 */
export function localProgram(command: string, project: string): string | undefined {
  const file = path.join(project, 'node_modules', '.bin', command)
  return command.includes('/') || !existsSync(file) ? undefined : file
}

/**
 * The command of an agent, its sandbox in front. A playbook's file is found from the project's
 * directory.
 *
 * An agent that would outlive its driver is started so that the kernel ends it with the thread that
 * started it, on Linux where `setpriv` is there; elsewhere the sweep by marker finds it.
 *
 * @param env of the agent; without it nothing is put in front
 */
export function definitionToArgv(
  definition: AgentDefinition,
  project: string,
  env?: Readonly<Record<string, string>>,
): [string, ...string[]] {
  const [command, ...args] =
    definition.protocol === 'playbook'
      ? playbook(path.resolve(project, definition.file))
      : [programOf(definition, project), ...definition.args]
  const [wrapper, ...rest] = [...definition.sandbox, command as string, ...args]
  return [...diesWithDriver(definition, wrapper as string, env), wrapper as string, ...rest]
}

function diesWithDriver(
  { known }: AgentDefinition,
  first: string,
  env: Readonly<Record<string, string>> | undefined,
): [] | [string, ...string[]] {
  if (
    known === undefined ||
    KNOWN_AGENTS[known].outlives !== true ||
    process.platform !== 'linux' ||
    env === undefined
  )
    return []
  const find = (program: string) => which.sync(program, { nothrow: true, path: env['PATH'] ?? '' })
  const setpriv = find('setpriv')
  // Behind a program that is there, one that is missing would be an exit code and no longer a name.
  return setpriv === null || find(first) === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--']
}

function programOf(
  { known, command }: { known?: string; command: string },
  project: string,
): string {
  return (known === undefined ? undefined : localProgram(command, project)) ?? command
}

function playbook(file: string): string[] {
  return [process.execPath, playbookProgram(), file]
}

/** The built-in playbook agent, always the built one: node cannot run its source. */
export function playbookProgram(): string {
  return packaged('dist/adapters/agents/scripted/main.js')
}
