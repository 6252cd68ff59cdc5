// Counts of a run: each turn counts once, and a resumed turn adds its new usage.
import { expect, test } from 'vitest'
import { RunCounts, type Meter } from '../../../src/adapters/telemetry/run-counts.js'
import type { TurnBudget } from '../../../src/contract/budget.js'
import type { IterationSummary } from '../../../src/contract/result.js'
import type { TurnResult } from '../../../src/contract/turn.js'
import { turnResult } from '../../support/stub-host.js'

function metered(since = 0): {
  counts: RunCounts
  total: (name: string, labels?: Record<string, string>) => number
} {
  const added: { name: string; by: number; labels: Record<string, string> }[] = []
  const note: Meter['count'] = (name, by, labels) => void added.push({ name, by, labels })
  return {
    counts: new RunCounts({ count: note, sum: note, observe: note }, since),
    total: (name, labels = {}) =>
      added
        .filter(
          (one) =>
            one.name === name &&
            Object.entries(labels).every(([key, value]) => one.labels[key] === value),
        )
        .reduce((sum, { by }) => sum + by, 0),
  }
}

const TURN = { key: 'k', run: 'r', role: 'test-fix-agent', agent: 'codex' } as const
const used = (
  inputTokens: number,
  outputTokens: number,
  costUsd?: number,
): Partial<TurnResult> => ({
  usage: {
    inputTokens,
    outputTokens,
    estimated: false,
    ...(costUsd === undefined ? {} : { costUsd }),
  },
})
const answer = (sha256: string): Partial<TurnResult> => ({ answer: { path: '', sha256, bytes: 1 } })
const budget = (turns: number): TurnBudget => ({
  limit: { turns },
  spent: { turns: 0, tokens: 0, costUsd: 0, minutes: 0 },
})

test.each<{
  why: string
  ends: TurnResult[]
  turns: number
  input: number
  output: number
  cost: number
}>(
  // prettier-ignore
  [
  { why: 'one turn', ends: [turnResult('completed', used(100, 20, 0.25))], turns: 1, input: 100, output: 20, cost: 0.25 },
  { why: 'a completed turn that is reported again', ends: [turnResult('completed', used(100, 20, 0.25)), turnResult('completed', used(100, 20, 0.25))], turns: 1, input: 100, output: 20, cost: 0.25 },
  { why: 'a limited turn that resumes under its key', ends: [turnResult('rate_limited', used(100, 20, 0.25)), turnResult('completed', { ...used(150, 30, 0.5), attempts: 2 })], turns: 2, input: 150, output: 30, cost: 0.5 },
  { why: 'one that was limited twice', ends: [turnResult('rate_limited', used(10, 1)), turnResult('rate_limited', { ...used(20, 2), attempts: 2 }), turnResult('completed', { ...used(30, 3), attempts: 3 })], turns: 3, input: 30, output: 3, cost: 0 },
  { why: 'one that was settled without a result', ends: [turnResult('stopped', { attempts: 0 })], turns: 0, input: 0, output: 0, cost: 0 },
],
)('issue "turn metrics": $why', ({ ends, turns, input, output, cost }) => {
  const { counts, total } = metered()
  for (const end of ends) counts.turn(TURN, end)
  expect([
    total('ratchet_turns_total'),
    total('ratchet_tokens_total', { direction: 'input' }),
    total('ratchet_tokens_total', { direction: 'output' }),
    total('ratchet_cost_usd_total'),
  ]).toEqual([turns, input, output, cost])
})

test('issue "turn metrics": labels are agent, role and outcome, and whether tokens are estimated', () => {
  const { counts, total } = metered()
  counts.turn(
    TURN,
    turnResult('failed', {
      agent: 'codex',
      usage: { inputTokens: 7, outputTokens: 0, estimated: true },
    }),
  )
  expect(
    total('ratchet_turns_total', { agent: 'codex', role: 'test-fix-agent', outcome: 'failed' }),
  ).toBe(1)
  expect(total('ratchet_tokens_total', { agent: 'codex', estimated: 'true' })).toBe(7)
})

test('issue "rate limits": each limit of an agent counts', () => {
  const { counts, total } = metered()
  counts.turn(TURN, turnResult('rate_limited', { agent: 'codex', ...answer('1') }))
  counts.turn(TURN, turnResult('rate_limited', { agent: 'codex', attempts: 2, ...answer('1') }))
  expect(total('ratchet_rate_limited_total', { agent: 'codex' })).toBe(2)
})

test.each(
  // prettier-ignore
  [
  { why: 'a turn that was cut counts once, also when the budget is raised for it', turns: [{ limit: 2, outcome: 'over_budget' }, { limit: 4, outcome: 'completed' }], parked: 1 },
  { why: 'a budget that was raised between turns', turns: [{ limit: 2, outcome: 'completed' }, { limit: 4, outcome: 'completed' }], parked: 1 },
  { why: 'a budget that holds', turns: [{ limit: 2, outcome: 'completed' }, { limit: 2, outcome: 'completed' }], parked: 0 },
] as const,
)('issue "budgets": $why', ({ turns, parked }) => {
  const { counts, total } = metered()
  turns.forEach(({ limit, outcome }, n) =>
    counts.turn(
      { ...TURN, key: String(n), budget: budget(limit) },
      turnResult(outcome, answer(String(n))),
    ),
  )
  expect(total('ratchet_budget_parked_total')).toBe(parked)
})

const iteration = (
  n: number,
  result: IterationSummary['result'],
  completedAt: number,
): IterationSummary => ({ iteration: n, passRate: 50, result, commit: null, turns: 1, completedAt })

test('issue "verdict metrics": an iteration counts when its record is written, and not again with the next', () => {
  const { counts, total } = metered()
  const first = iteration(1, 'kept', 1_000)
  counts.recorded('r', [first], undefined)
  counts.recorded('r', [first], undefined)
  counts.recorded('r', [first, iteration(2, 'rolled_back', 2_000)], {
    kind: 'test-fix',
    outcome: 'failed',
  })
  expect([
    total('ratchet_verdicts_total', { verdict: 'kept' }),
    total('ratchet_verdicts_total', { verdict: 'rolled_back' }),
    total('ratchet_runs_total', { kind: 'test-fix', outcome: 'failed' }),
  ]).toEqual([1, 1, 1])
})

test('issue "verdict metrics": what another worker counted is left out', () => {
  const { counts, total } = metered(1_500)
  counts.recorded('r', [iteration(1, 'kept', 1_000), iteration(2, 'rolled_back', 2_000)], undefined)
  expect([
    total('ratchet_verdicts_total'),
    total('ratchet_verdicts_total', { verdict: 'rolled_back' }),
  ]).toEqual([1, 1])
})
