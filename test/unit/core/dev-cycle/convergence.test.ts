import { expect, test } from 'vitest'
import type { Prep } from '../../../../src/contract/dev-cycle/prep-package.js'
import { convergence, type ConvergenceCase } from '../../../../src/core/dev-cycle/convergence.js'
import type { Open, OpenItem } from '../../../../src/core/run/open-evidence.js'
import { claimed } from '../../../support/cycle/cycle-results.js'
import { measured } from '../../../support/test-runs.js'
import { quality } from '../dev-loop/loop-state.js'

const prep = (
  bar: Partial<Prep['convergence']> = {},
  exit: Record<string, unknown> = {},
): Prep => ({
  convergence: {
    test_pass_rate: 90,
    coverage: 80,
    max_critical_bugs: 0,
    max_open_issues: 3,
    ...bar,
  },
  phase_gates: {
    zero_to_one: { iterations: [1], exit_criteria: exit },
    one_to_hundred: { iterations: [2], exit_criteria: {} },
  },
  agent_focus: { zero_to_one: {}, one_to_hundred: {} },
  source_refs: [],
})
const open = (...kinds: OpenItem['kind'][]): Open => ({
  items: kinds.map((kind, n) => ({ kind, text: `point ${n}` })),
  review: [],
})

const plain: ConvergenceCase = {
  gate: 'default',
  open: open(),
  run: measured(5, 5),
  cdFailed: false,
}
const first: ConvergenceCase = {
  gate: 'zero_to_one',
  prep: prep(),
  open: open(),
  run: measured(1, 5),
  cdFailed: false,
  claimed: claimed(),
}
const last: ConvergenceCase = {
  gate: 'one_to_hundred',
  prep: prep(),
  open: open(),
  run: measured(9, 10),
  cdFailed: false,
  claimed: claimed({ coverage: 80, criticalIssues: 0 }),
}

