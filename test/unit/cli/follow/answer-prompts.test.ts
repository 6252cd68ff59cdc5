// Questions of a followed run: one prompt at a time, nothing printed over it, and what closes it.
import { expect, test } from 'vitest'
import { asking } from '../../../../src/cli/follow/answer-prompts.js'
import type { Ask, Given } from '../../../../src/cli/context.js'
import type { Question } from '../../../../src/contract/question.js'
import { waitFor } from '../../../support/wait.js'

const question = (id: string, askedAt = 1): Question => ({
  id,
  kind: 'menu',
  text: `What about ${id}?`,
  options: ['a', 'b'],
  askedAt,
})
const refused = Object.assign(new Error('x', { cause: new Error('"a" is not an option') }), {
  name: 'WorkflowUpdateFailedError',
})
const away = Object.assign(new Error('unavailable'), { code: 14 })

/** Prompts that end when the test says so. `answer` is what the run does with an answer. */
function terminal(answer: () => Promise<void> = () => Promise.resolve()) {
  const lines: string[] = []
  const shown: string[] = []
  const sent: unknown[] = []
  let give: (given: Given | 'left') => void = () => undefined
  const ask: Ask = ({ id }, signal) => {
    shown.push(id)
    return new Promise((resolve) => {
      give = resolve
      signal.addEventListener('abort', () => resolve(undefined))
    })
  }
  const asks = asking(
    { say: (line) => void lines.push(line), ask },
    {
      async answer(given) {
        sent.push(given)
        await answer()
        return { questionId: '', answer: '' }
      },
    },
  )
  return {
    asks,
    lines,
    shown,
    sent,
    give: (given: Given | 'left') => give(given),
    print: (line: string) => asks.print(() => void lines.push(line)),
  }
}

test('asks several questions one after the other, each once', async () => {
  const one = terminal()
  const [first, second] = [question('q1'), question('q2')]
  one.asks.look([first, second])
  one.asks.look([first, second])
  expect(one.shown).toEqual(['q1'])
  one.give({ choice: 'a' })
  await waitFor(() => one.sent.length === 1, { what: 'the answer' })
  await waitFor(
    () => {
      one.asks.look([first, second])
      return one.shown.length === 2
    },
    { what: 'the second prompt' },
  ) // a look from before may still have the first
  one.give({ text: 'b' })
  await waitFor(() => one.sent.length === 2, { what: 'the second answer' })
  one.asks.look([first, second])
  expect(one.shown).toEqual(['q1', 'q2'])
  expect(one.sent).toMatchObject([
    { questionId: 'q1', choice: 'a', requestId: expect.any(String) as string },
    { questionId: 'q2', text: 'b' },
  ])
})

test('prints lines that arrive during a prompt after it', async () => {
  const one = terminal()
  one.print('before')
  one.asks.look([question('q1')])
  one.print('kept')
  expect(one.lines).toEqual(['before'])
  one.give({ choice: 'a' })
  await waitFor(() => one.lines.includes('kept'), { what: 'the kept line' })
  one.print('after')
  expect(one.lines).toEqual(['before', 'kept', 'after'])
})

test.each(
  // prettier-ignore
  [
  { why: 'answered elsewhere closes its prompt with a message', then: [], said: 'answered elsewhere, or no longer asked: What about q1?', shown: ['q1'] },
  { why: 'changed is asked again', then: [question('q1', 2)], said: 'the question has changed', shown: ['q1', 'q1'] },
],
)('a question that was $why', async ({ then, said, shown }) => {
  const one = terminal()
  one.asks.look([question('q1')])
  one.asks.look(then)
  await waitFor(() => one.lines.length > 0, { what: 'what is said' })
  expect(one.lines).toEqual([said])
  one.asks.look(then)
  expect(one.shown).toEqual(shown)
  expect(one.sent).toEqual([])
  await one.asks.close()
})

test.each(
  // prettier-ignore
  [
  { why: 'refuses', error: refused, said: 'not answered: "a" is not an option' },
  { why: 'cannot be reached for', error: away, said: 'not answered: the run cannot be reached at the moment' },
],
)(
  'reports an answer that the run $why, and asks again while the question is open',
  async ({ error, said }) => {
    const one = terminal(() => Promise.reject(error))
    one.asks.look([question('q1')])
    one.give({ choice: 'a' })
    await waitFor(() => one.lines.length > 0, { what: 'what is said' })
    expect(one.lines).toEqual([said])
    one.asks.look([question('q1')])
    expect(one.shown).toEqual(['q1', 'q1'])
    await one.asks.close()
  },
)

test('Ctrl-C at a prompt leaves without an answer', async () => {
  const one = terminal()
  one.asks.look([question('q1')])
  one.give('left')
  expect(await one.asks.left).toBe('left')
  expect(one.sent).toEqual([])
})

test('an unexpected error reaches the caller', async () => {
  const one = terminal(() => Promise.reject(new TypeError('a bug')))
  one.asks.look([question('q1')])
  one.give({ choice: 'a' })
  await expect(one.asks.left).rejects.toThrow('a bug')
})

test('the end of the run closes an open prompt and loses no output', async () => {
  const one = terminal()
  one.asks.look([question('q1')])
  one.print('kept')
  await one.asks.close()
  expect(one.lines).toEqual(['kept'])
})
