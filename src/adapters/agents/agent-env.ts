// The environment an agent gets: what every program needs, and what the config names; nothing else
// of the worker's, which may hold the keys of everything.
import type { AgentDefinition } from '../../contract/config/agent-config.js'
import { needsProvider } from './agent-settings.js'
import { MissingVariableError } from './errors.js'

const ALWAYS = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TERM', 'USER', 'SHELL']

/** What a known agent gets unasked is a secret by its name, */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS|CONFIG_CONTENT|^CODEX_CONFIG$/
/**
 * or as an address with a login or a query in it. A model's name or a folder is none: it would
 * black out ordinary words.
 */
const SECRET_URL = /^\w+:\/\/\S*[@?]/

/**
 * Names of the variables of an agent whose values are cut from what it says: all that the config
 * passes on, and of its own those that may be secret.
 */
export function secretNames(
  { passEnv, mayPassEnv = [] }: Pick<AgentDefinition, 'passEnv' | 'mayPassEnv'>,
  env: NodeJS.ProcessEnv,
): string[] {
  return [...new Set([...passEnv, ...secretLike(env, mayPassEnv)])]
}

/** Those of some variables, or of all, that are secret by their name or value. */
export function secretLike(
  env: NodeJS.ProcessEnv,
  names: readonly string[] = Object.keys(env),
): string[] {
  return names.filter((name) => SECRET_NAME.test(name) || SECRET_URL.test(env[name] ?? ''))
}

/**
 * The environment for an agent. What its definition sets itself wins over what a known agent may
 * get.
 *
 * @param cwd where it will work; with it, an agent that would hang without a login is refused
 * @throws MissingVariableError where a name under `passEnv`, or what it cannot begin without, is
 * not set
 */
export function agentEnv(
  name: string,
  definition: AgentDefinition,
  env: NodeJS.ProcessEnv,
  cwd?: string,
): Record<string, string> {
  const missing = definition.passEnv.filter((variable) => env[variable] === undefined)
  if (missing.length > 0) throw new MissingVariableError(name, missing)
  const names = [...ALWAYS, ...Object.keys(env).filter((variable) => variable.startsWith('LC_'))]
  const own = {
    ...pick(env, names),
    ...pick(env, definition.mayPassEnv ?? []),
    ...definition.env,
    ...pick(env, definition.passEnv),
  }
  const needed = cwd === undefined ? undefined : needsProvider(definition, own, cwd)
  if (needed !== undefined) throw new MissingVariableError(name, [needed])
  return own
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
}
