import { expect, test } from 'vitest'
import { Question } from '../../../../src/contract/question.js'
import { choiceOf, conflictQuestion } from '../../../../src/core/dev-loop/conflicts.js'

const conflict = (...workers: ('develop' | 'debug' | 'validate')[]) => ({
  file: 'src/a.ts',
  workers,
  resolution: 'manual' as const,
})

test.each(
  // prettier-ignore
  [
  { why: 'two workers, the only file',       workers: ['develop', 'debug'] as const,                left: 1, options: ['develop', 'debug', 'base'], recommended: 'develop', text: 'src/a.ts was changed by develop and debug in ways that cannot be merged: whose version counts?' },
  { why: 'all three',       workers: ['develop', 'debug', 'validate'] as const,    left: 2, options: ['develop', 'debug', 'validate', 'base', 'develop: all', 'debug: all', 'validate: all', 'base: all'], recommended: 'develop', text: 'src/a.ts was changed by develop, debug and validate in ways that cannot be merged: whose version counts? (1 more file after it)' },
  { why: 'develop is not among them',        workers: ['debug', 'validate'] as const,               left: 3, options: ['debug', 'validate', 'base', 'debug: all', 'validate: all', 'base: all'], recommended: 'debug', text: 'src/a.ts was changed by debug and validate in ways that cannot be merged: whose version counts? (2 more files after it)' },
],
)('conflict: $why', ({ workers, left, options, recommended, text }) => {
  const question = conflictQuestion(conflict(...workers), { id: 'conflict-2-1', left, askedAt: 7 })
  expect(Question.parse(question)).toMatchObject({
    id: 'conflict-2-1',
    kind: 'conflict',
    askedAt: 7,
    options,
    recommended,
    text,
  })
  expect(Object.keys(question.descriptions ?? {})).toEqual(options)
})

test('each choice says what it does', () => {
  const { descriptions } = conflictQuestion(conflict('develop', 'debug'), {
    id: 'c',
    left: 2,
    askedAt: 0,
  })
  expect(descriptions).toMatchObject({
    debug: 'Take the version of debug, whole',
    base: 'Leave the file as it was before',
    'base: all': 'Leave every file that conflicts as it was before',
  })
})

test.each([
  ['develop', 'develop', false],
  ['base', 'base', false],
  ['debug: all', 'debug', true],
  ['base: all', 'base', true],
] as const)('what is chosen: %s', (option, whose, all) =>
  expect(choiceOf(option)).toEqual({ whose, all }),
)

test('refuses an unknown option', () => expect(() => choiceOf('complete')).toThrow())

test('a file name cannot add lines', () =>
  expect(
    conflictQuestion(
      { ...conflict('debug', 'develop'), file: 'a\nb' },
      { id: 'c', left: 1, askedAt: 0 },
    ).text,
  ).not.toContain('\n'))
