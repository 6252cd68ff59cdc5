// A server that skips time, and a worker that replays the whole run at every workflow task, as
// after a restart. Each run has a host of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { MAIN_QUEUE, WORKFLOW_TYPES } from '../../../src/contract/names.js'
import type { RunResult } from '../../../src/contract/result.js'
import { timeSkippingEnv } from '../../support/servers/temporal.js'
import { workflowBundle } from '../../support/servers/workflow-bundle.js'
import { waitFor } from '../../support/wait.js'
import { quietRuntime } from '../../support/servers/workflow-env.js'
import { pauseAndResume } from './pause.js'

export const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
/** How many sequences of a fix there are; of the others a fifth. */
export const SAMPLE = Number(process.env['SAMPLE'] ?? 100)
const AT_ONCE = 8
/** One run in so many is paused at its start and resumed. */
export const PAUSED = 4

type Activities = Record<string, (input: never, cancelled?: boolean) => unknown>

export type ReplayedRun = {
  kind: keyof typeof WORKFLOW_TYPES
  workflowId: string
  input: unknown
  activities: Activities
  /** Whether it is paused at its start and resumed. */
  pauses?: boolean
  /** Called as each activity begins: whether a person stops the run while it is under way. */
  stops?: (() => boolean) | undefined
}

type Server = {
  env: TestWorkflowEnvironment
  hosts: Map<string, Pick<ReplayedRun, 'activities' | 'stops'>>
  /** When an activity last began or ended, in milliseconds since the epoch. */
  busyAt: number
  end: () => Promise<void>
}

/**
 * The server that skips time has lost a task: it skips no more, and its runs wait for hours. They
 * are repeated on another server.
 */
class StalledServer extends Error {}

/** Milliseconds without an activity after which a server has stalled. */
const STALLED_MS = 60_000
/** How often a run is begun, where servers stall. */
const ATTEMPTS = 3
/** For a run to end that is terminated on a stalled server. */
const LEAVES_MS = 10_000

/** Server and worker for the tests of a file; the answer plays a run on them. */
export function replaying(): (run: ReplayedRun) => Promise<RunResult> {
  const servers: Promise<Server>[] = []

  beforeAll(async () => {
    quietRuntime()
    servers.push(serverOf())
    await servers[0]
  })
  afterAll(async () => {
    for (const server of servers) await (await server).end()
  })

  return async ({ kind, workflowId, input, activities, pauses = false, stops }) => {
    const pending = servers.at(-1)
    if (pending === undefined) throw new Error('a run before its server')
    const server = await pending
    server.hosts.set(workflowId, { activities, stops })
    const handle = await server.env.client.workflow.start(WORKFLOW_TYPES[kind], {
      workflowId,
      taskQueue: MAIN_QUEUE,
      args: [input],
    })
    const run = (async () => {
      if (pauses) await pauseAndResume(server.env, workflowId)
      return (await handle.result()) as RunResult
    })()
    try {
      return await served(server, workflowId, run)
    } catch (error) {
      if (error instanceof StalledServer) {
        // Nothing may wait for a server that is about to end.
        await handle.terminate('its server has stalled').catch(() => undefined)
        await Promise.race([run.catch(() => undefined), delay(LEAVES_MS)])
        // The first run to see it begins another server for all.
        if (servers.at(-1) === pending) servers.push(serverOf())
      }
      throw error
    } finally {
      server.hosts.delete(workflowId)
    }
  }
}

/**
 * Returns the result of a run.
 *
 * @throws StalledServer once nothing has happened on its server for too long
 */
