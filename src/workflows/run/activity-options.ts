// The options of every activity, with the reason for each number.
import { ActivityCancellationType, CancellationScope, proxyActivities } from '@temporalio/workflow'
import { REFUSALS, BAD_INPUT } from '../../contract/failures.js'
import { MAIN_QUEUE } from '../../contract/names.js'
import type { HostActivities, LightActivities } from '../../activities/index.js'

// A refusal needs a person; any other failure is a dead worker or a full disk, and passes. No
// attempt limit, as each deploy and `temporal activity pause` uses an attempt.
const RETRY = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '30s',
  nonRetryableErrorTypes: [...REFUSALS, BAD_INPUT],
}

// A live worker heartbeats every second from a timer, so a minute of silence means that it is dead
// or unreachable.
const HEARTBEAT = '60s'

/**
 * Activities of the workflow worker: no project, no I/O beyond the state directory and the server.
 */
export const light = proxyActivities<LightActivities>({
  taskQueue: MAIN_QUEUE,
  startToCloseTimeout: '30s',
  retry: RETRY,
  summary: 'see what the server knows',
})

/**
 * Attempts of a step in a run that was stopped, over nearly three minutes: no failure of git keeps
 * it open for ever.
 */
const ATTEMPTS_AT_END = 10

/**
 * Options for git and records: seconds, but more for a large repository on a slow disk.
 *
 * @param isEnding whether the run ends, and can do without the step
 */
export function files(queue: string, summary: string, isEnding = false) {
  return proxyActivities<HostActivities>({
    taskQueue: queue,
    startToCloseTimeout: '2h',
    heartbeatTimeout: HEARTBEAT,
    retry: isEnding ? { ...RETRY, maximumAttempts: ATTEMPTS_AT_END } : RETRY,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  })
}

/**
 * Options for a hook, whose own limit is minutes at most. Only the end of its iteration waits for
 * it.
 */
export function hookCall(queue: string, summary: string) {
  return proxyActivities<HostActivities>({
    taskQueue: queue,
    startToCloseTimeout: '15m',
    heartbeatTimeout: HEARTBEAT,
    retry: RETRY,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  })
}

/**
 * Options for a turn or a test run. The host counts the limit, from the first prompt or the start
 * of the command; start-to-close is only a backstop, as the wait for a slot or a lock may take
 * hours.
 */
export function long(queue: string, limitMs: number, summary: string) {
  return proxyActivities<HostActivities>({
    taskQueue: queue,
    startToCloseTimeout: limitMs + 12 * 3_600_000,
    heartbeatTimeout: HEARTBEAT,
    retry: RETRY,
    // Without it, a stop would return while the agent still edits the workspace.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  })
}

/**
 * After steps were cancelled: their activities on the host beat at once, and so learn of it without
 * the wait for their next heartbeat. A stop works without it, so it is tried once, and the end of
 * the run waits a few seconds for it at most.
 */
export async function beatAtOnce(queue: string, run: string): Promise<void> {
  const { beatAtOnce: beat } = proxyActivities<HostActivities>({
    taskQueue: queue,
    scheduleToCloseTimeout: '5s',
    retry: { maximumAttempts: 1 },
    summary: 'pass on the stop or pause',
  })
  await CancellationScope.nonCancellable(() => beat({ run })).catch(() => undefined)
}
