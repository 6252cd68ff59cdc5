// Options of every activity, with the reason beside each number.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow'
import { REFUSALS, BAD_INPUT } from '../../contract/failures.js'
import { MAIN_QUEUE } from '../../contract/names.js'
import type { HostActivities, LightActivities } from '../../activities/index.js'

// A refusal asks for a person; everything else is a dead worker or a full disk and passes.
// No attempt limit: a deploy or `temporal activity pause` spends an attempt each.
const RETRY = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '30s',
  nonRetryableErrorTypes: [...REFUSALS, BAD_INPUT],
}

// Of a minute's silence only a dead or unreachable worker is capable: it beats every second from a
// timer.
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
 * Attempts of a step in a run that was stopped, in nearly three minutes: no fault of git keeps it
 * open for ever.
 */
const ATTEMPTS_AT_END = 10

/**
 * Git, records: seconds, but a large repository on a slow disk may take its time.
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
 * Beside a run: a hook, whose own limit is minutes at most. Nothing waits for it but the end of its
 * iteration.
 */
export function beside(queue: string, summary: string) {
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
 * A turn or a test run. The limit is counted on the host, from the first prompt or the start of the
 * command; start-to-close is only the backstop, because waiting for a slot or a lock may take
 * hours.
 */
export function long(queue: string, limitMs: number, summary: string) {
  return proxyActivities<HostActivities>({
    taskQueue: queue,
    startToCloseTimeout: limitMs + 12 * 3_600_000,
    heartbeatTimeout: HEARTBEAT,
    retry: RETRY,
    // Without it "stop" returns while the agent still edits the workspace.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  })
}
