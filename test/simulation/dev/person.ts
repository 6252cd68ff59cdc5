// Who steers a run: answers its questions, pauses, resumes, stops and extends it.
import { CHANGE } from '../../../src/core/run/approval.js'
import { randomOf } from './random.js'
import type { Question } from '../../../src/contract/question.js'
import type { StatusReply } from '../../../src/contract/result.js'
import type { Host, Steering } from '../workflow-sdk.js'
import type { Turns } from './turns.js'
import type { DevWorld } from './world.js'

/** A person extends a run so often; after that the recommended answer is taken. */
const EXTENDS_MOST = 3
/** Documents that are edited at the same time, where there are many. */
const MANY = 7
/** And answers so many questions in own choice. */
const CHOICES_MOST = 10

/**
 * The answer to a question, by its id: in which order they come makes no difference. `n`: how many
 * there were.
 */
export function answerTo(
  { answers, chosen = {} }: DevWorld,
  { id, kind, options, recommended }: Question,
  n: number,
): { choice: string } | { text: string } {
  const own = chosen[id]
  if (own !== undefined) return { choice: own }
  const [first] = options
  if (first === undefined) return { text: 'as you think best' }
  const choice =
    n < CHOICES_MOST
      ? (options[(answers[randomOf(id) % answers.length] ?? 0) % options.length] as string)
      : (recommended ?? first)
  return kind === 'approval' && choice === CHANGE ? { text: 'make it simpler' } : { choice }
}

/** What a person does in a run of a world. `extended` and `answered` count over all of its runs. */
export function personOf(
  world: DevWorld,
  turns: Turns<unknown>,
): Pick<Required<Host>, 'before' | 'idle'> & { extensions: () => number } {
  let [extended, answers] = [0, 0]
  const extend = (run: Steering): void => {
    try {
      run.update('extend', { task: `Also do part ${extended + 1} of it` })
      extended += 1
      turns.extended = turns.tick()
    } catch {
      // It is preparing or ending: it says so.
    }
  }
  return {
    extensions: () => extended,
    before(n, run) {
      for (const { at, what } of world.events) {
        if (at !== n) continue
        if (what === 'extend') extend(run)
        else if (what === 'edit' || what === 'many edits')
          for (let left = what === 'edit' ? 1 : MANY; left > 0; left--)
            turns.edits.push({ id: `EDIT-${String(turns.edits.length + 1).padStart(3, '0')}` })
        else if (what === 'stop') {
          turns.stopped = true
          run.signal('stop', { reason: 'it is late' })
        } else if (what === 'pause' || what === 'pause now')
          run.signal('pause', { mode: what === 'pause now' ? 'now' : 'turn' })
        else run.signal('resume', { mode: what })
      }
    },
    idle(run) {
      const [question] = run.query<Question[]>('questions')
      if (run.query<StatusReply>('status').status === 'paused') run.signal('resume')
      else if (question === undefined) return false
      else {
        const answer = answerTo(world, question, answers++)
        const isExtend = 'choice' in answer && answer.choice === 'extend'
        if (isExtend && extended >= EXTENDS_MOST)
          run.update('answer', { questionId: question.id, choice: question.recommended })
        else
          run.update('answer', {
            questionId: question.id,
            ...answer,
            ...(isExtend ? { text: `Also do part ${++extended} of it` } : {}),
          })
        if (isExtend) turns.extended = turns.tick()
        if ('choice' in answer && answer.choice === 'stop') turns.stopped = true
      }
      return true
    },
  }
}
