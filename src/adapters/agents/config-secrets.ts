// Secrets of every agent that a configuration names: all that runs with the whole environment may
// print them, such as tests, checks and set-up commands.
import { agentDefinition, type Config } from '../../contract/config/config.js'
import { redactor, secretsOf, type Redactor } from '../../core/text/redact.js'
import { secretNames } from './agent-env.js'

/** Names of the variables of every agent of a configuration that are secret. */
export function agentSecrets(config: Config, env: NodeJS.ProcessEnv): string[] {
  return agentNames(config).flatMap((name) =>
    secretNames(agentDefinition(config, name) ?? { passEnv: [] }, env),
  )
}

/** Takes out the secrets of every agent of a configuration. */
export function configRedactor(config: Config, env: NodeJS.ProcessEnv): Redactor {
  return redactor(secretsOf(agentSecrets(config, env), env))
}

function agentNames(config: Config): string[] {
  return [
    ...new Set([
      ...Object.keys(config.agents),
      ...Object.values(config.roles).flatMap((names) => names ?? []),
    ]),
  ]
}
