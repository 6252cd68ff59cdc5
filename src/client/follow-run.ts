// A run as a stream of what changes, for scripts. One look after the other, each only when the
// script asks for the next event; a server or worker that is away for a while is told once and
// waited for.
import type { Question } from '../contract/question.js'
import type { IterationSummary, StatusReply } from '../contract/result.js'
import { newEntries } from '../core/run/new-entries.js'
import type { RunOutcome } from './handle.js'
import type { PendingActivity } from './pending.js'
import { waitingFor } from './waiting.js'

/** One thing that happened to a run. */
export type Progress =
  /** It entered a phase, or changed between running and paused. */
  | { type: 'phase'; phase: string; status: StatusReply }
  /** An iteration ended, and what was measured after it; 0 is the baseline. */
  | { type: 'iteration'; iteration: IterationSummary }
  /** It waits for something else, in one sentence. */
  | { type: 'waiting'; waitingFor: string }
  /** It asks; answer with `run.answer({ questionId: question.id, choice })`. */
  | { type: 'question'; question: Question }
  /** A question is no longer open: answered here or elsewhere, or withdrawn. */
  | { type: 'questionClosed'; question: Question }
  /** The server or its workers do not answer; the run goes on when they do. */
  | { type: 'away'; message: string }
  /** It has ended: always the last event. */
  | { type: 'ended'; end: RunOutcome }

export type ProgressOptions = {
  /** Ends the iteration, not the run: it throws the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds between two looks (default 400). */
  everyMs?: number
  /**
   * Milliseconds for which a server may be away before the iteration is given up (default 120,000).
   */
  patienceMs?: number
}

/** What one look at a run sees. */
export type RunLook = { status: StatusReply; questions: Question[]; pending: PendingActivity[] }

/** What the following needs of a run. */
export type Followed = {
  id: string
  look: (deadlineMs: number, signal: AbortSignal) => Promise<RunLook>
  result: (options: { signal: AbortSignal; patienceMs?: number }) => Promise<RunOutcome>
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

const LOOK_MS = 400
/** A look asks the workflow, which cannot answer while no worker lives. */
const ANSWER_MS = 5_000
/**
 * Looks in a row without an answer before that is told: the server loses a query now and then,
 * beside an update.
 */
const LOOKS_UNANSWERED = 2

/** Follows a run to its end. */
export async function* followRun(
  run: Followed,
  { signal, everyMs = LOOK_MS, patienceMs }: ProgressOptions,
): AsyncGenerator<Progress, void, undefined> {
  const left = new AbortController()
  const until = signal === undefined ? left.signal : AbortSignal.any([left.signal, signal])
  const end = run.result({ signal: until, patienceMs }).then((end) => ({ end }))
  end.catch(() => undefined) // looked at below; a look must not be overtaken by its rejection
  let before: RunLook | undefined
  let unanswered = 0
  try {
    for (;;) {
      const seen = await Promise.race([end, looked(run, until)])
      if ('end' in seen) {
        yield* lastEvents(before, seen.end)
        return
      }
      if ('away' in seen) {
        if (++unanswered === LOOKS_UNANSWERED) yield { type: 'away', message: seen.away }
      } else {
        unanswered = 0
        yield* changes(run.id, before, seen.look)
        before = seen.look
      }
      await Promise.race([end, run.pause(everyMs, until)])
    }
  } finally {
    left.abort()
  }
}

async function looked(
  run: Followed,
  signal: AbortSignal,
): Promise<{ look: RunLook } | { away: string }> {
  try {
    return { look: await run.look(ANSWER_MS, signal) }
  } catch (error) {
    if ((error as Error).name !== 'ServerUnavailableError') throw error
    return { away: (error as Error).message }
  }
}

/** What is new since the look before; at the first, where the run is. */
export function changes(id: string, before: RunLook | undefined, look: RunLook): Progress[] {
  const { status } = look
  const moved = before?.status.phase !== status.phase || before.status.status !== status.status
  const waits = waitingFor(id, status.waitingFor, look.pending, 'unknown')
  const waited =
    before === undefined
      ? undefined
      : waitingFor(id, before.status.waitingFor, before.pending, 'unknown')
  const isNew = (question: Question): boolean =>
    before?.questions.some((one) => isSame(one, question)) !== true
  return [
    ...iterations(before?.status.history, status.history),
    ...(moved ? [{ type: 'phase' as const, phase: status.phase, status }] : []),
    ...(waits === waited ? [] : [{ type: 'waiting' as const, waitingFor: waits }]),
    ...(before?.questions ?? [])
      .filter((one) => !look.questions.some((question) => isSame(one, question)))
      .map((question) => ({ type: 'questionClosed' as const, question })),
    ...look.questions.filter(isNew).map((question) => ({ type: 'question' as const, question })),
  ]
}

// The end comes before a look sees the last iteration.
function lastEvents(before: RunLook | undefined, end: RunOutcome): Progress[] {
  return [
    ...('result' in end ? iterations(before?.status.history, end.result.history) : []),
    { type: 'ended', end },
  ]
}

function iterations(
  before: readonly IterationSummary[] | undefined,
  history: readonly IterationSummary[],
): Progress[] {
  return history
    .slice(newEntries(before, history))
    .map((iteration) => ({ type: 'iteration', iteration }))
}

// One that is asked anew has its id again.
function isSame(one: Question, other: Question): boolean {
  return one.id === other.id && one.askedAt === other.askedAt
}
