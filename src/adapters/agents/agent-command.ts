// From a definition in the config to the command that is started.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentDefinition } from '../../contract/config.js'
import type { AgentDefinition, Config } from '../../contract/config.js'
import { RefusalError } from '../../contract/failures.js'

/** The definition of an agent. Throws RefusalError where the config has none of this name. */
export function definitionOf(config: Config, name: string): AgentDefinition {
  const definition = agentDefinition(config, name)
  if (definition === undefined) {
    throw new RefusalError('BadConfig', `no agent is called ${JSON.stringify(name)}`, 'agents in ratchet.config.json', `define agents.${name}, or name another agent under roles`)
  }
  return definition
}

/** The command of an agent, its sandbox in front. A playbook's file is found from the project's directory. */
export function definitionToArgv(definition: AgentDefinition, project: string): [string, ...string[]] {
  const [command, ...args] = definition.protocol === 'playbook' ? playbook(path.resolve(project, definition.file)) : [definition.command, ...definition.args]
  const [wrapper, ...rest] = [...definition.sandbox, command as string, ...args]
  return [wrapper as string, ...rest]
}

function playbook(file: string): string[] {
  return [process.execPath, playbookProgram(), file]
}

/** The built-in playbook agent, always the built one: node cannot run its source. */
export function playbookProgram(): string {
  const here = path.dirname(fileURLToPath(import.meta.url))
  const built = import.meta.url.endsWith('.ts') ? path.resolve(here, '../../../dist/adapters/agents') : here
  return path.join(built, 'playbook/main.js')
}
