// Follows a run to its end and shows what changes. A server or worker that is away is reported once
// and waited for; the run itself is not affected.
import { setTimeout as delay } from 'node:timers/promises'
import type { RunFailure } from '../../client/handle.js'
import type { PendingActivity, RunResult } from '../../contract/result.js'
import { perGainedTest } from '../../core/report/per-gained-test.js'
import type { Question } from '../../contract/question.js'
import { isServerUnavailable } from '../../core/grpc.js'
import { newEntries } from '../../core/run/new-entries.js'
import type { Output } from '../context.js'
import { asking } from './answer-prompts.js'
import { EXIT, interrupted, isUnanswered } from '../output/errors.js'
import { endLines, endedError, exitCodeOf } from '../output/ending.js'
import { prepEndLines } from '../prep/prep-lines.js'
import type { FoundRun } from '../find/find-run.js'
import { keptIn } from '../find/run-record.js'
import { carriedOf, type Carried } from '../live/model.js'
import { finishedLines, historyLines, progressLines, type Look } from '../output/run-lines.js'
import { recordedResult } from '../find/session-record.js'
import { workerState } from '../start/server.js'
import { activityNow, inLocalTime, waitingFor } from '../../client/waiting.js'

const LOOK_MS = 400
/** A look queries the workflow, which cannot answer without a worker. */
const ANSWER_MS = 5_000
/**
 * Unanswered looks in a row before that is reported: the server sometimes drops a query that meets
 * an update.
 */
const LOOKS_UNANSWERED = 2
/** How long the server may be away before following ends. */
const PATIENCE_MS = 120_000

export type End = { result: RunResult } | { ended: RunFailure }
export type Followed = Pick<FoundRun, 'id' | 'kind' | 'handle' | 'server' | 'project' | 'uiUrl'>

/**
 * Follows a run, prints its end, and returns the exit code of its outcome. Ctrl-C only stops
 * following.
 */
export async function followToEnd(out: Output, run: Followed): Promise<number> {
  const end = await follow(out, run)
  return showEnd(out, run, end)
}

/** Prints how a run ended. */
export function showEnd(
  out: Output,
  run: Pick<Followed, 'id' | 'kind' | 'uiUrl' | 'project'>,
  end: End,
): number {
  const { result, exitCode } = resultOf(run, end)
  const kept =
    run.kind === 'dev-loop' && run.project !== undefined
      ? keptIn(run.project, run.id, run.kind)
      : undefined
  out.answer(
    { ...result, perGainedTest: perGainedTest(result), uiUrl: run.uiUrl },
    result.kind === 'prep'
      ? prepEndLines(result, run.uiUrl)
      : endLines(result, run.uiUrl, kept?.open),
  )
  return exitCode
}

/**
 * Returns the result of a run that has ended, and its exit code.
 *
 * @throws CommandError if it returned none
 */
export function resultOf(
  run: Pick<Followed, 'id' | 'kind' | 'project'>,
  end: End,
): { result: RunResult; exitCode: number } {
  if ('result' in end) return { result: end.result, exitCode: exitCodeOf(end.result) }
  // A cancelled run finished its record, which holds the result. After a refusal the record is that
  // of an earlier run.
  const result = end.ended.kind === 'canceled' ? recordedResult(run.project, run.id) : undefined
  if (result === undefined) throw endedError(run.id, end.ended, run.kind)
  return { result, exitCode: EXIT.otherwise }
}

/**
 * Waits for the end of a run and shows its progress. Questions are asked if a person sits at the
 * terminal, else shown with the command that answers them.
 *
 * @param onQuestion receives each open question at every look, if the answers do not come from a
 * person
 * @param nextLook waits between two looks
 */
