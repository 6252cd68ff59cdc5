// What an operator can do to a run with the `temporal` command.
import type { Ratchet } from '../../src/client/index.js'
import { waitFor } from '../support/wait.js'

const by = { identity: 'an operator', reason: 'the crash matrix' }
/** Longer than the server waits for a heartbeat: the next one informs the worker of a pause. */
const LET_GO_MS = 90_000

/**
 * `temporal activity pause` of all running activities until their workers have stopped them, then
 * `unpause`.
 */
export async function pauseActivities(ratchet: Ratchet, id: string): Promise<void> {
  const { service, execution, namespace } = callsOf(ratchet, id)
  const under = await pending(ratchet, id)
  for (const activity of under)
    await service.pauseActivity({ namespace, execution, id: activity.activityId ?? '', ...by })
  await waitFor(
    async () =>
      (await pending(ratchet, id)).every(
        ({ activityId, paused, state }) =>
          !under.some((one) => one.activityId === activityId) ||
          (paused === true && ![STARTED, PAUSE_REQUESTED].includes(Number(state))),
      ),
    { what: 'the worker to let go', timeoutMs: LET_GO_MS, everyMs: 250 },
  )
  for (const activity of under)
    await service.unpauseActivity({ namespace, execution, id: activity.activityId ?? '', ...by })
}

/** `temporal activity reset` of all running activities: their attempt counts restart. */
export async function resetActivities(ratchet: Ratchet, id: string): Promise<void> {
  const { service, execution, namespace } = callsOf(ratchet, id)
  for (const { activityId } of await pending(ratchet, id))
    await service.resetActivity({
      namespace,
      execution,
      id: activityId ?? '',
      identity: by.identity,
      resetHeartbeat: false,
    })
}

/**
 * `temporal workflow reset` to the last decision of the run: running activities start again.
 */
export async function resetRun(ratchet: Ratchet, id: string): Promise<void> {
  const { service, execution, namespace } = callsOf(ratchet, id)
  const { events } = await ratchet.client.workflow.getHandle(id).fetchHistory()
  const last = events?.findLast(
    ({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes != null,
  )
  if (last?.eventId == null) throw new Error('the run has not begun')
  await service.resetWorkflowExecution({
    namespace,
    workflowExecution: execution,
    reason: by.reason,
    requestId: `${id}-reset`,
    workflowTaskFinishEventId: last.eventId,
  })
}

/** Failures of the last attempts of running activities. */
export async function complaints(ratchet: Ratchet, id: string): Promise<string[]> {
  return (await pending(ratchet, id)).map(({ lastFailure }) => lastFailure?.message ?? '')
}

// temporal.api.enums.v1.PendingActivityState
const STARTED = 2
const PAUSE_REQUESTED = 5

async function pending(ratchet: Ratchet, id: string) {
  const { raw } = await ratchet.client.workflow.getHandle(id).describe()
  return raw.pendingActivities ?? []
}

function callsOf(ratchet: Ratchet, id: string) {
  return {
    service: ratchet.client.workflowService,
    namespace: ratchet.client.options.namespace,
    execution: { workflowId: id },
  }
}
