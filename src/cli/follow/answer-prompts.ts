// Asks the questions of a followed run as prompts in a terminal, one after the other. While a
// prompt is open nothing else may be printed, so lines are held until it ends. The run continues
// meanwhile, and a question that is answered elsewhere closes its prompt.
import { randomUUID } from 'node:crypto'
import { BAD_INPUT } from '../../contract/failures.js'
import type { Question } from '../../contract/question.js'
import type { RunHandle } from '../../client/handle.js'
import type { Ask, Given, Output } from '../context.js'
import { describeError, isUnanswered } from '../output/errors.js'

export type Asking = {
  /**
   * Receives the open questions at every look: starts a prompt for the first, and closes the prompt
   * of one that is no longer open.
   */
  look: (questions: readonly Question[]) => void
  /** Prints at once, or when the prompt has ended. */
  print: (print: () => void) => void
  /**
   * Resolves when the person leaves with Ctrl-C; rejects if an answer failed with an error that the
   * person cannot correct.
   */
  left: Promise<'left'>
  /** Closes the prompt, if one is open, and prints what was kept. */
  close: () => Promise<void>
}

type Open = { question: Question; prompt: AbortController; ended: Promise<void>; given: boolean }

/** Asks what a run asks. */
export function asking(
  out: Pick<Output, 'say'> & { ask: Ask },
  handle: Pick<RunHandle, 'answer'>,
): Asking {
  const kept: (() => void)[] = []
  const answered = new Set<string>()
  let open: Open | undefined
  let leave: (how: 'left' | Promise<never>) => void = () => undefined
  const left = new Promise<'left'>((resolve) => (leave = resolve))
  left.catch(() => undefined) // `follow` awaits it

  const ended = (): void => {
    open = undefined
    for (const print of kept.splice(0)) print()
  }
  const begin = (question: Question): Open => {
    const prompt = new AbortController()
    const one: Open = { question, prompt, given: false, ended: Promise.resolve() }
    one.ended = out
      .ask(question, prompt.signal)
      .then(async (given) => {
        if (given === 'left') return leave('left')
        if (given === undefined) return
        one.given = true
        const problem = await answer(handle, question, given)
        if (problem === undefined) answered.add(keyOf(question))
        else kept.unshift(() => out.say(`not answered: ${problem}`))
      })
      .catch((error: unknown) => leave(Promise.reject(error as Error)))
      .finally(ended)
    return one
  }

  return {
    left,
    print: (print) => void (open === undefined ? print() : kept.push(print)),
    look(questions) {
      if (open !== undefined) {
        const { question, prompt, given } = open
        if (
          given ||
          questions.some((one) => keyOf(one) === keyOf(question)) ||
          prompt.signal.aborted
        )
          return
        const again = questions.some(({ id }) => id === question.id)
        kept.unshift(() =>
          out.say(
            again
              ? 'the question has changed'
              : `answered elsewhere, or no longer asked: ${question.text.split('\n', 1)[0] ?? ''}`,
          ),
        )
        prompt.abort()
        return
      }
      const next = questions.find((question) => !answered.has(keyOf(question)))
      if (next !== undefined) open = begin(next)
    },
    async close() {
      open?.prompt.abort()
      await open?.ended
    },
  }
}

/** Answers a question. Returns why the run did not accept the answer, if it did not. */
export async function answer(
  handle: Pick<RunHandle, 'answer'>,
  { id }: Question,
  given: Given,
): Promise<string | undefined> {
  try {
    await handle.answer({ questionId: id, requestId: randomUUID(), ...given })
    return undefined
  } catch (error) {
    if (isUnanswered(error)) return 'the run cannot be reached at the moment'
    const { problem } = describeError(error)
    if (problem.type !== BAD_INPUT) throw error
    return problem.message
  }
}

// A question that is asked again has its id again.
function keyOf({ id, askedAt }: Question): string {
  return `${id} ${askedAt}`
}
