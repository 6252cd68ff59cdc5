// Fixes of a session that another tool wrote: results from its iterations and its fix tasks.
import { expect, test } from 'vitest'
import { withOutcomes } from '../../../../src/core/records/told-fixes.js'
import {
  FixHistoryEntry,
  bestFix,
  helped,
} from '../../../../src/core/test-fix/fix-history-match.js'
import { lesson } from '../../../../src/core/records/archive-entry.js'

const entry = (iteration: number, rest: Record<string, unknown> = {}): FixHistoryEntry =>
  FixHistoryEntry.parse({ iteration, modification_points: [`src/a.ts:f${iteration}`], ...rest })
const ITERATIONS = {
  iterations: [
    { iteration: 1, test_results: { total: 10, passed: 7 }, result: 'partial_success' },
    { iteration: 2, pass_rate: 60, result: 'regression' },
    { iteration: 3, test_results: { total: 10, passed: 10 }, result: 'success' },
  ],
}
const DETAILS = {
  approach: '',
  points: [],
  rootCauses: ['the word is not compared'],
  affectedTests: [],
  confidence: null,
  expectedOutcome: '',
  failures: [{ test: 'login refuses a wrong word', file: '', error: 'expected 401' }],
}
const told = (fixes: FixHistoryEntry[], iterationState: unknown = ITERATIONS) =>
  withOutcomes(fixes, { iterationState: () => iterationState, detailsOf: () => DETAILS })

test('what an iteration became, with the rates before and after it', () => {
  expect(
    told([entry(1), entry(2), entry(3)]).map((fix) => [
      fix.result,
      fix.pass_rate_before,
      fix.pass_rate_after,
      helped(fix),
    ]),
  ).toEqual([
    ['kept', null, 70, true],
    ['rolled_back', 70, 60, false],
    ['kept', 70, 100, true],
  ])
})

test('the failing tests come from the fix task, and match by name without a file', () => {
  const [fix] = told([entry(3)])
  expect(fix).toMatchObject({ task: 'IMPL-fix-3', root_causes: DETAILS.rootCauses })
  const failing = {
    file: 'src/a.test.ts',
    test: 'login refuses a wrong word',
    error: '200 !== 401',
  }
  const known = { ...(fix as FixHistoryEntry), session: 'WFS-test-login' }
  expect(bestFix([failing], [known])).toBe(known)
  expect(lesson(known)).toBe('the word is not compared; changed src/a.ts:f3; kept: 70 % → 100 %')
})

test.each([
  { why: 'an iteration that no file names', fixes: [entry(9)], state: ITERATIONS },
  { why: 'no iterations', fixes: [entry(1)], state: null },
])('$why has no result', ({ fixes, state }) => expect(told(fixes, state)[0]?.result).toBe(''))

test('a fix with a result stays as it is', () => {
  const own = entry(1, { result: 'no_change', pass_rate_after: 50 })
  expect(told([own])).toEqual([own])
})
