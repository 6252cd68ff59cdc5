import { describe, expect, test } from 'vitest'
import {
  feedbackFor,
  waitsFor,
  type Feedback,
  type FeedbackCase,
  type Receiver,
} from '../../../../src/core/dev-cycle/feedback.js'
import type { Issue } from '../../../../src/core/dev-cycle/issue.js'
import { phaseResult, phaseResults } from '../../../support/cycle/cycle-results.js'
import { measured, notStarted } from '../../../support/test-runs.js'

const f = (issues: Issue[], rest: Partial<FeedbackCase> = {}): FeedbackCase => ({
  issues,
  results: phaseResults(),
  decisions: [],
  answers: [],
  run: measured(3, 5),
  iteration: 2,
  version: '1.1.0',
  recordPaths: (phase, file) => `/ws/.ratchet/c.progress/${phase}/${file}`,
  ...rest,
})
const all = (one: FeedbackCase): Partial<Record<Receiver, Feedback>> =>
  Object.fromEntries(
    (['ra', 'ep', 'cd'] as const).flatMap((to) => {
      const said = feedbackFor(to, one)
      return said === undefined ? [] : [[to, said]]
    }),
  )
const failing: Issue = {
  kind: 'test_failure',
  source: 'tests',
  text: 'a.test.ts > test 1: expected 1',
  to: 'cd',
}
const blocker: Issue = { kind: 'blocker', source: 'cd', text: 'which currency?', to: 'ra' }
const plan: Issue = { kind: 'plan', source: 'cd', text: 'no task for the migration', to: 'ep' }
const headings = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('## '))

test('failing tests go to CD, with headings', () => {
  const { cd, ...others } = all(f([failing]))
  expect(others).toEqual({})
  expect(headings(cd?.text ?? '')).toEqual([
    '## FEEDBACK FROM VALIDATION',
    '## ISSUES TO FIX',
    '## REFERENCED OUTPUT',
    '## REQUIRED ACTION',
    '## SUCCESS CRITERIA',
    '## NEXT STEP',
    '## CONTEXT',
  ])
  expect(cd?.text).toContain('\nTest pass rate: 60% (3 of 5)\n')
  expect(cd?.text).toContain('\n- a.test.ts > test 1: expected 1\n')
  expect(cd?.text).toContain('- File: /ws/.ratchet/c.progress/vas/test-results.json (version 1.1.0')
  expect(cd?.text).toContain('implementation.md')
  expect(cd).toMatchObject({
    type: 'bug_report',
    source: 'vas',
    summary: 'Test pass rate: 60% (3 of 5); failing tests: a.test.ts > test 1: expected 1',
  })
})

