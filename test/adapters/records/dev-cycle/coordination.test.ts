// The coordination directory: timeline, decisions, feedback, summary.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  blockerLine,
  readBlockers,
} from '../../../../src/adapters/records/dev-cycle/feedback-file.js'
import { writeCycleRecord } from '../../../../src/adapters/records/dev-cycle/write-cycle-record.js'
import {
  appendTimeline,
  readTimeline,
  type TimelineHead,
  type TimelineSection,
} from '../../../../src/adapters/records/dev-cycle/timeline.js'
import type { Blocker } from '../../../../src/contract/dev-cycle/cycle-record.js'
import { tempDir } from '../../../support/repositories/repos.js'
import { compared } from '../../../support/test-runs.js'
import { AT, cycleState, DOCUMENTS, ID, OFFSET, place, recordInput, TIME } from './cycle-state.js'

const HEAD: TimelineHead = {
  id: ID,
  task: 'Close --> the *comment*\n## Iteration 9',
  created_at: TIME,
  scheduling: 'parallel',
  interactive: false,
  parallel: 4,
  max_iterations: 5,
  branch: 'b',
  base: 'a',
}
const section = (
  number: number,
  rest: Partial<TimelineSection['iteration']> = {},
): TimelineSection => ({
  iteration: {
    number,
    started_at: TIME,
    completed_at: TIME,
    agent_results: { ra: { status: 'success', files_modified: 1 } },
    issues_found: [],
    resolved: true,
    ...rest,
  },
})

