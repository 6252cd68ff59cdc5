import { expect, test } from 'vitest'
import { buildReport } from '../../../../src/core/report/build.js'
import { markOf, verdictOf } from '../../../../src/core/report/iterations.js'
import { Report } from '../../../../src/core/report/model.js'
import type { ReportSource } from '../../../../src/core/report/source.js'
import {
  AT,
  BASELINE,
  KEPT,
  UNDONE,
  cycleSource,
  loopSource,
  resultOf,
  sessionFactsOf,
  sourceOf,
  turnAt,
} from '../../../support/report-sources.js'

const MINUTE = 60_000
const LIVE = {
  status: 'running' as const,
  phase: 'fix',
  iteration: 2,
  maxIterations: 7,
  waitingFor: 'agent: test-fix-agent (codex), iteration 3',
  passRate: 80,
  history: [BASELINE, KEPT, UNDONE],
  branch: 'ratchet/WFS-test-shop',
  questions: [{ text: 'Continue?' }],
}

const MANY_OPEN = {
  outcome: 'completed_with_issues' as const,
  scheduling: 'parallel' as const,
  interactive: false,
  parallel: 4,
  commits: [],
  warnings: [],
  open_issues: ['a', 'b', '… and 15 more'],
  pending_extensions: [],
}

test.each(
  // prettier-ignore
  [
  { why: 'a session that ended', source: sourceOf(), said: { outcome: 'failed', headline: '2 of 10 tests fail after 2 iterations.', reason: 'the iterations are spent', tone: 'bad', passRate: 80, rateAtStart: 50, startedAt: AT - MINUTE, endedAt: AT + 9 * MINUTE, maxIterations: 5, testCommand: 'npm test' } },
  { why: 'an open one, as it says itself', source: sourceOf({ open: true, result: undefined, live: LIVE }), said: { outcome: 'open', waitingFor: LIVE.waitingFor, questions: ['Continue?'], maxIterations: 7, endedAt: null, next: [{ what: 'Answer its question', command: 'ratchet answer WFS-test-shop.0a1b2c' }, { what: 'Follow it', command: 'ratchet watch WFS-test-shop.0a1b2c' }] } },
  { why: 'an open one without an answer', source: sourceOf({ open: true, result: undefined }), said: { outcome: 'open', status: 'running', passRate: 80 } },
  { why: 'one without a run', source: sourceOf({ result: undefined }), said: { outcome: 'unfinished', status: 'paused', next: [{ what: 'Continue it', command: 'ratchet resume WFS-test-shop.0a1b2c' }] } },
  { why: 'one of another tool, not begun', source: sourceOf({ result: undefined, turns: [], patches: new Map(), facts: sessionFactsOf({ history: [], fixes: [], details: new Map(), usage: undefined }) }), said: { iterations: [], turns: [], passRate: null, iterationsDone: 0, notes: [] } },
  { why: 'only the server knows it', source: sourceOf({ facts: undefined, recordDir: null, records: [], project: null }), said: { title: 'Fix the failing tests (WFS-test-shop)', recordDir: null, iterationsDone: 2, failuresTotal: 2 } },
  { why: 'a cycle', source: cycleSource(), said: { headline: 'The task was worked on for 2 iterations; 1 issue is open: 2 of 10 tests fail.', title: 'add discounts', warnings: ['a warning'] } },
  { why: 'a cycle with more open issues than its record names', source: cycleSource({ ratchet: MANY_OPEN }), said: { headline: 'The task was worked on for 2 iterations; 17 issues are open: 2 of 10 tests fail.' } },
  { why: 'a loop', source: loopSource(), said: { headline: 'The loop was left after 2 actions, and can continue: 2 of 10 tests fail.' } },
] satisfies { why: string; source: ReportSource; said: object }[],
)('report: $why', ({ source, said }) => {
  const report = buildReport(source)
  expect(Report.parse(report)).toEqual(report) // what is printed is what the schema says
  expect(report).toMatchObject(said)
})

