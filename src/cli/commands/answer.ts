// ratchet answer: answers the open question of a run; without an answer it lists what is asked.
import { randomUUID } from 'node:crypto'
import type { Answer, Question } from '../../contract/question.js'
import type { Context } from '../context.js'
import { badInput } from '../errors.js'
import { findRun } from '../find-run.js'
import { refuseClosed } from '../options.js'
import { questionLines } from '../progress.js'
import { wishWorker } from '../wake.js'

export async function run(context: Context, [typed, ...words]: string[], options: { question?: string }): Promise<number> {
  const found = await findRun(context, typed)
  refuseClosed(found, 'so nothing is asked any more')
  const questions = await found.handle.questions()
  if (words.length === 0) {
    context.answer({ id: found.id, questions }, questions.length === 0 ? ['no question is open'] : questions.flatMap((question) => questionLines(found.id, question, questions.length)))
    return 0
  }
  const question = chosen(found.id, questions, options.question)
  const given = await found.handle.answer({ questionId: question.id, requestId: randomUUID(), ...answerTo(question, words) })
  await wishWorker(context, found)
  context.answer({ id: found.id, questionId: given.questionId, answer: given.answer }, [`answered: ${given.answer}`])
  return 0
}

/**
 * What a user typed as an answer: an option, text where there are none, or an option of a menu with text
 * behind it, as in `extend "and a till"`.
 *
 * @throws RefusalError `BadInput` for what is no option
 */
export function answerTo({ id, kind, text: asked, options }: Question, words: readonly string[]): Pick<Answer, 'choice' | 'text'> {
  const text = words.join(' ')
  if (options.length === 0) return { text }
  if (options.includes(text)) return { choice: text }
  const [first = '', ...rest] = words
  if (kind === 'menu' && options.includes(first) && rest.join('').trim() !== '') return { choice: first, text: rest.join(' ') }
  throw badInput(`${JSON.stringify(text)} is no option of the question`, `${id}: ${asked}`, `choose one of: ${options.join(', ')}`)
}

function chosen(id: string, questions: Question[], wanted: string | undefined): Question {
  const [first, ...more] = wanted === undefined ? questions : questions.filter((question) => question.id === wanted)
  if (first === undefined) {
    const open = questions.map((question) => question.id).join(', ')
    throw badInput(wanted === undefined ? 'no question is open' : `there is no open question ${wanted}`, id, open === '' ? `see what the run waits for: ratchet status ${id}` : `open questions: ${open}`)
  }
  if (more.length > 0) throw badInput('several questions are open', id, `name one with --question: ${questions.map((question) => question.id).join(', ')}`)
  return first
}
