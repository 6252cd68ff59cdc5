// Questions of a loop to a person: what to do next, and what a worker cannot decide.
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../contract/dev-loop/loop-input.js'
import type { Question } from '../../contract/question.js'
import type { Clarification } from '../../contract/dev-loop/action-reading.js'
import { oneLine } from '../text/one-line.js'
import { blockedTasks, completedTasks, pendingTasks } from './loop-tasks.js'
import { decided } from './loop-next-action.js'
import { openIn, openLine } from './loop-open.js'

/** Choices of the menu; all but the last are actions. */
export const MENU_OPTIONS = ['develop', 'debug', 'validate', 'complete', 'exit'] as const
type MenuOption = (typeof MENU_OPTIONS)[number]

const SUMMARY_CHARS = 200
const QUESTION_CHARS = 500

/** The menu between two workers. `askedAt`: epoch milliseconds. */
export function menuQuestion(state: LoopState, id: string, askedAt: number): Question {
  const completed = completedTasks(state.tasks).length
  const pending = pendingTasks(state.tasks).length
  const blocked = blockedTasks(state.tasks).length
  const waits = blocked === 0 ? `${pending} pending` : `${pending} pending, ${blocked} blocked`
  return {
    id,
    kind: 'menu',
    askedAt,
    options: [...MENU_OPTIONS],
    recommended: recommendedOption(state),
    text: `Select next action (completed: ${completed}, pending: ${pending}): ${lastWorker(state)}`,
    descriptions: {
      develop: `Continue development (${waits})`,
      debug: 'Look for the cause of what is wrong',
      validate: 'Run the tests and checks, and have them explained',
      complete: 'End the loop with a summary and a suggested commit',
      exit: 'Leave the loop as it is; you can continue it later',
    } satisfies Record<MenuOption, string>,
  }
}

/**
 * Returns what auto mode would do, as a choice of the menu. If auto mode would fail, debug looks at
 * it once, so that always following the menu ends the loop, too.
 */
function recommendedOption(state: LoopState): MenuOption {
  const next = decided({ ...state, mode: 'auto' })
  if ('end' in next)
    return next.end === 'completed'
      ? 'complete'
      : state.last?.action === 'develop' && !state.debugged
        ? 'debug'
        : 'exit'
  return next.action === 'init' ? 'develop' : next.action
}

function lastWorker({
  last,
  workers,
  validation,
}: Pick<LoopState, 'last' | 'workers' | 'validation'>): string {
  const worker = workers.at(-1)
  if (worker === undefined) return 'no worker has ended yet.'
  const task = last?.action === worker.action && last.task !== undefined ? ` (${last.task})` : ''
  const summary = oneLine(worker.summary, SUMMARY_CHARS).replace(/[.:;,]+$/, '')
  // After a validate, also show what was measured, since the choice depends on it.
  const measured =
    worker.action === 'validate' && validation?.iteration === worker.iteration
      ? ` Measured: ${validation.why}.`
      : ''
  return `${worker.action}${task} ended with ${worker.status.replaceAll('_', ' ')}${worker.timedOut === true ? ', out of time' : ''}${summary === '' ? '' : `: ${summary}`}.${measured}`
}

/** The answer that completes a loop with what is open. */
export const COMPLETE_ANYWAY = 'complete anyway'
const CONTINUE = 'continue'

/**
 * Returns the question that confirms complete if something is open or nothing was committed; else
 * `undefined`. If nothing is open, no worker can add anything.
 */
export function openQuestion(state: LoopState, id: string, askedAt: number): Question | undefined {
  const { items } = openIn(state)
  if (items.length === 0 && state.commits.length > 0) return undefined
  return {
    id,
    kind: 'menu',
    askedAt,
    options: [COMPLETE_ANYWAY, CONTINUE],
    recommended: items.length === 0 ? COMPLETE_ANYWAY : CONTINUE,
    text: `${openLine(items) ?? 'Nothing was committed'}. Complete anyway?`,
    descriptions: {
      [COMPLETE_ANYWAY]: 'End the loop as completed; the result names what is open',
      [CONTINUE]: 'Back to the menu',
    },
  }
}

/** What a worker asks a person; without options any text is an answer. */
export function clarificationQuestion(
  { text, options, recommended }: Clarification,
  p: { id: string; action: LoopAction; askedAt: number },
): Question {
  return {
    id: p.id,
    kind: 'clarification',
    text: `${p.action} asks: ${oneLine(text, QUESTION_CHARS)}`,
    options: [...options],
    recommended,
    askedAt: p.askedAt,
  }
}

/** Returns the answer if no person is asked. */
export function recommendedAnswer({ options, recommended }: Clarification): string {
  return (
    recommended ??
    options[0] ??
    'No person answers in this mode: decide yourself from the task and the code, and state your decision in your result.'
  )
}
