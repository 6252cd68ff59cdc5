// A pause at the beginning of a run, and its resume.
import { isGrpcCancelledError, isGrpcDeadlineError, type WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { StatusReply } from '../../../src/contract/result.js'
import { waitFor } from '../../support/wait.js'

export async function pauseAndResume(
  env: TestWorkflowEnvironment,
  workflowId: string,
): Promise<void> {
  const run = env.client.workflow.getHandle(workflowId)
  await run.signal('pause', { mode: 'turn' })
  await waitFor(
    async () => {
      const reply = await queried<StatusReply>(env, run, 'status')
      return reply !== undefined && reply.status !== 'running'
    },
    { what: `${workflowId} to be paused`, timeoutMs: 30_000 },
  )
  await run.signal('resume').catch(() => undefined) // it may have ended before the pause
}

/** Milliseconds after which a query counts as lost. */
const LOST_MS = 3_000

/**
 * The answer to a query; `undefined` where it was lost: the server that skips time does not answer
 * some queries that wait for a workflow task.
 */
async function queried<T>(
  env: TestWorkflowEnvironment,
  run: WorkflowHandle,
  query: string,
): Promise<T | undefined> {
  try {
    return await env.client.withDeadline(Date.now() + LOST_MS, () => run.query<T>(query))
  } catch (error) {
    // At its deadline a call ends as the first of client and server says.
    if (isGrpcDeadlineError(error) || isGrpcCancelledError(error)) return undefined
    throw error
  }
}
