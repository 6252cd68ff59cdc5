// Decides which hook receives which event, and builds the event. An exhausted budget is also a
// question, and a stuck run has also failed, so the other hook gets the event if the first is
// missing.
import {
  ASKED_EVENTS,
  type AskedEvent,
  type Hook,
  type HookName,
  type Hooks,
} from '../../contract/hooks.js'
import type { HookAsked, HookEnded } from '../../contract/hook-event.js'
import type { Question } from '../../contract/question.js'
import type { ReportedFailure, RunResult, StatusReply } from '../../contract/result.js'
import { deadlineText } from './question-silence.js'
import { isDone } from './done-outcomes.js'
import { isoTime } from '../text/iso-time.js'
import { LINE_SHOWN, oneLine } from '../text/one-line.js'

/** Number of failures in an event. */
const FAILURES_TOLD = 10

const INSTEAD: Partial<Record<HookName, HookName>> = { budget: 'question', stuck: 'failed' }

/** Returns the hook that receives an event, and the name under which it is configured. */
export function hookFor(
  hooks: Hooks | undefined,
  event: HookName,
): { name: HookName; hook: Hook } | undefined {
  for (const name of [event, INSTEAD[event]]) {
    const hook = name === undefined ? undefined : hooks?.[name]
    if (name !== undefined && hook !== undefined) return { name, hook }
  }
  return undefined
}

/** Returns the events besides questions for which there is a hook. */
export function askedHooks(hooks: Hooks): AskedEvent[] {
  return ASKED_EVENTS.filter((event) => hookFor(hooks, event) !== undefined)
}

/** Returns the event of a question. */
export function askedEvent({ kind }: Pick<Question, 'kind'>): AskedEvent {
  return kind === 'budget' ? 'budget' : 'question'
}

/** Returns the event of an end: `done` if the command ends with exit code 0. */
export function endedEvent(outcome: string): HookEnded['event'] {
  if (outcome === 'blocked') return 'stuck'
  return isDone(outcome) ? 'done' : 'failed'
}

/** What an event needs to know about its run. */
export type Told = {
  status: Pick<StatusReply, 'id' | 'kind' | 'iteration' | 'maxIterations' | 'passRate' | 'branch'>
  project: string
  recordDir: string
  eventId: string
  /** Epoch milliseconds, and the offset of the configuration. */
  at: number
  timezone: string
}

/** Returns the event of a question. */
export function asked(told: Told, question: Question): HookAsked {
  const { id } = told.status
  const given = question.recommended ?? question.options[0]
  const ends = deadlineText(question, told.at)
  return {
    ...common(
      told,
      `${id} asks: ${oneLine(question.text, LINE_SHOWN)}${ends === undefined ? '' : ` (${ends})`}`,
    ),
    event: askedEvent(question),
    question,
    answer: {
      command: `ratchet answer ${id} --question ${question.id} ${given === undefined ? '"<your answer>"' : shellWord(given)}`,
      update: {
        questionId: question.id,
        ...(given === undefined ? { text: 'your answer' } : { choice: given }),
      },
    },
  }
}

/** Returns the event of an end. `failures` are those that the record reports. */
export function ended(
  told: Told,
  result: RunResult,
  failures: readonly ReportedFailure[],
): HookEnded {
  const {
    outcome,
    status,
    iterations,
    passRate,
    reviewNeeded,
    reason,
    commits,
    failuresTotal,
    usage,
  } = result
  const rate = passRate === null ? 'nothing was measured' : `pass rate ${passRate.toFixed(1)} %`
  const why = reason === null ? '' : `: ${reason}`
  const went = ` after ${iterations} iteration${iterations === 1 ? '' : 's'}, ${rate}${reviewNeeded ? ', needs review' : ''}`
  return {
    ...common(
      told,
      oneLine(
        `${told.status.id}: ${outcome.replaceAll('_', ' ')}${told.status.kind === 'prep' ? '' : went}${why}`,
        LINE_SHOWN,
      ),
    ),
    event: endedEvent(outcome),
    result: {
      outcome,
      status,
      iterations,
      passRate,
      reviewNeeded,
      reason,
      commits,
      failures: failures.slice(0, FAILURES_TOLD),
      failuresTotal,
      usage,
    },
  }
}

function common({ status, project, recordDir, eventId, at, timezone }: Told, text: string) {
  const { id, kind, branch, iteration, maxIterations, passRate } = status
  return {
    schema: 1 as const,
    eventId,
    at: isoTime(at, timezone),
    text,
    run: { id, kind, project, recordDir, branch, iteration, maxIterations, passRate },
  }
}

/** Quotes a word for a shell. */
function shellWord(text: string): string {
  return /^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
