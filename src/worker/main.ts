// A worker process. SIGTERM ends it soon: agents are interrupted, and their sessions resume in the
// next attempt. SIGHUP drains it: running turns end first. Both stop polling.
import { NativeConnection } from '@temporalio/worker'
import { userDirs } from '../adapters/state-dir.js'
import { LOCAL_MARK } from '../contract/names.js'
import { workerConfig } from './config.js'
import { installRuntime } from './runtime.js'
import { watchNamespace } from './same-namespace.js'
import { openTelemetry, telemetrySettings, workflowMetrics } from './telemetry.js'

delete process.env[LOCAL_MARK] // what a step of this worker starts is not the supervisor's
const config = workerConfig(process.argv.slice(2), process.env)
const settings =
  config.role === 'project' ? await telemetrySettings(userDirs(), config.project) : undefined
const say = (text: string): void => console.error(text)
const runtime = installRuntime(
  config.role === 'project' ? settings?.metrics : await workflowMetrics(userDirs(), say),
  say,
)
const telemetry = settings === undefined ? undefined : await openTelemetry(settings, runtime)
const connection = await NativeConnection.connect({ address: config.address })
// Each loads its own: what runs agents and tests costs the other one 30 MB.
const running =
  config.role === 'workflows'
    ? await (await import('./workflow-worker.js')).createWorkflowWorker(connection, config)
    : await (await import('./project-worker.js')).createProjectWorker(connection, config, telemetry)

const unwatch = await watchNamespace(connection, config.namespace, () => {
  console.error(`another server answers at ${config.address}: this worker ends`)
  end(true)()
})
let ending = false
const end = (interrupt: boolean) => () => {
  if (running.worker.getState() === 'RUNNING') running.worker.shutdown()
  if (interrupt && !ending) {
    ending = true
    void running.interrupt().catch((error: unknown) => console.error(error))
  }
}
process.on('SIGTERM', end(true))
process.on('SIGINT', end(true))
process.on('SIGHUP', end(false))
// Nothing is awaited between the handlers and this line. An earlier signal ends a process without
// work; one between the handlers and `run` would have no effect, and a replaced worker would keep
// polling.
const run = running.worker.run()
console.log(`ready ${running.queue}`)
await run
unwatch()
await telemetry?.close()
await connection.close()
// A forgotten timer of an interrupted activity must not keep a worker alive that takes no work.
process.exit(0)
