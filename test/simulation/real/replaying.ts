// A server that skips time, and a worker that replays the whole run at every workflow task, as
// after a restart. Each run has a host of its own.
import { afterAll, beforeAll } from 'vitest'
import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { MAIN_QUEUE, WORKFLOW_TYPES } from '../../../src/contract/names.js'
import type { Question } from '../../../src/contract/question.js'
import type { RunResult, StatusReply } from '../../../src/contract/result.js'
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

type Activities = Record<string, (input: never) => unknown>

export type ReplayedRun = {
  kind: keyof typeof WORKFLOW_TYPES
  workflowId: string
  input: unknown
  activities: Activities
  /** Whether it is paused at its start and resumed. */
  pauses?: boolean
  /** The choice of a person who follows the run. */
  answer?: ((question: Question) => string) | undefined
}

/** Server and worker for the tests of a file; the answer plays a run on them. */
export function replaying(): (run: ReplayedRun) => Promise<RunResult> {
  let env: TestWorkflowEnvironment
  let worker: Worker
  let over: Promise<void>
  const hosts = new Map<string, Activities>()

  beforeAll(async () => {
    quietRuntime()
    env = await timeSkippingEnv()
    worker = await Worker.create({
      connection: env.nativeConnection,
      namespace: env.namespace ?? 'default',
      taskQueue: MAIN_QUEUE,
      workflowBundle: await workflowBundle(),
      maxCachedWorkflows: 0,
      activities: {
        default: (input: never) => {
          const { activityType, workflowExecution } = Context.current().info
          const id = workflowExecution?.workflowId ?? '?'
          const activity = hosts.get(id)?.[activityType]
          if (activity === undefined)
            throw ApplicationFailure.nonRetryable(
              `the host of ${id} has no activity ${activityType}`,
            )
          return activity(input)
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

  return async ({ kind, workflowId, input, activities, pauses = false, answer }) => {
    hosts.set(workflowId, activities)
    const handle = await env.client.workflow.start(WORKFLOW_TYPES[kind], {
      workflowId,
      taskQueue: MAIN_QUEUE,
      args: [input],
    })
    if (pauses) await pauseAndResume(env, workflowId)
    if (answer !== undefined) await answerAll(handle, answer)
    const result = (await handle.result()) as RunResult
    hosts.delete(workflowId)
    return result
  }
}

/** Answers each question of a run until it ends. */
async function answerAll(
  handle: WorkflowHandle,
  answer: (question: Question) => string,
): Promise<void> {
  for (;;) {
    const question = await waitFor(
      async () => {
        const { status } = await handle.query<StatusReply>('status')
        const [open] = await handle.query<Question[]>('questions')
        return open ?? (status === 'completed' || status === 'failed' ? 'ended' : undefined)
      },
      { what: `a question or the end of ${handle.workflowId}`, timeoutMs: 60_000 },
    )
    if (question === 'ended') return
    await handle.executeUpdate('answer', {
      args: [{ questionId: question.id, choice: answer(question) }],
    })
  }
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