test('an iteration has its plan, claim, measurement, usage and diff', () => {
  const [start, kept, undone] = buildReport(sourceOf()).iterations
  expect(start).toMatchObject({ title: 'The tests before any change', rateBefore: null })
  expect(start?.plan).toBeUndefined()
  expect(kept).toMatchObject({
    title: 'round half up',
    rateBefore: 50,
    passRate: 80,
    claimed: 100,
    files: 1,
    plan: { rootCauses: ['round() cuts'], confidence: 0.8, aimedAt: 1 },
    usage: { turns: 2, inputTokens: 2_000, workedMs: 2 * MINUTE },
  })
  expect(undone).toMatchObject({
    title: 'IMPL-fix-2',
    rateBefore: 80,
    newFailures: 3,
    patch: { state: 'gone' },
    usage: { costUsd: 0.25 },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'the rate and the failures are as before', rest: { passRate: 50, note: 'the agent claimed 100 %, measured: 50 %; the same failures as before' }, noGain: true, words: 'kept, no gain', mark: 'no_gain' },
  { why: 'it helped', rest: {}, noGain: undefined, words: 'kept', mark: 'kept' },
  { why: 'as many fail, and others', rest: { passRate: 50, note: 'the agent claimed 100 %, measured: 50 %' }, noGain: undefined, words: 'kept', mark: 'kept' },
  { why: 'it changed nothing at all', rest: { result: 'no_change' as const, passRate: 50, note: 'the fix changed nothing' }, noGain: undefined, words: 'no change', mark: 'no_change' },
],
)('says whether a kept fix gained something: $why', ({ rest, noGain, words, mark }) => {
  const one = buildReport(
    sourceOf({
      facts: sessionFactsOf({ history: [BASELINE, { ...KEPT, ...rest }] }),
      result: resultOf({ history: [] }),
    }),
  ).iterations[1]
  expect(one).toMatchObject({ result: KEPT.result, ...rest })
  expect(one?.noGain).toBe(noGain)
  expect(one && [verdictOf(one, 'test-fix'), markOf(one)]).toEqual([words, mark])
})

test('the next iteration does not start from a rolled back rate', () => {
  const third = { ...KEPT, iteration: 3, passRate: 90 }
  expect(
    buildReport(
      sourceOf({
        facts: sessionFactsOf({ history: [BASELINE, KEPT, UNDONE, third] }),
        result: resultOf({ history: [] }),
      }),
    ).iterations[3],
  ).toMatchObject({ rateBefore: 80 })
})

test('lists usage by agent and role, the most expensive first', () => {
  expect(
    buildReport(sourceOf()).usageByAgent.map(({ name, turns, costUsd }) => [name, turns, costUsd]),
  ).toEqual([
    ['codex, fix', 2, 0.25],
    ['gemini, analysis', 2, undefined],
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'a minute of it', rest: { waits: [{ from: AT + 5_000, to: AT + 65_000 }] }, waited: 60_000, unknown: undefined },
  { why: 'two questions at a time are one wait, and only within the turn', rest: { waits: [{ from: AT + 5_000, to: AT + 35_000 }, { from: AT + 25_000, to: AT + 90_000 }] }, waited: 68_000, unknown: undefined },
  { why: 'the length of the wait is unknown: no number is made up', rest: { waitUnknown: true as const }, waited: undefined, unknown: true },
  { why: 'no question was asked', rest: {}, waited: undefined, unknown: undefined },
],
)(
  'work is what the clock of the turn counted, and the wait for a person is apart: $why',
  ({ rest, waited, unknown }) => {
    const report = buildReport(
      sourceOf({
        turns: [turnAt(0, { endedAt: AT + 73_000, workedMs: 13_000, ...rest })],
        result: undefined,
        facts: sessionFactsOf({ usage: undefined }),
      }),
    )
    for (const row of [report.usageByAgent[0], report.iterations[1]?.usage])
      expect([row?.workedMs, row?.waitedMs, row?.waitUnknown]).toEqual([13_000, waited, unknown])
    expect(report.usage.agentMs).toBe(13_000)
    expect(Report.parse(report)).toEqual(report)
  },
)

test.each(
  // prettier-ignore
  [
  { why: 'the record says nothing of usage: the turns do', source: sourceOf({ open: true, result: undefined, facts: sessionFactsOf({ usage: undefined }) }), tokens: 4_000 },
  { why: 'an open session keeps count', source: sourceOf({ open: true, result: undefined, facts: sessionFactsOf({ usage: { turns: 4, inputTokens: 9_000, outputTokens: 1, estimated: true } }) }), tokens: 9_000 },
  { why: 'the result counts', source: sourceOf({ turns: [] }), tokens: 4_000 },
],
)('usage: $why', ({ source, tokens }) => expect(buildReport(source).usage.inputTokens).toBe(tokens))

test.each([
  { why: 'all were removed', turns: [], note: /^No transcripts were found/ },
  { why: 'some were removed', turns: [turnAt(0)], note: /^The files of 3 of 4 turns are missing/ },
])('files of turns: $why', ({ turns, note }) =>
  expect(buildReport(sourceOf({ turns })).notes).toEqual([expect.stringMatching(note)]),
)

test('results that no canary has confirmed are said', () => {
  const result = resultOf({ confirmed: false, unconfirmed: 'no canary can be written into a.rb' })
  expect(buildReport(sourceOf({ result })).notes).toEqual([
    'Results not confirmed: no canary can be written into a.rb',
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'it is under way', result: undefined, notes: ['Iteration 3 is in progress, surgical: Check for an empty cart'] },
  { why: 'the run ended before it was over', result: resultOf(), notes: [] },
],
)('mentions an unfinished iteration: $why', ({ result, notes }) => {
  expect(
    buildReport(
      sourceOf({
        result,
        facts: sessionFactsOf({
          pending: { iteration: 3, summary: 'Check for an empty cart', strategy: 'surgical' },
        }),
      }),
    ).notes,
  ).toEqual(notes)
})

test('failures: all of the last full run, the most critical first, and missing tests', () => {
  const lastRun = {
    schema: 1 as const,
    commit: 'c',
    runner: 'vitest',
    missing: [{ test: 'gone', file: 'a', error: '' }],
    tests: [
      {
        file: 'b',
        test: 'low one',
        status: 'failed' as const,
        error: 'e',
        criticality: 'low' as const,
      },
      { file: 'b', test: 'passes', status: 'passed' as const },
      { file: 'c', test: 'flaky one', status: 'flaky' as const },
    ],
  }
  const { failures, failuresTotal, flaky } = buildReport(sourceOf({ lastRun }))
  expect(failures).toEqual([
    {
      file: 'a',
      test: 'gone',
      error: 'it ran in an earlier run and is missing or skipped now',
      criticality: 'high',
    },
    { file: 'b', test: 'low one', error: 'e', criticality: 'low' },
  ])
  expect([failuresTotal, flaky]).toEqual([2, [{ file: 'c', test: 'flaky one' }]])
})

test('a cycle has its versions, issues and feedback', () => {
  expect(buildReport(cycleSource()).cycle).toMatchObject({
    tasks: ['add discounts', 'also in euros'],
    openIssues: ['the docs are missing'],
    iterations: [{ issues_found: ['the percentage is cents'] }],
    coordination: { feedback_log: [{ content: 'two tests fail' }] },
    documents: [
      { label: 'ra/requirements.md', version: '1.1.0' },
      { label: 'ra/history/requirements-v1.0.0.md', version: '1.0.0' },
    ],
  })
})

test('a loop has its tasks, workers and conflicts', () => {
  expect(buildReport(loopSource()).loop).toMatchObject({
    mode: 'parallel',
    tasks: [{ id: 'T1' }, { id: 'T2' }],
    workers: [
      { action: 'develop', clarifications: [{ answer: 'yes' }], links: [{ label: 'output' }] },
    ],
    conflicts: [{ chosen: 'debug' }],
    findings: [{ status: 'open' }],
  })
})
