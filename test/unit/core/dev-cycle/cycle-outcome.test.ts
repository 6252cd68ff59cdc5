import { expect, test } from 'vitest'
import { cycleOutcome, type OutcomeCase } from '../../../../src/core/dev-cycle/cycle-outcome.js'
import type { Open } from '../../../../src/core/run/open-evidence.js'
import { measured, notStarted } from '../../../support/test-runs.js'

const LEFT: Open = {
  items: [
    { kind: 'test', text: 'a.test.ts > adds: expected 1' },
    { kind: 'finding', text: 'VAS: no retry' },
  ],
  review: [],
}
const done: OutcomeCase = {
  open: { items: [], review: [] },
  committed: true,
  run: measured(5, 5),
  hadBaseline: true,
  why: '',
}
const worse = {
  ...measured(4, 5),
  comparison: { counts: { broken: 1 } },
} as unknown as NonNullable<OutcomeCase['run']>

test.each<{ why: string; o: OutcomeCase; outcome: string; reason?: string }>(
  // prettier-ignore
  [
  { why: 'nothing is open',                               o: done,                                                             outcome: 'completed' },
  { why: 'nothing is open, and a person should look',     o: { ...done, open: { items: [], review: ['no test ran: none'] } },  outcome: 'completed',             reason: 'no test ran: none' },
  { why: 'nothing is open but what failed before',        o: { ...done, open: { items: [], review: [], known: '1 test failed before' } }, outcome: 'completed',  reason: '1 test failed before' },
  { why: 'converged within the tolerance of a package',   o: { ...done, open: LEFT },                                          outcome: 'completed_with_issues', reason: '2 items are open: a.test.ts > adds: expected 1, VAS: no retry' },
  { why: 'the limit, items open',                         o: { ...done, open: LEFT, why: 'the iterations are spent' },         outcome: 'completed_with_issues', reason: 'the iterations are spent; 2 items are open: a.test.ts > adds: expected 1, VAS: no retry' },
  { why: 'nothing is open, and the gate is not reached',  o: { ...done, gate: 'the coverage is 40 %', why: 'the iterations are spent' }, outcome: 'completed_with_issues', reason: 'the iterations are spent; the coverage is 40 %' },
  { why: 'nothing was committed, and the gate is not reached', o: { ...done, committed: false, gate: 'the coverage is 40 %' }, outcome: 'failed', reason: 'the coverage is 40 %' },
  { why: 'items are open, and the gate is not reached',   o: { ...done, open: LEFT, gate: 'the coverage is 40 %' },            outcome: 'completed_with_issues', reason: 'the coverage is 40 %; 2 items are open: a.test.ts > adds: expected 1, VAS: no retry' },
  { why: 'nothing was committed',                         o: { ...done, open: LEFT, committed: false, why: 'the iterations are spent' }, outcome: 'failed',      reason: 'the iterations are spent; 2 items are open: a.test.ts > adds: expected 1, VAS: no retry' },
  { why: 'a test is worse than before',                   o: { ...done, open: LEFT, run: worse },                              outcome: 'failed',                reason: '1 test that passed before fails or is missing now; 2 items are open: a.test.ts > adds: expected 1, VAS: no retry' },
  { why: 'a test is gone on purpose, another item is left', o: { ...done, open: { ...LEFT, removed: { total: 1, passed: 1 } }, run: worse }, outcome: 'completed_with_issues', reason: '2 items are open: a.test.ts > adds: expected 1, VAS: no retry' },
  { why: 'the suite ran before and does not now',         o: { ...done, open: LEFT, run: notStarted() },                       outcome: 'failed',                reason: 'the suite ran before the cycle and does not now; 2 items are open: a.test.ts > adds: expected 1, VAS: no retry' },
  { why: 'the suite has never run',                       o: { ...done, open: LEFT, run: notStarted(), hadBaseline: false },   outcome: 'completed_with_issues', reason: '2 items are open: a.test.ts > adds: expected 1, VAS: no retry' },
],
)('outcome: $why -> $outcome', ({ o, outcome, reason }) =>
  expect(cycleOutcome(o)).toEqual({ outcome, ...(reason === undefined ? {} : { reason }) }),
)

test('a reason is bounded', () =>
  expect(
    cycleOutcome({
      ...done,
      open: {
        items: Array.from({ length: 90 }, () => ({
          kind: 'finding' as const,
          text: 'x'.repeat(900),
        })),
        review: [],
      },
    }).reason?.length,
  ).toBeLessThanOrEqual(500))