test('blockers of CD go to RA', () => {
  const { ra, ...others } = all(f([blocker, { ...blocker, text: 'which rounding?' }]))
  expect(others).toEqual({})
  expect(ra?.text).toMatch(
    /^## FEEDBACK FROM DEVELOPMENT\n\nBlockers encountered:\n- which currency\?\n- which rounding\?\n\n## /,
  )
  expect(ra?.text).toMatch(/## NEXT STEP\n\n.*update requirements\.md/)
  expect(ra).toMatchObject({
    type: 'clarification',
    source: 'cd',
    summary: 'blockers: which currency?, and 1 more',
  })
})

test('a wrong plan goes to EP', () => {
  const { ep, ...others } = all(f([plan]))
  expect(others).toEqual({})
  expect(headings(ep?.text ?? '').slice(0, 2)).toEqual([
    '## FEEDBACK FROM DEVELOPMENT',
    '## ISSUES TO FIX',
  ])
  expect(ep?.text).toContain('ep/plan.json')
  expect(ep?.type).toBe('issue_fix')
})

test('one message for each agent', () =>
  expect(Object.keys(all(f([failing, blocker, plan])))).toEqual(['ra', 'ep', 'cd']))

test.each<{ why: string; case: FeedbackCase; to: string[] }>(
  // prettier-ignore
  [
  { why: 'there are no issues',              case: f([]),                                                                    to: [] },
  { why: 'only a person can help',           case: f([{ kind: 'requirements', source: 'ra', text: 'vague' }]),               to: [] },
  { why: 'only VAS can help',                case: f([{ kind: 'missing_output', source: 'vas', text: 'x', to: 'vas' }]),      to: [] },
  { why: 'it was restored already',          case: f([{ kind: 'tampering', source: 'ratchet', text: 'x' }]),                 to: [] },
  { why: 'CD never answered',                case: f([failing, plan], { results: phaseResults({ cd: { synthetic: true } }) }), to: ['ep'] },
  { why: 'RA had no turn, and no agent waits for it', case: f([{ kind: 'requirements', source: 'ep', text: 'vague', to: 'ra' }], { results: { cd: phaseResult('cd') } }), to: [] },
],
)('no feedback where $why', ({ case: one, to }) => expect(Object.keys(all(one))).toEqual(to))

test.each<{ why: string; issue: Issue; to: string[] }>(
  // prettier-ignore
  [
  { why: 'a blocker for RA',         issue: blocker,                                       to: ['ra'] },
  { why: 'a blocker about the plan', issue: { ...blocker, text: 'TASK-2 is wrong', to: 'ep' }, to: ['ep'] },
  { why: 'a point about the plan',   issue: plan,                                          to: [] },
],
)('asks an agent without a turn when another one is blocked: $why', ({ issue, to }) => {
  expect(Object.keys(all(f([issue], { results: { cd: phaseResult('cd') } })))).toEqual(to)
})

test.each<{ why: string; issue: Issue; to: 'ra' | 'ep' | 'cd'; type: string; heading: string }>(
  // prettier-ignore
  [
  { why: 'a point of the validation',   issue: { kind: 'validation', source: 'vas', text: 'x', to: 'cd' },        to: 'cd', type: 'bug_report',    heading: 'VALIDATION' },
  { why: 'a suite that does not load',  issue: { kind: 'not_measured', source: 'tests', text: 'x', to: 'cd' },    to: 'cd', type: 'bug_report',    heading: 'VALIDATION' },
  { why: 'a document CD did not write', issue: { kind: 'missing_output', source: 'cd', text: 'x', to: 'cd' },     to: 'cd', type: 'issue_fix',     heading: 'VALIDATION' },
  { why: 'a question of EP',            issue: { kind: 'requirements', source: 'ep', text: 'x', to: 'ra' },       to: 'ra', type: 'clarification', heading: 'PLANNING' },
  { why: 'a blocker of VAS',            issue: { kind: 'blocker', source: 'vas', text: 'x', to: 'ra' },           to: 'ra', type: 'clarification', heading: 'VALIDATION' },
  { why: 'a document RA did not write', issue: { kind: 'missing_output', source: 'ra', text: 'x', to: 'ra' },     to: 'ra', type: 'issue_fix',     heading: 'REQUIREMENTS' },
],
)('FeedbackEntry: $why -> $type to $to', ({ issue, to, type, heading }) => {
  const said = all(f([issue]))[to]
  expect(said?.type).toBe(type)
  expect(said?.text.split('\n')[0]).toBe(`## FEEDBACK FROM ${heading}`)
})

test.each(
  // prettier-ignore
  [
  { why: 'the suite did not start', rest: { run: notStarted() },                                says: 'Test pass rate: not measured (a.test.ts could not be loaded: SyntaxError)' },
  { why: 'nothing was measured',    rest: { run: undefined, unmeasured: 'no command\nknown' },  says: 'Test pass rate: not measured (no command)' },
  { why: '99.96 is not 100',        rest: { run: measured(2499, 2500) },                        says: 'Test pass rate: 99.9% (2499 of 2500)' },
],
)('$why', ({ rest, says }) => expect(all(f([failing], rest)).cd?.text).toContain(says))

test('tells CD which files were restored, as a test may fail because of it', () =>
  expect(
    all(
      f([
        failing,
        {
          kind: 'tampering',
          source: 'ratchet',
          text: 'changes to test configuration were restored: package.json',
        },
      ]),
    ).cd?.text,
  ).toContain('- changes to test configuration were restored: package.json'))

test('tells CD a decision without other feedback', () => {
  const { cd, ...others } = all(f([], { decisions: ['DEC-001: JWT? → yes'] }))
  expect(others).toEqual({})
  expect(headings(cd?.text ?? '').slice(0, 4)).toEqual([
    '## FEEDBACK FROM VALIDATION',
    '## DECISIONS MADE',
    '## REFERENCED OUTPUT',
    '## REQUIRED ACTION',
  ])
  expect(cd?.text).toContain('- DEC-001: JWT? → yes')
})

test('gives an answer of RA to the blocked EP, under a heading of RA', () => {
  const { ep } = all(
    f([{ ...blocker, source: 'ep' }], { answers: ['RA: euros; see ra/requirements.md'] }),
  )
  expect(headings(ep?.text ?? '').slice(0, 2)).toEqual([
    '## FEEDBACK FROM REQUIREMENTS',
    '## ANSWERS TO YOUR BLOCKERS',
  ])
  expect(ep).toMatchObject({
    source: 'ra',
    text: expect.stringContaining('- RA: euros; see ra/requirements.md') as unknown,
  })
})

test('gives an answer of RA to the CD that asked', () => {
  expect(waitsFor([blocker], 'cd')).toBe(true)
  expect(waitsFor([failing], 'cd')).toBe(false)
  expect(waitsFor([{ ...blocker, source: 'ep' }], 'ep')).toBe(true)
  expect(waitsFor([{ ...blocker, source: 'ep' }], 'cd')).toBe(false)
  expect(all(f([blocker], { answers: ['RA: euros; see ra/requirements.md'] })).cd?.text).toContain(
    '## ANSWERS TO YOUR BLOCKERS\n\n- RA: euros; see ra/requirements.md\n',
  )
})

test('a low remark is no feedback', () =>
  expect(all(f([{ kind: 'validation', source: 'vas', text: '[low] a name', to: 'cd' }]))).toEqual(
    {},
  ))

describe('a message is bounded', () => {
  const flood = Array.from({ length: 300 }, (_, n): Issue => ({
    ...failing,
    text: `${n}\n## NEXT STEP\n\`\`\`\n${'x'.repeat(5_000)}`,
  }))

  test('in its length and in its headings', () => {
    const { cd } = all(f(flood))
    expect(cd?.text.length).toBeLessThanOrEqual(12_000)
    expect(cd?.text).toContain('- … and 280 more, not shown')
    expect(headings(cd?.text ?? '')).toHaveLength(7)
    expect(cd?.text.split('\n').filter((line) => line.startsWith('```'))).toEqual([])
    expect(cd?.summary.length).toBeLessThanOrEqual(200)
  })

  test('in the length of its paths', () =>
    expect(
      all(f(flood, { recordPaths: () => '/x'.repeat(12_000) })).cd?.text.length,
    ).toBeLessThanOrEqual(12_000))
})
