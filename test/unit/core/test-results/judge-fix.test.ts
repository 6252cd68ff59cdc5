import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Comparison } from '../../../../src/contract/test-run.js'
import { backNote, isForPerson, judgeFix } from '../../../../src/core/test-results/judge-fix.js'
import {
  isBelowBest,
  inHindsight,
  isBetter,
  type Standing,
} from '../../../../src/core/test-results/standing.js'
import { compared, measured, notStarted } from '../../../support/test-runs.js'

const counts = (passing: number, broken = 0, failing = 100 - passing) => ({
  baselinePassing: passing,
  broken,
  passing,
  failing,
})
const run = (comparison: Partial<Comparison>) =>
  measured(50, 100, {
    comparison: compared({
      counts: counts(50),
      best: { counts: counts(50), total: 100, then: 50, now: 50 },
      ...comparison,
    }),
  })
const best = (passing: number, now: number, broken = 0) => ({
  counts: counts(passing, broken),
  total: 100,
  then: passing,
  now,
})

const noReport = notStarted({ kind: 'cannot_execute', reason: 'no report' })

test.each(
  // prettier-ignore
  [
  { why: 'one repaired',                                      after: run({ repaired: 1, counts: counts(51) }),                                        verdict: { keep: true, isBest: true, progress: true, worse: 0, back: false } },
  { why: 'one traded for another',                            after: run({ repaired: 1, broken: 1, counts: counts(50, 1) }),                          verdict: { keep: true, isBest: false, progress: true, worse: 1, back: false } },
  { why: 'the second trade in a row goes back',               after: run({ repaired: 1, broken: 1, counts: counts(50, 1) }), worse: 1,                verdict: { keep: true, isBest: false, progress: true, worse: 0, back: true } },
  { why: 'one moved: no count shows it, it is progress',      after: run({ moved: 1, size: 9 }), worse: 1,                                            verdict: { keep: true, isBest: false, progress: true, worse: 0, back: false } },
  { why: 'nothing changed but the size of the change',        after: run({ size: 9 }),                                                                verdict: { keep: true, isBest: false, progress: false, worse: 1, back: false } },
  { why: 'more broken than repaired',                         after: run({ repaired: 1, broken: 2, brokenTests: ['a > x', 'a > y'] }),                verdict: { keep: false, reason: 'it broke 2 tests and repaired 1: a > x, a > y' } },
  { why: 'one broken, none repaired',                         after: run({ broken: 1, brokenTests: ['a > x'] }),                                      verdict: { keep: false, reason: 'it broke 1 test and repaired none: a > x' } },
  { why: '10 points of the best state are not too much',      after: run({ best: best(80, 70), counts: counts(70) }),                                 verdict: { keep: true, isBest: false, progress: false, worse: 1, back: false } },
  { why: '11 points are, although it repaired as many',       after: run({ repaired: 11, broken: 11, best: best(80, 69), counts: counts(69) }),       verdict: { keep: false, reason: '80 of 100 tests pass at the best state, 69 of them after the fix' } },
  { why: 'the suite does not start any more',                 after: notStarted(),                                                                    verdict: { keep: false, reason: 'the tests ran before the fix but not after it: a.test.ts could not be loaded: SyntaxError' } },
  { why: 'it never started',                                  before: notStarted(), after: notStarted(),                                              verdict: { keep: true, isBest: false, progress: false, worse: 0, back: false } },
  { why: 'the command cannot be executed any more',           after: noReport,                                                                        verdict: { keep: false, reason: 'the tests ran before the fix but not after it: no report' } },
  { why: 'it never started, and cannot be executed now',      before: notStarted(), after: noReport,                                                  verdict: { keep: false, reason: 'the tests cannot be executed after the fix: no report' } },
  { why: 'it could not be executed, and does not start now',  before: noReport, after: notStarted(),                                                  verdict: { keep: true, isBest: false, progress: false, worse: 0, back: false } },
  { why: 'it starts at last: any measured state is better',   before: notStarted(), after: measured(0, 5, { comparison: compared({ counts: { baselinePassing: 0, broken: 0, passing: 0, failing: 5 } }) }), verdict: { keep: true, isBest: true, progress: false, worse: 0, back: false } },
],
)('$why', ({ before = measured(50, 100), after, worse = 0, verdict }) =>
  expect(judgeFix({ before, after, bestSize: 0, worse })).toEqual(verdict),
)

test.each([
  { why: 'fewer pass', n: 2, counts: counts(49), now: 'worse than at iteration 2' },
  {
    why: 'as many pass, one is broken',
    n: 2,
    counts: counts(50, 1),
    now: 'worse than at iteration 2',
  },
  {
    why: 'as many pass, the change is larger',
    n: 2,
    counts: counts(50),
    now: 'no better than at iteration 2',
  },
  { why: 'the same at the start', n: 0, counts: counts(50), now: 'no better than at the start' },
])('the note of a return to best: $why', ({ n, counts: now, now: said }) =>
  expect(backNote(compared({ counts: now, size: 9, best: best(50, 50) }), n)).toBe(
    `the tests are ${said} after two fixes in a row: the next fix starts from there`,
  ),
)

test.each(
  // prettier-ignore
  [
  { why: 'more of the baseline pass',                     a: { baselinePassing: 5 },                       b: { baselinePassing: 4, passing: 90 } },
  { why: 'then fewer are broken',                         a: { broken: 0 },                                b: { broken: 1, passing: 90 } },
  { why: 'then nothing fails',                            a: { failing: 0 },                               b: { passing: 90 } },
  { why: 'then more pass in all',                         a: { passing: 6, size: 50 },                     b: { passing: 5 } },
  { why: 'then the smaller change',                       a: { size: 1 },                                  b: { size: 2 } },
],
)('better: $why', ({ a, b }) => {
  const standing = (rest: Partial<Standing>): Standing => ({
    baselinePassing: 3,
    broken: 1,
    passing: 5,
    failing: 2,
    size: 0,
    ...rest,
  })
  expect([
    isBetter(standing(a), standing(b)),
    isBetter(standing(b), standing(a)),
    isBetter(standing(a), standing(a)),
  ]).toEqual([true, false, false])
})

