// The questions of a run that is followed in a terminal, as prompts, one after the other.
//
// While a prompt is open nothing else may be printed: the lines that come meanwhile are kept for
// its end. The run goes on whatever happens here. A question that somebody else answers closes its
// prompt.
import { randomUUID } from 'node:crypto'
import { BAD_INPUT } from '../../contract/failures.js'
import type { Question } from '../../contract/question.js'
import type { RunHandle } from '../../client/handle.js'
import type { Ask, Context, Given } from '../context.js'
import { describeError, isUnanswered } from '../output/errors.js'

export type Asking = {
  /**
   * Told of the open questions at every look: begins with the first, closes the prompt of one that
   * is no longer open.
   */
  look: (questions: readonly Question[]) => void
  /** Prints at once, or when the prompt has ended. */
  print: (print: () => void) => void
  /**
   * Fulfilled when the person leaves with Ctrl-C; rejected where an answer met an error that nobody
   * here can mend.
   */
  left: Promise<'left'>
  /** Closes the prompt, if one is open, and prints what was kept. */
  close: () => Promise<void>
}

type Open = { question: Question; prompt: AbortController; ended: Promise<void>; given: boolean }

/** Asks what a run asks. */
export function asking(
  context: Pick<Context, 'say'> & { ask: Ask },
  handle: Pick<RunHandle, 'answer'>,
): Asking {
  const kept: (() => void)[] = []
  const answered = new Set<string>()
  let open: Open | undefined
  let leave: (how: 'left' | Promise<never>) => void = () => undefined
  const left = new Promise<'left'>((resolve) => (leave = resolve))
  left.catch(() => undefined) // whoever follows looks at it

  const ended = (): void => {
    open = undefined
    for (const print of kept.splice(0)) print()
  }
  const begin = (question: Question): Open => {
    const prompt = new AbortController()
    const one: Open = { question, prompt, given: false, ended: Promise.resolve() }
    one.ended = context
      .ask(question, prompt.signal)
      .then(async (given) => {
        if (given === 'left') return leave('left')
        if (given === undefined) return
        one.given = true
        const problem = await answer(handle, question, given)
        if (problem === undefined) answered.add(keyOf(question))
        else kept.unshift(() => context.say(`not answered: ${problem}`))
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
          context.say(
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

/**
 * Answers a question; what is wrong with the answer, in the words of the run, where it was not
 * taken.
 */
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

// One that is asked anew has its id again.
function keyOf({ id, askedAt }: Question): string {
  return `${id} ${askedAt}`
}
