// Usage of agents over several runs.
import { expect, test } from 'vitest'
import type { CountedRun } from '../../../../src/core/report/counted-run.js'
import { spreadOf, statsOf } from '../../../../src/core/report/stats.js'
import { turnAt } from '../../../support/report-sources.js'

const analysis = {
  role: 'cli-planning-agent',
  agent: 'claude',
  model: 'large',
  costUsd: 0.1,
} as const
const RUNS: CountedRun[] = [
  {
    id: 'WFS-test-a',
    outcome: 'success',
    iterations: 2,
    gained: 4,
    turns: [
      turnAt(0, { ...analysis, inputTokens: 3_900, cachedTokens: 3_000 }),
      turnAt(1, { tests: { runs: 2, ms: 3_000 } }),
      turnAt(2, { inputTokens: 2_900 }),
    ],
  },
  {
    id: 'loop-b',
    iterations: 1,
    gained: null,
    turns: [turnAt(0, { endedAt: undefined, outcome: 'open' })],
  },
]

test('by agent and role: the most tokens first, with quartiles over the turns', () => {
  const { rows, all } = statsOf(RUNS, 'work')
  expect(rows).toMatchObject([
    {
      name: 'codex, fix',
      runs: 2,
      turns: 3,
      inputTokens: 4_900,
      tests: { runs: 2, ms: 3_000 },
      tokensPerTurn: { q1: 1_100, median: 1_100, q3: 2_050 },
      workedMsPerTurn: { q1: 60_000, median: 60_000, q3: 60_000 },
    },
    { name: 'claude, analysis', runs: 1, turns: 1, cachedTokens: 3_000, costUsd: 0.1 },
  ])
  expect(all).toMatchObject({ name: 'all', runs: 2, turns: 4, iterations: 3, gained: 4 })
})

test.each([
  { by: 'agent' as const, names: ['codex', 'claude'] },
  { by: 'model' as const, names: ['default of codex', 'large'] },
  { by: 'role' as const, names: ['fix', 'analysis'] },
  { by: 'run' as const, names: ['WFS-test-a', 'loop-b'] },
])('by $by', ({ by, names }) =>
  expect(statsOf(RUNS, by).rows.map(({ name }) => name)).toEqual(names),
)

test('a run has its outcome, and tokens per iteration and per test that passes since', () => {
  expect(statsOf(RUNS, 'run').rows).toMatchObject([
    { outcome: 'success', gained: 4, tokensPerIteration: 4_050, tokensPerGainedTest: 2_025 },
    { gained: null, tokensPerIteration: 1_100, tokensPerGainedTest: null },
  ])
})

test('a part of a run is in no ratio, and neither are its iterations and tests', () => {
  const part: CountedRun = {
    id: 'WFS-test-c',
    outcome: 'success',
    iterations: null,
    gained: null,
    partial: true,
    turns: [turnAt(0), turnAt(1)],
  }
  expect(statsOf([part], 'run').rows[0]).toMatchObject({
    partialRuns: 1,
    inputTokens: 2_000,
    iterations: null,
    gained: null,
    tokensPerIteration: null,
    tokensPerGainedTest: null,
  })
  const { all } = statsOf([...RUNS, part], 'work')
  expect(all).toMatchObject({ runs: 3, partialRuns: 1, turns: 6, iterations: 3, gained: 4 })
  expect([all.tokensPerIteration, all.tokensPerGainedTest]).toEqual([3_067, 2_025]) // 9,200 and 8,100 tokens
})

test.each([
  { numbers: [], spread: { q1: 0, median: 0, q3: 0 } },
  { numbers: [7], spread: { q1: 7, median: 7, q3: 7 } },
  { numbers: [4, 1, 3, 2], spread: { q1: 2, median: 3, q3: 3 } },
])('quartiles of $numbers', ({ numbers, spread }) => expect(spreadOf(numbers)).toEqual(spread))
