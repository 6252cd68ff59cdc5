import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Strategy } from '../../../../src/contract/test-fix/task.js'
import { chooseStrategy, type StrategyFacts } from '../../../../src/core/test-fix/strategy.js'

const facts = (rest: Partial<StrategyFacts>): StrategyFacts => ({
  iteration: 3,
  passRate: 90,
  similarity: 0.9,
  regressed: false,
  stuckMajority: false,
  progress: false,
  repeated: false,
  last: 'conservative',
  ...rest,
})

test.each(
  // prettier-ignore
  [
  { why: 'the first iteration',                        facts: facts({ iteration: 1, last: undefined, similarity: undefined }), strategy: 'conservative' },
  { why: 'the second, however alike',                  facts: facts({ iteration: 2 }),                                          strategy: 'conservative' },
  { why: 'the third, above 80 and alike above 0.7',    facts: facts({}),                                                        strategy: 'aggressive' },
  { why: 'exactly 80',                                 facts: facts({ passRate: 80 }),                                          strategy: 'conservative' },
  { why: '80.1',                                       facts: facts({ passRate: 80.1 }),                                        strategy: 'aggressive' },
  { why: 'exactly 0.7 alike',                          facts: facts({ similarity: 0.7 }),                                       strategy: 'conservative' },
  { why: 'other failures than before',                 facts: facts({ similarity: 0.1 }),                                       strategy: 'conservative' },
  { why: 'nothing to compare with',                    facts: facts({ similarity: undefined }),                                 strategy: 'conservative' },
  { why: 'a suite that does not start',                facts: facts({ passRate: null }),                                        strategy: 'conservative' },
  { why: '[!] a regression in the first iterations',   facts: facts({ iteration: 2, regressed: true }),                         strategy: 'surgical' },
  { why: 'a stuck majority before a regression',       facts: facts({ regressed: true, stuckMajority: true }),                  strategy: 'reflective' },
  { why: 'a stuck majority that makes progress, nearly done', facts: facts({ progress: true, stuckMajority: true }),               strategy: 'aggressive' },
  { why: 'a stuck majority that makes progress',       facts: facts({ progress: true, stuckMajority: true, passRate: 20 }),     strategy: 'conservative' },
  { why: 'a stuck majority before all else',           facts: facts({ stuckMajority: true, repeated: true }),                   strategy: 'reflective' },
  { why: 'no effect of conservative, in iteration 2',  facts: facts({ iteration: 2, repeated: true }),                          strategy: 'aggressive' },
  { why: 'no effect of aggressive',                    facts: facts({ repeated: true, last: 'aggressive' }),                    strategy: 'reflective' },
  { why: 'no effect of reflective',                    facts: facts({ repeated: true, last: 'reflective' }),                    strategy: 'surgical' },
  { why: 'no effect of surgical',                      facts: facts({ repeated: true, last: 'surgical' }),                      strategy: 'conservative' },
  { why: 'no effect, of what is not known',            facts: facts({ iteration: 1, repeated: true, last: undefined }),         strategy: 'conservative' },
],
)('strategy: $why -> $strategy', ({ facts, strategy }) =>
  expect(chooseStrategy(facts).strategy).toBe(strategy),
)

test('every set of facts has a strategy and a reason; no effect always changes it', () => {
  const any = fc.record({
    iteration: fc.integer({ min: 1, max: 20 }),
    passRate: fc.option(fc.integer({ min: 0, max: 100 })),
    similarity: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    regressed: fc.boolean(),
    stuckMajority: fc.boolean(),
    progress: fc.boolean(),
    repeated: fc.boolean(),
    last: fc.option(fc.constantFrom(...Strategy.options), { nil: undefined }),
  })
  fc.assert(
    fc.property(any, (facts) => {
      const { strategy, because } = chooseStrategy(facts)
      expect(Strategy.options).toContain(strategy)
      expect(because).not.toBe('')
      if (
        facts.repeated &&
        facts.last !== undefined &&
        !facts.regressed &&
        !facts.progress &&
        !facts.stuckMajority
      )
        expect(strategy).not.toBe(facts.last)
    }),
  )
})