async function served<T>(server: Server, workflowId: string, run: Promise<T>): Promise<T> {
  const text = `${workflowId}: no activity for ${STALLED_MS / 1_000} s`
  const state = { isOver: false }
  const stall = once(() => state.isOver || Date.now() - server.busyAt > STALLED_MS).then(() => {
    throw new StalledServer(text)
  })
  stall.catch(() => undefined) // it ends after the run, too
  try {
    return await Promise.race([run, stall])
  } catch (error) {
    // What waits for a stalled server fails, as a pause does; on another one the next activity is near.
    const { busyAt } = server
    await once(() => server.busyAt !== busyAt || Date.now() - busyAt > STALLED_MS)
    if (server.busyAt !== busyAt) throw error
    throw new StalledServer(text, { cause: error })
  } finally {
    state.isOver = true
  }
}

const once = (look: () => boolean): Promise<true> =>
  waitFor(look, { what: 'a server', timeoutMs: Infinity, everyMs: 1_000 })

async function serverOf(): Promise<Server> {
  const env = await timeSkippingEnv()
  const worker = await Worker.create({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    taskQueue: MAIN_QUEUE,
    workflowBundle: await workflowBundle(),
    maxCachedWorkflows: 0,
    maxHeartbeatThrottleInterval: '100ms',
    activities: {
      default: async (input: never) => {
        server.busyAt = Date.now()
        const { activityType, workflowExecution } = Context.current().info
        const id = workflowExecution?.workflowId ?? '?'
        const { activities, stops } = server.hosts.get(id) ?? {}
        const activity = activities?.[activityType]
        if (activity === undefined)
          throw ApplicationFailure.nonRetryable(`the host of ${id} has no activity ${activityType}`)
        const cancelled = stops?.() === true && (await stopNow(env))
        server.busyAt = Date.now()
        return activity(input, cancelled)
      },
    },
  })
  const over = worker.run()
  const server: Server = {
    env,
    hosts: new Map(),
    busyAt: Date.now(),
    end: async () => {
      worker.shutdown()
      await over
      await env.teardown()
    },
  }
  return server
}

/**
 * Stops the run of the activity that is under way; the answer: whether that cancels the activity.
 * It returns once the run has acted on the stop, as an activity that completes before that hangs
 * the run: the server that skips time refuses a workflow task that cancels a completed activity
 * (ACTIVITY_UNKNOWN), and never offers it again.
 */
async function stopNow(env: TestWorkflowEnvironment): Promise<boolean> {
  const context = Context.current()
  const { activityId, workflowExecution } = context.info
  const { workflowId, runId } = workflowExecution as { workflowId: string; runId: string }
  const run = env.client.workflow.getHandle(workflowId, runId)
  await run.signal('stop', { reason: 'enough' })
  const events = await waitFor(
    async () => {
      const all = (await run.fetchHistory()).events ?? []
      const signal = all.findIndex(
        (one) => one.workflowExecutionSignaledEventAttributes?.signalName === 'stop',
      )
      const acted = all
        .slice(signal + 1)
        .some((one) => one.workflowTaskCompletedEventAttributes != null)
      return signal >= 0 && acted ? all : undefined
    },
    { what: `${workflowId} to act on a stop`, timeoutMs: 60_000 },
  )
  const scheduled = events.find(
    (one) => one.activityTaskScheduledEventAttributes?.activityId === activityId,
  )
  const isCancelled = events.some(
    ({ activityTaskCancelRequestedEventAttributes: request }) =>
      request != null && String(request.scheduledEventId) === String(scheduled?.eventId),
  )
  if (!isCancelled) return false
  const beats = setInterval(() => context.heartbeat(), 50)
  await context.cancelled.catch(() => undefined)
  clearInterval(beats)
  return true
}

/** Every one of a list in turn, some at a time; again where the server stalls under it. */
export async function someAtOnce<T>(
  list: readonly T[],
  each: (one: T, n: number) => Promise<void>,
): Promise<void> {
  const left = [...list.entries()]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [n, one] = next
        await untilServed(() => each(one, n))
      }
    }),
  )
}

async function untilServed(run: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof StalledServer) || attempt === ATTEMPTS) throw error
      console.error(`${error.message}; once more on another server`)
    }
}
