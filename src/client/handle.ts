// One run, by its workflow id, over every iteration (each is a workflow run of its own).
import { ActivityFailure, WorkflowFailedError } from '@temporalio/client'
import type { Client } from '@temporalio/client'
import type { LoopMode } from '../contract/loop-input.js'
import { QUERIES, SIGNALS, UPDATES } from '../contract/names.js'
import type { Answer, Question } from '../contract/question.js'
import { RunResult, StatusReply } from '../contract/result.js'
import type { PauseRequest } from '../contract/signals.js'

/** How a run ended that did not return a result. */
export type Ended = { kind: 'failed' | 'canceled' | 'terminated' | 'timed_out'; type?: string; message: string; details?: unknown }

/** `iterations` are further ones. */
export type ExtendWish = { task?: string; iterations?: number }

/** What an extended run answers. `maxIterations` are those in all; of a dev loop also the id of the new `task`, once there is a breakdown, and how many are `pending`. */
export type Extended = { maxIterations: number; enters?: number; task?: string; pending?: number }

export type RunHandle = {
  id: string
  /** Progress as the workflow knows it. Needs a living workflow worker. */
  status: () => Promise<StatusReply>
  state: () => Promise<unknown>
  questions: () => Promise<Question[]>
  pause: (request?: Partial<PauseRequest>) => Promise<void>
  /** Ends a pause. A dev loop also takes a mode, at its next decision. */
  resume: (request?: { mode?: LoopMode }) => Promise<void>
  stop: (reason?: string) => Promise<void>
  answer: (answer: Answer | string) => Promise<{ questionId: string; answer: string }>
  /**
   * Allows a test-fix run more iterations, or gives a dev cycle or loop a further task; the same request,
   * sent twice, counts once. `enters` is the iteration of a cycle that a further task begins in.
   */
  extend: (wish?: number | ExtendWish, requestId?: string) => Promise<Extended>
  /** Waits for the end of the whole run. */
  result: () => Promise<{ result: RunResult } | { ended: Ended }>
  /** What the activities that are under way say of themselves, newest heartbeat first. */
  pending: () => Promise<PendingActivity[]>
}

export type PendingActivity = {
  name: string
  attempt: number
  started: boolean
  /** A worker has it now; false while it waits for one, or for its next attempt. */
  running: boolean
  progress: Record<string, unknown> | undefined
  /** Message and type of the failure of the attempt before. */
  lastFailure?: string
  lastFailureType?: string
}

/** `PendingActivityState` of the server's API: STARTED and CANCEL_REQUESTED. */
const RUNNING_STATES = [2, 3]

export function runHandle(client: Client, id: string): RunHandle {
  const handle = client.workflow.getHandle(id)
  return {
    id,
    status: async () => StatusReply.parse(await handle.query(QUERIES.status)),
    state: () => handle.query(QUERIES.state),
    questions: () => handle.query<Question[]>(QUERIES.questions),
    pause: (request = {}) => handle.signal(SIGNALS.pause, request),
    resume: (request) => handle.signal(SIGNALS.resume, ...(request === undefined ? [] : [request])),
    stop: (reason = '') => handle.signal(SIGNALS.stop, { reason }),
    answer: (answer) => handle.executeUpdate(UPDATES.answer, { args: [answer] }),
    extend: (wish = {}, requestId) =>
      handle.executeUpdate(UPDATES.extend, { args: [{ ...(typeof wish === 'number' ? { iterations: wish } : wish), ...(requestId === undefined ? {} : { requestId }) }] }),
    async result() {
      try {
        // Runs of the first version gave no reason where it is plain.
        return { result: RunResult.parse({ reason: null, ...((await client.workflow.getHandle(id).result()) as object) }) }
      } catch (error) {
        if (error instanceof WorkflowFailedError) return { ended: ended(error) }
        throw error
      }
    },
    async pending() {
      const { raw } = await handle.describe()
      return (raw.pendingActivities ?? []).map((a) => {
        const failure = a.lastFailure?.message
        const type = a.lastFailure?.applicationFailureInfo?.type
        return {
          name: a.activityType?.name ?? '', attempt: a.attempt ?? 1, started: a.lastStartedTime != null,
          running: RUNNING_STATES.includes(a.state ?? 0),
          progress: readDetails(a.heartbeatDetails?.payloads?.[0]?.data),
          ...(failure ? { lastFailure: failure } : {}), ...(type ? { lastFailureType: type } : {}),
        }
      })
    },
  }
}

function readDetails(data: Uint8Array | null | undefined): Record<string, unknown> | undefined {
  if (data === null || data === undefined) return undefined
  const value: unknown = JSON.parse(new TextDecoder().decode(data))
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function ended(error: WorkflowFailedError): Ended {
  const cause = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause
  const kind = { CancelledFailure: 'canceled', TerminatedFailure: 'terminated', TimeoutFailure: 'timed_out' }[cause?.name ?? ''] ?? 'failed'
  const typed = cause as { type?: string | null; details?: unknown[] | null } | undefined
  return {
    kind: kind as Ended['kind'], message: cause?.message ?? error.message,
    ...(typed?.type == null ? {} : { type: typed.type }), ...(typed?.details?.[0] === undefined ? {} : { details: typed.details[0] }),
  }
}
