// One run by its workflow id, over every iteration (each is a workflow run of its own).
import {
  ActivityFailure,
  WorkflowFailedError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client'
import { RefusalError, STILL_PREPARING } from '../contract/failures.js'
import type { LoopMode } from '../contract/dev-loop/loop-input.js'
import { QUERIES, SIGNALS, UPDATES } from '../contract/names.js'
import type { Answer, Question } from '../contract/question.js'
import { RunResult, StatusReply, type PendingActivity } from '../contract/result.js'
import type { PauseRequest } from '../contract/signals.js'
import type { Caller } from './connection.js'
import { toClientError, isUnavailable, isNotYet } from './errors.js'
import { followRun, type Progress, type ProgressOptions } from './follow-run.js'
import { pendingOf } from './pending.js'

/**
 * How a run ended that did not return a result: refused (`type` and `details` say why), cancelled,
 * or ended from outside.
 */
export type RunFailure = {
  kind: 'failed' | 'canceled' | 'terminated' | 'timed_out'
  type?: string
  message: string
  details?: unknown
}

/** How a run ended: with a result of any outcome, or without one. */
export type RunOutcome = { result: RunResult } | { ended: RunFailure }

/** `iterations` are further ones. */
export type ExtendOptions = { task?: string; iterations?: number }

/**
 * What an extended run answers. `maxIterations` are those in all; of a dev loop also the id of the
 * new `task`, once there is a breakdown, and how many are `pending`.
 */
export type Extended = { maxIterations: number; enters?: number; task?: string; pending?: number }

export type ResultOptions = {
  /** Ends the waiting, not the run: `result` rejects with its reason. */
  signal?: AbortSignal
  /**
   * Milliseconds for which a server may be away before the waiting is given up (default 120,000).
   */
  patienceMs?: number
}

/**
 * One run, open or closed. Nothing is kept open by a handle: after the connection is closed, or
 * where nothing is awaited, a script ends by itself.
 *
 * Every method rejects with RunNotFoundError for an id that no run has, with ServerUnavailableError
 * where the server or its workers do not answer, and with ConnectionClosedError after `close()`.
 */
export type RunHandle = {
  /** The workflow id: the same over every iteration, and the record's for cycles and loops. */
  id: string
  /** Progress as the workflow knows it. Needs a living workflow worker. */
  status: () => Promise<StatusReply>
  /**
   * The run's record as it is now; large texts as digests with their path. Needs a living workflow
   * worker.
   */
  state: () => Promise<unknown>
  /** What is asked and not answered yet. */
  questions: () => Promise<Question[]>
  /**
   * Pauses after the running turn, or at once with `{ mode: 'now' }`: its session continues after
   * `resume`.
   */
  pause: (request?: Partial<PauseRequest>) => Promise<void>
  /** Ends a pause. A dev loop also takes a mode, at its next decision. */
  resume: (request?: { mode?: LoopMode }) => Promise<void>
  /** Stops the run and keeps its work. It can be started again. */
  stop: (reason?: string) => Promise<void>
  /**
   * Answers an open question: `{ questionId, choice }`, own words as `text`, or a bare string where
   * only one is open.
   *
   * @throws RefusalError `BadInput` where the run does not take it; it says what it would take
   */
  answer: (answer: Answer | string) => Promise<{ questionId: string; answer: string }>
  /**
   * Allows a test-fix run more iterations, or gives a dev cycle or loop a further task; the same
   * request, sent twice, counts once. `enters` is the iteration of a cycle that a further task
   * begins in. A run that still prepares its workspace is waited for, up to two minutes.
   *
   * @throws RefusalError `BadInput` where the run does not take it
   */
  extend: (requested?: number | ExtendOptions, requestId?: string) => Promise<Extended>
  /**
   * Yields progress until the end of the run: `for await (const progress of run.progress())`. The
   * first events describe the current state. A phase or a question that comes and goes between two
   * looks (`everyMs`) is not seen; an iteration always is. The last event is `ended`. A restart of
   * the server is reported as `away` and waited for. Leaving the loop does not affect the run.
   *
   * @throws the reason of `signal`; ServerUnavailableError after `patienceMs`
   */
  progress: (options?: ProgressOptions) => AsyncIterable<Progress>
  /** Waits for the end of the whole run, over restarts of the server. */
  result: (options?: ResultOptions) => Promise<RunOutcome>
  /** What the activities that are under way say of themselves, newest heartbeat first. */
  pending: () => Promise<PendingActivity[]>
}

/** How long the server may be away before waiting fails, in milliseconds. */
const PATIENCE_MS = 120_000
/** Between two tries to reach it. */
const RETRY_MS = 1_000

export function runHandle(door: Caller, id: string): RunHandle {
  const call = async <T>(
    ask: (handle: WorkflowHandle, client: Client) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    try {
      return await door.call((client) => ask(client.workflow.getHandle(id), client), signal)
    } catch (error) {
      throw toClientError(error, id, door.where)
    }
  }
  /** Repeats a call whose error passes by itself. */
  const patiently = async <T>(
    ask: (handle: WorkflowHandle) => Promise<T>,
    passes: (error: unknown) => boolean,
  ): Promise<T> => {
    for (const since = Date.now(); ; await door.pause(RETRY_MS)) {
      try {
        return await call(ask)
      } catch (error) {
        if (!passes(error) || Date.now() - since >= PATIENCE_MS) throw error
      }
    }
  }
  const query = <T>(ask: (handle: WorkflowHandle) => Promise<T>): Promise<T> =>
    patiently(ask, isNotYet)
  const result = async ({
    signal,
    patienceMs = PATIENCE_MS,
  }: ResultOptions = {}): Promise<RunOutcome> => {
    for (let since: number | undefined; ;) {
      try {
        return { result: RunResult.parse(await call((handle) => handle.result(), signal)) }
      } catch (error) {
        if (error instanceof WorkflowFailedError) return { ended: ended(error) }
        since ??= Date.now()
        if (!isUnavailable(error) || Date.now() - since >= patienceMs) throw error
        await door.pause(RETRY_MS, signal)
      }
    }
  }
  return {
    id,
    status: () => query(readStatus),
    state: () => query((handle) => handle.query(QUERIES.state)),
    questions: () => query(readQuestions),
    pause: (request = {}) => call((handle) => handle.signal(SIGNALS.pause, request)),
    resume: (request) =>
      call((handle) => handle.signal(SIGNALS.resume, ...(request === undefined ? [] : [request]))),
    stop: (reason = '') => call((handle) => handle.signal(SIGNALS.stop, { reason })),
    answer: (answer) => call((handle) => handle.executeUpdate(UPDATES.answer, { args: [answer] })),
    extend(requested = {}, requestId) {
      const args: [unknown] = [
        {
          ...(typeof requested === 'number' ? { iterations: requested } : requested),
          requestId,
        },
      ]
      // A script extends what it has just started.
      return patiently(
        (handle) => handle.executeUpdate<Extended, [unknown]>(UPDATES.extend, { args }),
        (error) => error instanceof RefusalError && error.message === STILL_PREPARING,
      )
    },
    progress: (options = {}) => ({
      [Symbol.asyncIterator]: () =>
        followRun(
          {
            id,
            result,
            pause: door.pause.bind(door),
            look: (deadlineMs, signal) =>
              call(
                async (handle, client) =>
                  client.withDeadline(Date.now() + deadlineMs, async () => {
                    const [status, pending] = await Promise.all([
                      readStatus(handle),
                      pendingOf(handle),
                    ])
                    return {
                      status,
                      pending,
                      questions: status.questions > 0 ? await readQuestions(handle) : [],
                    }
                  }),
                signal,
              ),
          },
          options,
        ),
    }),
    result,
    pending: () => call(pendingOf),
  }
}

async function readStatus(handle: WorkflowHandle): Promise<StatusReply> {
  return StatusReply.parse(await handle.query(QUERIES.status))
}

async function readQuestions(handle: WorkflowHandle): Promise<Question[]> {
  return handle.query<Question[]>(QUERIES.questions)
}

function ended(error: WorkflowFailedError): RunFailure {
  const cause = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause
  const kind =
    { CancelledFailure: 'canceled', TerminatedFailure: 'terminated', TimeoutFailure: 'timed_out' }[
      cause?.name ?? ''
    ] ?? 'failed'
  const typed = cause as { type?: string | null; details?: unknown[] | null } | undefined
  return {
    kind: kind as RunFailure['kind'],
    message: cause?.message ?? error.message,
    ...(typed?.type == null ? {} : { type: typed.type }),
    ...(typed?.details?.[0] === undefined ? {} : { details: typed.details[0] }),
  }
}
