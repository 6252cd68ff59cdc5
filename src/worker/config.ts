// Reads the configuration of a worker process: arguments, environment and, under a supervisor, the
// first line of standard input.
import { parseArgs } from 'node:util'
import { NAMESPACE } from '../contract/names.js'
import { WorkerServer } from '../contract/registry.js'

/**
 * `projects`: directories of those that are open from the start. `supervised`: a supervisor names
 * the server, and further projects, on standard input.
 */
export type WorkerConfig = { supervised: boolean } & (
  { role: 'workflows' } | { role: 'projects'; projects: string[] }
)

/** Reads `--role workflows` or `--role projects`, `--project DIR` for each, and `--supervised`. */
export function workerConfig(argv: string[]): WorkerConfig {
  const { values } = parseArgs({
    args: argv,
    options: {
      role: { type: 'string' },
      project: { type: 'string', multiple: true, default: [] },
      supervised: { type: 'boolean', default: false },
    },
  })
  const { role, project: projects, supervised } = values
  if (role === 'workflows') return { role, supervised }
  if (role === 'projects' && (supervised || projects.length > 0))
    return { role, projects, supervised }
  throw new Error(
    'usage: main.js --role workflows | --role projects --project <directory>... | --role projects --supervised',
  )
}

/** Reads RATCHET_ADDRESS and RATCHET_NAMESPACE. */
export function serverOf(env: NodeJS.ProcessEnv): WorkerServer {
  return {
    address: env['RATCHET_ADDRESS'] ?? '127.0.0.1:7233',
    namespace: env['RATCHET_NAMESPACE'] ?? NAMESPACE,
    private: false,
  }
}

/** Waits for the server that a supervisor names; nothing if the supervisor ends before. */
export async function namedServer(lines: AsyncIterator<string>): Promise<WorkerServer | undefined> {
  const first = await lines.next()
  return first.done === true ? undefined : WorkerServer.parse(JSON.parse(first.value))
}
