// The two kinds of worker: one for workflows, one per project for everything that touches it.
import { Client } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import type { NativeConnection } from '@temporalio/worker'
import { createHostActivities, createLightActivities } from '../activities/index.js'
import { MAIN_QUEUE, projectQueue } from '../contract/names.js'
import { createAgentDriver } from '../adapters/agents/driver.js'
import { changedFiles } from '../adapters/git/steps.js'
import { inFlightOf } from '../adapters/in-flight.js'
import { packaged } from '../adapters/package.js'
import { hostId, projectKey, userDirs } from '../adapters/state-dir.js'
import { reportAbandoned } from './abandoned.js'
import type { WorkerConfig } from './config.js'
import type { Telemetry } from './telemetry.js'

/** How long running activities may go on after a drain was asked for; turns end by themselves. */
const DRAIN_GRACE = '24h'

export type Running = {
  worker: Worker
  queue: string
  /** Ends agents now, keeping what they did; their next attempts go on. Other activities run on until the worker is ended. */
  interrupt: () => Promise<void>
}

export async function createWorkflowWorker(connection: NativeConnection, config: WorkerConfig): Promise<Running> {
  const worker = await Worker.create({
    connection,
    namespace: config.namespace,
    taskQueue: MAIN_QUEUE,
    workflowBundle: { codePath: packaged('dist/workflow-bundle.js') },
    activities: createLightActivities({
      dirs: userDirs(),
      knownSearchAttributes: async () => {
        const known = await connection.operatorService.listSearchAttributes({ namespace: config.namespace })
        return Object.keys(known.customAttributes ?? {})
      },
    }),
  })
  return { worker, queue: MAIN_QUEUE, interrupt: () => Promise.resolve() }
}

export async function createProjectWorker(connection: NativeConnection, config: WorkerConfig & { role: 'project' }, telemetry?: Telemetry): Promise<Running> {
  const dirs = userDirs()
  const key = projectKey(config.project)
  const queue = projectQueue(hostId(dirs), key)
  const client = new Client({ connection, namespace: config.namespace })
  const log = (text: string): void => console.error(text)
  const agents = createAgentDriver({ dirs, env: process.env, changedFiles: (workspace) => changedFiles(workspace), log })
  await agents.sweep()
  const worker = await Worker.create({
    connection,
    namespace: config.namespace,
    taskQueue: queue,
    activities: createHostActivities({ dirs, project: config.project, projectKey: key, env: process.env, client, agents, inFlight: inFlightOf(dirs, key), log }),
    // A stop reaches an agent with the answer to a heartbeat: every second, not after 80 % of a minute.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: DRAIN_GRACE,
    ...(telemetry === undefined ? {} : { interceptors: { activity: telemetry.interceptors(client) } }),
  })
  await reportAbandoned(client, dirs, key)
  return { worker, queue, interrupt: () => agents.shutdown() }
}
