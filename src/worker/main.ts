// A worker process. SIGTERM ends it soon: it stops polling, agents are interrupted, and their
// sessions resume in the next attempt. It first hands over the environments of its runs.
import { NativeConnection } from '@temporalio/worker'
import { userDirs } from '../adapters/state-dir.js'
import { knownSigningKey } from '../adapters/signing/signing-key.js'
import { LOCAL_MARK } from '../contract/names.js'
import { workerConfig } from './config.js'
import { installRuntime, portAbove } from './runtime.js'
import { watchNamespace } from './same-namespace.js'
import { metricsPage } from './telemetry.js'
import { asProcess } from './worker-parts.js'

delete process.env[LOCAL_MARK] // what a step of this worker starts is not the supervisor's
const config = workerConfig(process.argv.slice(2), process.env)
const dirs = userDirs()
const say = (text: unknown): void => console.error(text)
const page = await metricsPage(dirs, say)
const runtime = installRuntime(
  page === undefined || config.role === 'projects' ? page : portAbove(page),
  say,
)
const connection = await NativeConnection.connect({ address: config.address })
const signingKey = config.private === true ? knownSigningKey(dirs) : undefined
// Each loads its own: what runs agents and tests costs the other one 30 MB.
const running =
  config.role === 'workflows'
    ? asProcess(
        await (
          await import('./workflow-worker.js')
        ).createWorkflowWorker(connection, config, { signingKey }),
      )
    : new (await import('./project-workers.js')).ProjectWorkers(connection, config, {
        dirs,
        runtime,
        hasMetrics: page !== undefined,
        signingKey,
        orders: process.stdin,
        answer: (line) => console.log(line),
        say,
      })

const unwatch = await watchNamespace(connection, config.namespace, () => {
  console.error(`another server answers at ${config.address}: this worker ends`)
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
