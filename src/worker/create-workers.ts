// The two kinds of worker: one for workflows, one per project for everything that touches it.
import { Client } from '@temporalio/client'
import {
  Worker,
  type ActivityInterceptorsFactory,
  type NativeConnection,
  type WorkerOptions,
} from '@temporalio/worker'
import { createHostActivities, createLightActivities } from '../activities/index.js'
import { MAIN_QUEUE, projectQueue } from '../contract/names.js'
import { createAgentDriver } from '../adapters/agents/driver.js'
import { changedFiles } from '../adapters/git/steps.js'
import type { SpawnGroup } from '../adapters/process/spawn-group.js'
import type { RunEnvironments } from '../adapters/environments/asked-environments.js'
import { inFlightOf } from '../adapters/activity-journal.js'
import { packaged } from '../adapters/package.js'
import { hostId, projectKey, userDirs } from '../adapters/state-dir.js'
import { reportAbandoned } from './abandoned.js'
import type { WorkerConfig } from './config.js'
import type { Telemetry } from './telemetry.js'

/** For activities that run when the worker is to end: its process is ended long before. */
const SHUTDOWN_GRACE = '24h'

export type Running = {
  worker: Worker
  queue: string
  /**
   * Ends agents now and keeps their work; their next attempts resume. Other activities run until
   * the worker is ended.
   */
  interrupt: () => Promise<void>
}

/**
 * The parts of a worker besides its server and project; a test that hosts several workers in its
 * own process gives each its own.
 */
export type WorkerParts = {
  env?: NodeJS.ProcessEnv
  workflowBundle?: WorkerOptions['workflowBundle']
  /** Those of the runs; without it all have that of the worker. */
  environments?: Pick<RunEnvironments, 'of'>
  /** Starts the process of an agent that speaks ACP. */
  spawn?: SpawnGroup
  interceptors?: ActivityInterceptorsFactory[]
  log?: (text: string) => void
}

export async function createWorkflowWorker(
  connection: NativeConnection,
  config: WorkerConfig,
  {
    env = process.env,
    workflowBundle = { codePath: packaged('dist/workflow-bundle.js') },
  }: WorkerParts = {},
): Promise<Running> {
  const worker = await Worker.create({
    connection,
    namespace: config.namespace,
    taskQueue: MAIN_QUEUE,
    workflowBundle,
    activities: createLightActivities({
      dirs: userDirs(env),
      knownSearchAttributes: async () => {
        const known = await connection.operatorService.listSearchAttributes({
          namespace: config.namespace,
        })
        return Object.keys(known.customAttributes ?? {})
      },
    }),
  })
  return { worker, queue: MAIN_QUEUE, interrupt: () => Promise.resolve() }
}

export async function createProjectWorker(
  connection: NativeConnection,
  config: WorkerConfig & { role: 'project' },
  telemetry?: Telemetry,
  {
    env = process.env,
    environments,
    spawn,
    interceptors = [],
    log = (text) => console.error(text),
  }: WorkerParts = {},
): Promise<Running> {
  const dirs = userDirs(env)
  const key = projectKey(config.project)
  const queue = projectQueue(hostId(dirs), key)
  const client = new Client({ connection, namespace: config.namespace })
  const agents = createAgentDriver({
    dirs,
    changedFiles: (workspace) => changedFiles(workspace),
    log,
    spawn,
  })
  await agents.sweep()
  const worker = await Worker.create({
    connection,
    namespace: config.namespace,
    taskQueue: queue,
    activities: createHostActivities({
      dirs,
      project: config.project,
      projectKey: key,
      env,
      ...(environments && { envOf: (run: string) => environments.of(run) }),
      client,
      agents,
      inFlight: inFlightOf(dirs, key),
      log,
    }),
    // A stop reaches an agent with the answer to a heartbeat: every second, not after 80 % of a
    // minute.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: SHUTDOWN_GRACE,
    interceptors: { activity: [...interceptors, ...(telemetry?.interceptors(client) ?? [])] },
  })
  await reportAbandoned(client, dirs, key)
  return { worker, queue, interrupt: () => agents.shutdown() }
}
