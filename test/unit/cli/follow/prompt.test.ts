// Questions as prompts, at a terminal made of two streams: text, keys, and what closes a prompt.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { askIn, menuLines } from '../../../../src/cli/follow/prompt.js'
import type { Question } from '../../../../src/contract/question.js'
import { waitFor } from '../../../support/wait.js'

const [UP, DOWN, ENTER, CTRL_C] = ['\u001b[A', '\u001b[B', '\r', '\u0003']

/** A terminal; `raw` is its mode now. */
function terminal(columns = 100) {
  const input = Object.assign(new PassThrough(), {
    isRaw: false,
    setRawMode(raw: boolean) {
      input.isRaw = raw
      return input
    },
  })
  const output = Object.assign(new PassThrough(), { columns, rows: 40 })
  output.end = () => output // a pipe does not end stdout
  let shown = ''
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  return {
    input,
    output,
    shown: () => shown,
    sees: (text: string) =>
      waitFor(() => shown.includes(text), { what: `"${text}" at the terminal` }),
  }
}

const MENU: Question = {
  id: 'menu-1',
  kind: 'menu',
  text: 'Select next action (completed: 1, pending: 2):',
  options: ['develop', 'debug', 'validate', 'complete', 'exit'],
  descriptions: { develop: 'Continue development (2 pending)', exit: 'Leave the loop as it is' },
  recommended: 'validate',
  askedAt: 0,
}
const CLARIFY: Question = {
  id: 'clarify-2-1-Q1',
  kind: 'clarification',
  text: 'Which store?',
  options: ['redis', 'files'],
  recommended: 'redis',
  askedAt: 0,
}
const OPEN: Question = {
  id: 'clarify-2-1-Q2',
  kind: 'clarification',
  text: 'Which port?',
  options: [],
  askedAt: 0,
}
const BUDGET: Question = {
  id: 'budget-1',
  kind: 'budget',
  text: 'the budget is spent (600 of 500 tokens): raise it, or stop?',
  options: ['raise', 'stop'],
  recommended: 'stop',
  amount: { option: 'raise', unit: 'tokens', usual: '500' },
  askedAt: 0,
}
const APPROVAL: Question = {
  id: 'approve-IMPL-fix-1',
  kind: 'approval',
  text: 'Approve the plan of IMPL-fix-1?',
  options: ['approve', 'change', 'stop'],
  askedAt: 0,
}
const BETWEEN: Question = {
  id: 'iteration-1',
  kind: 'menu',
  text: 'Continue?',
  options: ['continue', 'extend', 'stop'],
  recommended: 'continue',
  askedAt: 0,
}

test.each(
  // prettier-ignore
  [
  { why: 'Enter takes the recommended option at any position', question: MENU, keys: [ENTER], given: { choice: 'validate' } },
  { why: 'an arrow moves on from it', question: MENU, keys: [DOWN, ENTER], given: { choice: 'complete' } },
  { why: 'the list ends at its last option', question: MENU, keys: [DOWN, DOWN, DOWN, DOWN, ENTER], given: { choice: 'exit' } },
  { why: 'the first letters find an option', question: MENU, keys: ['dev', ENTER], given: { choice: 'develop' } },
  { why: 'a text where there are no options', question: OPEN, keys: ['8080', ENTER], given: { text: '8080' } },
  { why: 'Enter alone takes the recommended text', question: { ...OPEN, recommended: '80' }, keys: [ENTER], given: { text: '80' } },
  { why: 'an answer in own words to a question of a worker', question: CLARIFY, keys: [DOWN, DOWN, ENTER], then: { asks: 'Your answer', types: 'postgres' }, given: { text: 'postgres' } },
  { why: 'the further task with extend', question: BETWEEN, keys: [DOWN, ENTER], then: { asks: 'Further task', types: 'and a till' }, given: { choice: 'extend', text: 'and a till' } },
  { why: 'an approval', question: APPROVAL, keys: [ENTER], given: { choice: 'approve' } },
  { why: 'the change of a plan in own words', question: APPROVAL, keys: [DOWN, ENTER], then: { asks: 'What to change', types: 'use integers' }, given: { text: 'use integers' } },
  { why: 'the amount that raises a budget', question: BUDGET, keys: [UP, ENTER], then: { asks: 'How many more tokens', types: '50,000' }, given: { choice: 'raise', text: '50,000' } },
  { why: 'Enter alone raises a budget by the usual amount', question: BUDGET, keys: [UP, ENTER], then: { asks: 'How many more tokens', types: '' }, given: { choice: 'raise', text: '500' } },
  { why: 'a budget that is not raised takes no amount', question: BUDGET, keys: [ENTER], given: { choice: 'stop' } },
],
)('a prompt: $why', async ({ question, keys, then, given }) => {
  const one = terminal()
  const answer = askIn(one, question, new AbortController().signal)
  await one.sees(question.text)
  for (const key of keys) one.input.write(key)
  if (then !== undefined) {
    await one.sees(then.asks)
    for (const key of [then.types, ENTER]) one.input.write(key)
  }
  expect(await answer).toEqual(given)
  expect(one.input.isRaw).toBe(false)
})

