// Questions to a person: asked by a step, answered from the CLI, the Web UI or a script.
import { ApplicationFailure, condition } from '@temporalio/workflow'
import { Answer, OWN_WORDS_CHARS, type Question } from '../../contract/question.js'
import type { QuestionClock, QuestionLimit } from '../../contract/question-limits.js'
import { namedAmount } from '../../core/agents/budget.js'
import { approvalProblem } from '../../core/run/approval.js'
import { endsTheRun, silentAnswer } from '../../core/run/question-silence.js'
import { QuestionDeadlines } from './question-deadlines.js'

/** Request ids to carry over continue-as-new, which drops update ids. */
export const REQUEST_IDS_KEPT = 100

/** `given`: all answers, including the last. `silent`: its deadline has passed. */
type Asked = {
  question: Question
  given: string[]
  answer?: string
  text?: string
  withdrawn?: boolean
  silent?: boolean
}

export class Questions {
  readonly #asked = new Map<string, Asked>()
  readonly deadlines: QuestionDeadlines

  /**
   * @param none returns the refusal of an answer without an open question
   * @param clock the deadlines that an earlier iteration carried
   */
  constructor(
    readonly requestIds: string[],
    private readonly none: () => string = () => 'there is no open question',
    clock?: QuestionClock,
  ) {
    this.deadlines = new QuestionDeadlines(clock)
  }

  open(): Question[] {
    return [...this.#asked.values()].filter(isOpen).map((a) => this.#shown(a.question))
  }

  /**
   * Asks and waits, for days if need be. The id of an open question joins it; a closed one is asked
   * again, unless it was answered while its asker was dead.
   *
   * @param limit when it ends without an answer, and with what
   */
  async ask(asks: Question, limit?: QuestionLimit): Promise<string | undefined> {
    const question =
      limit === undefined ? asks : { ...asks, onDeadline: silentAnswer(asks, limit.then) }
    const before = this.#asked.get(question.id)
    const missed = question.heard === undefined ? undefined : before?.given[question.heard]
    if (missed !== undefined) return missed
    const asked: Asked =
      before !== undefined && isOpen(before) ? before : { question, given: before?.given ?? [] }
    this.#asked.set(question.id, asked)
    if (limit !== undefined) this.deadlines.begin(question.id, limit.after)
    await this.#settled(asked)
    return asked.answer
  }

  /** Whether the last answer to a question is that of its deadline. */
  isSilent(questionId: string): boolean {
    return this.#asked.get(questionId)?.silent === true
  }

  // Without a deadline no timer starts.
  async #settled(asked: Asked): Promise<void> {
    const { id } = asked.question
    while (isOpen(asked)) {
      const left = this.deadlines.left(id)
      if (left === undefined) await condition(() => !isOpen(asked))
      else if (this.deadlines.isPaused)
        await condition(() => !isOpen(asked) || !this.deadlines.isPaused)
      else if (left > 0) await condition(() => !isOpen(asked) || this.deadlines.isPaused, left)
      else this.#expire(asked)
    }
  }

