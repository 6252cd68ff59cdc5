// The entry of an archived run.
import { expect, test } from 'vitest'
import {
  archiveEntry,
  followUpsIn,
  lastNumber,
  type ArchiveFacts,
} from '../../../../src/core/records/archive-entry.js'
import { resultOf } from '../../../support/report-sources.js'

const FACTS: ArchiveFacts = {
  name: 'WFS-test-shop',
  workflowId: 'WFS-test-shop.0a1b2c',
  kind: 'test-fix',
  description: 'Fix the failing tests of shop',
  outcome: 'failed',
  result: resultOf({ failures: resultOf().failures.slice(0, 1) }),
  fixes: [
    {
      session: 'WFS-test-shop',
      iteration: 1,
      strategy: 'conservative',
      modification_points: ['src/money.js:round'],
      root_causes: ['round() cuts'],
      failures: [],
      affected_tests: [],
      pass_rate_before: 60,
      pass_rate_after: 80,
      result: 'kept',
    },
    {
      session: 'WFS-test-shop',
      iteration: 2,
      strategy: 'surgical',
      modification_points: ['src/pay.js:pay'],
      root_causes: ['pays\ntwice'],
      failures: [],
      affected_tests: [],
      pass_rate_before: 80,
      pass_rate_after: 40,
      result: 'rolled_back',
      reason: 'broke 4 tests',
    },
  ],
  open: [],
  startedAt: 0,
  endedAt: 5_400_000,
}
const AT = { path: '.workflow/archives/WFS-test-shop', time: '2026-11-25T10:00:00Z', next: 7 }

test.each([
  { why: 'of each its own', points: ['a.js:f', 'b.js:g'], places: ['a.js:f', 'b.js:g'] },
  { why: 'one for all', points: ['a.js:f'], places: ['a.js:f', 'a.js:f'] },
])('a follow-up for each cause, with its place: $why', ({ points, places }) => {
  const [fix] = FACTS.fixes
  if (fix === undefined) throw new Error('no fix')
  const fixes = [{ ...fix, root_causes: ['one', 'two'], modification_points: points }]
  expect(
    archiveEntry({ ...FACTS, fixes }, AT)
      .follow_ups?.filter(({ kind }) => kind === 'test')
      .map(({ text }) => text),
  ).toEqual([
    `Add a test for what was wrong at ${places[0]}: one`,
    `Add a test for what was wrong at ${places[1]}: two`,
  ])
})

test('metrics, tags, lessons and numbered follow-ups', () => {
  const entry = archiveEntry(FACTS, AT)
  expect(entry).toMatchObject({
    metrics: { duration_hours: 1.5, iterations: 2, kept: 1, rolled_back: 1 },
    tags: ['test-fix', 'failed', 'conservative', 'surgical'],
    lessons: {
      successes: ['round() cuts; changed src/money.js:round; kept: 60 % → 80 %'],
      challenges: expect.arrayContaining([
        'pays twice; changed src/pay.js:pay; rolled back: 80 % → 40 %, broke 4 tests',
      ]) as unknown,
    },
    follow_ups: [
      {
        number: 7,
        kind: 'test',
        text: 'Add a test for what was wrong at src/money.js:round: round() cuts',
      },
      { number: 8, kind: 'code', text: 'Repair test/pay.test.js > pays once: expected 1 to be 2' },
      { number: 9, kind: 'document', text: 'Check the documents that describe src/money.js' },
    ],
  })
  expect(lastNumber([{ note: 'of another tool' }, entry])).toBe(9)
  expect(followUpsIn([{ session_id: 'x', archive_path: 'y' }, entry])[0]).toMatchObject({
    number: 7,
    session: 'WFS-test-shop',
  })
})

test('every list is bounded', () => {
  const many = Array.from({ length: 50 }, (_, n) => ({
    ...(FACTS.fixes[0] as ArchiveFacts['fixes'][number]),
    root_causes: [`cause ${n} ${'x'.repeat(1_000)}`],
  }))
  const entry = archiveEntry({ ...FACTS, fixes: many }, AT)
  expect(JSON.stringify(entry).length).toBeLessThan(12_000)
})

test('the last number of a long manifest; numbers that no manifest reaches do not count', () => {
  const entryOf = (number: number) => ({
    session_id: 'x',
    archive_path: 'y',
    follow_ups: [{ number, kind: 'code', text: 'z' }],
  })
  const many = Array.from({ length: 200_000 }, (_, n) => entryOf(n + 1))
  expect(lastNumber([...many, entryOf(Number.MAX_SAFE_INTEGER)])).toBe(200_000)
})
