// Names of files as they go into the history. An agent may have put its key into one: the file is the user's
// and keeps its name, what is told of it does not hold the key. Source: architecture §8.
import { agentDefinition } from '../contract/config.js'
import type { Config } from '../contract/config.js'
import { redactor, secretsOf } from '../core/redact.js'
import { secretNames } from '../adapters/agents/agent-env.js'
import { frozenConfig } from '../adapters/frozen-config.js'
import type { HostDeps } from './deps.js'

type Told = { files?: string[]; tampered?: string[]; undone?: string[]; changedTests?: string[] }

/** The answer of a step with the secrets of every agent of the run taken out of the names in it. */
export function withoutSecrets<T extends Told>({ dirs, project, env }: HostDeps, configHash: string, answer: T): T {
  const config = frozenConfig(dirs, configHash, project)
  const redact = redactor(secretsOf(agentNames(config).flatMap((name) => secretNames(agentDefinition(config, name) ?? { passEnv: [] }, env)), env))
  const names = (list: string[] | undefined) => list?.map((name) => redact.text(name))
  const { files, tampered, undone, changedTests } = answer
  return {
    ...answer,
    ...(files && { files: names(files) }), ...(tampered && { tampered: names(tampered) }), ...(undone && { undone: names(undone) }), ...(changedTests && { changedTests: names(changedTests) }),
  }
}

function agentNames(config: Config): string[] {
  return [...new Set([...Object.keys(config.agents), ...Object.values(config.roles).flatMap((names) => names ?? [])])]
}
