// What every activity on a project's host shares: a heartbeat that comes from a timer, a signal
// that says why it is aborted, a note on disk that it runs, and refusals turned into failures.
//
// The note lets the next worker report the attempts of a dead one at once, instead of after the
// heartbeat timeout. It protects nothing by itself: the turn store and the git steps do.
import { Context, activityInfo } from '@temporalio/activity'
import { CancelledFailure } from '@temporalio/common'
import type { InFlight } from '../../adapters/activity-journal.js'
import { progressWords } from '../../core/run/progress-words.js'
import { asFailure } from './failure.js'
import { repeatedErrors } from './repeated-error.js'

/** Why a running activity is aborted. Only `stop` was asked for by the workflow. */
export type AbortReason = 'stop' | 'shutdown' | 'abandoned'

export type Beat = {
  signal: AbortSignal
  reason: () => AbortReason
  /** Progress for the Web UI and `status`, sent with the next heartbeat; under 1 kB. */
  progress: (details: Record<string, unknown>) => void
  /** Says whether the activity only waits for its turn: it then beats less often. */
  waits: (isWaiting: boolean) => void
}

const BEAT_MS = 1_000
/** Of hundreds of runs that wait for a slot, each heartbeat is a request to the server. */
const WAITING_BEATS = 10

/** What sends a heartbeat of each running activity, by its run. */
const running = new Map<string, Set<() => void>>()

/**
 * Sends the heartbeats of a run's activities in this process: their answers say whether they are
 * cancelled.
 */
export function beatAtOnce(run: string): void {
  for (const send of running.get(run) ?? []) send()
}

/** Wraps an activity of the project's host. */
export function withHeartbeat<I, O>(
  inFlight: InFlight,
  run: (input: I, beat: Beat) => Promise<O>,
): (input: I) => Promise<O> {
  const errors = repeatedErrors()
  return async (input) => {
    const context = Context.current()
    const info = activityInfo()
    const key = `${info.workflowExecution?.runId ?? ''} ${info.activityId}`
    const note = inFlight.begin({
      workflowId: info.workflowExecution?.workflowId ?? '',
      runId: info.workflowExecution?.runId ?? '',
      activityId: info.activityId,
      attempt: info.attempt,
    })
    let details: Record<string, unknown> = {}
    let isWaiting = false
    let beats = 0
    const send = (): void => context.heartbeat(details)
    const timer = setInterval(() => {
      if (!isWaiting || ++beats % WAITING_BEATS === 0) send()
    }, BEAT_MS)
    const leave = joined(info.workflowExecution?.workflowId ?? '', send)
    send()
    try {
      const answer = await run(input, {
        signal: context.cancellationSignal,
        reason: () => abortReason(context),
        progress: (latest) => {
          const now = progressWords(latest)
          details = now === undefined ? latest : { now, ...latest }
        },
        waits: (is) => {
          if (is === isWaiting) return
          isWaiting = is
          send() // what it waits for, or that the wait is over, is seen at once
        },
      })
      errors.passed(key)
      return answer
    } catch (error) {
      throw errors.judge(key, interruptedOr(error, context))
    } finally {
      clearInterval(timer)
      leave()
      note.end()
    }
  }
}

function joined(run: string, send: () => void): () => void {
  const all = running.get(run) ?? new Set()
  running.set(run, all.add(send))
  return () => {
    all.delete(send)
    if (all.size === 0) running.delete(run)
  }
}

function abortReason(context: Context): AbortReason {
  const why = context.cancellationDetails
  if (why?.cancelRequested === true) return 'stop'
  return why?.workerShutdown === true ? 'shutdown' : 'abandoned'
}

function interruptedOr(error: unknown, context: Context): unknown {
  if (context.cancellationSignal.aborted && (error as Error).name === 'AbortError')
    return new CancelledFailure('interrupted')
  return asFailure(error)
}
