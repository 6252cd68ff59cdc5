import { expect, test } from 'vitest'
import {
  gateDecision,
  unwrittenDecision,
  type GateReading,
} from '../../../../src/core/test-fix/quality-gate.js'

const reading = (rest: Partial<GateReading> = {}): GateReading => ({
  critical: 0,
  error: 0,
  warning: 0,
  lines: null,
  branches: null,
  functions: null,
  antiPatterns: 0,
  ...rest,
})

type Row = {
  reading: GateReading | undefined
  attempt: number
  decision: string
  reason: RegExp
  review?: RegExp
}

test.each(
  // prettier-ignore
  [
  { why: 'nothing found',                       reading: reading(),                                        attempt: 1, decision: 'pass',  reason: /no critical/ },
  { why: '3 errors and 10 warnings',            reading: reading({ error: 3, warning: 10 }),               attempt: 1, decision: 'pass',  reason: /no critical/ },
  { why: '4 errors',                            reading: reading({ error: 4 }),                            attempt: 1, decision: 'fix',   reason: /^4 errors, at most 3 pass$/ },
  { why: '11 warnings',                         reading: reading({ warning: 11 }),                         attempt: 1, decision: 'fix',   reason: /^11 warnings, at most 10 pass$/ },
  { why: 'the second retry is the last',        reading: reading({ error: 4 }),                            attempt: 2, decision: 'fix',   reason: /4 errors/ },
  { why: 'after two retries',                   reading: reading({ error: 4, warning: 11 }),               attempt: 3, decision: 'block', reason: /^4 errors, at most 3 pass; 11 warnings, at most 10 pass, after 3 checks$/ },
  { why: 'a critical issue, at once',           reading: reading({ critical: 1 }),                         attempt: 1, decision: 'block', reason: /^1 critical issue in the tests$/ },
  { why: 'critical with few others',            reading: reading({ critical: 2, error: 1 }),               attempt: 1, decision: 'block', reason: /2 critical issues/ },
  { why: 'passes on the last check',            reading: reading({ error: 3 }),                            attempt: 3, decision: 'pass',  reason: /no critical/ },
  { why: 'no report: the gate is asked again',  reading: undefined,                                        attempt: 1, decision: 'recheck', reason: /^no agent gave a readable report/ },
  { why: 'no report on the last retry',         reading: undefined,                                        attempt: 2, decision: 'recheck', reason: /^no agent gave a readable report/ },
  { why: 'no report three times',               reading: undefined,                                        attempt: 3, decision: 'block', reason: /readable report, after 3 checks/ },
  { why: 'the task allows no error',            reading: reading({ error: 1, thresholds: { error: 0 } }),  attempt: 1, decision: 'fix',   reason: /^1 error, at most 0 pass$/ },
  { why: 'the task allows more',                reading: reading({ critical: 1, error: 9, warning: 20, thresholds: { critical: 1, error: 9, warning: 20 } }), attempt: 1, decision: 'pass', reason: /no critical/ },
  { why: 'the task allows no retry',            reading: reading({ error: 4, thresholds: { retries: 0 } }), attempt: 1, decision: 'block', reason: /^4 errors, at most 3 pass, after 1 check$/ },
],
)('IMPL-001.3: $why -> $decision', ({ reading, attempt, decision, reason }) =>
  expect(gateDecision('code-validation', reading, attempt)).toEqual({
    decision,
    reason: expect.stringMatching(reason) as string,
  }),
)

