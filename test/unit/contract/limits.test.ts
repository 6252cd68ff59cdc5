// The limits of each kind of run.
import { expect, test } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import {
  CYCLE_LIMITS,
  cycleLimitsFor,
  limitsFor,
  LOOP_LIMITS,
  loopLimitsFor,
  TEST_FIX_LIMITS,
} from '../../../src/contract/config/limits.js'

const all = (limits: object) => {
  const config = Config.parse({ limits })
  const { parallel, ...loop } = loopLimitsFor(config)
  return { fix: limitsFor(config, TEST_FIX_LIMITS), cycle: cycleLimitsFor(config), loop, parallel }
}
const { parallel, ...loop } = LOOP_LIMITS
const defaults = { fix: TEST_FIX_LIMITS, cycle: CYCLE_LIMITS, loop, parallel }
const minute = 60_000

test.each<{
  why: string
  limits: object
  changes: { [K in keyof typeof defaults]?: Partial<(typeof defaults)[K]> }
}>(
  // prettier-ignore
  [
  { why: 'nothing', limits: {}, changes: {} },
  { why: 'a number for all', limits: { maxIterations: 3 }, changes: { fix: { maxIterations: 3 }, cycle: { maxIterations: 3 }, loop: { maxIterations: 3 }, parallel: { maxIterations: 3 } } },
  { why: 'a number for cycles', limits: { maxIterations: 3, cycle: { maxIterations: 8 } }, changes: { fix: { maxIterations: 3 }, cycle: { maxIterations: 8 }, loop: { maxIterations: 3 }, parallel: { maxIterations: 3 } } },
  { why: 'workers of a loop, which are no rounds', limits: { loop: { maxIterations: 20 } }, changes: { loop: { maxIterations: 20 } } },
  { why: 'rounds', limits: { parallel: { maxIterations: 2 } }, changes: { parallel: { maxIterations: 2 } } },
  { why: 'times of a cycle', limits: { cycle: { agentTurn: '50m', converge: '1m', idle: '2m' } }, changes: { cycle: { agentTurnMs: 50 * minute, convergeMs: minute, idleMs: 2 * minute } } },
  { why: 'a turn for all, and another side by side', limits: { agentTurn: '20m', parallel: { agentTurn: '9m', converge: '2m' } }, changes: { fix: { agentTurnMs: 20 * minute }, cycle: { agentTurnMs: 20 * minute }, loop: { agentTurnMs: 20 * minute }, parallel: { agentTurnMs: 9 * minute, edgeMs: 9 * minute, convergeMs: 2 * minute } } },
],
)('$why', ({ limits, changes }) => {
  expect(all(limits)).toEqual(
    Object.fromEntries(
      Object.entries(defaults).map(([kind, own]) => [
        kind,
        { ...own, ...changes[kind as keyof typeof defaults] },
      ]),
    ),
  )
})

test.each([
  { cycle: { analysis: '1m' } },
  { parallel: { idle: '1m' } },
  { loop: { maxIterations: 0 } },
])('%j is refused', (limits) => expect(() => Config.parse({ limits })).toThrow())
