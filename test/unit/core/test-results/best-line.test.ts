import { expect, test } from 'vitest'
import type { IterationSummary, RunResult } from '../../../../src/contract/result.js'
import {
  bestLine,
  unconfirmedLine,
  whyNothing,
} from '../../../../src/core/test-results/best-line.js'

const entry = (
  iteration: number,
  passed: number | undefined,
  total = 50,
  result: IterationSummary['result'] = iteration === 0 ? 'baseline' : 'kept',
): IterationSummary => ({
  iteration,
  passRate: passed === undefined ? null : passed / total,
  result,
  commit: null,
  turns: 0,
  ...(passed === undefined ? {} : { passed, total }),
})
const best = (iteration: number): RunResult['best'] => ({ commit: 'c', iteration, passRate: 90 })

test.each(
  // prettier-ignore
  [
  { why: 'better',                            result: { history: [entry(0, 38), entry(1, 47)], best: best(1) },                                         line: '38 → 47 of 50 tests pass' },
  { why: 'better, and then worse',            result: { history: [entry(0, 38), entry(1, 47), entry(2, 40)], best: best(1) },                            line: '38 → 47 of 50 tests pass' },
  { why: 'with broken tests',                 result: { history: [entry(0, 38), entry(1, 47)], best: best(1), broken: ['a > x', 'a > y'] },              line: '38 → 47 of 50 tests pass, 2 broken: a > x, a > y' },
  { why: 'with more tests than before',       result: { history: [entry(0, 38), entry(1, 52, 55)], best: best(1) },                                      line: '38 of 50 → 52 of 55 tests pass' },
  { why: 'no better than the start',          result: { history: [entry(0, 38), entry(1, 30, 50, 'rolled_back')], best: best(0) },                       line: '38 of 50 tests pass' },
  { why: 'a suite that did not start',        result: { history: [entry(0, undefined), entry(1, 3, 5)], best: best(1) },                                 line: '3 of 5 tests pass' },
  { why: 'nothing was measured',              result: { history: [entry(0, undefined)], best: null },                                                   line: undefined },
  { why: 'a run of another kind',             result: { history: [entry(0, 38), entry(1, 47)] },                                                        line: undefined },
  { why: 'another kind, with broken tests',   result: { history: [entry(1, 47)], broken: ['a > x'] },                                                       line: '1 broken: a > x' },
],
)('the result of a run: $why', ({ result, line }) => expect(bestLine(result)).toBe(line))

const fixed = [entry(0, undefined), { ...entry(1, undefined), commit: 'fix-1' }]
test.each(
  // prettier-ignore
  [
  { why: 'fixes were made and the start is best', result: { best: best(0), commits: ['a', 'b'], history: [] },     says: 'no fix made it better than the start' },
  { why: 'nothing was ever measured',             result: { best: null, commits: ['a'], history: fixed },          says: 'no run of the tests measured anything' },
  { why: 'tests were written, and are the best',  result: { best: best(0), commits: ['a'], history: [], confirmed: true }, says: undefined },
  { why: 'tests were written, and no fix',        result: { best: null, commits: ['a'], history: [] },             says: undefined },
  { why: 'no fix was needed',                     result: { best: best(0), commits: [], history: [] },             says: undefined },
  { why: 'a fix is better',                       result: { best: best(1), commits: ['a'], history: fixed },       says: undefined },
  { why: 'a run of another kind',                 result: { commits: ['a'], history: fixed },                      says: undefined },
],
)('whether nothing is handed over: $why', ({ result, says }) =>
  expect(whyNothing(result)).toBe(says),
)

test.each<{ why: string; result: Pick<RunResult, 'confirmed' | 'unconfirmed'>; says?: string }>([
  { why: 'no canary was asked', result: {} },
  { why: 'they confirmed it', result: { confirmed: true } },
  {
    why: 'the run ended before',
    result: { confirmed: false, unconfirmed: 'the run ended before its results were confirmed' },
    says: 'results not confirmed: the run ended before its results were confirmed',
  },
  {
    why: 'no reason is known',
    result: { confirmed: false },
    says: 'results not confirmed: no canary was written',
  },
])('what canaries leave open: $why', ({ result, says }) =>
  expect(unconfirmedLine(result)).toBe(says),
)
