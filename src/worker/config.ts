// Reads the configuration of a worker process: arguments and environment, nothing else.
import { parseArgs } from 'node:util'
import { NAMESPACE } from '../contract/names.js'

/** `private`: what the worker gets has to be signed. */
export type WorkerServer = { address: string; namespace: string; private?: boolean }

/**
 * `projects`: directories of those that are open from the start. `supervised`: a supervisor names
 * more of them on standard input.
 */
export type WorkerConfig = WorkerServer &
  ({ role: 'workflows' } | { role: 'projects'; projects: string[]; supervised: boolean })

/**
 * Reads `--role workflows`, or `--role projects` with `--project DIR` for each or `--supervised`,
 * RATCHET_ADDRESS and RATCHET_NAMESPACE. `--private`: for a private server.
 */
export function workerConfig(argv: string[], env: NodeJS.ProcessEnv): WorkerConfig {
  const { values } = parseArgs({
    args: argv,
    options: {
      role: { type: 'string' },
      project: { type: 'string', multiple: true, default: [] },
      supervised: { type: 'boolean', default: false },
      private: { type: 'boolean' },
    },
  })
  const { role, project: projects, supervised } = values
  const server = {
    address: env['RATCHET_ADDRESS'] ?? '127.0.0.1:7233',
    namespace: env['RATCHET_NAMESPACE'] ?? NAMESPACE,
    ...(values.private === true && { private: true }),
  }
  if (role === 'workflows') return { ...server, role }
  if (role === 'projects' && (supervised || projects.length > 0))
    return { ...server, role, projects, supervised }
  throw new Error(
    'usage: main.js --role workflows | --role projects --project <directory>... | --role projects --supervised',
  )
}
