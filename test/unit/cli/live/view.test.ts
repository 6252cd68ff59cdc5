// The live region as lines, at a width: what a person reads during a run.
import pc from 'picocolors'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import type { AtWork } from '../../../../src/cli/live/model.js'
import { count, liveLines, tinted, type Shown } from '../../../../src/cli/live/view.js'
import type { IterationSummary, StatusReply } from '../../../../src/contract/result.js'

const NOW = Date.UTC(2026, 10, 22, 12, 0, 0)
const entry = (iteration: number, passRate: number | null): IterationSummary => ({
  iteration,
  passRate,
  result: iteration === 0 ? 'baseline' : 'kept',
  commit: null,
  turns: 1,
})
const status = (rest: Partial<StatusReply> = {}): StatusReply => ({
  id: 'WFS-test-shop.35d35d',
  kind: 'test-fix',
  project: '/p',
  status: 'running',
  phase: 'fix',
  iteration: 1,
  maxIterations: 5,
  passRate: 82.5,
  waitingFor: 'agent: test-fix-agent (codex), iteration 2',
  branch: null,
  questions: 0,
  history: [entry(0, 60), entry(1, 82.5)],
  ...rest,
})
const AGENT: AtWork = {
  who: 'test-fix-agent',
  agent: 'codex',
  doing: 'edit src/cart.ts',
  elapsedMs: 63_000,
  tokens: 3_240,
}
const usage = {
  turns: 4,
  inputTokens: 42_000,
  outputTokens: 3_456,
  estimated: false,
  agentMs: 600_000,
}
const shown = (rest: Partial<Shown> = {}): Shown => ({
  status: status(),
  waitingFor: 'agent: test-fix-agent (codex), iteration 2',
  atWork: [AGENT],
  questions: [],
  startedAt: NOW - 252_000,
  spent: { usage },
  ...rest,
})
const plain = { colors: pc.createColors(false), unicode: true }
const at = (given: Shown, columns = 100, rows = 24, look = plain): string[] =>
  liveLines(given, { ...look, columns, rows }, NOW)

