// A pause at the beginning of a run, and its resume.
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
      const { status } = await run.query<StatusReply>('status')
      return status === 'paused' || status !== 'running'
    },
    { what: `${workflowId} to be paused`, timeoutMs: 30_000 },
  )
  await run.signal('resume').catch(() => undefined) // it may have ended before the pause
}
