// Secrets that a program with the whole environment may print, such as tests, checks and set-up
// commands: those of every agent that a configuration names, and what looks like one.
import { agentDefinition, type Config } from '../../contract/config/config.js'
import { redactor, secretsOf, type Redactor } from '../../core/text/redact.js'
import { isSecretVariable } from '../../core/text/secret-value.js'
import { secretNames } from './agent-env.js'

/** Names of the variables of every agent of a configuration that are secret. */
export function agentSecrets(config: Config, env: NodeJS.ProcessEnv): string[] {
  return agentNames(config).flatMap((name) =>
    secretNames(agentDefinition(config, name) ?? { passEnv: [] }, env),
  )
}

/** Whether everyone who reads the repository knows the value of a variable. */
export type IsPublic = (name: string, value: string) => boolean

/** Takes out the secrets of every agent of a configuration, and those of the environment. */
export function configRedactor(
  config: Config,
  env: NodeJS.ProcessEnv,
  isPublic: IsPublic = () => false,
): Redactor {
  return redactor(secretsOf(redactedNames(config, env, isPublic), env))
}

/** Names of the variables whose values are taken out. One that an agent gets is never public. */
export function redactedNames(
  config: Config,
  env: NodeJS.ProcessEnv,
  isPublic: IsPublic,
): string[] {
  const found = environmentSecrets(env).filter((name) => !isPublic(name, env[name] ?? ''))
  return [...new Set([...agentSecrets(config, env), ...found])]
}

/** Names of variables that are secret by name and value. */
export function environmentSecrets(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretVariable(name, value) ? [name] : [],
  )
}

function agentNames(config: Config): string[] {
  return [
    ...new Set([
      ...Object.keys(config.agents),
      ...Object.values(config.roles).flatMap((names) => names ?? []),
    ]),
  ]
}
