// Streams the changes of a run to scripts. Each look happens when the script asks for the next
// event; a server or worker that is away is reported once and waited for.
import type { Question } from '../contract/question.js'
import type { IterationSummary, StatusReply, PendingActivity } from '../contract/result.js'
import { newEntries } from '../core/run/new-entries.js'
import type { RunOutcome } from './handle.js'
import { waitingFor } from './waiting.js'

/** One change of a run. */
export type Progress =
  /** It entered a phase, or changed between running and paused. */
  | { type: 'phase'; phase: string; status: StatusReply }
  /** An iteration ended, with its measurement; 0 is the baseline. */
  | { type: 'iteration'; iteration: IterationSummary }
  /** It waits for something else, described in one sentence. */
  | { type: 'waiting'; waitingFor: string }
  /** It asks a question; answer with `run.answer({ questionId: question.id, choice })`. */
  | { type: 'question'; question: Question }
  /** A question is no longer open: answered here or elsewhere, or withdrawn. */
  | { type: 'questionClosed'; question: Question }
  /** The server or its workers do not answer; the run continues when they do. */
  | { type: 'away'; message: string }
  /** It has ended: always the last event. */
  | { type: 'ended'; end: RunOutcome }

export type ProgressOptions = {
  /** Ends the iteration, not the run: it throws the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds between two looks (default 400). */
  everyMs?: number
  /** Milliseconds for which the server may be away before following fails (default 120,000). */
  patienceMs?: number
}

/** What one look at a run sees. */
export type RunLook = { status: StatusReply; questions: Question[]; pending: PendingActivity[] }

/** What following needs from its run. */
export type Followed = {
  id: string
  look: (deadlineMs: number, signal: AbortSignal) => Promise<RunLook>
  result: (options: { signal: AbortSignal; patienceMs?: number }) => Promise<RunOutcome>
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

const LOOK_MS = 400
/** A look queries the workflow, which cannot answer without a worker. */
const ANSWER_MS = 5_000
/**
 * Unanswered looks in a row before that is reported: the server sometimes drops a query that meets
 * an update.
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
  end.catch(() => undefined) // awaited below; its rejection must not overtake a look
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

/** Returns what is new since the last look; at the first, the current state. */
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

// The end may come before a look sees the last iteration.
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

// A question that is asked again has its id again.
function isSame(one: Question, other: Question): boolean {
  return one.id === other.id && one.askedAt === other.askedAt
}
