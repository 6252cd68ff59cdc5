import { expect, test } from 'vitest'
import { Question } from '../../../../src/contract/question.js'
import {
  clarificationQuestion,
  menuQuestion,
  openQuestion,
  recommendedAnswer,
} from '../../../../src/core/dev-loop/menu.js'
import { ended, late, loopState, summary, task, validation } from './loop-state.js'

test('menu: the counts, the last worker, five choices with what they mean', () => {
  const state = loopState({
    tasks: [task('T1', 'completed'), task('T2'), task('T3', 'blocked')],
    last: ended('develop', { task: 'T1' }),
    workers: [summary('init'), summary('develop', { summary: 'built the\nform.' })],
  })
  const question = menuQuestion(state, 'menu-2', 7)
  expect(Question.parse(question)).toEqual({
    id: 'menu-2',
    kind: 'menu',
    askedAt: 7,
    options: ['develop', 'debug', 'validate', 'complete', 'exit'],
    recommended: 'develop',
    text: 'Select next action (completed: 1, pending: 1): develop (T1) ended with success: built the form.',
    descriptions: question.descriptions,
  })
  expect(Object.keys(question.descriptions ?? {})).toEqual(question.options)
  expect(question.descriptions?.['develop']).toBe('Continue development (1 pending, 1 blocked)')
})

test.each(
  // prettier-ignore
  [
  { why: 'no worker yet',                    state: {},                                                                             text: /pending: 1\): no worker has ended yet\.$/ },
  { why: 'it ran out of time',               state: { last: late('develop'), workers: [summary('develop', { status: 'failed', summary: '', timedOut: true })] }, text: /: develop ended with failed, out of time\.$/ },
  { why: 'what was measured of a validate',  state: { last: ended('validate'), workers: [summary('validate', { summary: 'Everything passes', iteration: 2 })], validation: { ...validation(false), why: 'tests fail: 40 % (2 of 5)' } }, text: /: validate ended with success: Everything passes\. Measured: tests fail: 40 % \(2 of 5\)\.$/ },
],
)('menu: $why', ({ state, text }) =>
  expect(menuQuestion(loopState(state), 'menu-1', 0).text).toMatch(text),
)

const done = [task('T1', 'completed')]
const tried = (times: number) => ({
  last: ended('develop', { task: 'T1', status: 'failed' }),
  tasks: [task('T1', 'pending', { aside: { times, why: 'no key' } })],
  commits: [],
})

test.each(
  // prettier-ignore
  [
  { why: 'tasks are pending',                state: { last: ended('init') },                                                        recommended: 'develop' },
  { why: 'all developed',                    state: { last: ended('develop'), tasks: done },                                        recommended: 'validate' },
  { why: 'the validation failed',            state: { last: ended('validate'), tasks: done, validation: validation(false) },        recommended: 'debug' },
  { why: 'the validation passed',            state: { last: ended('validate'), tasks: done, validation: validation(true) },         recommended: 'complete' },
  { why: 'interactive is not bound',         state: { last: ended('init'), iteration: 99 },                                         recommended: 'develop' },
  { why: 'develop failed',                   state: { last: ended('develop', { status: 'failed' }) },                               recommended: 'debug' },
  { why: 'debug failed',                     state: { last: ended('debug', { status: 'failed' }) },                                 recommended: 'exit' },
  { why: 'a task was tried twice',           state: tried(2),                                                                        recommended: 'debug' },
  { why: 'and debug has looked at it',       state: { ...tried(3), debugged: true },                                                 recommended: 'exit' },
  { why: 'a worker asks for init',           state: { last: ended('develop', { loopBack: { to: 'init', said: 'init' } }) },         recommended: 'develop' },
] as const,
)('recommended: $why -> $recommended', ({ state, recommended }) =>
  expect(menuQuestion(loopState({ mode: 'interactive', ...state }), 'm', 0).recommended).toBe(
    recommended,
  ),
)

const asked = { id: 'Q1', text: 'Which store?', options: ['memory', 'redis'] }

test('clarification: who asks, what, with its options', () => {
  const p = { id: 'clarify-2-1-Q1', action: 'develop', askedAt: 7 } as const
  expect(Question.parse(clarificationQuestion({ ...asked, recommended: 'redis' }, p))).toEqual({
    id: 'clarify-2-1-Q1',
    kind: 'clarification',
    text: 'develop asks: Which store?',
    options: ['memory', 'redis'],
    recommended: 'redis',
    askedAt: 7,
  })
  expect(clarificationQuestion({ ...asked, options: [] }, p).recommended).toBeUndefined()
})

const unchanged = {
  tasks: [task('T1', 'completed', { noChange: 'it is so already' })],
  commits: [],
  validation: validation(true),
}

test.each(
  // prettier-ignore
  [
  { why: 'nothing is open',                        state: { tasks: done, validation: validation(true) },    text: undefined,                                             recommended: undefined },
  { why: 'a task is open',                         state: { validation: validation(true) },                 text: '1 item is open: T1 is not done: build T1. Complete anyway?', recommended: 'continue' },
  { why: 'nothing was committed, nothing is open', state: unchanged,                                        text: 'Nothing was committed. Complete anyway?',       recommended: 'complete anyway' },
],
)('complete asks once more: $why', ({ state, text, recommended }) => {
  const question = openQuestion(loopState({ mode: 'interactive', ...state }), 'c', 0)
  expect([question?.text, question?.recommended]).toEqual([text, recommended])
})

test.each(
  // prettier-ignore
  [
  { why: 'the recommended one',              question: { ...asked, recommended: 'redis' },     answer: 'redis' },
  { why: 'else the first',                   question: asked,                                  answer: 'memory' },
  { why: 'recommended as a text',            question: { ...asked, options: [], recommended: 'use both' }, answer: 'use both' },
],
)('asks no question: $why', ({ question, answer }) =>
  expect(recommendedAnswer(question)).toBe(answer),
)

test('without a question and a recommendation the worker decides and says how', () =>
  expect(recommendedAnswer({ ...asked, options: [] })).toMatch(
    /decide yourself.*state your decision in your result/,
  ))
