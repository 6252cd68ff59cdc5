// The pending activities of a run, as the server knows them.
import type { WorkflowHandle } from '@temporalio/client'
import { SIDE_ACTIVITIES } from '../contract/names.js'
import type { PendingActivity } from '../contract/result.js'

/** `PendingActivityState` of the server's API: STARTED and CANCEL_REQUESTED. */
const RUNNING_STATES = [2, 3]

/** Returns the activities that the run waits for. Needs no worker, as the server itself answers. */
export async function pendingOf(
  handle: Pick<WorkflowHandle, 'describe'>,
): Promise<PendingActivity[]> {
  const { raw } = await handle.describe()
  return (raw.pendingActivities ?? [])
    .filter((a) => !SIDE_ACTIVITIES.includes(a.activityType?.name ?? ''))
    .map((a) => {
      const failure = a.lastFailure?.message
      const type = a.lastFailure?.applicationFailureInfo?.type
      return {
        name: a.activityType?.name ?? '',
        attempt: a.attempt ?? 1,
        started: a.lastStartedTime != null,
        running: RUNNING_STATES.includes(a.state ?? 0),
        ...(a.lastStartedTime == null
          ? {}
          : {
              startedAt:
                Number(a.lastStartedTime.seconds ?? 0) * 1_000 +
                Math.floor((a.lastStartedTime.nanos ?? 0) / 1e6),
            }),
        progress: readDetails(a.heartbeatDetails?.payloads?.[0]?.data),
        ...(failure ? { lastFailure: failure } : {}),
        ...(type ? { lastFailureType: type } : {}),
      }
    })
}

// A heartbeat without details still has a payload, of no bytes.
function readDetails(data: Uint8Array | null | undefined): Record<string, unknown> | undefined {
  if (data === null || data === undefined || data.length === 0) return undefined
  const value: unknown = JSON.parse(new TextDecoder().decode(data))
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : undefined
}