  #expire(asked: Asked): void {
    const { question } = asked
    const answer = question.onDeadline ?? ''
    asked.silent = true
    this.deadlines.end(question.id)
    if (endsTheRun(question, answer)) asked.withdrawn = true
    else this.#settle(asked, answer)
  }

  #settle(asked: Asked, answer: string): void {
    asked.answer = answer
    asked.given.push(answer)
    this.deadlines.end(asked.question.id)
  }

  #shown(question: Question): Question {
    return question.onDeadline === undefined
      ? question
      : { ...question, ...this.deadlines.shown(question.id) }
  }

  /**
   * Returns the text that came with a choice, as in `{"choice":"extend","text":"Also add MFA"}`.
   */
  textOf(questionId: string): string | undefined {
    return this.#asked.get(questionId)?.text
  }

  /**
   * Ends all open questions, or those that fit, without an answer; their askers continue without
   * one.
   */
  withdrawAll(fits: (question: Question) => boolean = () => true): void {
    for (const asked of this.#asked.values())
      if (isOpen(asked) && fits(asked.question)) asked.withdrawn = true
  }

  /**
   * The update validator: it must be synchronous, as a rejected promise would block the workflow
   * for ever.
   */
  check(raw: unknown): void {
    const answer = readAnswer(raw)
    if (answer.requestId !== undefined && this.requestIds.includes(answer.requestId)) return
    for (const [question, given] of this.#given(answer)) {
      if (question.kind === 'approval') {
        const text = answer.choice === undefined ? undefined : answer.text
        const problem = approvalProblem(question, given, text)
        if (problem !== undefined) refuse(problem)
        continue
      }
      // A person may know better than the options
      const takesWords = question.kind === 'clarification' || question.kind === 'decision'
      if (
        question.options.length > 0 &&
        !(takesWords && answer.choice === undefined) &&
        !question.options.includes(given)
      )
        refuse(
          `${JSON.stringify(given)} is not an option of question ${question.id}: ${question.options.join(' | ')}${takesWords ? '; free text goes into {"text":"…"}' : ''}`,
        )
      const words = answer.text?.length ?? 0
      const isBounded =
        // A further task has its own limit
        question.kind === 'decision' || (question.kind === 'menu' && given !== 'extend')
      if (isBounded && words > OWN_WORDS_CHARS)
        refuse(
          `the answer to question ${question.id} has ${words} characters, more than ${OWN_WORDS_CHARS}: write it into a file of the repository and name that file`,
        )
      const { amount } = question
      if (given === amount?.option && answer.choice === given && isWords(answer.text))
        refuse(
          `${JSON.stringify(answer.text)} is not an amount: question ${question.id} takes a number of ${amount.unit} above 0, like ${JSON.stringify({ choice: given, text: amount.usual })}`,
        )
    }
  }

  answer(raw: unknown): { questionId: string; answer: string; repeated?: boolean } {
    const answer = readAnswer(raw)
    if (answer.requestId !== undefined && this.requestIds.includes(answer.requestId))
      return { questionId: answer.questionId ?? '', answer: wanted(answer), repeated: true }
    const answered = this.#given(answer)
    for (const [question, given] of answered) {
      const asked = this.#asked.get(question.id)
      if (asked === undefined) continue
      if (answer.choice !== undefined && answer.text !== undefined) asked.text = answer.text
      this.#settle(asked, given)
    }
    this.remember(answer.requestId)
    return { questionId: answered.map(([{ id }]) => id).join(', '), answer: wanted(answer) }
  }

  /** Answers a question that was decided otherwise. */
  settle(questionId: string, answer: string): void {
    const asked = this.#asked.get(questionId)
    if (asked === undefined || !isOpen(asked)) return
    asked.answer = answer
    this.deadlines.end(questionId)
  }

  /** Withdraws a question that is asked again later: its clock continues there. */
  suspend(questionId: string): void {
    const asked = this.#asked.get(questionId)
    if (asked !== undefined && isOpen(asked)) asked.answer = ''
  }

  remember(requestId: string | undefined): void {
    if (requestId === undefined) return
    this.requestIds.push(requestId)
    while (this.requestIds.length > REQUEST_IDS_KEPT) this.requestIds.shift()
  }

  /**
   * Returns the answered questions with their answers: `answers` may answer several questions, each
   * by its id or the last part of it.
   */
  #given(answer: Answer): [Question, string][] {
    const entries =
      answer.choice === undefined && answer.text === undefined && answer.questionId === undefined
        ? Object.entries(answer.answers ?? {})
        : []
    const open = this.open()
    const found = entries.map(([key, given]) => ({
      key,
      given,
      question: open.find(({ id }) => id === key || id.endsWith(`-${key}`)),
    }))
    if (found.every(({ question }) => question === undefined))
      return [[this.#find(answer), wanted(answer)]]
    return found.map(({ key, given, question }) => [
      question ??
        refuse(
          `no open question ${JSON.stringify(key)}; open: ${open.map((q) => q.id).join(', ')}`,
        ),
      given,
    ])
  }

  #find(answer: Answer): Question {
    const open = this.open()
    if (answer.questionId !== undefined) {
      const found = open.find((q) => q.id === answer.questionId)
      return (
        found ??
        refuse(
          `no open question ${JSON.stringify(answer.questionId)}; ${open.length === 0 ? this.none() : `open: ${open.map((q) => q.id).join(', ')}`}`,
        )
      )
    }
    if (open.length === 0) return refuse(this.none())
    if (open.length > 1)
      return refuse(
        `several questions are open, name one with questionId: ${open.map((q) => q.id).join(', ')}`,
      )
    return open[0] as Question
  }
}

function isOpen(asked: Asked): boolean {
  return asked.answer === undefined && asked.withdrawn !== true
}

/** Whether a text is given that is not an amount; blanks are no text. */
function isWords(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '' && namedAmount(text) === undefined
}

/** Also accepts a bare string as an answer. */
function readAnswer(raw: unknown): Answer {
  if (typeof raw === 'string') return { choice: raw }
  const parsed = Answer.safeParse(raw ?? {})
  if (!parsed.success)
    return refuse(
      `cannot read the answer: ${parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ')}`,
    )
  if (wanted(parsed.data) === '')
    return refuse('an answer needs "choice" or "text", like {"choice":"allow"}')
  return parsed.data
}

function wanted(answer: Answer): string {
  return answer.choice ?? answer.text ?? Object.values(answer.answers ?? {}).join('; ')
}

function refuse(message: string): never {
  throw ApplicationFailure.nonRetryable(message, 'BadAnswer')
}
