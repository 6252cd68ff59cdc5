// A worker process. SIGTERM ends it soon: it stops polling, agents are interrupted, and their
// sessions resume in the next attempt. It first hands over the environments of its runs.
import { NativeConnection } from '@temporalio/worker'
import { askedEnvironments } from '../adapters/environments/asked-environments.js'
import { projectKey, userDirs } from '../adapters/state-dir.js'
import { knownSigningKey } from '../adapters/signing/signing-key.js'
import { LOCAL_MARK } from '../contract/names.js'
import { workerConfig } from './config.js'
import { installRuntime } from './runtime.js'
import { watchNamespace } from './same-namespace.js'
import { openTelemetry, telemetrySettings, workflowMetrics } from './telemetry.js'

/** Between two looks at the environments that the supervisor holds. */
const TAKES_MS = 5_000

delete process.env[LOCAL_MARK] // what a step of this worker starts is not the supervisor's
const config = workerConfig(process.argv.slice(2), process.env)
const settings =
  config.role === 'project' ? await telemetrySettings(userDirs(), config.project) : undefined
const say = (text: unknown): void => console.error(text)
const runtime = installRuntime(
  config.role === 'project' ? settings?.metrics : await workflowMetrics(userDirs(), say),
  say,
)
const telemetry = settings === undefined ? undefined : await openTelemetry(settings, runtime)
const environments =
  config.role === 'project'
    ? askedEnvironments(userDirs(), {
        project: projectKey(config.project),
        own: process.env,
        from: config.envFrom,
      })
    : undefined
const connection = await NativeConnection.connect({ address: config.address })
const signingKey = config.private === true ? knownSigningKey(userDirs()) : undefined
// Each loads its own: what runs agents and tests costs the other one 30 MB.
const running =
  config.role === 'workflows'
    ? await (
        await import('./workflow-worker.js')
      ).createWorkflowWorker(connection, config, {
        signingKey,
      })
    : await (
        await import('./project-worker.js')
      ).createProjectWorker(connection, config, telemetry, { environments, signingKey })

if (environments !== undefined) {
  await environments.take().catch(say)
  setInterval(() => void environments.take().catch(say), TAKES_MS).unref()
}
const unwatch = await watchNamespace(connection, config.namespace, () => {
  console.error(`another server answers at ${config.address}: this worker ends`)
  end()
})
let handedOver: Promise<void> | undefined
const end = (): void => {
  if (running.worker.getState() === 'RUNNING') running.worker.shutdown()
  if (handedOver !== undefined) return
  handedOver = (environments?.handOver() ?? Promise.resolve()).catch(say)
  void running.interrupt().catch((error: unknown) => console.error(error))
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
// Nothing is awaited between the handlers and this line. An earlier signal ends a process without
// work; one between the handlers and `run` would have no effect, and a replaced worker would keep
// polling.
const run = running.worker.run()
console.log(`ready ${running.queue}`)
await run
await handedOver
unwatch()
await telemetry?.close()
await connection.close()
// A forgotten timer of an interrupted activity must not keep a worker alive that takes no work.
process.exit(0)
