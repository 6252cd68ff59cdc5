import { expect, test } from 'vitest'
import { cycleOutcome } from '../../../../src/core/cycle/outcome.js'
import type { Issue } from '../../../../src/core/cycle/issues.js'

const issues: Issue[] = [{ kind: 'test_failure', source: 'tests', text: 'a.test.ts > adds: expected 1', to: 'cd' }, { kind: 'validation', source: 'vas', text: 'no retry', to: 'cd' }]
const done = { converged: true, issues: [], developed: true, limit: false }

test.each([
  { why: 'converged, nothing open',                       o: done,                                              outcome: 'completed',             reason: undefined },
  { why: 'converged in the last iteration',               o: { ...done, limit: true },                          outcome: 'completed',             reason: undefined },
  { why: 'converged within the tolerance of a package',   o: { ...done, issues },                               outcome: 'completed_with_issues', reason: '2 issues are open: a.test.ts > adds: expected 1, VAS: no retry' },
  { why: 'the limit, issues open',                        o: { ...done, converged: false, limit: true, issues: ['no retry'] }, outcome: 'completed_with_issues', reason: 'the iterations are spent; 1 issue is open: no retry' },
  { why: 'the limit inside 0→1, nothing open',            o: { ...done, converged: false, limit: true },        outcome: 'completed_with_issues', reason: 'the iterations are spent' },
  { why: 'a person ended it',                             o: { ...done, converged: false, issues: ['no retry'] }, outcome: 'completed_with_issues', reason: 'it was ended before it converged; 1 issue is open: no retry' },
  { why: 'nothing was ever developed',                    o: { converged: false, issues: ['CD: failed: no compiler'], developed: false, limit: true }, outcome: 'failed', reason: 'no iteration developed anything; 1 issue is open: CD: failed: no compiler' },
  { why: 'nothing was ever developed, and nobody says why', o: { converged: false, issues: [], developed: false, limit: true }, outcome: 'failed', reason: 'no iteration developed anything' },
])('000 §3.7, architecture §2 outcome: $why -> $outcome', ({ o, outcome, reason }) => expect(cycleOutcome(o)).toEqual({ outcome, ...(reason === undefined ? {} : { reason }) }))

test('a reason is bounded', () => expect(cycleOutcome({ ...done, issues: Array.from({ length: 90 }, () => 'x'.repeat(900)) }).reason?.length).toBeLessThanOrEqual(500))
