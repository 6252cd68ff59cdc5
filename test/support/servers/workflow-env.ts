// A real Temporal server with the real workflow bundle and a stub host.
import { ApplicationFailure, Context } from '@temporalio/activity'
import { IllegalStateError } from '@temporalio/common'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { WorkflowHandleWithStartDetails } from '@temporalio/client'
import { MAIN_QUEUE, WORKFLOW_TYPES, type Kind } from '../../../src/contract/names.js'
import type { RunResult, StatusReply } from '../../../src/contract/result.js'
import { waitFor } from '../wait.js'
import { workflowBundle } from './workflow-bundle.js'

export { workflowBundle }

/** Logs errors only. Other code of the same test may have installed the runtime already. */
export function quietRuntime(): void {
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error
  }
}

export type Running = {
  handle: WorkflowHandleWithStartDetails
  status: () => Promise<StatusReply>
  /** Waits until the status of the run matches. */
  until: (what: string, is: (status: StatusReply) => boolean) => Promise<StatusReply>
  result: () => Promise<RunResult>
}

type Host = { activities: object; slots?: number }
/** The worker of a test file, and the host of each running run. */
type FileWorker = { hosts: Map<string, Host>; end: () => Promise<void> }

const workers = new WeakMap<TestWorkflowEnvironment, FileWorker>()

/**
 * One worker for all runs of a file, as loading the workflows takes half a second of a core. It
 * ends with the environment.
 */
async function workerOf(env: TestWorkflowEnvironment): Promise<FileWorker> {
  const known = workers.get(env)
  if (known !== undefined) return known
  const hosts = new Map<string, Host>()
  const worker = await createWorker(env, {
    default: (...args: unknown[]) => {
      const { activityType, workflowExecution: { workflowId } = { workflowId: '' } } =
        Context.current().info
      const activity = (hosts.get(workflowId)?.activities as Record<string, unknown> | undefined)?.[
        activityType
      ]
      if (typeof activity !== 'function')
        throw ApplicationFailure.retryable(
          `no host of ${workflowId} has an activity ${activityType}`,
          'NotFoundError',
        )
      return (activity as (...all: unknown[]) => unknown)(...args)
    },
  })
  const over = worker.run()
  const teardown = env.teardown.bind(env)
  const made: FileWorker = {
    hosts,
    async end() {
      workers.delete(env)
      env.teardown = teardown
      worker.shutdown()
      await over
    },
  }
  env.teardown = async () => {
    await made.end()
    await teardown()
  }
  workers.set(env, made)
  return made
}

async function createWorker(
  env: TestWorkflowEnvironment,
  activities: object,
  slots?: number,
): Promise<Worker> {
  return Worker.create({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    taskQueue: MAIN_QUEUE,
    workflowBundle: await workflowBundle(),
    activities,
    maxHeartbeatThrottleInterval: '200ms',
    ...(slots === undefined ? {} : { maxConcurrentActivityTaskExecutions: slots }),
  })
}

/**
 * Starts a run against a stub host, by default of the test-fix cycle (without an argument if the
 * input is null), runs `body` meanwhile, and ends what is left of the run. `slots`: concurrent
 * activities, on a separate worker.
 */
export async function runCycle<T>(
  env: TestWorkflowEnvironment,
  host: Host,
  body: (run: Running) => Promise<T>,
  input: unknown = { project: '/repo' },
  id = `WFS-test-${Math.random().toString(36).slice(2, 10)}.abc123`,
  kind: Kind = 'test-fix',
): Promise<T> {
  const play = async () => {
    const handle = await env.client.workflow.start(WORKFLOW_TYPES[kind], {
      workflowId: id,
      taskQueue: MAIN_QUEUE,
      args: input === null ? [] : [input],
    })
    const status = () => env.client.workflow.getHandle(id).query<StatusReply>('status')
    return body({
      handle,
      status,
      until: (what, is) =>
        waitFor(
          async () => {
            const s = await status()
            return is(s) ? s : undefined
          },
          { what, timeoutMs: 20_000 },
        ),
      result: () => env.client.workflow.getHandle(id).result() as Promise<RunResult>,
    })
  }
  if (host.slots !== undefined) {
    await workers.get(env)?.end() // one worker at a time serves the queue
    return (await createWorker(env, host.activities, host.slots)).runUntil(play)
  }
  const { hosts } = await workerOf(env)
  hosts.set(id, host)
  try {
    return await play()
  } finally {
    hosts.delete(id)
    await env.client.workflow
      .getHandle(id)
      .terminate('its test has ended')
      .catch(() => undefined) // most have already ended
  }
}