export async function follow(
  out: Output,
  run: Followed,
  onQuestion?: (question: Question) => Promise<void>,
  nextLook: () => Promise<void> = () => delay(LOOK_MS, undefined),
): Promise<End> {
  out.takesInterrupt()
  const stop = new Promise<'interrupted'>((resolve) => {
    if (out.interrupted.aborted) resolve('interrupted')
    out.interrupted.addEventListener('abort', () => resolve('interrupted'), { once: true })
  })
  const end = patientResult(run)
  end.catch(() => undefined) // awaited below; its rejection must not overtake a look
  const { ask } = out
  const live = onQuestion === undefined ? await out.live?.() : undefined
  const above = live?.above ?? ((now: () => void) => now())
  const tell = (line: string): void => out.say(live?.line(line) ?? line)
  const asks =
    ask === undefined || onQuestion !== undefined
      ? undefined
      : asking({ say: (line) => above(() => tell(line)), ask: live?.asks(ask) ?? ask }, run.handle)
  const print = (now: () => void): void =>
    asks === undefined ? above(now) : asks.print(() => above(now))
  const say = (line: string): void => print(() => tell(line))
  let before: Look | undefined
  let atWork = ''
  let unanswered = 0
  const warned = new Set<string>()
  // What the run carries besides its status; read only when it may have changed, as it is larger.
  const readCarried = async (): Promise<void> => {
    if (run.kind === 'test-fix' && live === undefined) return
    const carried = await carriedBy(run)
    if (carried === undefined) return
    live?.carried(carried)
    for (const text of run.kind === 'test-fix'
      ? []
      : carried.warnings.filter((one) => !warned.has(one))) {
      warned.add(text)
      print(() => out.warn(`warning: ${text}`))
    }
  }
  const asked = asks === undefined ? 'with commands' : 'without questions'
  try {
    for (;;) {
      const seen = await look(run)
      if ('look' in seen) {
        for (const line of (live === undefined ? progressLines : finishedLines)(
          before,
          seen.look,
          asked,
        ))
          say(line)
        const working = workingNow(seen.pending)
        if (
          before?.status.phase !== seen.look.status.phase ||
          (live !== undefined && working !== atWork)
        )
          await readCarried()
        atWork = working
        before = seen.look
        for (const question of seen.look.questions) await onQuestion?.(question)
        asks?.look(seen.look.questions)
        live?.seen(seen.look, seen.pending) // after a prompt that has just begun
        unanswered = 0
      } else if (++unanswered === LOOKS_UNANSWERED) {
        if (live === undefined)
          // A line that a prompt held back may be outdated
          print(() => void (unanswered > 0 && out.say(`waiting      ${seen.away}`)))
        else live.away(seen.away)
      }
      const next = await Promise.race([
        end,
        stop,
        ...(asks === undefined ? [] : [asks.left]),
        nextLook(),
      ])
      if (next === undefined) continue
      await asks?.close()
      if (next === 'left')
        throw interrupted(
          run.id,
          `the run waits for the answer; continue with: ratchet watch ${run.id}`,
        )
      if (next === 'interrupted')
        throw interrupted(run.id, `the run continues; follow it with: ratchet watch ${run.id}`)
      await readCarried()
      if ('result' in next)
        for (const line of historyLines(
          next.result.history,
          newEntries(before?.status.history, next.result.history),
          run.kind,
        ))
          say(line)
      return next
    }
  } finally {
    live?.close()
  }
}

// A run that cannot be queried is followed all the same.
async function carriedBy({ handle, server }: Followed): Promise<Carried | undefined> {
  const { within } = await import('../../client/overview.js')
  try {
    return carriedOf(await within(server.ratchet.client, ANSWER_MS, () => handle.state()))
  } catch {
    return undefined
  }
}

// Changes when a turn begins or ends, and with it the usage.
function workingNow(pending: readonly PendingActivity[]): string {
  return pending
    .map(({ name, attempt, startedAt = 0 }) => `${name} ${attempt} ${startedAt}`)
    .join('\n')
}

async function look({
  id,
  handle,
  server,
  project,
}: Followed): Promise<{ look: Look; pending: PendingActivity[] } | { away: string }> {
  const { within } = await import('../../client/overview.js')
  try {
    return await within(server.ratchet.client, ANSWER_MS, async () => {
      const [status, pending] = await Promise.all([handle.status(), handle.pending()])
      const questions = status.questions > 0 ? await handle.questions() : []
      return {
        look: {
          status,
          questions,
          now: activityNow(pending),
          waitingFor: inLocalTime(
            waitingFor(id, status.waitingFor, pending, await workerState(server, project)),
            Date.now(),
          ),
        },
        pending,
      }
    })
  } catch (error) {
    if (!isUnanswered(error)) throw error
    return {
      away: 'host: the server or the workflow worker does not answer; if this lasts, run: ratchet doctor',
    }
  }
}

// Waits for the end of the run across restarts of the server.
async function patientResult({ handle }: Followed): Promise<End> {
  let since: number | undefined
  for (;;) {
    try {
      return await handle.result({ patienceMs: 0 }) // reported here
    } catch (error) {
      if (!isServerUnavailable(error)) throw error
      since ??= Date.now()
      if (Date.now() - since > PATIENCE_MS) throw error
      await delay(1_000)
    }
  }
}
