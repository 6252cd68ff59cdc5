// Decides how a question ends that gets no answer: when, and with which answer. Silence never
// grants a permission, an approval, money or a change of tests.
import type { Config } from '../../contract/config/config.js'
import {
  RECOMMENDED,
  REFUSING,
  STOP,
  type CarriedLimits,
  type QuestionLimit,
} from '../../contract/question-limits.js'
import type { Question, QuestionKind } from '../../contract/question.js'
import { durationText } from '../text/duration-text.js'
import { oneLine } from '../text/one-line.js'

/** The answer to a question that has neither options nor a recommended answer. */
export const NOBODY_ANSWERED =
  'no one answered in time: decide it yourself by what the task and the code suggest, and say in your result how'

type Asked = Pick<Question, 'kind' | 'options' | 'recommended'>

/** Returns what a run carries of `limits.question`; empty if questions wait for ever. */
export function carriedLimits(limits: Config['limits']['question']): CarriedLimits {
  return Object.fromEntries(
    Object.entries(limits ?? {}).flatMap(([kind, limit]) =>
      limit === undefined ? [] : [[kind, limit]],
    ),
  )
}

/** Returns the limit of a kind of question, if it has one. */
export function limitOfKind(
  limits: CarriedLimits | undefined,
  kind: QuestionKind,
): QuestionLimit | undefined {
  return limits?.[kind] ?? limits?.['default']
}

/**
 * Returns the answer that a question gets at its deadline; `stop` without such an option ends the
 * run. An option that the question does not have becomes the recommended one.
 */
export function silentAnswer({ kind, options, recommended }: Asked, then: string): string {
  if (then === STOP) return STOP
  const refusing = REFUSING[kind]
  if (refusing !== undefined) return refusing
  const isAnswer = then !== RECOMMENDED && (options.length === 0 || options.includes(then))
  return isAnswer ? then : (recommended ?? options[0] ?? NOBODY_ANSWERED)
}

/** Whether that answer is none of the question, so the run ends. */
export function endsTheRun({ options }: Pick<Question, 'options'>, answer: string): boolean {
  return answer === STOP && !options.includes(STOP)
}

/** Says what silence does, as in `without an answer: deny`. */
export function silenceText(question: Asked & Pick<Question, 'onDeadline'>): string {
  const answer = question.onDeadline ?? STOP
  return endsTheRun(question, answer) ? 'the run stops' : oneLine(answer, ANSWER_SHOWN)
}
const ANSWER_SHOWN = 80

/** Returns the time that is left for an answer, if it is limited. */
export function timeLeft(
  { deadline, remainingMs }: Pick<Question, 'deadline' | 'remainingMs'>,
  now: number,
): number | undefined {
  if (remainingMs !== undefined) return remainingMs
  return deadline === undefined ? undefined : Math.max(0, deadline - now)
}

/** One sentence about the time that is left; `undefined` if the question waits for ever. */
export function deadlineText(question: Question, now: number): string | undefined {
  const left = timeLeft(question, now)
  if (left === undefined) return undefined
  const still = question.remainingMs === undefined ? '' : ' once the run is resumed'
  return `without an answer in ${durationText(left)}${still}: ${silenceText(question)}`
}

/** The warning about a question that ended without an answer. */
export function silenceWarning(question: Question, after: number): string {
  return `no one answered ${question.id} in ${durationText(after)} (${oneLine(question.text, TEXT_SHOWN)}): ${silenceText(question)}`
}
const TEXT_SHOWN = 200
