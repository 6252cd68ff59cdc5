// From a definition in the config to the command that is started.
import { existsSync } from 'node:fs'
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

/** Path of a known agent's program in the project's own node_modules, which goes before the one on PATH; `undefined` where it is not there. */
export function localProgram(command: string, project: string): string | undefined {
  const file = path.join(project, 'node_modules', '.bin', command)
  return command.includes('/') || !existsSync(file) ? undefined : file
}

/** The command of an agent, its sandbox in front. A playbook's file is found from the project's directory. */
export function definitionToArgv(definition: AgentDefinition, project: string): [string, ...string[]] {
  const [command, ...args] = definition.protocol === 'playbook' ? playbook(path.resolve(project, definition.file)) : [programOf(definition, project), ...definition.args]
  const [wrapper, ...rest] = [...definition.sandbox, command as string, ...args]
  return [wrapper as string, ...rest]
}

function programOf({ known, command }: { known?: string; command: string }, project: string): string {
  return (known === undefined ? undefined : localProgram(command, project)) ?? command
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