test('better is an order: of any three states one is not worse than the others', () => {
  const any = fc.record({
    baselinePassing: fc.nat(3),
    broken: fc.nat(2),
    passing: fc.nat(3),
    failing: fc.nat(2),
    size: fc.nat(2),
  })
  fc.assert(
    fc.property(any, any, any, (a, b, c) => {
      if (isBetter(a, b) && isBetter(b, c)) expect(isBetter(a, c)).toBe(true)
      expect(isBetter(a, b) && isBetter(b, a)).toBe(false)
    }),
  )
})

const state = (iteration: number, size = iteration) => ({
  commit: `c${iteration}`,
  iteration,
  run: measured(50, 100, { commit: `c${iteration}` }),
  size,
})
test.each(
  // prettier-ignore
  [
  { why: 'a test that made the fix look better is flaky', start: counts(50), between: undefined,                 then: counts(50, 1), order: [0] },
  { why: 'the fix repaired a flaky test alone',           start: counts(50), between: undefined,                 then: counts(50),    order: undefined },
  { why: 'the fix still repairs more',                    start: counts(50), between: undefined,                 then: counts(51, 1), order: undefined },
  { why: 'the start is the best state',                   start: undefined,  between: undefined,                 then: counts(50),    order: undefined },
  { why: 'a state in between is better than both',        start: counts(50), between: [counts(52), counts(51)], then: counts(51, 1), order: [0, 1] },
  { why: 'a state in between only seemed to be better',   start: counts(50), between: [counts(49), counts(52)], then: counts(53),    order: [0, 2, 3] },
  { why: 'all are still better than the one before',      start: counts(50), between: [counts(51), counts(52)], then: counts(53),    order: [0, 1, 2, 3] },
],
)('best states in hindsight: $why', ({ start, between, then, order }) => {
  const [first, last] = [state(0), state(3)]
  const earlier = [state(1), state(2)]
  const ranked = inHindsight(
    { start: first, earlier, best: last },
    {
      best: { counts: then, total: 100, then: 50, now: 50 },
      ...(start === undefined ? {} : { start }),
      ...(between === undefined
        ? {}
        : { earlier: between.map((one, n) => ({ commit: `c${n + 1}`, ...one })) }),
    },
  )
  const states = ranked && [ranked.start, ...ranked.earlier, ranked.best]
  expect(states?.flatMap((one) => one?.iteration ?? [])).toEqual(order)
})

test.each(
  // prettier-ignore
  [
  { why: 'it is better than the start',            at: counts(52), then: counts(51),    order: [0, 1], dropped: [3] },
  { why: 'it is as good as the start',             at: counts(50), then: counts(51),    order: [0, 3], dropped: [1] },
  { why: 'the best one after it is better still',  at: counts(51), then: counts(52),    order: [0, 1, 3], dropped: [] },
  { why: 'its results are gone',                   at: undefined,  then: counts(51),    order: [0, 3], dropped: [] },
],
)('a state that dropped out, in hindsight: $why', ({ at, then, order, dropped }) => {
  const ranked = inHindsight(
    { start: state(0), dropped: [state(1)], best: state(3) },
    {
      best: { counts: then, total: 100, then: 50, now: 50 },
      start: counts(50),
      earlier: at === undefined ? [] : [{ commit: 'c1', ...at }],
    },
  )
  const states = ranked && [ranked.start, ...ranked.earlier, ranked.best]
  expect(states?.flatMap((one) => one?.iteration ?? [])).toEqual(order)
  expect(ranked?.dropped.map(({ iteration }) => iteration)).toEqual(dropped)
})

test('a state that dropped out returns where the start is the best one', () => {
  const ranked = inHindsight(
    { dropped: [state(1)], best: state(0) },
    {
      best: { counts: counts(50), total: 100, then: 50, now: 50 },
      earlier: [{ commit: 'c1', ...counts(51) }],
    },
  )
  expect(ranked).toMatchObject({ start: state(0), earlier: [], best: state(1), dropped: [] })
})

test.each([
  { why: 'the tip is the best state', atBest: true, hasBest: true, is: false },
  { why: 'the start became the best state again', atBest: false, hasBest: true, is: true },
  { why: 'nothing was measured', atBest: false, hasBest: false, is: false },
])('the verdict of another state ends a run: $why', ({ atBest, hasBest, is }) => {
  const held = { commit: 'c', iteration: 0, run: measured(5, 5), size: 0 }
  expect(isBelowBest({ atBest, best: hasBest ? held : undefined })).toBe(is)
})

test.each([
  { why: 'the base cannot be executed', run: noReport, is: true },
  { why: 'the start cannot be executed again', run: noReport, iteration: 0, is: true },
  { why: 'a fix on the start', run: noReport, iteration: 0, atBest: false, is: false },
  { why: 'a best state that a fix made', run: noReport, iteration: 2, is: false },
  { why: 'the base does not start', run: notStarted(), is: false },
])('only a person can repair it: $why, $is', ({ run, iteration, atBest = true, is }) => {
  const best =
    iteration === undefined ? undefined : { commit: 'c', iteration, run: measured(5, 5), size: 0 }
  expect(isForPerson(run, { best, atBest })).toBe(is)
})
