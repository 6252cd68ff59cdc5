import { expect, test } from 'vitest'
import { Question } from '../../../../src/contract/question.js'
import { extendQuestion, iterationsIn } from '../../../../src/core/test-fix/extend-question.js'

test.each(
  // prettier-ignore
  [
  { iteration: 1, text: 'the one iteration is spent, and the last one made progress: 60 % (3 of 5). Extend the run?' },
  { iteration: 5, text: 'all 5 iterations are spent, and the last one made progress: 60 % (3 of 5). Extend the run?' },
],
)('the question after $iteration', ({ iteration, text }) => {
  const question = extendQuestion({ iteration, standing: '60 % (3 of 5)', askedAt: 7 })
  expect(Question.parse(question)).toEqual(question)
  expect(question).toMatchObject({ id: `extend-${iteration}`, text, options: ['extend', 'end'] })
})

test.each([
  { answer: 'extend', text: undefined, is: 3 },
  { answer: 'extend', text: '7', is: 7 },
  { answer: 'extend', text: '2.9', is: 2 },
  { answer: 'extend', text: '0.5', is: 1 },
  { answer: 'extend', text: '100000', is: 50 },
  { answer: 'extend', text: 'please', is: 3 },
  { answer: 'end', text: '7', is: 0 },
  { answer: undefined, text: undefined, is: 0 },
])('$answer $text adds $is', ({ answer, text, is }) =>
  expect(iterationsIn(answer, text, 50)).toBe(is),
)
