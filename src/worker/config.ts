// Reads the configuration of a worker process: arguments and environment, nothing else.
import { realpathSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { NAMESPACE } from '../contract/names.js'

/** `private`: what the worker gets has to be signed. */
export type WorkerConfig = { address: string; namespace: string; private?: boolean } & (
  { role: 'workflows' } | { role: 'project'; project: string; envFrom?: 'project' | 'supervisor' }
)

/**
 * Reads `--role workflows` or `--role project --project DIR`, RATCHET_ADDRESS and
 * RATCHET_NAMESPACE. `--env-from`: a supervisor started the worker, in this environment;
 * `--private`: for a private server.
 */
export function workerConfig(argv: string[], env: NodeJS.ProcessEnv): WorkerConfig {
  const { values } = parseArgs({
    args: argv,
    options: {
      role: { type: 'string' },
      project: { type: 'string' },
      'env-from': { type: 'string' },
      private: { type: 'boolean' },
    },
  })
  const server = {
    address: env['RATCHET_ADDRESS'] ?? '127.0.0.1:7233',
    namespace: env['RATCHET_NAMESPACE'] ?? NAMESPACE,
    ...(values.private === true && { private: true }),
  }
  if (values.role === 'workflows') return { ...server, role: 'workflows' }
  if (values.role === 'project' && values.project !== undefined)
    return {
      ...server,
      role: 'project',
      project: realpathSync(values.project),
      ...(values['env-from'] === undefined
        ? {}
        : { envFrom: values['env-from'] === 'project' ? 'project' : 'supervisor' }),
    }
  throw new Error('usage: main.js --role workflows | --role project --project <directory>')
}