test('issue 8 "live view": where it is, who works with what and how long, what it cost, how to leave', () => {
  expect(at(shown())).toEqual([
    `── WFS-test-shop.35d35d ${'─'.repeat(75)}`,
    'test-fix · iteration 2 of 5 · 82.5 % · fix · 4m 12s',
    'rates    60.0 → 82.5 %',
    '● test-fix-agent  codex   1m 03s  edit src/cart.ts  ~3.2k tokens',
    'spent    4 turns · 45.5k tokens',
    'Ctrl-C leaves, the run continues',
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'a budget is shown with the amount spent', given: { spent: { usage: { ...usage, costUsd: 1.5 }, budget: { tokens: 200_000, costUsd: 5, minutes: 30 } } }, has: 'spent    4 turns · 45.5k of 200k tokens · $1.50 of $5.00 · 10 of 30 agent minutes' },
  { why: 'one turn is one', given: { spent: { usage: { ...usage, turns: 1 } } }, has: 'spent    1 turn · 45.5k tokens' },
  { why: 'an estimate is marked', given: { spent: { usage: { ...usage, estimated: true } } }, has: 'spent    4 turns · 45.5k tokens (estimated)' },
  { why: 'a rate limit shows its remaining time', given: { atWork: [], status: status({ waitingFor: 'rate limit: codex may be used again at 2026-11-22T12:10:30+00:00' }), waitingFor: 'rate limit: codex may be used again at 12:10:30' }, has: 'waiting  rate limit: codex may be used again at 12:10:30  (in 10m 30s)' },
  { why: 'a question is shown with the command that answers it', given: { atWork: [], questions: [{ id: 'q', kind: 'budget', text: 'raise it?', options: ['raise', 'stop'], askedAt: 0 }], waitingFor: 'person: raise it?' }, has: 'answer   ratchet answer WFS-test-shop.35d35d' },
  { why: 'a run that cannot be asked says so', given: { away: 'host: the server or the workflow worker does not answer' }, has: 'waiting  host: the server or the workflow worker does not answer' },
  { why: 'the baseline has no number', given: { status: status({ iteration: 0, passRate: null, history: [], phase: 'testing' }) }, has: 'test-fix · baseline · testing · 4m 12s' },
  { why: 'a preparation has no iterations', given: { status: status({ kind: 'prep', iteration: 0, maxIterations: 0, passRate: null, history: [], phase: 'exploring' }) }, has: 'prep · exploring · 4m 12s' },
  { why: 'a loop that is prepared knows no limit yet', given: { status: status({ kind: 'dev-loop', iteration: 0, maxIterations: 0, passRate: null, history: [], phase: 'preparing' }) }, has: 'loop · baseline · preparing · 4m 12s' },
  { why: 'an iteration that was rolled back is in brackets', given: { status: status({ iteration: 2, history: [entry(0, 60), { ...entry(1, 40.5), result: 'rolled_back' }, entry(2, 82.5)] }) }, has: 'rates    60.0 → (40.5) → 82.5 %' },
  { why: 'a test-fix run counts an iteration when it is over', given: { status: status({ iteration: 2 }) }, has: 'test-fix · iteration 3 of 5 · 82.5 % · fix · 4m 12s' },
  { why: 'the last full run belongs to the iteration before it', given: { status: status({ iteration: 2, passRate: 100, phase: 'testing' }) }, has: 'test-fix · iteration 2 of 5 · 100.0 % · testing · 4m 12s' },
  { why: 'there is none behind the last', given: { status: status({ iteration: 5, phase: 'testing' }) }, has: 'test-fix · iteration 5 of 5 · 82.5 % · testing · 4m 12s' },
  { why: 'a cycle counts one when it begins', given: { status: status({ kind: 'dev-cycle', iteration: 2, phase: 'developing' }) }, has: 'cycle · iteration 2 of 5 · 82.5 % · developing · 4m 12s' },
  { why: 'a step that is no agent', given: { atWork: [{ who: 'tests', doing: '120 lines', elapsedMs: 5_000 }] }, has: '● tests       5s  120 lines' },
] satisfies { why: string; given: Partial<Shown>; has: string }[],
)('issue 8 "live view": $why', ({ given, has }) => expect(at(shown(given))).toContain(has))

test('who is at work is not said twice: an agent that works is no waiting', () => {
  expect(at(shown()).some((line) => line.startsWith('waiting'))).toBe(false)
  expect(
    at(shown({ waitingFor: 'agent: x; then it pauses (lunch)' })).some((line) =>
      line.startsWith('waiting'),
    ),
  ).toBe(true)
})

const team = [
  'requirements-analyst',
  'exploration-planner',
  'code-developer',
  'validation-archivist',
].map((who): AtWork => ({
  ...AGENT,
  who,
  doing: 'a tool call whose title is longer than any terminal is wide, with 日本語 and 🚀 in it',
}))

test.each([20, 40, 60, 71, 72, 80, 120, 200])(
  'nothing is wider than %i columns, at any content',
  (columns) => {
    const given = shown({
      atWork: team,
      status: status({ history: [0, 1, 2, 3, 4, 5].map((n) => entry(n, 10 * n + 0.5)) }),
      waitingFor: `person: ${'what is to be done about this? '.repeat(4)}`,
      questions: [
        { id: 'q', kind: 'menu', text: 'x', options: [], askedAt: 0, deadline: NOW + 60_000 },
      ],
    })
    for (const line of at(given, columns, 60)) expect(stringWidth(line), line).toBeLessThan(columns)
  },
)

test('40 columns: an agent has a line for itself and one for what it does', () => {
  expect(at(shown({ waitingFor: 'slot: every agent slot of this host is taken' }), 40)).toEqual([
    '── WFS-test-shop.35d35d ───────────────',
    'test-fix · iteration 2 of 5 · 82.5 %',
    'fix · 4m 12s',
    'rates    60.0 → 82.5 %',
    '● test-fix-agent codex 1m 03s',
    '  edit src/cart.ts',
    'waiting  slot: every agent slot of this',
    '         host is taken',
    'spent    4 turns · 45.5k tokens',
    'Ctrl-C leaves, the run continues',
  ])
})

test.each([3, 5, 8, 10, 12])(
  'nothing is higher than %i rows, and the cursor has its line',
  (rows) => expect(at(shown({ atWork: team }), 40, rows).length).toBeLessThan(rows),
)

test('where not everybody fits, what they do goes first, and then it is said how many more there are', () => {
  expect(at(shown({ atWork: team }), 40, 12).filter((line) => line.startsWith('●'))).toHaveLength(4)
  expect(at(shown({ atWork: team }), 100, 9)).toContain('  and 2 more at work')
})

test.each(
  // prettier-ignore
  [
  { line: 'iteration 1  44.4 % → 66.6 %  kept  conservative', as: 'iteration 1  44.4 % → 66.6 %  \u001b[32mkept\u001b[39m  conservative' },
  { line: 'iteration 12  v1.1.0  66.6 % → 55.5 %  rolled back', as: 'iteration 12  v1.1.0  66.6 % → 55.5 %  \u001b[33mrolled back\u001b[39m' },
  { line: 'iteration 1  init: success: kept', as: undefined },
  { line: 'question     50 %  kept', as: undefined },
],
)('the result of an iteration is in colour: $line', ({ line, as = line }) =>
  expect(tinted(line, pc.createColors(true))).toBe(as),
)

test('without Unicode there is none of ours, without colours no escape', () => {
  const text = at(shown(), 100, 24, { ...plain, unicode: false }).join('\n')
  expect(text).toMatch(/^[\x20-\x7e\n]*$/)
  expect(at(shown()).join('\n')).not.toContain('\u001b')
  expect(
    liveLines(
      shown(),
      { colors: pc.createColors(true), unicode: true, columns: 100, rows: 24 },
      NOW,
    ).join('\n'),
  ).toContain('\u001b[')
})

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1.0k'],
  [99_949, '99.9k'],
  [99_950, '100k'],
  [999_499, '999k'],
  [999_500, '1.0M'],
  [12_345_678, '12.3M'],
])('%i tokens are %s', (n, text) => expect(count(n)).toBe(text))