test.each(
  // prettier-ignore
  [
  { why: 'enough of everything',                reading: reading({ lines: 80, branches: 70, functions: 90 }), attempt: 1, decision: 'pass',  reason: /^covers enough, no critical anti-pattern$/ },
  { why: 'no coverage is reported',             reading: reading(),                                        attempt: 1, decision: 'pass',  reason: /^no coverage was reported;/, review: /^no coverage was reported;/ },
  { why: 'branches are reported, lines not',    reading: reading({ branches: 90 }),                        attempt: 1, decision: 'pass',  reason: /no coverage of lines and functions/, review: /no coverage of lines/ },
  { why: 'only lines are reported, enough',     reading: reading({ lines: 80 }),                           attempt: 1, decision: 'pass',  reason: /^covers enough, but no coverage of branches and functions was reported/ },
  { why: 'lines below 80',                      reading: reading({ lines: 79.9 }),                         attempt: 1, decision: 'redo',  reason: /^lines covered 79.9 %, 80 % are asked$/ },
  { why: 'branches below 70',                   reading: reading({ lines: 80, branches: 69 }),             attempt: 1, decision: 'redo',  reason: /^branches covered 69 %/ },
  { why: 'functions below 90',                  reading: reading({ lines: 80, functions: 89 }),            attempt: 2, decision: 'redo',  reason: /^functions covered 89 %/ },
  { why: 'nothing covered at all',              reading: reading({ lines: 0 }),                            attempt: 1, decision: 'redo',  reason: /^lines covered 0 %/ },
  { why: 'a critical anti-pattern',             reading: reading({ lines: 100, antiPatterns: 1 }),         attempt: 1, decision: 'redo',  reason: /^1 critical anti-pattern$/ },
  { why: 'a critical issue',                    reading: reading({ lines: 100, critical: 1 }),             attempt: 1, decision: 'redo',  reason: /^1 critical issue$/ },
  { why: '4 errors',                            reading: reading({ lines: 100, error: 4 }),                attempt: 1, decision: 'redo',  reason: /^4 errors, at most 3 pass$/ },
  { why: 'warnings are of the other gate',      reading: reading({ lines: 100, error: 3, warning: 99 }),   attempt: 1, decision: 'pass',  reason: /^covers enough/ },
  { why: 'after two retries, for a review',     reading: reading({ lines: 50, antiPatterns: 2 }),          attempt: 3, decision: 'continue', reason: /^2 critical anti-patterns; lines covered 50 %, 80 % are asked, after 3 checks$/ },
  { why: 'the task asks for less',              reading: reading({ lines: 50, branches: 0, functions: 10, thresholds: { lines: 50, branches: 0, functions: 10 } }), attempt: 1, decision: 'pass', reason: /^covers enough/ },
  { why: 'the task asks for more',              reading: reading({ lines: 94, thresholds: { lines: 95 } }), attempt: 1, decision: 'redo', reason: /^lines covered 94 %, 95 % are asked$/ },
  { why: 'the task grants a third retry',       reading: reading({ lines: 1, thresholds: { retries: 3 } }), attempt: 3, decision: 'redo', reason: /^lines covered 1 %/ },
  { why: 'no report: the gate is asked again',  reading: undefined,                                        attempt: 2, decision: 'recheck', reason: /^no agent gave a readable report/ },
  { why: 'no report three times',               reading: undefined,                                        attempt: 3, decision: 'continue', reason: /readable report, after 3 checks/ },
],
)('IMPL-001.5: $why -> $decision', ({ reading, attempt, decision, reason, review }: Row) =>
  expect(gateDecision('test-quality-review', reading, attempt)).toEqual({
    decision,
    reason: expect.stringMatching(reason) as string,
    ...(review === undefined ? {} : { review: expect.stringMatching(review) as string }),
  }),
)

const NONE = { id: 'IMPL-001', noTests: true } as const
test.each(
  // prettier-ignore
  [
  { why: 'tests were written',            gate: 'test-quality-review', writer: { id: 'IMPL-001' }, attempt: 1, decision: undefined },
  { why: 'there is nothing to validate',  gate: 'code-validation',     writer: NONE, attempt: 1, decision: { decision: 'pass', reason: 'IMPL-001 wrote no test, so there is nothing to validate' } },
  { why: 'they are to be written again',  gate: 'test-quality-review', writer: NONE, attempt: 2, decision: { decision: 'redo', reason: 'IMPL-001 wrote no test' } },
  { why: 'after two retries',             gate: 'test-quality-review', writer: NONE, attempt: 3, decision: { decision: 'continue', reason: 'IMPL-001 wrote no test, after 3 checks' } },
] as const,
)('a task that wrote no test, $gate: $why', ({ gate, writer, attempt, decision }) =>
  expect(unwrittenDecision(gate, writer, attempt)).toEqual(decision),
)
