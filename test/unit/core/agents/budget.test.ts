import { describe, expect, test } from 'vitest'
import type { Budget, Spent } from '../../../../src/contract/budget.js'
import {
  budgetOf,
  budgetQuestion,
  budgetText,
  overBudget,
  raiseBy,
  raisedBudget,
  spentOf,
} from '../../../../src/core/agents/budget.js'

const NOTHING: Spent = { turns: 0, tokens: 0, costUsd: 0, minutes: 0 }
const spent = (parts: Partial<Spent>): Spent => ({ ...NOTHING, ...parts })

test.each(
  // prettier-ignore
  [
  { why: 'no limit is no budget', limits: {}, budget: undefined },
  { why: '0 is no limit', limits: { maxTurns: 3, maxTokens: 0 }, budget: { turns: 3 } },
  { why: 'all four', limits: { maxTurns: 1, maxTokens: 2, maxCostUsd: 0.3, maxMinutes: 4 }, budget: { turns: 1, tokens: 2, costUsd: 0.3, minutes: 4 } },
],
)('limits: $why', ({ limits, budget }) => {
  expect(budgetOf({ maxTurns: 0, maxTokens: 0, maxCostUsd: 0, maxMinutes: 0, ...limits })).toEqual(
    budget,
  )
})

test('tokens in and out count together, minutes as agents worked', () => {
  expect(
    spentOf({
      turns: 2,
      inputTokens: 100,
      outputTokens: 20,
      costUsd: 0.5,
      estimated: true,
      agentMs: 90_000,
    }),
  ).toEqual({ turns: 2, tokens: 120, costUsd: 0.5, minutes: 1.5 })
  expect(spentOf({ turns: 0, inputTokens: 0, outputTokens: 0, estimated: false })).toEqual(NOTHING)
})

test.each<{ why: string; limit: Budget; has: Partial<Spent>; over: string | undefined }>(
  // prettier-ignore
  [
  { why: 'two of three turns', limit: { turns: 3 }, has: { turns: 2 }, over: undefined },
  { why: 'three of three', limit: { turns: 3 }, has: { turns: 3 }, over: 'turns' },
  { why: 'a part without a limit', limit: { turns: 3 }, has: { tokens: 1e9 }, over: undefined },
  { why: 'nothing is limited', limit: {}, has: { turns: 1e9 }, over: undefined },
  { why: 'of two the first in order', limit: { minutes: 1, tokens: 1 }, has: { minutes: 2, tokens: 2 }, over: 'tokens' },
  { why: 'a cent below', limit: { costUsd: 1 }, has: { costUsd: 0.99 }, over: undefined },
],
)('$why -> $over', ({ limit, has, over }) => expect(overBudget(limit, spent(has))).toBe(over))

test('a raise adds to parts that have a limit', () => {
  expect(raisedBudget({ turns: 3, tokens: 10 }, { turns: 2, costUsd: 5, times: 1 })).toEqual({
    turns: 5,
    tokens: 10,
  })
  expect(raisedBudget({ turns: 3 }, undefined)).toEqual({ turns: 3 })
})

describe('what a raise adds', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'nothing named: the configured amount once more', text: undefined, has: 10_000, adds: 10_000 },
    { why: 'the number after the choice', text: '50000', has: 10_000, adds: 50_000 },
    { why: 'with spaces and commas', text: ' 50,000 ', has: 10_000, adds: 50_000 },
    { why: 'words are none', text: 'a lot', has: 10_000, adds: 10_000 },
    { why: 'nor is a negative number', text: '-5', has: 10_000, adds: 10_000 },
    { why: 'less than the overspent amount: is added to it', text: '100', has: 12_000, adds: 2_100 },
    { why: 'exactly the overspent amount: is added to it too', text: '2000', has: 12_000, adds: 4_000 },
    { why: 'millions too', text: '1,250,000', has: 10_000, adds: 1_250_000 },
    { why: 'a comma that is no thousand begins a fraction', text: '1,5', has: 10_000, adds: 1.5 },
    { why: 'also before three digits', text: '0,500', has: 10_000, adds: 0.5 },
    { why: 'several dots are no number', text: '1.000.000', has: 10_000, adds: 10_000 },
    { why: 'infinity is capped', text: '1e308', has: 10_000, adds: 1e12 },
  ],
  )('$why', ({ text, has, adds }) => {
    const limit = { tokens: 10_000 }
    const by = raiseBy('tokens', text, limit, limit, spent({ tokens: has }))
    expect(by).toBe(adds)
    expect(overBudget({ tokens: 10_000 + by }, spent({ tokens: has }))).toBeUndefined()
  })
})

test.each(
  // prettier-ignore
  [
  { part: 'tokens' as const, limit: 10_000, has: 12_345, estimated: true, text: 'the budget is spent (12,345 of 10,000 tokens, partly estimated)' },
  { part: 'turns' as const, limit: 3, has: 3, estimated: true, text: 'the budget is spent (3 of 3 turns)' },
  { part: 'costUsd' as const, limit: 1, has: 1.5, estimated: false, text: 'the budget is spent (1.50 of 1.00 US dollars)' },
  { part: 'costUsd' as const, limit: 0.004, has: 0.0043, estimated: false, text: 'the budget is spent (0.0043 of 0.004 US dollars)' },
  { part: 'minutes' as const, limit: 10, has: 10.26, estimated: false, text: 'the budget is spent (10.3 of 10 agent minutes)' },
],
)('$text', ({ part, limit, has, estimated, text }) =>
  expect(budgetText(part, { [part]: limit }, spent({ [part]: has }), estimated)).toBe(text),
)

test.each(
  // prettier-ignore
  [
  { part: 'tokens' as const, adds: 2_000_000, meaning: 'adds 2,000,000 tokens, or another amount, and continues at this point', amount: { option: 'raise', unit: 'tokens', usual: '2000000' } },
  { part: 'costUsd' as const, adds: 0.1 + 0.2, meaning: 'adds 0.30 US dollars, or another amount, and continues at this point', amount: { option: 'raise', unit: 'US dollars', usual: '0.3' } },
  { part: 'costUsd' as const, adds: 0.00004, meaning: 'adds 0.00004 US dollars, or another amount, and continues at this point', amount: { option: 'raise', unit: 'US dollars', usual: '0.00004' } },
],
)(
  'the question names what a raise adds without an amount: $amount.usual $amount.unit',
  ({ part, adds, meaning, amount }) => {
    const question = budgetQuestion({
      times: 1,
      part,
      limit: { [part]: adds },
      spent: spent({ [part]: adds }),
      estimated: false,
      adds,
      askedAt: 0,
    })
    expect(question).toMatchObject({
      amount,
      descriptions: { raise: meaning },
      recommended: 'stop',
    })
  },
)
