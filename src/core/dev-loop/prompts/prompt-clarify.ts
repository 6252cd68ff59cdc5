// The answers to a worker's questions, in its own session.
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import { oneLine } from '../../text/one-line.js'
import { bounded, fenced, joined, section } from '../../prompts/prompt-parts.js'
import { workerForm } from './action-form.js'

/** Characters of a question and of an answer that are sent back. */
const QUESTION_CHARS = 1_000
const ANSWER_CHARS = 4_000

/** @param p.answers in the order of the questions; an answer of several lines is fenced */
export function clarifyPrompt(p: {
  action: LoopAction
  answers: { question: string; answer: string }[]
}): string {
  return joined([
    section('## CLARIFICATION ANSWERS', [
      p.answers
        .map(
          ({ question, answer }) =>
            `Q: ${oneLine(question, QUESTION_CHARS)}\n${answered(answer.trim())}`,
        )
        .join('\n\n'),
    ]),
    section('## CONTINUE EXECUTION', [
      `Continue the ${p.action} action with these answers, within the given scope. Do not ask again what they settle; you may ask a new question in the same way.`,
      `End with your result when the ${p.action} action is done:`,
      '',
      workerForm(p.action),
    ]),
  ])
}

function answered(answer: string): string {
  if (answer === '') return 'A: (no answer: decide yourself, and say how)'
  return answer.includes('\n')
    ? `A:\n\n${fenced(bounded(answer, ANSWER_CHARS, 'of the answer'))}`
    : `A: ${oneLine(answer, ANSWER_CHARS)}`
}