test.each<{
  why: string
  c: ConvergenceCase
  converged: boolean
  movesOn?: boolean
  says?: string
}>(
  // prettier-ignore
  [
  { why: 'default: no item is open',                          c: plain,                                                      converged: true,  says: 'no item is open: 100 % (5 of 5)' },
  { why: 'default: an item is open',                          c: { ...plain, open: open('validation', 'test') },             converged: false, says: '100 % (5 of 5); 2 items are open: point 0' },
  { why: 'default: no test is there, and no item is open',    c: { ...plain, run: undefined },                               converged: true,  says: 'no item is open' },
  { why: 'default: what failed before is said',               c: { ...plain, run: measured(4, 5), open: { ...open(), known: '1 test failed before the run and still does: a' } }, converged: true, says: 'no item is open: 80 % (4 of 5); 1 test failed before the run and still does: a' },
  { why: '0→1: one test passes',                             c: first,                                                      converged: false, movesOn: true },
  { why: '0→1: all tests pass, and the cycle continues',     c: { ...first, run: measured(5, 5) },                          converged: false, movesOn: true },
  { why: '0→1: open issues do not hold it',                  c: { ...first, open: open('test', 'validation') }, converged: false, movesOn: true },
  { why: '0→1: no test passes, despite the claim',           c: { ...first, run: measured(0, 5), claimed: claimed({ passRate: 100 }) }, converged: false, says: 'no test passes' },
  { why: '0→1: CD failed',                                   c: { ...first, cdFailed: true },                               converged: false },
  { why: '0→1: nothing was measured',                        c: { ...first, run: undefined },                               converged: false },
  { why: '0→1: fewer requirements are met than the package asks for', c: { ...first, prep: prep({}, { min_requirements_implemented: 2 }), claimed: claimed({ requirementsMet: 1 }) }, converged: false, says: '1 requirement is met, 2 are needed' },
  { why: '0→1: as many as it asks for',                      c: { ...first, prep: prep({}, { min_requirements_implemented: 2 }), claimed: claimed({ requirementsMet: 2 }) }, converged: false, movesOn: true },
  { why: '0→1: where VAS gives no number, tasks that are done count', c: { ...first, prep: prep({}, { min_requirements_implemented: 2 }), tasksDone: 2 }, converged: false, movesOn: true },
  { why: '0→1: a missing number is not met',                 c: { ...first, prep: prep({}, { min_requirements_implemented: 1 }) }, converged: false, says: 'no agent reported how many requirements are met, 1 are needed' },
  { why: '0→1: the code has to compile, and types fails',    c: { ...first, prep: prep({}, { code_compiles: true }), quality: quality({ name: 'types' }) }, converged: false, says: 'the code must compile, and types fails' },
  { why: '0→1: the code has to compile, and build was not run', c: { ...first, prep: prep({}, { code_compiles: true }), quality: quality({ name: 'build', result: 'not_run' }) }, converged: false, says: 'the code must compile, and build could not be run' },
  { why: '0→1: the code has to compile, and types is part of lint now', c: { ...first, prep: prep({}, { code_compiles: true }), quality: quality({ name: 'types', result: 'not_run', before: 'passed', gone: true }) }, converged: false, movesOn: true },
  { why: '0→1: the code has to compile, and lint alone fails', c: { ...first, prep: prep({}, { code_compiles: true }), quality: quality({ name: 'lint' }) }, converged: false, movesOn: true },
  { why: '0→1: it does not have to compile, and types fails', c: { ...first, quality: quality({ name: 'types' }) }, converged: false, movesOn: true },
  { why: '1→100: measured coverage counts before a claim',    c: { ...last, claimed: claimed({ coverage: 95, criticalIssues: 0 }), quality: { ...quality(), coverage: 40 } }, converged: false, says: 'the coverage is 40 %, 80 % are needed' },
  { why: '1→100: coverage that is measured needs no claim',   c: { ...last, claimed: claimed({ criticalIssues: 0 }), quality: { ...quality(), coverage: 80 } }, converged: true },
  { why: '1→100: tests that are gone on purpose fail no rate', c: { ...last, run: measured(9, 12), open: { ...open(), removed: { total: 2, passed: 2 } } }, converged: true },
  { why: '1→100: every number is met exactly',               c: last,                                                       converged: true },
  { why: '1→100: 89.96 % is below 90 %',                     c: { ...last, run: measured(2249, 2500) },                     converged: false, says: 'the pass rate is 89.9 % (2249 of 2500), 90 % are needed' },
  { why: '1→100: the measured rate, not the claimed one',    c: { ...last, run: measured(8, 10), claimed: claimed({ passRate: 100, coverage: 90, criticalIssues: 0 }) }, converged: false },
  { why: '1→100: a claim below the bar changes nothing',     c: { ...last, claimed: claimed({ passRate: 10, coverage: 90, criticalIssues: 0 }) }, converged: true },
  { why: '1→100: coverage below the bar',                    c: { ...last, claimed: claimed({ coverage: 79.9, criticalIssues: 0 }) },          converged: false, says: 'the coverage is 79.9 %, 80 % are needed' },
  { why: '1→100: coverage without a report',                 c: { ...last, claimed: claimed({ criticalIssues: 0 }) },        converged: false, says: 'nothing measures the coverage and no agent reported it, 80 % are needed' },
  { why: '1→100: no word of VAS at all',                     c: { ...last, claimed: undefined },                            converged: false },
  { why: '1→100: critical issues that no agent counted',     c: { ...last, claimed: claimed({ coverage: 90 }) },            converged: false, says: 'no agent reported the number of critical issues, at most 0 allowed' },
  { why: '1→100: a critical issue',                          c: { ...last, claimed: claimed({ coverage: 90, criticalIssues: 1 }) }, converged: false, says: '1 critical issue is open, at most 0 allowed' },
  { why: '1→100: critical issues that are allowed',          c: { ...last, prep: prep({ max_critical_bugs: 2 }), claimed: claimed({ coverage: 90, criticalIssues: 2 }) }, converged: true },
  { why: '1→100: three open issues',                         c: { ...last, open: open('validation', 'task', 'blocker') }, converged: true },
  { why: '1→100: four open issues',                          c: { ...last, open: open('validation', 'task', 'blocker', 'decision') }, converged: false, says: '4 items are open, at most 3 allowed' },
  { why: '1→100: failing tests within the rate are none',    c: { ...last, run: measured(95, 100), open: open('test', 'test', 'test', 'test', 'test') }, converged: true },
  { why: '1→100: CD failed',                                 c: { ...last, cdFailed: true },                                converged: false },
  { why: '1→100: nothing was measured',                      c: { ...last, run: undefined },                                converged: false },
],
)('$why', ({ c, converged, movesOn = false, says }) => {
  const judged = convergence(c)
  expect(judged).toMatchObject({ converged, movesOn })
  if (says !== undefined) expect(judged.why).toBe(says)
})
