// A worker process. SIGTERM ends it soon: it stops polling, agents are interrupted, and their
// sessions resume in the next attempt. It first hands over the environments of its runs.
//
// A supervisor starts it together with the server, so it has loaded its code when it learns the
// address.
import { createInterface } from 'node:readline'
import { NativeConnection } from '@temporalio/worker'
import { userDirs } from '../adapters/state-dir.js'
import { knownSigningKey } from '../adapters/signing/signing-key.js'
import { LOCAL_MARK } from '../contract/names.js'
import type { WorkerServer } from '../contract/registry.js'
import { namedServer, serverOf, workerConfig } from './config.js'
import { installRuntime, portAbove } from './runtime.js'
import { watchNamespace } from './same-namespace.js'
import { metricsPage } from './telemetry.js'
import { asProcess, type WorkerProcess } from './worker-parts.js'

delete process.env[LOCAL_MARK] // what a step of this worker starts is not the supervisor's
const config = workerConfig(process.argv.slice(2))
const lines = config.supervised
  ? createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  : undefined
const dirs = userDirs()
const say = (text: unknown): void => console.error(text)
const page = await metricsPage(dirs, say)
const runtime = installRuntime(
  page === undefined || config.role === 'projects' ? page : portAbove(page),
  say,
)
// Each loads its own: what runs agents and tests costs the other one 30 MB.
const open =
  config.role === 'workflows' ? await openWorkflows() : await openProjects(config.projects)
const server = lines === undefined ? serverOf(process.env) : await namedServer(lines)
if (server === undefined) process.exit(0)
const { address, namespace } = server
const connection = await NativeConnection.connect({ address })
const running = await open(connection, server)

const unwatch = await watchNamespace(connection, namespace, () => {
  console.error(`another server answers at ${address}: this worker ends`)
  end()
})
const end = (): void => {
  running.shutdown()
  void running.interrupt().catch((error: unknown) => console.error(error))
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
// Nothing is awaited between the handlers and this line. An earlier signal ends a process without
// work; one between the handlers and `run` would have no effect, and a replaced worker would keep
// polling.
const run = running.run()
console.log(`ready ${config.role}`)
await run
unwatch()
await connection.close()
// A forgotten timer of an interrupted activity must not keep a worker alive that takes no work.
process.exit(0)

type Open = (
  connection: NativeConnection,
  server: WorkerServer,
) => WorkerProcess | Promise<WorkerProcess>

async function openWorkflows(): Promise<Open> {
  const { createWorkflowWorker } = await import('./workflow-worker.js')
  return async (connection, server) =>
    asProcess(await createWorkflowWorker(connection, server, { signingKey: keyOf(server) }))
}

async function openProjects(projects: string[]): Promise<Open> {
  const { ProjectWorkers } = await import('./project-workers.js')
  return (connection, server) =>
    new ProjectWorkers(connection, server.namespace, {
      dirs,
      runtime,
      hasMetrics: page !== undefined,
      signingKey: keyOf(server),
      projects,
      orders: lines && { [Symbol.asyncIterator]: () => lines },
      answer: (line) => console.log(line),
      say,
    })
}

function keyOf(server: WorkerServer): string | undefined {
  return server.private ? knownSigningKey(dirs) : undefined
}
