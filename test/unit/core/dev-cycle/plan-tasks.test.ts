import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addedTasks,
  cycleTitle,
  description,
  extensionOf,
  extensionProblem,
  splitDescription,
  withRefined,
} from '../../../../src/core/dev-cycle/plan-tasks.js'

const OAUTH = [
  { text: 'Add OAuth2 login support', iteration: 1 },
  { text: 'Also add multi-factor authentication', iteration: 2 },
]

test('an extension stands below the line that names its iteration', () =>
  expect(description(OAUTH)).toBe(
    'Add OAuth2 login support\n\n--- ITERATION 2 ---\nAlso add multi-factor authentication',
  ))

test.each(
  // prettier-ignore
  [
  { why: 'as it was put together',           text: description(OAUTH), history: OAUTH.map(({ text }) => text), tasks: OAUTH },
  { why: 'the title in the history',    text: description(OAUTH), history: ['Implement OAuth authentication', OAUTH[1]?.text ?? ''], tasks: OAUTH },
  { why: 'no extension',                     text: 'a task', history: ['a task'], tasks: [{ text: 'a task', iteration: 1 }] },
  { why: 'a history that lost the extension', text: description(OAUTH), history: ['x', 'something else'], tasks: OAUTH },
  { why: 'a lost description',               text: '', history: ['a task'], tasks: [{ text: 'a task', iteration: 1 }] },
  { why: 'nothing at all',                   text: '', history: [], tasks: [{ text: '', iteration: 1 }] },
],
)('the tasks of a record: $why', ({ text, history, tasks }) =>
  expect(splitDescription(text, history)).toEqual(tasks),
)

test('recovers the tasks of any description, also with quoted headings', () => {
  const text = fc
    .oneof(
      fc.string(),
      fc.constantFrom('a', '--- ITERATION 3 ---', 'x\n\n--- ITERATION 7 ---\ny', '\n'),
    )
    .filter((t) => t !== '')
  const tasks = fc
    .array(fc.record({ text, iteration: fc.integer({ min: 2, max: 1000 }) }), { maxLength: 5 })
    .chain((more) => text.map((first) => [{ text: first, iteration: 1 }, ...more]))
  fc.assert(
    fc.property(tasks, (all) => {
      expect(
        splitDescription(
          description(all),
          all.map(({ text: one }) => one),
        ),
      ).toEqual(all)
    }),
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'a short task',              task: 'Add login',            title: 'Add login' },
  { why: 'several lines',             task: 'Add\n  login\tnow',    title: 'Add login now' },
  { why: 'the first 100 characters',  task: 'x'.repeat(150),        title: 'x'.repeat(100) },
  { why: 'no half of a character',    task: `${'x'.repeat(99)}😀`,   title: 'x'.repeat(99) },
  { why: 'typed words that a prep package refines', task: withRefined('add a cart', 'OBJECTIVE: a cart'), title: 'add a cart' },
],
)('title: $why', ({ task, title }) => expect(cycleTitle(task)).toBe(title))

test.each(
  // prettier-ignore
  [
  { why: 'an ordinary one',       tasks: OAUTH, extension: 'And passkeys', says: undefined },
  { why: 'an empty one',          tasks: OAUTH, extension: ' \n', says: /^the extension is empty$/ },
  { why: 'the longest one',       tasks: [], extension: 'x'.repeat(8_000), says: undefined },
  { why: 'one too long',          tasks: [], extension: 'x'.repeat(8_001), says: /^the extension has 8001 characters, at most 8000/ },
  { why: 'too much altogether',   tasks: [{ text: 'x'.repeat(8_000), iteration: 1 }], extension: 'y'.repeat(4_000), says: /would have 12025 characters, at most 12000/ },
],
)('extension: $why', ({ tasks, extension, says }) => {
  const problem = extensionProblem(tasks, extension)
  if (says === undefined) expect(problem).toBeUndefined()
  else expect(problem).toMatch(says)
})

test('task_history: what a description has got since, in order', () => {
  const before = description([{ text: 'Add login', iteration: 1 }])
  const now = description([
    { text: 'Add login', iteration: 1 },
    { text: 'Also MFA', iteration: 2 },
    { text: 'Also SSO', iteration: 2 },
  ])
  expect([addedTasks(before, now), addedTasks(now, now), addedTasks('Another', now)]).toEqual([
    ['Also MFA', 'Also SSO'],
    [],
    [],
  ])
})

test('iterations[].extension: whole, and every one that came in with the iteration; the first task is none', () => {
  const tasks = [
    { text: 'a', iteration: 1 },
    { text: 'b'.repeat(2_000), iteration: 2 },
    { text: 'c', iteration: 2 },
    { text: 'd', iteration: 3 },
  ]
  expect([1, 2, 3, 4].map((n) => extensionOf(tasks, n))).toEqual([
    undefined,
    `${'b'.repeat(2_000)}\n\nc`,
    'd',
    undefined,
  ])
})
