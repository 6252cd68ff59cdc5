// Reports the activities of a worker that died, so that their next attempt starts now and not when
// the heartbeat timeout ends. Only an attempt that the server still gives to the dead worker is
// reported; in every doubt the heartbeat timeout decides.
import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { takeAbandoned, type InFlightNote } from '../adapters/activity-journal.js'
import type { Dirs } from '../adapters/state-dir.js'

export async function reportAbandoned(
  client: Client,
  dirs: Dirs,
  projectKey: string,
): Promise<number> {
  let reported = 0
  for (const note of takeAbandoned(dirs, projectKey)) if (await report(client, note)) reported++
  return reported
}

async function report(client: Client, note: InFlightNote): Promise<boolean> {
  try {
    const { raw } = await client.workflow.getHandle(note.workflowId, note.runId).describe()
    const pending = raw.pendingActivities?.find((a) => a.activityId === note.activityId)
    // Worker identities begin with the pid.
    const same =
      pending?.attempt === note.attempt &&
      pending.lastWorkerIdentity?.startsWith(`${note.worker.pid}@`) === true
    if (!same) return false
    await client.activity.fail(
      { workflowId: note.workflowId, runId: note.runId, activityId: note.activityId },
      ApplicationFailure.retryable('the worker that ran this attempt died', 'WorkerDied'),
    )
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || (error as Error).name === 'ActivityNotFoundError')
      return false
    throw error
  }
}
