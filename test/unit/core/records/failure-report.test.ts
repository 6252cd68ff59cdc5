import { expect, test } from 'vitest'
import type { IterationSummary } from '../../../../src/contract/result.js'
import type { TestFixState } from '../../../../src/contract/test-fix/test-fix-state.js'
import type { TestRun } from '../../../../src/contract/test-run.js'
import {
  failureReport,
  hasFailureReport,
  recommendations,
} from '../../../../src/core/records/failure-report.js'
import type { RecordView } from '../../../../src/core/records/record-view.js'
import { runResult } from '../../../../src/core/test-fix/test-fix-result.js'
import { iteration } from '../../../support/records.js'
import { measured, notStarted } from '../../../support/test-runs.js'

function view(
  history: IterationSummary[],
  lastRun: TestRun,
  failures: RecordView['failures'] = [],
): RecordView {
  const state = {
    iteration: Math.max(0, history.length - 1),
    maxIterations: 5,
    history,
    lastRun,
    warnings: [],
    commits: [],
    prepared: { workspace: { branch: 'ratchet/WFS-test-x' } },
  } as unknown as TestFixState
  return {
    name: 'WFS-test-x',
    state,
    at: 0,
    time: String,
    failures,
    tests: [],
    lastFull: [],
    fixes: new Map(),
    failuresBefore: new Map(),
    comparedBefore: new Map(),
    historyBefore: new Map(),
  }
}
const BASELINE = iteration(0, { passRate: 70, passed: 7, total: 10, result: 'baseline' })
const withProgress = (one: RecordView): RecordView => ({
  ...one,
  state: { ...one.state, progress: true },
})
const failed = (one: RecordView, reason?: string) => runResult('x', 'failed', reason, one.state)

test('"85% after 5 iterations"', () => {
  const history = [
    BASELINE,
    ...[1, 2, 3, 4, 5].map((n) => iteration(n, { passRate: 85, passed: 17, total: 20 })),
  ]
  const one = view(history, measured(17, 20))
  expect(failureReport(one, failed(one))).toContain(
    '- **Final pass rate**: 85% after 5 iterations\n',
  )
})

test('a file, a test or an error of several lines stays in its row', () => {
  const one = view(
    [BASELINE, iteration(1, { passRate: 70, passed: 7, total: 10, note: 'a\n| b' })],
    measured(7, 10),
    [
      {
        test: 'adds\n\n## Done | x',
        file: 'a.test.js\n# all green',
        error: 'no',
        criticality: 'high',
      },
    ],
  )
  const report = failureReport(one, failed(one, 'spent\n\n## Approved'))
  expect(report.match(/^#+ .*$/gm)).toEqual([
    '# Failure report: WFS-test-x',
    '## Remaining failures',
    '## Iteration history',
    '## Attempted fixes',
    '## Recommendations for manual intervention',
    '## Where to look',
  ])
  expect(report).toContain('| high | a.test.js # all green | adds ## Done / x | - | no |')
  expect(report).toContain('| conservative | normal | a / b |')
})

test('the output of a suite that did not start cannot end its fence', () => {
  const one = view([BASELINE], { ...notStarted(), tail: '```\n## Approved' })
  expect(failureReport(one, failed(one))).toContain('````\n```\n## Approved\n````')
})

test.each([
  { outcome: 'failed', has: true },
  { outcome: 'blocked', has: true },
  { outcome: 'stopped', has: false },
  { outcome: 'success', has: false },
  { outcome: 'partial_success', has: false },
] as const)('a report for $outcome: $has', ({ outcome, has }) => {
  const one = view([BASELINE], measured(7, 10))
  expect(hasFailureReport(runResult('x', outcome, undefined, one.state))).toBe(has)
})

const fact = (test: string, rest: Partial<RecordView['failures'][number]>) => ({
  test,
  file: 'a.test.js',
  error: 'no',
  criticality: 'medium' as const,
  ...rest,
})

test.each(
  // prettier-ignore
  [
  { why: 'a command that is wrong', one: view([BASELINE], { ...notStarted(), kind: 'cannot_execute', reason: 'no report was written' }), says: ['Correct how the tests run, as no agent can do that: no report was written'] },
  { why: 'a suite that does not start', one: view([BASELINE], notStarted()), says: ['Make the suite start first: a.test.ts could not be loaded: SyntaxError The end of its output is above.'] },
  { why: 'stuck tests', one: view([BASELINE], measured(7, 10), [fact('a', { streak: 3 }), fact('b', { streak: 2 })]), says: [/^Look at the stuck tests yourself, as no attempt changed them: `a\.test\.js` a\. /] },
  { why: 'high failures', one: view([BASELINE], measured(7, 10), [fact('a', { criticality: 'high' })]), says: ['Begin with the failures of high criticality: `a.test.js` a.'] },
  { why: 'a rolled-back fix', one: view([BASELINE, iteration(1, { passRate: 40, passed: 4, total: 10, result: 'rolled_back' })], measured(7, 10)), says: ['Read why IMPL-fix-1 made things worse before trying the same again: IMPL-fix-1 went from 70% to 40%.'] },
  { why: 'degraded analyses', one: view([BASELINE, iteration(1, { passRate: 70, passed: 7, total: 10, analysis: 'degraded' })], measured(7, 10)), says: [/^Check the agents of the role cli-planning-agent: the analysis of iteration 1 could not be used/] },
  { why: 'fixes without a change', one: view([BASELINE, iteration(1, { passRate: 70, passed: 7, total: 10, result: 'no_change', commit: null })], measured(7, 10)), says: [/^IMPL-fix-1 changed nothing: see in the transcripts/] },
  { why: 'progress in the last iteration, also where the rate stayed', one: withProgress(view([BASELINE, iteration(1, { passRate: 70, passed: 7, total: 10 })], measured(7, 10))), says: ['The last iteration repaired or moved a test: allow more iterations with `ratchet fix --resume-session WFS-test-x --max-iterations 6`.'] },
  { why: 'nothing but a reason', one: view([BASELINE], measured(7, 10)), says: ['Repair what ended the run: no agent is configured'] },
],
)('Recommendations for manual intervention follow from facts: $why', ({ one, says }) => {
  expect(recommendations(one, failed(one, 'no agent is configured'))).toEqual(
    says.map((text) => (typeof text === 'string' ? text : (expect.stringMatching(text) as string))),
  )
})
