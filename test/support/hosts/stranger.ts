// Another user of this machine at the server's port: a client and a worker of their own, without
// any code of Ratchet.
import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'

/** In Temporal's protocol. */
const SCHEDULE_ACTIVITY = 1
const PATIENCE_MS = 50_000

export type Ended = { completed: boolean; says: string }

/** An activity as a workflow task schedules it. */
export type Wanted = { name: string; queue: string; input: Payload; activityId?: string }

type Server = Pick<TestWorkflowEnvironment, 'client' | 'connection'>

export const asPayload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value)

/** Schedules one activity by a workflow of the stranger's own, and says how it ended. */
export async function scheduleAs(
  server: Server,
  workflowId: string,
  wanted: Wanted,
): Promise<Ended> {
  const taskQueue = `stranger-${wanted.queue}`
  const handle = await server.client.workflow.start('anything', { taskQueue, workflowId })
  try {
    return await stealTask(server, taskQueue, wanted)
  } finally {
    await handle.terminate()
  }
}

/** Takes the next workflow task of a queue, and answers it with one activity. */
export async function stealTask(
  { client, connection }: Server,
  name: string,
  { name: activity, queue, input, activityId = '1' }: Wanted,
): Promise<Ended> {
  const { namespace } = client.options
  const poll = () =>
    connection.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name } })
  const command = {
    commandType: SCHEDULE_ACTIVITY,
    scheduleActivityTaskCommandAttributes: {
      activityId,
      activityType: { name: activity },
      taskQueue: { name: queue },
      input: { payloads: [input] },
      startToCloseTimeout: { seconds: 60 as never },
      retryPolicy: { maximumAttempts: 1 },
    },
  }
  return connection.withDeadline(Date.now() + PATIENCE_MS, async () => {
    const { taskToken } = await poll()
    const commands = [command]
    await connection.workflowService.respondWorkflowTaskCompleted({
      namespace,
      taskToken,
      commands,
    })
    const events = (await poll()).history?.events ?? []
    const failure = events
      .map((event) => event.activityTaskFailedEventAttributes?.failure)
      .findLast((one) => one !== undefined && one !== null)
    return {
      completed:
        failure === undefined &&
        events.some((one) => one.activityTaskCompletedEventAttributes != null),
      says: `${failure?.applicationFailureInfo?.type ?? ''}: ${failure?.message ?? ''}`,
    }
  })
}
