// A server that skips time, and a worker that replays the whole run at every workflow task, as
// after a restart. Each run has a host of its own.
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

/** Server and worker for the tests of a file; the answer plays a run on them. */
export function replaying(): (run: ReplayedRun) => Promise<RunResult> {
  let env: TestWorkflowEnvironment
  let worker: Worker
  let over: Promise<void>
  const hosts = new Map<string, Pick<ReplayedRun, 'activities' | 'stops'>>()

  beforeAll(async () => {
    quietRuntime()
    env = await timeSkippingEnv()
    worker = await Worker.create({
      connection: env.nativeConnection,
      namespace: env.namespace ?? 'default',
      taskQueue: MAIN_QUEUE,
      workflowBundle: await workflowBundle(),
      maxCachedWorkflows: 0,
      maxHeartbeatThrottleInterval: '100ms',
      activities: {
        default: async (input: never) => {
          const { activityType, workflowExecution } = Context.current().info
          const id = workflowExecution?.workflowId ?? '?'
          const { activities, stops } = hosts.get(id) ?? {}
          const activity = activities?.[activityType]
          if (activity === undefined)
            throw ApplicationFailure.nonRetryable(
              `the host of ${id} has no activity ${activityType}`,
            )
          const cancelled = stops?.() === true && (await stopNow(env))
          return activity(input, cancelled)
        },
      },
    })
    over = worker.run()
  })
  afterAll(async () => {
    worker.shutdown()
    await over
    await env.teardown()
  })

  return async ({ kind, workflowId, input, activities, pauses = false, stops }) => {
    hosts.set(workflowId, { activities, stops })
    const handle = await env.client.workflow.start(WORKFLOW_TYPES[kind], {
      workflowId,
      taskQueue: MAIN_QUEUE,
      args: [input],
    })
    if (pauses) await pauseAndResume(env, workflowId)
    const result = (await handle.result()) as RunResult
    hosts.delete(workflowId)
    return result
  }
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

/** Every one of a list in turn, some at a time. */
export async function someAtOnce<T>(
  list: readonly T[],
  each: (one: T, n: number) => Promise<void>,
): Promise<void> {
  const left = [...list.entries()]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        await each(next[1], next[0])
    }),
  )
}