test('shows every option with its meaning and marks the recommended one', async () => {
  const one = terminal()
  const answer = askIn(one, MENU, new AbortController().signal)
  await one.sees('exit')
  expect(one.shown()).toContain('develop   Continue development (2 pending)')
  expect(one.shown()).toMatch(/validate {2}\(recommended\)/)
  one.input.write(ENTER)
  await answer
})

test('an empty text is no answer', async () => {
  const one = terminal()
  const answer = askIn(one, OPEN, new AbortController().signal)
  await one.sees('Which port?')
  one.input.write(ENTER)
  await one.sees('An answer is needed')
  one.input.write('80')
  one.input.write(ENTER)
  expect(await answer).toEqual({ text: '80' })
})

test('asks again for an amount that is no number', async () => {
  const one = terminal()
  const answer = askIn(one, BUDGET, new AbortController().signal)
  await one.sees(BUDGET.text)
  for (const key of [UP, ENTER]) one.input.write(key)
  await one.sees('How many more tokens')
  for (const key of ['lots', ENTER]) one.input.write(key)
  await one.sees('A number above 0 is needed')
  one.input.write(CTRL_C)
  expect(await answer).toBe('left')
})

test('keys typed before the prompt are no answer', async () => {
  const one = terminal()
  one.input.write(`${ENTER}${ENTER}`)
  const answer = askIn(one, MENU, new AbortController().signal)
  await one.sees('Select next action')
  one.input.write(DOWN)
  one.input.write(ENTER)
  expect(await answer).toEqual({ choice: 'complete' })
})

test.each([
  { why: 'at the prompt', early: false },
  { why: 'before it was shown', early: true },
])('Ctrl-C $why leaves and restores the terminal', async ({ early }) => {
  const one = terminal()
  if (early) one.input.write(CTRL_C)
  const answer = askIn(one, MENU, new AbortController().signal)
  if (!early) {
    await one.sees('Select next action')
    one.input.write(CTRL_C)
  }
  expect(await answer).toBe('left')
  expect(one.input.isRaw).toBe(false)
})

test.each([
  { why: 'while it is open', early: false },
  { why: 'before it was shown', early: true },
])('a question withdrawn $why closes its prompt and restores the terminal', async ({ early }) => {
  const one = terminal()
  const withdrawn = new AbortController()
  const answer = askIn(one, MENU, withdrawn.signal)
  if (!early) await one.sees('Select next action')
  withdrawn.abort()
  expect(await answer).toBeUndefined()
  expect(one.input.isRaw).toBe(false)
})

test('control characters in a question of an agent do not move the cursor', async () => {
  const one = terminal()
  const answer = askIn(
    one,
    {
      ...CLARIFY,
      text: 'Which\u001b[2J store?\u0007\nsay',
      descriptions: { redis: 'fast\u001b[31m' },
    },
    new AbortController().signal,
  )
  await one.sees('say')
  expect(one.shown()).not.toMatch(/\u001b\[2J|\u0007|fast\u001b\[31m/)
  one.input.write(ENTER)
  expect(await answer).toEqual({ choice: 'redis' })
})

test.each(
  // prettier-ignore
  [
  { why: 'next to the option where it fits', columns: 100, line: { name: 'develop   Continue development (2 pending)' } },
  { why: 'below the list where it does not', columns: 30, line: { name: 'develop', description: 'Continue development (2 pending)' } },
],
)('the meaning of an option is $why', ({ columns, line }) => {
  expect(menuLines(MENU, columns)[0]).toEqual({ value: 'develop', short: 'develop', ...line })
})