test('timeline: each iteration once, with a comment that can be read back', async () => {
  const file = path.join(tempDir(), 'timeline.md')
  const odd = section(2, { extension: 'Say <!-- and -->', issues_found: ['--> x\n- y'] })
  await appendTimeline(file, HEAD, [section(1)])
  const first = readFileSync(file, 'utf8')
  await appendTimeline(file, HEAD, [section(1, { resolved: false }), odd])
  const text = readFileSync(file, 'utf8')
  expect(text.startsWith(first)).toBe(true)
  expect([...text.matchAll(/^## .*$/gm)].map(([line]) => line)).toEqual([
    '## Iteration 1 (1.0.0)',
    '## Iteration 2 (1.1.0)',
  ])
  expect(readTimeline(text)).toEqual({ head: HEAD, sections: [section(1), odd] })
  await appendTimeline(file, HEAD, [section(1), odd])
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('an open iteration is not in the timeline yet', async () => {
  const at = place(DOCUMENTS)
  await writeCycleRecord(
    recordInput(
      cycleState(at, {
        iterations: [
          { number: 1, startedAt: AT, agentResults: {}, issuesFound: [], resolved: false },
        ],
      }),
    ),
    { offset: OFFSET },
  )
  expect(readFileSync(path.join(at.record, 'coordination/timeline.md'), 'utf8')).not.toContain(
    '## Iteration',
  )
})

test('ignores a truncated or edited comment', () => {
  expect(
    readTimeline(
      '# T\n\n<!-- ratchet {"id": -->\n<!-- ratchet {"iteration":1} -->\n<!-- ratchet {"x"',
    ),
  ).toEqual({ head: undefined, sections: [] })
})

test('feedback.md: headings, decisions, blockers, readers', async () => {
  const at = place(DOCUMENTS)
  const state = cycleState(at, {
    feedbackLog: [
      {
        timestamp: TIME,
        source: 'user',
        target: 'ra',
        content: 'Also\n## Timeline\nlogin',
        type: 'requirement_update',
      },
    ],
  })
  await writeCycleRecord(recordInput(state), { offset: OFFSET })
  const text = readFileSync(path.join(at.record, 'coordination/feedback.md'), 'utf8')
  expect([...text.matchAll(/^## .*$/gm)].map(([line]) => line)).toEqual([
    '## Open Issues',
    '## User Feedback',
    '## Timeline',
    '## Decision Records',
    '## Blockers & Resolutions',
    '## Cross-Agent Dependencies',
  ])
  for (const line of [
    '- 1 test fails: cart 3',
    `- ${TIME}: Also ## Timeline login`,
    '- Iteration 1, ended 2026-11-20T20:10:00+08:00: ra success, cd success; 1 issue',
    '- DEC-001 pending: Which store? → options: sql; files',
    String.raw`- BLK-001 open (cd): no \*key\* for the store`,
    '- EP reads ra/requirements.md: version 1.0.0',
    '- VAS reads cd/changes.log: missing',
  ])
    expect(text.split('\n')).toContain(line)
})

test('consistency: reports documents of an older version', async () => {
  const at = place(DOCUMENTS)
  const feedback = (): string =>
    readFileSync(path.join(at.record, 'coordination/feedback.md'), 'utf8')
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  expect(feedback()).not.toContain('Of an older version')
  writeFileSync(path.join(at.dir, 'ra/requirements.md'), '# R\n\n**Version**: 1.1.0\n\nnew\n')
  await writeCycleRecord(recordInput(cycleState(at, { iteration: 2 })), { offset: OFFSET })
  expect(feedback()).toMatch(
    /^- Of an older version than 1\.1\.0: ep\/exploration\.md \(1\.0\.0\), /m,
  )
})

test('before anything has happened there is no feedback to read', async () => {
  const at = place()
  await writeCycleRecord(
    recordInput(
      cycleState(at, {
        iterations: [],
        feedbackLog: [],
        decisions: [],
        blockers: [],
        openIssues: [],
      }),
    ),
    { offset: OFFSET },
  )
  expect(() => readFileSync(path.join(at.record, 'coordination/feedback.md'))).toThrow(/ENOENT/)
})

test.each<{ why: string; blocker: Blocker }>(
  // prettier-ignore
  [
  { why: 'open', blocker: { id: 'BLK-001', description: 'no *key* | `x`', reported_by: 'cd', status: 'open' } },
  { why: 'resolved', blocker: { id: 'BLK-012', description: 'a: b', reported_by: 'vas', status: 'resolved', resolution: 'RA: said [so]' } },
],
)('reads back a blocker: $why', ({ blocker }) =>
  expect(readBlockers(`- ${blockerLine(blocker)}\n`)).toEqual([blocker]),
)

test.each(
  // prettier-ignore
  [
  { outcome: 'completed' as const, says: ['| Outcome | completed |'] },
  { outcome: 'completed_with_issues' as const, says: ['| Outcome | completed with issues left |', '- 1 test fails: cart 3'] },
  { outcome: 'stopped' as const, says: ['| Outcome | stopped |', '| Reason | spent |'] },
],
)('summary of $outcome', async ({ outcome, says }) => {
  const at = place({ ...DOCUMENTS, 'vas/validation.md': ' ' })
  const input = recordInput(cycleState(at), { outcome, reason: 'spent' })
  if (input.result === undefined) throw new Error('no result')
  input.result.usage = {
    turns: 3,
    inputTokens: 100,
    cachedTokens: 60,
    outputTokens: 50,
    estimated: false,
  }
  await writeCycleRecord(input, { offset: OFFSET })
  const text = readFileSync(path.join(at.record, 'coordination/summary.md'), 'utf8')
  expect([...text.matchAll(/^## .*$/gm)].map(([line]) => line)).toEqual([
    '## Metadata',
    '## Phase Results',
    '## Key Deliverables',
    '## Remaining Issues',
    '## Generated Files',
    '## Continuation',
  ])
  for (const line of [
    ...says,
    '- ✓ ra/requirements.md',
    '- ✗ vas/validation.md',
    `- ${ID}.progress/vas/summary.md`,
    `ratchet extend ${ID} "…"`,
    '| Pass rate, measured | 90 %, 10 tests |',
    '| Pass rate, claimed | 100 % |',
    '| Agents | 3 turns, 100 tokens in (60 cached), 50 out |',
  ])
    expect(text.split('\n')).toContain(line)
})

test('a completed cycle has no remaining issue: a test that failed before it and a low remark are in a section of their own', async () => {
  const at = place(DOCUMENTS)
  const state = cycleState(at)
  if (state.lastRun?.kind !== 'measured') throw new Error('not measured')
  const [{ file, test: name } = { file: '', test: '' }] = state.lastRun.failures
  const lastRun = {
    ...state.lastRun,
    comparison: compared({ known: { total: 1, tests: [`${file} > ${name}`], differently: 0 } }),
  }
  const iterations = state.iterations.map((one) => ({
    ...one,
    issuesFound: ['VAS: [low] a better name', 'VAS: the token is never checked'],
  }))
  await writeCycleRecord(
    recordInput(
      { ...state, lastRun, iterations, openIssues: [], blockers: [] },
      { outcome: 'completed' },
    ),
    { offset: OFFSET },
  )
  const text = readFileSync(path.join(at.record, 'coordination/summary.md'), 'utf8')
  expect(text).toContain('## Remaining Issues\n\nNone.\n')
  expect(text).toContain(
    '- 1 test failed before the run and still does: test/unit/cart.test.js \\> cart 3\n- VAS: \\[low\\] a better name\n\n## Generated',
  )
})
