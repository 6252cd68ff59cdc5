// ratchet answer: answers an open question of a run. Without an answer it asks each question in a
// terminal, and lists them elsewhere.
import { randomUUID } from 'node:crypto'
import { BAD_INPUT } from '../../contract/failures.js'
import type { Answer, Question } from '../../contract/question.js'
import { answer } from '../follow/answer-prompts.js'
import { namedAmount } from '../../core/agents/budget.js'
import type { Ask, Context } from '../context.js'
import { badInput, describeError, interrupted } from '../output/errors.js'
import { findRun, type FoundRun } from '../find/find-run.js'
import { refuseClosed } from '../options.js'
import { questionLines } from '../output/run-lines.js'
import { answerProposed, proposedIn } from '../start/test-changes.js'
import { tryStartWorker } from '../start/start-worker.js'

export async function run(
  context: Context,
  [typed, ...words]: string[],
  options: { question?: string },
): Promise<number> {
  const { out } = context
  const found = await findRun(context, typed)
  const proposed = proposedIn(context.project, found)
  if (proposed !== undefined) return answerProposed(context, found.id, proposed, words)
  refuseClosed(found, 'so it has no open questions')
  const questions = await found.handle.questions()
  if (words.length > 0)
    return give(context, found, words, questionOf(found, questions, options.question))
  const asked =
    options.question === undefined ? questions : [chosen(found.id, questions, options.question)]
  if (out.ask !== undefined && asked.length > 0) return ask(context, out.ask, found, asked)
  out.answer(
    { id: found.id, questions: asked },
    asked.length === 0
      ? ['no question is open']
      : asked.flatMap((question) => questionLines(found.id, question, questions.length)),
  )
  return 0
}

async function give(
  context: Pick<Context, 'server' | 'out'>,
  found: FoundRun,
  words: string[],
  question: Question | undefined,
): Promise<number> {
  const text = words.join(' ')
  // Nothing is known here about open questions, so the run says what it does.
  const wanted =
    question === undefined
      ? { choice: text }
      : { questionId: question.id, ...answerTo(question, words) }
  const given = await taken(found, { ...wanted, requestId: randomUUID() })
  await tryStartWorker(context, found)
  context.out.answer({ id: found.id, questionId: given.questionId, answer: given.answer }, [
    `answered: ${given.answer}`,
  ])
  return 0
}

async function taken(
  { id, handle }: FoundRun,
  wanted: Answer,
): ReturnType<FoundRun['handle']['answer']> {
  try {
    return await handle.answer(wanted)
  } catch (error) {
    const { problem } = describeError(error)
    if (problem.type !== BAD_INPUT) throw error
    throw badInput(problem.message, id, `see its state with: ratchet status ${id}`)
  }
}

async function ask(
  context: Pick<Context, 'server' | 'out'>,
  prompt: Ask,
  found: FoundRun,
  questions: readonly Question[],
): Promise<number> {
  const { out } = context
  out.takesInterrupt()
  const answers: { questionId: string; answer: string }[] = []
  for (const question of questions) {
    const given = await prompt(question, out.interrupted)
    if (given === undefined || given === 'left')
      throw interrupted(
        found.id,
        `the other questions stay open; answer them with: ratchet answer ${found.id}`,
      )
    const problem = await answer(found.handle, question, given)
    if (problem !== undefined)
      throw badInput(problem, found.id, `see its state with: ratchet status ${found.id}`)
    answers.push({ questionId: question.id, answer: given.text ?? given.choice ?? '' })
  }
  await tryStartWorker(context, found)
  out.answer({ id: found.id, answers }, [
    `answered; follow the run with: ratchet watch ${found.id}`,
  ])
  return 0
}

// A loop without an open question says why.
function questionOf(
  { id, kind }: FoundRun,
  questions: Question[],
  wanted: string | undefined,
): Question | undefined {
  return kind === 'dev-loop' && questions.length === 0 && wanted === undefined
    ? undefined
    : chosen(id, questions, wanted)
}

/**
 * Turns what a user typed into an answer: an option, free text if there are no options or the
 * question is a decision, a clarification or an approval, an option of a menu with text, as in
 * `extend "and a till"`, or of a budget with an amount, as in `raise 50000`.
 *
 * @throws RefusalError `BadInput` for anything else
 */
export function answerTo(
  { id, kind, text: asked, options, amount }: Question,
  words: readonly string[],
): Pick<Answer, 'choice' | 'text'> {
  const text = words.join(' ')
  if (options.length === 0) return { text }
  if (options.includes(text)) return { choice: text }
  const [first = '', ...rest] = words
  if (kind === 'menu' && options.includes(first) && rest.join('').trim() !== '')
    return { choice: first, text: rest.join(' ') }
  if (first === amount?.option && rest.length > 0) {
    if (namedAmount(rest.join(' ')) !== undefined) return { choice: first, text: rest.join(' ') }
    throw badInput(
      `${JSON.stringify(rest.join(' '))} is not an amount`,
      `${id}: ${asked}`,
      `give a number of ${amount.unit}, for example: ${first} ${amount.usual}`,
    )
  }
  // A person may know better than the options
  if (kind === 'clarification' || kind === 'decision' || kind === 'approval') return { text }
  throw badInput(
    `${JSON.stringify(text)} is not an option of this question`,
    `${id}: ${asked}`,
    `use one of: ${options.join(', ')}`,
  )
}

function chosen(id: string, questions: Question[], wanted: string | undefined): Question {
  const [first, ...more] =
    wanted === undefined ? questions : questions.filter((question) => question.id === wanted)
  if (first === undefined) {
    const open = questions.map((question) => question.id).join(', ')
    throw badInput(
      wanted === undefined ? 'no question is open' : `unknown question ${wanted}`,
      id,
      open === ''
        ? `see what the run waits for with: ratchet status ${id}`
        : `open questions: ${open}`,
    )
  }
  if (more.length > 0)
    throw badInput(
      'several questions are open',
      id,
      `name one with --question: ${questions.map((question) => question.id).join(', ')}`,
    )
  return first
}
