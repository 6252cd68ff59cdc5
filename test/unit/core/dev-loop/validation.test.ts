import { expect, test } from 'vitest'
import { Validation } from '../../../../src/contract/dev-loop/loop-record.js'
import { claimedRate, validationOf } from '../../../../src/core/dev-loop/validation.js'
import { compared, measured, notStarted } from '../../../support/test-runs.js'
import { quality, validation } from './loop-state.js'

const at = { claimed: undefined, iteration: 4, commit: 'c0ffee' }
const claim = (passed: number | null, failed: number | null, total: number | null) => ({
  passed,
  failed,
  total,
  coverage: null,
})

const refused = validation(false, { commit: 'c0ffee', word: 'refuses', status: 'failed' })
const known = measured(4, 5, {
  comparison: compared({ known: { total: 1, tests: ['a.test.ts > test 1'], differently: 0 } }),
})

const removed = measured(4, 5, {
  failures: [{ file: 'a.test.ts', test: 'test 1', error: '', missing: true }],
  comparison: compared({
    removed: [{ file: 'a.test.ts', passed: true, total: 1, tests: ['test 1'] }],
  }),
})

test.each(
  // prettier-ignore
  [
  { why: 'all tests pass',                              v: { run: measured(5, 5) },                                                              passed: true,  text: 'all tests pass: 100 % (5 of 5)' },
  { why: 'one fails',                                   v: { run: measured(4, 5) },                                                              passed: false, text: 'tests fail: 80 % (4 of 5)' },
  { why: 'flaky ones count as passed, and are said',    v: { run: measured(5, 5, { flaky: 1 }) },                                                passed: true,  text: 'all tests pass: 100 % (5 of 5, 1 flaky)' },
  { why: 'none passed',                                 v: { run: measured(0, 5) },                                                              passed: false, text: 'tests fail: 0 % (0 of 5)' },
  { why: 'the suite did not start',                     v: { run: notStarted() },                                                                passed: false, text: 'a.test.ts could not be loaded: SyntaxError' },
  { why: 'the command is wrong',                        v: { run: notStarted({ kind: 'cannot_execute', reason: 'npm test: not found' }) },       passed: false, text: 'npm test: not found' },
  { why: 'there are no tests',                          v: { unmeasured: 'no test command\nis known' },                                          passed: true,  text: 'nothing was measured: no test command is known' },
  { why: 'no reason is given',                          v: {},                                                                                   passed: true,  text: 'nothing was measured: there are no tests' },
  { why: 'no tests, a check fails',                     v: { unmeasured: 'no tests', quality: quality({ name: 'types' }) },                      passed: false, text: 'nothing was measured: no tests; types fails' },
  { why: 'a check fails that passed before',            v: { run: measured(5, 5), quality: quality({ name: 'lint', before: 'passed' }) },        passed: false, text: 'all tests pass: 100 % (5 of 5); lint fails' },
  { why: 'a check fails that did not run before',       v: { run: measured(5, 5), quality: quality({ name: 'lint', before: 'not_run' }) },       passed: false, text: 'all tests pass: 100 % (5 of 5); lint fails' },
  { why: 'a check failed before as well',               v: { run: measured(5, 5), quality: quality({ name: 'lint', before: 'failed' }) },        passed: true,  text: 'all tests pass: 100 % (5 of 5); lint fails as before' },
  { why: 'a check failed before, and reports more errors', v: { run: measured(5, 5), quality: quality({ name: 'types', before: 'failed', errors: { now: 5, before: 3 } }) }, passed: false, text: 'all tests pass: 100 % (5 of 5); types reports 5 errors, before the run 3' },
  { why: 'a check failed before, and reports as many',  v: { run: measured(5, 5), quality: quality({ name: 'types', before: 'failed', errors: { now: 3, before: 3 } }) }, passed: true,  text: 'all tests pass: 100 % (5 of 5); types fails as before' },
  { why: 'coverage fell by more than a point',          v: { run: measured(5, 5), quality: { ...quality(), coverage: 80, coverageBefore: 82 } }, passed: false, text: 'all tests pass: 100 % (5 of 5); line coverage fell from 82 % to 80 %' },
  { why: 'coverage fell by a point',                    v: { run: measured(5, 5), quality: { ...quality(), coverage: 81, coverageBefore: 82 } }, passed: true,  text: 'all tests pass: 100 % (5 of 5)' },
  { why: 'a check did not run',                         v: { run: measured(5, 5), quality: quality({ name: 'lint', result: 'not_run' }) },       passed: true,  text: 'all tests pass: 100 % (5 of 5)' },
  { why: 'a check did not run, and did before',         v: { run: measured(5, 5), quality: quality({ name: 'lint', result: 'not_run', before: 'passed', tail: 'killed' }) },      passed: true,  text: 'all tests pass: 100 % (5 of 5); lint ran before the run and does not now: killed' },
  { why: 'a check did not run, and failed before',      v: { run: measured(5, 5), quality: quality({ name: 'lint', result: 'not_run', before: 'failed', tail: 'killed' }) },      passed: true,  text: 'all tests pass: 100 % (5 of 5)' },
  { why: 'a run of coverage failed',                    v: { run: measured(5, 5), quality: { ...quality(), coverageBefore: 82, coverageLost: '"npm run coverage" failed' } }, passed: true,  text: 'all tests pass: 100 % (5 of 5); line coverage was 82 % before the run and could not be measured now: "npm run coverage" failed' },
  { why: 'a run of coverage prints none',               v: { run: measured(5, 5), quality: { ...quality(), coverageBefore: 82 } },               passed: false, text: 'all tests pass: 100 % (5 of 5); line coverage was 82 % before the run and is not measured now' },
  { why: 'two checks fail',                             v: { run: measured(5, 5), quality: quality({ name: 'lint' }, { name: 'types' }) },       passed: false, text: 'all tests pass: 100 % (5 of 5); lint, types fail' },
  { why: 'a claim that differs',                        v: { run: measured(4, 5), claimed: 100 },                                                passed: false, text: 'tests fail: 80 % (4 of 5); the worker claimed 100 %' },
  { why: 'a claim that is rounded in another way',      v: { run: measured(2, 3), claimed: 66.7 },                                               passed: false, text: 'tests fail: 66.6 % (2 of 3)' },
  { why: 'all claimed, one of thousands fails',         v: { run: measured(1999, 2000), claimed: 100 },                                          passed: false, text: 'tests fail: 99.9 % (1999 of 2000); the worker claimed 100 %' },
  { why: 'a claim where nothing was measured',          v: { claimed: 100 },                                                                     passed: true,  text: 'nothing was measured: there are no tests; the worker claimed 100 %' },
  { why: 'all claimed that are left, one removed on purpose', v: { run: removed, claimed: 100, word: { status: 'success' as const, removed: ['a.test.ts'] } },  passed: true,  text: 'no test fails that passed before: 80 % (4 of 5); 1 removed on purpose' },
  { why: 'no claim',                                    v: { run: measured(5, 5), claimed: null },                                               passed: true,  text: 'all tests pass: 100 % (5 of 5)' },
  { why: 'its worker refuses it',                   v: { run: measured(5, 5), word: { status: 'failed' as const, summary: 'the total is wrong' } },       passed: false, text: 'all tests pass: 100 % (5 of 5); validate says failed: the total is wrong' },
  { why: 'a finding of medium severity',            v: { run: measured(5, 5), word: { status: 'success' as const, findings: ['no limit'] } },             passed: false, text: 'all tests pass: 100 % (5 of 5); validate has findings: no limit' },
  { why: 'a finding of low severity',                   v: { run: measured(5, 5), word: { status: 'success' as const, findings: ['[low] a name'] } },         passed: true,  text: 'all tests pass: 100 % (5 of 5)' },
  { why: 'it asks for more work',                       v: { run: measured(5, 5), word: { status: 'success' as const, sendsBack: true } },                    passed: false, text: 'all tests pass: 100 % (5 of 5); validate asks for more work' },
  { why: 'it gave no answer',                           v: { run: measured(5, 5), word: { status: 'failed' as const, silent: true } },                        passed: false, text: 'all tests pass: 100 % (5 of 5); validate gave no answer' },
  { why: 'refused before, and nothing committed since', v: { run: measured(5, 5), before: refused },                                                          passed: false, text: 'all tests pass: 100 % (5 of 5); validate refused this commit in iteration 2, and nothing was committed since' },
  { why: 'refused before, in another commit',           v: { run: measured(5, 5), before: { ...refused, commit: 'older' } },                                  passed: true,  text: 'all tests pass: 100 % (5 of 5)' },
  { why: 'refused before, and no answer since',         v: { run: measured(5, 5), before: validation(false, { commit: 'c0ffee', iteration: 3, word: 'silent', status: 'unknown', refused: { iteration: 2, status: 'failed' } }) }, passed: false, text: 'all tests pass: 100 % (5 of 5); validate refused this commit in iteration 2, and nothing was committed since' },
  { why: 'no answer twice, and then one',               v: { run: measured(5, 5), before: validation(false, { commit: 'c0ffee', word: 'refuses', status: 'unknown' }) }, passed: true,  text: 'all tests pass: 100 % (5 of 5)' },
  { why: 'a test failed before the loop and still does', v: { run: known },                                                                                   passed: true,  text: 'no test fails that passed before: 80 % (4 of 5); 1 test failed before the run and still does: a.test.ts > test 1' },
  { why: 'a test is gone on purpose',                   v: { run: removed, word: { status: 'success' as const, removed: ['a.test.ts > test 1'] } }, passed: true,  text: 'no test fails that passed before: 80 % (4 of 5); 1 removed on purpose' },
  { why: 'a test is gone',                              v: { run: removed },                                                                                 passed: false, text: 'tests fail: 80 % (4 of 5)' },
  { why: 'validate lists the test that failed before',  v: { run: { ...known, failures: [{ file: 'a.test.ts', test: 'test 1', error: 'expected 1' }] }, word: { status: 'success' as const, findings: ['test 1: expected 1 (a.test.ts:3)'] } }, passed: true, text: 'no test fails that passed before: 80 % (4 of 5); 1 test failed before the run and still does: a.test.ts > test 1' },
  { why: 'the task names it',                           v: { run: known, description: 'Repair test 1, please' },                                              passed: false, text: 'tests fail: 80 % (4 of 5)' },
  { why: 'all have to pass',                            v: { run: known, requireGreen: true },                                                                passed: false, text: 'tests fail: 80 % (4 of 5)' },
  { why: 'another one fails as well',                   v: { run: { ...known, total: 6, failed: 2 } },                                                        passed: false, text: 'tests fail: 66.6 % (4 of 6); 1 test failed before the run and still does: a.test.ts > test 1' },
],
)('validation: $why -> $passed', ({ v, passed, text }) => {
  const validation = validationOf({ ...at, ...v })
  expect(Validation.parse(validation)).toMatchObject({
    passed,
    why: text,
    iteration: 4,
    commit: 'c0ffee',
  })
})

test('a refusal goes with its commit, from one validation to the next', () => {
  const run = measured(5, 5)
  const first = validationOf({ ...at, run, word: { status: 'partial' } })
  const silent = validationOf({
    ...at,
    iteration: 6,
    run,
    word: { status: 'failed', silent: true },
    before: first,
  })
  expect(silent).toMatchObject({ word: 'silent', refused: { iteration: 4, status: 'partial' } })
  const agreed = { ...at, iteration: 7, run, before: silent }
  expect(validationOf(agreed)).toMatchObject({ word: 'refuses', status: 'partial' })
  expect(validationOf({ ...agreed, commit: 'later' })).not.toHaveProperty('refused')
})

test.each([
  { why: 'passed of total', of: claim(4, null, 5), rate: 80 },
  { why: 'passed and failed', of: claim(4, 1, 99), rate: 80 },
  { why: 'passed alone', of: claim(4, null, null), rate: null },
  { why: 'more than there are', of: claim(6, null, 5), rate: null },
  { why: 'none at all', of: claim(0, 0, 0), rate: null },
  { why: 'no claim', of: undefined, rate: null },
])('what a worker claims: $why -> $rate', ({ of, rate }) => expect(claimedRate(of)).toBe(rate))
