import { expect, test } from 'vitest'
import type { Prep } from '../../../../src/contract/prep-package.js'
import { convergence } from '../../../../src/core/cycle/convergence.js'
import type { ConvergenceCase } from '../../../../src/core/cycle/convergence.js'
import type { Issue, IssueKind } from '../../../../src/core/cycle/issues.js'
import { claimed } from '../../../support/cycle-results.js'
import { measured, notStarted } from '../../../support/test-runs.js'

const prep = (bar: Partial<Prep['convergence']> = {}): Prep => ({
  convergence: { test_pass_rate: 90, coverage: 80, max_critical_bugs: 0, max_open_issues: 3, ...bar },
  phase_gates: { zero_to_one: { iterations: [1], exit_criteria: {} }, one_to_hundred: { iterations: [2], exit_criteria: {} } },
  agent_focus: { zero_to_one: {}, one_to_hundred: {} }, source_refs: [],
})
const issues = (...kinds: IssueKind[]): Issue[] => kinds.map((kind, n) => ({ kind, source: 'vas', text: `point ${n}` }))

const plain: ConvergenceCase = { gate: 'default', issues: [], run: measured(5, 5), cdFailed: false }
const first: ConvergenceCase = { gate: 'zero_to_one', prep: prep(), issues: [], run: measured(1, 5), cdFailed: false, claimed: claimed() }
const last: ConvergenceCase = { gate: 'one_to_hundred', prep: prep(), issues: [], run: measured(9, 10), cdFailed: false, claimed: claimed({ coverage: 80, criticalIssues: 0 }) }

test.each<{ why: string; c: ConvergenceCase; converged: boolean; movesOn?: boolean; says?: string }>([
  { why: 'default: all pass, no issue',                      c: plain,                                                      converged: true },
  { why: 'default: a test fails',                            c: { ...plain, run: measured(4, 5), issues: issues('test_failure') }, converged: false, says: 'tests fail: 80 % (4 of 5)' },
  { why: 'default: 99.96 is not 100',                        c: { ...plain, run: measured(2499, 2500) },                    converged: false },
  { why: 'default: an issue is open',                        c: { ...plain, issues: issues('validation') },                 converged: false, says: 'all tests pass, 1 issue is open: VAS: point 0' },
  { why: 'default: VAS claims 50 %, all pass',               c: { ...plain, issues: issues('false_claim'), claimed: claimed({ passRate: 50 }) }, converged: true, says: 'all tests pass and no issue is left for another iteration: 100 % (5 of 5)' },
  { why: 'default: VAS claims 100 %, a test fails',          c: { ...plain, run: measured(4, 5), issues: issues('test_failure', 'false_claim'), claimed: claimed({ passRate: 100, ready: true }) }, converged: false },
  { why: 'default: what is restored holds nothing',          c: { ...plain, issues: issues('tampering', 'foreign_edit') },  converged: true },
  { why: 'default: a document that was left out holds nothing', c: { ...plain, issues: issues('missing_output') },          converged: true },
  { why: 'default: a planner that never answered holds nothing', c: { ...plain, issues: [{ kind: 'agent_failed', source: 'ep', text: 'gave no answer', to: 'ep' }] }, converged: true },
  { why: 'default: what RA leaves to a person holds nothing', c: { ...plain, issues: [{ kind: 'requirements', source: 'ra', text: 'which currency?' }] }, converged: true },
  { why: 'default: a point for RA holds',                    c: { ...plain, issues: [{ kind: 'requirements', source: 'ep', text: 'which currency?', to: 'ra' }] }, converged: false, says: 'all tests pass, 1 issue is open: EP: which currency?' },
  { why: 'default: a validation that never came holds',      c: { ...plain, issues: [{ kind: 'agent_failed', source: 'vas', text: 'gave no answer', to: 'vas' }] }, converged: false, says: 'all tests pass, 1 issue is open: VAS: gave no answer' },
  { why: 'default: CD failed',                               c: { ...plain, cdFailed: true },                               converged: false, says: 'the development failed' },
  { why: 'default: nothing was measured',                    c: { ...plain, run: undefined, claimed: claimed({ passRate: 100 }) }, converged: false, says: 'nothing was measured' },
  { why: 'default: the suite did not start',                 c: { ...plain, run: notStarted() },                            converged: false, says: 'a.test.ts could not be loaded: SyntaxError' },
  { why: '0→1: one test passes',                             c: first,                                                      converged: false, movesOn: true },
  { why: '0→1: all tests pass, and still it goes on',        c: { ...first, run: measured(5, 5) },                          converged: false, movesOn: true },
  { why: '0→1: open issues do not hold it',                  c: { ...first, issues: issues('test_failure', 'validation') }, converged: false, movesOn: true },
  { why: '0→1: no test passes, whatever VAS says',           c: { ...first, run: measured(0, 5), claimed: claimed({ passRate: 100 }) }, converged: false, says: 'no test passes' },
  { why: '0→1: CD failed',                                   c: { ...first, cdFailed: true },                               converged: false },
  { why: '0→1: nothing was measured',                        c: { ...first, run: undefined },                               converged: false },
  { why: '1→100: every number is met exactly',               c: last,                                                       converged: true },
  { why: '1→100: 89.96 % is below 90 %',                     c: { ...last, run: measured(2249, 2500) },                     converged: false, says: 'the pass rate is 89.9 % (2249 of 2500), 90 % are needed' },
  { why: '1→100: the measured rate, not the claimed one',    c: { ...last, run: measured(8, 10), claimed: claimed({ passRate: 100, coverage: 90, criticalIssues: 0 }) }, converged: false },
  { why: '1→100: a claim below the bar changes nothing',     c: { ...last, claimed: claimed({ passRate: 10, coverage: 90, criticalIssues: 0 }), issues: issues('false_claim') }, converged: true },
  { why: '1→100: coverage below the bar',                    c: { ...last, claimed: claimed({ coverage: 79.9 }) },          converged: false, says: 'the coverage is 79.9 %, 80 % are needed' },
  { why: '1→100: coverage that nobody reported',             c: { ...last, claimed: claimed() },                            converged: false, says: 'nobody reported the coverage, 80 % are needed' },
  { why: '1→100: no word of VAS at all',                     c: { ...last, claimed: undefined },                            converged: false },
  { why: '1→100: a critical issue',                          c: { ...last, claimed: claimed({ coverage: 90, criticalIssues: 1 }) }, converged: false, says: '1 critical issue is open, at most 0 allowed' },
  { why: '1→100: critical issues that are allowed',          c: { ...last, prep: prep({ max_critical_bugs: 2 }), claimed: claimed({ coverage: 90, criticalIssues: 2 }) }, converged: true },
  { why: '1→100: three open issues',                         c: { ...last, issues: issues('validation', 'plan', 'blocker') }, converged: true },
  { why: '1→100: four open issues',                          c: { ...last, issues: issues('validation', 'plan', 'blocker', 'requirements') }, converged: false, says: '4 issues are open, at most 3 allowed' },
  { why: '1→100: failing tests within the rate are none',    c: { ...last, run: measured(95, 100), issues: issues('test_failure', 'test_failure', 'test_failure', 'test_failure', 'test_failure') }, converged: true },
  { why: '1→100: CD failed',                                 c: { ...last, cdFailed: true },                                converged: false },
  { why: '1→100: nothing was measured',                      c: { ...last, run: undefined },                                converged: false },
])('ccw §1.4 $why', ({ c, converged, movesOn = false, says }) => {
  const judged = convergence(c)
  expect(judged).toMatchObject({ converged, movesOn })
  if (says !== undefined) expect(judged.why).toBe(says)
})
