// What happens to a question that no one answers.
import { expect, test } from 'vitest'
import { QuestionLimits } from '../../../../src/contract/question-limits.js'
import type { Question, QuestionKind } from '../../../../src/contract/question.js'
import {
  carriedLimits,
  deadlineText,
  endsTheRun,
  limitOfKind,
  NOBODY_ANSWERED,
  silentAnswer,
} from '../../../../src/core/run/question-silence.js'

type Row = [QuestionKind, string[], string | undefined, string, string, 'stops'?]

// prettier-ignore
test.each<Row>([
  // kind, options, recommended, then, the answer, whether the run ends
  ['menu', ['develop', 'exit'], 'develop', 'recommended', 'develop'],
  ['menu', ['develop', 'exit'], 'develop', 'exit', 'exit'],
  ['menu', ['continue', 'stop'], 'continue', 'stop', 'stop'],
  ['menu', ['develop', 'exit'], 'develop', 'stop', 'stop', 'stops'],
  ['menu', ['develop', 'exit'], 'develop', 'debug', 'develop'],
  ['decision', ['A', 'B'], undefined, 'recommended', 'A'],
  ['decision', [], undefined, 'recommended', NOBODY_ANSWERED],
  ['clarification', [], undefined, 'use UTC', 'use UTC'],
  ['clarification', [], undefined, 'stop', 'stop', 'stops'],
  ['conflict', ['develop', 'base'], 'develop', 'base', 'base'],
  ['extend', ['extend', 'end'], 'extend', 'end', 'end'],
  ['permission', ['allow', 'deny'], 'deny', 'recommended', 'deny'],
  ['permission', ['allow', 'deny'], 'allow', 'recommended', 'deny'],
  ['permission', ['allow', 'deny'], 'deny', 'allow', 'deny'],
  ['permission', ['allow', 'deny'], 'deny', 'stop', 'stop', 'stops'],
  ['budget', ['raise', 'stop'], 'raise', 'recommended', 'stop'],
  ['budget', ['raise', 'stop'], 'raise', 'raise', 'stop'],
  ['test_change', ['accept', 'refuse'], 'accept', 'recommended', 'refuse'],
  ['test_change', ['accept', 'refuse'], 'accept', 'accept', 'refuse'],
  ['approval', ['approve', 'stop'], 'approve', 'recommended', 'stop'],
  ['approval', ['approve'], 'approve', 'approve', 'stop', 'stops'],
])('%s %j, recommended %s: then %s gives %s', (kind, options, recommended, then, answer, ends) => {
  expect(silentAnswer({ kind, options, recommended }, then)).toBe(answer)
  expect(endsTheRun({ options }, answer)).toBe(ends === 'stops')
})

// prettier-ignore
test.each([
  [{ permission: { after: '1h', then: 'recommended' } }, 'time never grants a question of kind permission'],
  [{ permission: { after: '1h', then: 'allow' } }, 'must be "deny" or "stop"'],
  [{ approval: { after: '1h', then: 'recommended' } }, 'must be "stop"'],
  [{ approval: { after: '1h', then: 'approve' } }, 'must be "stop"'],
  [{ budget: { after: '1h', then: 'recommended' } }, 'must be "stop"'],
  [{ budget: { after: '1h', then: 'raise' } }, 'must be "stop"'],
  [{ test_change: { after: '1h', then: 'recommended' } }, 'must be "refuse" or "stop"'],
  [{ test_change: { after: '1h', then: 'accept' } }, 'must be "refuse" or "stop"'],
  [{ default: { after: '1h', then: 'continue' } }, 'must be "recommended" or "stop"'],
  [{ extend: { after: '1h', then: 'raise' } }, 'must be "recommended" or "stop"'],
  [{ menu: { after: '24', then: 'exit' } }, 'needs a unit'],
  [{ menu: { after: '1h' } }, 'expected string'],
  [{ menus: { after: '1h', then: 'exit' } }, 'Unrecognized key'],
])('limits.question refuses %j', (given, problem) => {
  const { error } = QuestionLimits.safeParse(given)
  expect(error?.issues.map(({ message }) => message).join('; ')).toContain(problem)
})

test('limits.question accepts a refusing option, stop and, elsewhere, any option', () => {
  const given = {
    permission: { after: '1h', then: 'deny' },
    test_change: { after: '30m', then: 'refuse' },
    budget: { after: '1h', then: 'stop' },
    approval: { after: '1h', then: 'stop' },
    menu: { after: '1h', then: 'complete' },
    default: { after: '24h', then: 'recommended' },
  }
  const limits = carriedLimits(QuestionLimits.parse(given))
  expect(limitOfKind(limits, 'menu')).toEqual({ after: 3_600_000, then: 'complete' })
  expect(limitOfKind(limits, 'decision')).toEqual({ after: 86_400_000, then: 'recommended' })
  expect(limitOfKind(carriedLimits(undefined), 'decision')).toBeUndefined()
})

const QUESTION: Question = {
  id: 'q',
  kind: 'permission',
  text: 'May I?',
  options: ['allow', 'deny'],
  askedAt: 0,
}
// prettier-ignore
test.each<[Partial<Question>, string | undefined]>([
  [{}, undefined],
  [{ deadline: 3_600_000, onDeadline: 'deny' }, 'without an answer in 1h 00m: deny'],
  [{ deadline: 3_600_000, onDeadline: 'stop' }, 'without an answer in 1h 00m: the run stops'],
  [{ deadline: -5, onDeadline: 'deny' }, 'without an answer in 0s: deny'],
  [{ remainingMs: 60_000, onDeadline: 'deny' }, 'without an answer in 1m 00s once the run is resumed: deny'],
])('%j is shown as %s', (of, text) => {
  expect(deadlineText({ ...QUESTION, ...of }, 0)).toBe(text)
})
