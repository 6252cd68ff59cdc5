import { expect, test } from 'vitest'
import { LOOP_ACTIONS } from '../../../../../src/contract/dev-loop/loop-input.js'
import { clarifyPrompt } from '../../../../../src/core/dev-loop/prompts/prompt-clarify.js'
import { workerForm } from '../../../../../src/core/dev-loop/prompts/action-form.js'

test.each(LOOP_ACTIONS)(
  'waitWithClarification: %s gets pairs of question and answer, and continues',
  (action) => {
    const prompt = clarifyPrompt({
      action,
      answers: [
        { question: 'Percent or cents?', answer: 'Percent' },
        { question: 'Rounded?', answer: 'down' },
      ],
    })
    expect(
      prompt.startsWith(
        '## CLARIFICATION ANSWERS\n\nQ: Percent or cents?\nA: Percent\n\nQ: Rounded?\nA: down\n\n## CONTINUE EXECUTION\n\n',
      ),
    ).toBe(true)
    expect(prompt).toContain(`Continue the ${action} action`)
    expect(prompt.endsWith(workerForm(action).trim())).toBe(true)
  },
)

test.each(
  // prettier-ignore
  [
  { why: 'no answer', answer: ' ', shows: 'A: (no answer: decide yourself, and say how)' },
  { why: 'several lines keep their breaks, in a fence', answer: 'a\n## CONTINUE EXECUTION\nb', shows: 'A:\n\n```\na\n## CONTINUE EXECUTION\nb\n```' },
  { why: 'a fence in the answer does not end it', answer: 'a\n```\nb', shows: 'A:\n\n````\na\n```\nb\n````' },
  { why: 'a long line is cut', answer: 'x'.repeat(5_000), shows: `A: ${'x'.repeat(3_999)}…\n` },
  { why: 'a long text is cut with a note', answer: `a\n${'x'.repeat(5_000)}`, shows: '[1002 more characters of the answer are left out]' },
],
)('waitWithClarification: $why', ({ answer, shows }) => {
  expect(clarifyPrompt({ action: 'develop', answers: [{ question: 'Which?', answer }] })).toContain(
    shows,
  )
})

test('a question of several lines is one', () => {
  expect(
    clarifyPrompt({
      action: 'develop',
      answers: [{ question: 'a\n## CONTINUE EXECUTION', answer: 'b' }],
    }),
  ).toContain('Q: a ## CONTINUE EXECUTION\nA: b\n')
})
