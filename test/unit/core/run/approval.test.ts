// What a person approves, and what each answer means.
import { describe, expect, test } from 'vitest'
import {
  CHANGES_MOST,
  afterApproval,
  approvalProblem,
  approvalQuestion,
} from '../../../../src/core/run/approval.js'
import { NO_USAGE } from '../../../../src/core/run/run-usage.js'
import { OWN_WORDS_CHARS } from '../../../../src/contract/question.js'

const PLAN = {
  id: 'approve-IMPL-fix-1',
  what: 'the plan of IMPL-fix-1',
  text: 'It changes src/a.ts.',
  then: 'an agent carries it out',
}
const asked = (changes: number, rest: { note?: string; turns?: number } = {}) =>
  approvalQuestion(PLAN, {
    changes,
    note: rest.note,
    usage: { ...NO_USAGE, turns: rest.turns ?? 0, costUsd: 0.25 },
    askedAt: 1,
  })

// prettier-ignore
const ANSWERS: { why: string; answer: string | undefined; text?: string; isSilent?: boolean; next: object }[] = [
  { why: 'the option',                          answer: 'approve',                              next: { then: 'carry out' } },
  { why: 'the option in other letters',         answer: ' Approve ',                            next: { then: 'carry out' } },
  { why: 'an approval that is part of a text',  answer: 'approve, but with integers',           next: { then: 'change', words: 'approve, but with integers' } },
  { why: 'own words',                           answer: 'use integers',                         next: { then: 'change', words: 'use integers' } },
  { why: 'own words after change:',             answer: 'change: use integers',                 next: { then: 'change', words: 'use integers' } },
  { why: 'the option change with a text',       answer: 'change', text: 'use integers',         next: { then: 'change', words: 'use integers' } },
  { why: 'yes is no option',                    answer: 'yes',                                  next: { then: 'change', words: 'yes' } },
  { why: 'stop',                                answer: 'stop',                                 next: { then: 'stop', reason: 'no approval of the plan of IMPL-fix-1' } },
  { why: 'stop with a reason',                  answer: 'stop', text: 'too dear',               next: { then: 'stop', reason: 'no approval of the plan of IMPL-fix-1: too dear' } },
  { why: 'words that begin with stop',          answer: 'stop using floats',                    next: { then: 'change', words: 'stop using floats' } },
  { why: 'a withdrawn question',                answer: undefined,                              next: { then: 'stop', reason: 'no one approved the plan of IMPL-fix-1' } },
  { why: 'the deadline',                        answer: 'stop', isSilent: true,                 next: { then: 'stop', reason: 'no one approved the plan of IMPL-fix-1 in time' } },
  { why: 'a deadline that would approve',       answer: 'approve', isSilent: true,              next: { then: 'stop', reason: 'no one approved the plan of IMPL-fix-1 in time' } },
]
test.each(ANSWERS)('approval: $why', ({ answer, text, isSilent = false, next }) => {
  expect(afterApproval(PLAN.what, { answer, text, isSilent })).toEqual(next)
})

describe('the question', () => {
  test('names the plan and the cost, and recommends nothing', () => {
    expect(asked(0, { turns: 2 })).toEqual({
      id: 'approve-IMPL-fix-1',
      kind: 'approval',
      text: 'Approve the plan of IMPL-fix-1? It changes src/a.ts. Used so far: 2 agent turns, 0 tokens in, 0 out, $0.25.',
      options: ['approve', 'change', 'stop'],
      descriptions: {
        approve: 'an agent carries it out',
        change: 'say in your own words what to change; you are asked again',
        stop: 'ends the run with its branch at the best state',
      },
      askedAt: 1,
    })
    expect(asked(0).text).toContain('Used so far: nothing.')
  })

  test('has another id in each round, so that no answer approves a later plan', () => {
    const ids = [0, 1, 2].map((changes) => asked(changes).id)
    expect(new Set(ids).size).toBe(3)
  })

  test('says that the last change is not in it', () => {
    expect(asked(1, { note: 'no agent answered.' }).text).toMatch(
      /^Your change is not in it: no agent answered\. Approve/,
    )
  })

  test('takes no further change after the most', () => {
    expect(asked(CHANGES_MOST - 1).options).toContain('change')
    expect(asked(CHANGES_MOST).options).toEqual(['approve', 'stop'])
  })
})

// prettier-ignore
const CHECKED: { why: string; changes?: number; answer: string; text?: string; problem: RegExp | undefined }[] = [
  { why: 'approve',                      answer: 'approve',                            problem: undefined },
  { why: 'stop',                         answer: 'stop',                               problem: undefined },
  { why: 'stop with a reason',           answer: 'stop', text: 'too dear',             problem: undefined },
  { why: 'own words',                    answer: 'use integers',                       problem: undefined },
  { why: 'change with a text',           answer: 'change', text: 'use integers',       problem: undefined },
  { why: 'change without a text',        answer: 'change',                             problem: /say what to change/ },
  { why: 'nothing behind change:',       answer: 'change: ',                           problem: /say what to change/ },
  { why: 'approve with a text',          answer: 'approve', text: 'use integers',      problem: /approve takes no text/ },
  { why: 'a long change',                answer: 'x'.repeat(OWN_WORDS_CHARS + 1),      problem: /more than 2000: write it into a file/ },
  { why: 'the longest change',           answer: 'x'.repeat(OWN_WORDS_CHARS),          problem: undefined },
  { why: 'a change after the most',      changes: CHANGES_MOST, answer: 'use integers', problem: /takes no further change; answer it with approve or stop/ },
  { why: 'approve after the most',       changes: CHANGES_MOST, answer: 'approve',     problem: undefined },
]
test.each(CHECKED)('answer: $why', ({ changes = 0, answer, text, problem }) => {
  const found = approvalProblem(asked(changes), answer, text)
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(problem)
})
