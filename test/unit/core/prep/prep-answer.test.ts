// The draft in an agent's answer.
import { describe, expect, test } from 'vitest'
import { readDraft, readingOf } from '../../../../src/core/prep/prep-answer.js'
import { prepForm, prepPrompt } from '../../../../src/core/prep/prep-prompt.js'
import { refinedRoom } from '../../../../src/core/prep/refined-task.js'
import { DRAFT, QUESTION, TASK } from '../../../support/prep/prep-play.js'

const answer = (draft: unknown) =>
  `I read calc.py.\n\n\`\`\`json\n${JSON.stringify(draft)}\n\`\`\`\n`
const { dimensions } = DRAFT
const withPart = (name: string, part: unknown) => ({
  ...DRAFT,
  dimensions: { ...dimensions, [name]: part },
})
const { scope: _, ...noScope } = dimensions
const { tech_stack: __, ...noStack } = DRAFT
const SAYS = { score: 2, value: 'x' }

describe('a draft', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'is whole',                            for: 'cycle', draft: DRAFT },
    { why: 'has tasks that a cycle does not read', for: 'cycle', draft: { ...DRAFT, tasks: 'none' } },
    { why: 'has tasks for a loop',                for: 'loop',  draft: { ...DRAFT, tasks: [TASK] } },
    { why: 'has its scores as words',             for: 'cycle', draft: withPart('scope', { score: '1', value: 'calc.py' }) },
    { why: 'asks five questions',                 for: 'cycle', draft: { ...DRAFT, questions: Array(5).fill(QUESTION) } },
  ] as const,
  )('is read if it $why', ({ for: command, draft }) => {
    expect(readDraft(answer(draft), command, 8_000)).toMatchObject({ ok: true })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'no JSON',              text: 'done',                                                   says: 'it has no fenced JSON object with "dimensions"' },
    { why: 'JSON that is cut',     text: '```json\n{"dimensions": {',                              says: /^its fenced JSON is not valid: / },
    { why: 'a part that is missing', text: answer({ ...DRAFT, dimensions: noScope }),              says: /^dimensions\.scope: / },
    { why: 'two missing parts',    text: answer({ ...noStack, dimensions: noScope }),              says: /^dimensions\.scope: .*; tech_stack: / },
    { why: 'an empty part',        text: answer(withPart('scope', { score: 2, value: ' ' })),      says: 'dimensions.scope.value: must not be empty' },
    { why: 'a score above 2',      text: answer(withPart('scope', { score: 3, value: 'x' })),      says: /^dimensions\.scope\.score: / },
    { why: 'six questions',        text: answer({ ...DRAFT, questions: Array(6).fill(QUESTION) }), says: /^questions: / },
    { why: 'a question without a recommendation', text: answer({ ...DRAFT, questions: [{ ...QUESTION, recommended: '' }] }), says: 'questions.0.recommended: must not be empty' },
    { why: 'the form, echoed',     text: prepForm('cycle'),                                        says: /^dimensions\.objective\.score: / },
    { why: 'parts that do not fit', text: answer(withPart('scope', { ...SAYS, value: 'x'.repeat(900) })), says: /^dimensions: the five values have \d+ characters with their names, at most 900 fit$/ },
  ],
  )('is asked for again after $why', ({ text, says }) => {
    const read = readDraft(text, 'cycle', 900)
    expect(read.ok ? '' : read.problem).toMatch(says)
  })

  test('for a loop needs a task, and each task its convergence', () => {
    for (const [draft, says] of [
      [DRAFT, 'tasks: '],
      [{ ...DRAFT, tasks: [] }, 'tasks: '],
      [{ ...DRAFT, tasks: [{ ...TASK, _convergence: undefined }] }, 'tasks.0._convergence: '],
    ] as const) {
      const read = readDraft(answer(draft), 'loop', 8_000)
      expect(read.ok ? '' : read.problem).toContain(says)
    }
  })

  test('is the last one of an answer; its questions get ids', () => {
    const read = readDraft(
      `${answer(withPart('objective', { score: 0, value: 'a first try' }))}${answer({ ...DRAFT, questions: [QUESTION, QUESTION] })}`,
      'cycle',
      8_000,
    )
    if (!read.ok) throw new Error(read.problem)
    expect(readingOf(read.draft)).toEqual({
      kind: 'prep',
      scores: { objective: 2, success_criteria: 2, scope: 2, constraints: 1, context: 2 },
      questions: [
        { id: 'Q1', ...QUESTION },
        { id: 'Q2', ...QUESTION },
      ],
    })
  })
})

test('a long task leaves less room for its parts', () => {
  expect(refinedRoom('add a cart')).toBe(8_000)
  expect(refinedRoom('x'.repeat(8_000))).toBeGreaterThan(3_800)
  expect(refinedRoom('x'.repeat(8_000))).toBeLessThan(4_000)
})

describe('the prompt', () => {
  const ASK = { for: 'cycle', task: 'add a cart', asks: true, answers: [] } as const
  const ANSWER = { question: 'Which files?', answer: 'all', by: 'user', about: 'scope' } as const
  test.each(
    // prettier-ignore
    [
    { why: 'asks a person',               ask: ASK,                                     has: /A person answers your questions. Ask at most 5/, not: /ANSWERS TO|_convergence|CONVERGE NOW/ },
    { why: 'asks no one in auto mode',    ask: { ...ASK, asks: false },                 has: /No one answers questions now/,   not: /A person answers/ },
    { why: 'has the answers',             ask: { ...ASK, answers: [ANSWER] },           has: /Q: Which files\?\n```\nall\n```/, not: /Ask at most/ },
    { why: 'asks for the tasks of a loop', ask: { ...ASK, for: 'loop' as const },       has: /"_convergence"/,                 not: /CONVERGE NOW/ },
    { why: 'converges',                   ask: { ...ASK, converge: true },              has: /CONVERGE NOW[^]*10 minutes left/, not: /## PREPARE A TASK/ },
  ],
  )('$why', ({ ask, has, not }) => {
    const prompt = prepPrompt(ask, 600_000)
    expect(prompt).toMatch(has)
    expect(prompt).not.toMatch(not)
    expect(prompt).toContain('```\nadd a cart\n```')
  })
})
