// The environment an agent gets: what every program needs, and what the config names; nothing else of
// the worker's, which may hold the keys of everything. Source: architecture §8.
import type { AgentDefinition } from '../../contract/config.js'
import { MissingVariable } from './errors.js'

const ALWAYS = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TERM', 'USER', 'SHELL']

/**
 * The environment for an agent.
 *
 * @throws MissingVariable where a name under `passEnv` is not set
 */
export function agentEnv(name: string, definition: AgentDefinition, env: NodeJS.ProcessEnv): Record<string, string> {
  const missing = definition.passEnv.filter((variable) => env[variable] === undefined)
  if (missing.length > 0) throw new MissingVariable(name, missing)
  const names = [...ALWAYS, ...Object.keys(env).filter((variable) => variable.startsWith('LC_'))]
  return { ...pick(env, names), ...definition.env, ...pick(env, definition.passEnv) }
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
