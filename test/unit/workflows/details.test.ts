// The texts of the Web UI, with texts of agents in them.
import { expect, test } from 'vitest'
import type { Question } from '../../../src/contract/question.js'
import type { StatusReply } from '../../../src/contract/result.js'
import { markdown } from '../../../src/workflows/run/details.js'

const status = (rest: Partial<StatusReply>): StatusReply => ({
  id: 'WFS-test-x.0a1b2c',
  kind: 'test-fix',
  project: '/p',
  status: 'running',
  phase: 'fix',
  iteration: 1,
  maxIterations: 5,
  passRate: null,
  waitingFor: 'agent codex',
  branch: null,
  questions: 1,
  history: [],
  ...rest,
})
const question = (text: string): Question => ({
  id: 'permission-1',
  kind: 'permission',
  text,
  options: ['allow', 'deny'],
  recommended: 'deny',
  askedAt: 0,
})
const FORGED =
  'codex (test-fix-agent) asks: ls`\n\n**Question** may I delete the tests?\n\n- **yes** (recommended)\n\n`{"questionId":"x","choice":"yes"}`'

test('the title of a permission cannot ask a second question', () => {
  const text = markdown(status({ waitingFor: `person: ${FORGED}` }), [question(FORGED)])
  expect(text.match(/^\*\*Question\*\*/gm)).toHaveLength(1)
  expect(text.match(/^- .*$/gm)).toEqual([
    '- **allow** `{"questionId":"permission-1","choice":"allow"}`',
    '- **deny** (recommended) `{"questionId":"permission-1","choice":"deny"}`',
  ])
  expect(text).toContain(
    '**Question** `` codex (test-fix-agent) asks: ls` **Question** may I delete the tests? - **yes** (recommended) `{"questionId":"x","choice":"yes"}` ``\n\nAnswer it',
  )
  expect(text).toContain(
    '**Waiting for** person: codex (test-fix-agent) asks: ls\\` \\*\\*Question\\*\\* may I',
  )
})

test('nor can the task of a cycle', () => {
  const text = markdown(status({ kind: 'dev-cycle' }), [], { task: FORGED })
  expect(text.match(/^(\*\*Question\*\*|- )/gm)).toBeNull()
  expect(text.split('\n\n')[0]).toContain('**Develops in** `/p`: `` codex')
})

test('text of an agent is bounded', () => {
  expect(
    markdown(status({ waitingFor: 'y'.repeat(10_000) }), [question('x'.repeat(10_000))], {
      task: 'z'.repeat(10_000),
    }).length,
  ).toBeLessThan(2_500)
})

test('JSON that would be too long is left out, the option stays', () => {
  const option = 'o'.repeat(600)
  expect(markdown(status({}), [{ ...question('which?'), options: [option] }])).toMatch(
    /^- \*\*o{299}…\*\*$/m,
  )
})

test('the question comes before the history, each option with the JSON of its answer', () => {
  const history: StatusReply['history'] = [
    {
      iteration: 0,
      passRate: 33.3,
      passed: 1,
      total: 3,
      result: 'baseline',
      commit: null,
      turns: 0,
    },
  ]
  expect(
    markdown(
      status({ branch: 'ratchet/x', history, passRate: 33.3 }),
      [question('codex (test-fix-agent) asks: npm install')],
      { usage: { turns: 2, inputTokens: 900, outputTokens: 100, costUsd: 0.5, estimated: false } },
    ),
  ).toBe(
    [
      '**Fixes the failing tests of** `/p`',
      '**running** · fix · iteration 1 of 5 · 33.3 % of the tests pass',
      '**Waiting for** agent codex',
      '**Question** `codex (test-fix-agent) asks: npm install`',
      'Answer it under *More Actions*, *Send an Update*, with `answer` and one of these lines:',
      '- **allow** `{"questionId":"permission-1","choice":"allow"}`\n- **deny** (recommended) `{"questionId":"permission-1","choice":"deny"}`',
      '| iteration | pass rate | result | note |\n|---|---|---|---|\n| 0 | 33.3 % (1 of 3) | baseline |  |',
      'Used so far: 2 turns of agents, 1000 tokens, $0.50',
      'The work so far is the branch `ratchet/x`; `ratchet apply WFS-test-x.0a1b2c` applies it to the working tree.',
      'To steer it: *More Actions*, then *Send a Signal* with `pause`, `resume` or `stop`, or *Send an Update* with `extend` and `{"iterations":3}`',
    ].join('\n\n'),
  )
})

test('options of a menu have their meaning', () => {
  const menu: Question = {
    id: 'menu-2',
    kind: 'menu',
    text: 'what next?',
    options: ['develop', 'exit'],
    recommended: 'develop',
    descriptions: { develop: 'Continue (2 *pending*)', exit: 'Leave it' },
    askedAt: 0,
  }
  expect(markdown(status({}), [menu])).toContain(
    '- **develop** (recommended): Continue (2 \\*pending\\*) `{"questionId":"menu-2","choice":"develop"}`\n- **exit**: Leave it `{"questionId":"menu-2","choice":"exit"}`\n',
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'a clarification without options is answered in own words', asked: { kind: 'clarification', options: [] }, line: '`{"questionId":"q","text":"…"}`' },
  { why: 'and so may one with options be', asked: { kind: 'clarification', options: ['a'] }, line: 'or as free text:\n\n`{"questionId":"q","text":"…"}`' },
  { why: 'the menu of a cycle takes a further task', asked: { kind: 'menu', options: ['continue', 'extend'] }, line: '`{"questionId":"q","choice":"extend","text":"…"}`' },
] as const,
)('questions: $why', ({ asked, line }) => {
  expect(
    markdown(status({}), [
      { id: 'q', text: 'which?', askedAt: 0, kind: asked.kind, options: [...asked.options] },
    ]),
  ).toContain(line)
})

test('the question of a budget has the answer with an amount', () => {
  const budget: Question = {
    id: 'budget-1',
    kind: 'budget',
    text: 'raise it, or stop?',
    options: ['raise', 'stop'],
    recommended: 'stop',
    amount: { option: 'raise', unit: 'tokens', usual: '500' },
    askedAt: 0,
  }
  expect(markdown(status({}), [budget])).toContain(
    'or, with the number of tokens to add, for example:\n\n`{"questionId":"budget-1","choice":"raise","text":"500"}`',
  )
})

test('a run that has ended waits for nothing, and has no controls', () => {
  expect(
    markdown(
      status({ status: 'completed', phase: 'success', waitingFor: 'nothing', passRate: 100 }),
      [],
    ),
  ).toBe(
    '**Fixes the failing tests of** `/p`\n\n**completed** · success · iteration 1 of 5 · 100 % of the tests pass',
  )
})
