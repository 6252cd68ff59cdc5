// The worker of one project, for everything that touches it.
import { Client } from '@temporalio/client'
import { Worker, type NativeConnection } from '@temporalio/worker'
import { createHostActivities } from '../activities/index.js'
import { projectQueue } from '../contract/names.js'
import { createAgentDriver } from '../adapters/agents/driver.js'
import { changedFiles } from '../adapters/git/steps.js'
import { inFlightOf } from '../adapters/activity-journal.js'
import { hostId, projectKey, userDirs } from '../adapters/state-dir.js'
import { reportAbandoned } from './abandoned.js'
import { signing, signUpdate } from './signing/only-signed.js'
import type { Telemetry } from './telemetry.js'
import type { Running, WorkerParts } from './worker-parts.js'

/** For activities that run when the worker is to end: its process is ended long before. */
const SHUTDOWN_GRACE = '24h'

/**
 * Activities of a project at once. Those that wait for an agent slot count, too: with the SDK's
 * hundred, a stop or a record would wait behind them.
 */
const ACTIVITIES = 1_000

export async function createProjectWorker(
  connection: NativeConnection,
  { namespace, project }: { namespace: string; project: string },
  telemetry?: Telemetry,
  {
    env = process.env,
    environments,
    spawn,
    interceptors = [],
    signingKey,
    log = (text) => console.error(text),
  }: WorkerParts = {},
): Promise<Running> {
  const dirs = userDirs(env)
  const key = projectKey(project)
  const queue = projectQueue(hostId(dirs), key)
  const client = new Client({ connection, namespace })
  const agents = createAgentDriver({
    dirs,
    changedFiles: (workspace) => changedFiles(workspace),
    log,
    spawn,
  })
  await agents.sweep()
  // Before there is a worker: one that never runs holds its queue, and the next one is refused.
  await reportAbandoned(client, dirs, key)
  const signed = signing(connection, { namespace, role: 'project' }, signingKey)
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: queue,
    ...(signed && { dataConverter: signed.dataConverter }),
    activities: createHostActivities({
      dirs,
      project,
      projectKey: key,
      env,
      ...(environments && { envOf: (run: string) => environments.of(run) }),
      client,
      agents,
      ...(signingKey !== undefined && { signedUpdate: signUpdate(signingKey) }),
      inFlight: inFlightOf(dirs, key),
      log,
    }),
    maxConcurrentActivityTaskExecutions: ACTIVITIES,
    // A stop reaches an agent with the answer to a heartbeat. Activities time their own.
    maxHeartbeatThrottleInterval: '100ms',
    defaultHeartbeatThrottleInterval: '100ms',
    shutdownGraceTime: SHUTDOWN_GRACE,
    interceptors: {
      activity: [
        ...(signed === undefined ? [] : [signed.interceptor]),
        ...interceptors,
        ...(telemetry?.interceptors(client) ?? []),
      ],
    },
  })
  return { worker, queue, interrupt: () => agents.shutdown() }
}
