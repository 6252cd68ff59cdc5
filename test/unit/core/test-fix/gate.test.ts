import { describe, expect, test } from 'vitest'
import type { Levels } from '../../../../src/contract/test-run.js'
import { gate, needsAssessment } from '../../../../src/core/test-fix/gate.js'
import { compared, measured } from '../../../support/test-runs.js'

const failing = (levels: Partial<Levels>): Levels => ({
  high: 0,
  medium: 0,
  low: 0,
  undecided: 0,
  ...levels,
})

test.each(
  // prettier-ignore
  [
  { why: 'all passed',                      passed: 20,  total: 20,  flaky: 0, verdict: 'success' },
  { why: 'a flaky test caps the outcome',   passed: 20,  total: 20,  flaky: 1, verdict: 'partial_success' },
  { why: 'one failure, which counts high',  passed: 99,  total: 100, flaky: 0, verdict: 'fix' },
  { why: '95 % with failures counted high', passed: 19,  total: 20,  flaky: 0, verdict: 'fix' },
  { why: 'a failure and a flaky test',      passed: 19,  total: 20,  flaky: 1, verdict: 'fix' },
  { why: 'nothing passed',                  passed: 0,   total: 1,   flaky: 0, verdict: 'fix' },
],
)('gate, a run that was not compared: $why -> $verdict', ({ why: _, verdict, ...run }) =>
  expect(gate(run)).toBe(verdict),
)

test.each(
  // prettier-ignore
  [
  { why: 'all passed',                     passed: 20,    total: 20,    flaky: 0, levels: failing({}),                             verdict: 'success' },
  { why: 'a flaky test caps the outcome',  passed: 20,    total: 20,    flaky: 1, levels: failing({}),                             verdict: 'partial_success' },
  { why: '95 is inside the band',          passed: 19,    total: 20,    flaky: 0, levels: failing({ low: 1 }),                     verdict: 'partial_success' },
  { why: 'all low and a flaky test',       passed: 19,    total: 20,    flaky: 1, levels: failing({ low: 1 }),                     verdict: 'partial_success' },
  { why: 'one medium failure',             passed: 98,    total: 100,   flaky: 0, levels: failing({ low: 1, medium: 1 }),          verdict: 'fix' },
  { why: 'one high failure',               passed: 98,    total: 100,   flaky: 0, levels: failing({ low: 1, high: 1 }),            verdict: 'fix' },
  { why: 'one without a rating',           passed: 99,    total: 100,   flaky: 0, levels: failing({ high: 1, undecided: 1 }),      verdict: 'fix' },
  { why: 'low by an analysis only',        passed: 99,    total: 100,   flaky: 0, levels: failing({ low: 1, undecided: 1 }),       verdict: 'fix' },
  { why: '94.96 is outside, all low',      passed: 2374,  total: 2500,  flaky: 0, levels: failing({ low: 126 }),                   verdict: 'fix' },
  { why: '99.96 is not 100, but is low',   passed: 2499,  total: 2500,  flaky: 0, levels: failing({ low: 1 }),                     verdict: 'partial_success' },
  { why: '94.999 is outside in any total', passed: 94999, total: 100000, flaky: 0, levels: failing({ low: 5001 }),                 verdict: 'fix' },
  { why: 'nothing passed, all low',        passed: 0,     total: 1,     flaky: 0, levels: failing({ low: 1 }),                     verdict: 'fix' },
],
)('gate: $why -> $verdict', ({ why: _, verdict, ...run }) => expect(gate(run)).toBe(verdict))

describe('the assessment is asked', () => {
  const run = (passed: number, total: number, levels?: Partial<Levels>) =>
    measured(passed, total, {
      fingerprint: 'now',
      ...(levels === undefined
        ? {}
        : { comparison: compared({ levels: failing(levels), stuck: 0, stuckTests: [] }) }),
    })

  test.each(
    // prettier-ignore
    [
    { why: 'in the band, none decided',        run: run(19, 20, { high: 1, undecided: 1 }),              assessed: undefined, asked: true },
    { why: 'in the band, with low ones',       run: run(98, 100, { low: 1, high: 1, undecided: 1 }),     assessed: undefined, asked: true },
    { why: 'after other failures',             run: run(19, 20, { high: 1, undecided: 1 }),              assessed: 'before',  asked: true },
    { why: 'never twice on the same failures', run: run(19, 20, { high: 1, undecided: 1 }),              assessed: 'now',     asked: false },
    { why: 'not below the band',               run: run(94, 100, { high: 6, undecided: 6 }),             assessed: undefined, asked: false },
    { why: 'not where all passed',             run: run(20, 20, {}),                                     assessed: undefined, asked: false },
    { why: 'not where all are low already',    run: run(19, 20, { low: 1 }),                             assessed: undefined, asked: false },
    { why: 'not with a medium one',            run: run(98, 100, { medium: 1, high: 1, undecided: 1, barring: 1 }), assessed: undefined, asked: false },
    { why: 'not with a decided high one',      run: run(98, 100, { high: 2, undecided: 1, barring: 1 }), assessed: undefined, asked: false },
    { why: 'where an analysis called it low',  run: run(19, 20, { low: 1, undecided: 1 }),               assessed: undefined, asked: true },
    { why: 'not of a run that stands alone',   run: run(19, 20),                                         assessed: undefined, asked: false },
  ],
  )('$why', ({ run, assessed, asked }) => expect(needsAssessment(run, assessed)).toBe(asked))
})
