// The list of `ratchet status`: the queries of its filters, and the table that fits the terminal.
import { realpathSync } from 'node:fs'
import os from 'node:os'
import pc from 'picocolors'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { plainLines } from '../../../src/cli/status/list-lines.js'
import { statusFilters } from '../../../src/cli/status/status-filters.js'
import { statusTable, type Row } from '../../../src/cli/status/status-table.js'
import { isoTime, projectNames, whenOf } from '../../../src/cli/status/when.js'

const NOW = Date.UTC(2026, 10, 22, 12)

test.each(
  // prettier-ignore
  [
  { why: 'open runs where nothing is said', options: {}, filters: { open: true } },
  { why: 'those that ended', options: { closed: true }, filters: { open: false } },
  { why: 'both', options: { all: true }, filters: {} },
  { why: 'a kind by its short name', options: { kind: 'cycle' }, filters: { open: true, kind: 'dev-cycle' } },
  { why: 'a kind by its own name', options: { kind: 'test-fix' }, filters: { open: true, kind: 'test-fix' } },
  { why: 'who waits', options: { waiting: true }, filters: { open: true, needsHuman: true } },
  { why: 'two days', options: { since: '2d', all: true }, filters: { since: new Date(NOW - 172_800_000) } },
  { why: 'a day here', options: { since: '2026-11-20', all: true }, filters: { since: new Date('2026-11-20T00:00') } },
  { why: 'a moment', options: { since: '2026-11-20T10:00:00Z', all: true }, filters: { since: new Date('2026-11-20T10:00:00Z') } },
  { why: 'so many', options: { limit: '3' }, filters: { open: true, limit: 3 } },
],
)('filters: $why', ({ options, filters }) =>
  expect(statusFilters({ cwd: '/' }, options, NOW)).toEqual(filters),
)

test('filters by project only with --project', () => {
  expect(statusFilters({ cwd: os.tmpdir(), named: '.' }, {}, NOW)).toEqual({
    open: true,
    project: realpathSync(os.tmpdir()),
  })
})

const row = (rest: Partial<Row> = {}): Row => ({
  id: 'WFS-test-shop.35d35d',
  kind: 'test-fix',
  project: '',
  status: 'running',
  phase: 'fixing',
  iteration: 2,
  passRate: 82.5,
  waitingFor: 'agent: test-fix-agent (codex), iteration 2',
  ...rest,
})
const none = pc.createColors(false)
const ROWS = [
  row(),
  row({
    id: 'cycle-v1-20261122T150427-pvvlgty7',
    status: 'completed',
    phase: 'completed_with_issues',
    passRate: null,
    waitingFor: '',
  }),
  row({ waitingFor: `person: ${'raise it, or stop? '.repeat(6)}` }),
]

test('a preparation has neither iterations nor tests, at any width', () => {
  const prep = row({ kind: 'prep', phase: 'exploring', iteration: 0, passRate: null })
  expect(statusTable([prep], 120, none)[1]).toMatch(/ exploring +- +- +agent/)
  expect(statusTable([prep], 20, none).join(' ')).not.toContain('iteration 0')
  expect(plainLines([{ line: { ...prep, kind: 'prep' }, history: [] }])).toEqual([
    'run      WFS-test-shop.35d35d  running  exploring  agent: test-fix-agent (codex), iteration 2',
  ])
})

test('one row for each run, with the reason of its wait wrapped in its column', () => {
  const lines = statusTable(ROWS, 120, none)
  expect(lines[0]).toMatch(/^run +state +iter +tests +waits for$/)
  expect(lines[1]).toMatch(
    /^WFS-test-shop\.35d35d +fixing +2 +82\.5 % +agent: test-fix-agent \(codex\)/,
  )
  expect(lines.find((line) => line.startsWith('cycle-'))).toMatch(
    /^cycle-v1-20261122T150427-pvvlgty7 {2}completed with issues {2}2 +-$/,
  )
  const column = (lines[0] ?? '').indexOf('waits for')
  expect(lines.slice(-2).map((line) => line.slice(0, column).trim())).toEqual(['', ''])
  expect(
    lines
      .filter((line) => line.includes('raise it'))
      .map((line) => line.slice(column))
      .join(' '),
  ).toContain('person: raise it, or stop? raise it,')
})

test('a run has lines of its own where columns do not fit', () => {
  expect(statusTable([row()], 40, none)).toEqual([
    'WFS-test-shop.35d35d',
    '  fixing, iteration 2, 82.5 %',
    '  agent: test-fix-agent (codex)',
  ])
})

const SINCE = { word: 'since', at: '21 Nov 23:40' } as const
const ENDED = { word: 'ended', at: '03:12' } as const
const NIGHT = [
  row({ project: 'shop', when: SINCE }),
  row({
    id: 'WFS-test-cart.35d35e',
    status: 'completed',
    phase: 'success',
    project: 'cart',
    passRate: 100,
    waitingFor: '',
    when: ENDED,
  }),
]
const LONG = row({
  id: 'cycle-v1-20261122T150427-pvvlgty7',
  status: 'completed',
  phase: 'completed_with_issues',
  passRate: 96.5,
  waitingFor: '',
  when: ENDED,
})

test.each(
  // prettier-ignore
  [
  { why: 'open and ended', rows: NIGHT, columns: 120, lines: [/^run +project +state +iter +tests +when +waits for$/, /^WFS-test-shop\.35d35d +shop +fixing +2 +82\.5 % +since 21 Nov 23:40 +agent: test-fix-agent \(codex\)$/, /^WFS-test-cart\.35d35e +cart +completed success +2 +100\.0 % +ended 03:12$/] },
  { why: 'all ended: the head says so, and nothing is waited for', rows: NIGHT.slice(1), columns: 80, lines: [/^run +project +state +iter +tests +ended$/, /^WFS-test-cart\.35d35e +cart +completed success +2 +100\.0 % +03:12$/] },
  { why: 'without the iteration where that does not fit', rows: [{ ...LONG, project: '' }], columns: 76, lines: [/^run +state +tests +ended$/, /^cycle-v1-20261122T150427-pvvlgty7 +completed with issues +96\.5 % +03:12$/] },
  { why: 'then without the tests', rows: [{ ...LONG, project: 'my-shop' }], columns: 80, lines: [/^run +project +state +ended$/, /^cycle-v1-20261122T150427-pvvlgty7 +my-shop +completed with issues +03:12$/] },
],
)('start or end, and project: $why', ({ rows, columns, lines }) => {
  const told = statusTable(rows, columns, none)
  expect(told).toHaveLength(lines.length)
  for (const [n, line] of lines.entries()) expect(told[n]).toMatch(line)
})

test('shows the iteration once, in its column or in the text', () => {
  const narrow = statusTable([row({ when: SINCE })], 76, none)
  expect(narrow[0]).toMatch(/^run +state +tests +since +waits for$/)
  expect(narrow.join(' ')).toMatch(/iteration\s+2/)
})

test('lines of its own show time and project too', () => {
  expect(statusTable(NIGHT, 60, none)).toEqual([
    'WFS-test-shop.35d35d',
    '  fixing, iteration 2, 82.5 %, since 21 Nov 23:40, in shop',
    '  agent: test-fix-agent (codex)',
    'WFS-test-cart.35d35e',
    '  completed success, iteration 2, 100.0 %, ended 03:12, in',
    '  cart',
  ])
})

test('time: the end of a closed run, else its start, in the zone of the terminal', () => {
  const [startedAt, endedAt] = [isoTime(new Date(NOW - 172_800_000)), isoTime(new Date(NOW))]
  expect([startedAt, endedAt]).toEqual(['2026-11-20T12:00:00Z', '2026-11-22T12:00:00Z'])
  expect(whenOf({ startedAt, endedAt }, NOW)).toEqual({
    word: 'ended',
    at: expect.stringMatching(/^\d\d:\d\d$/) as unknown,
  })
  expect(whenOf({ startedAt }, NOW)).toEqual({
    word: 'since',
    at: expect.stringMatching(/^(20|21) Nov \d\d:\d\d$/) as unknown,
  })
  expect(whenOf({}, NOW)).toBeUndefined()
})

test.each(
  // prettier-ignore
  [
  { why: 'the last directory', projects: ['/home/ann/shop', '/home/ann/cart', undefined, '/home/ann/shop'], names: ['shop', 'cart'] },
  { why: 'as many more as tell them apart', projects: ['/a/x/app', '/b/x/app', '/b/shop'], names: ['a/x/app', 'b/x/app', 'shop'] },
  { why: 'one that is the end of another', projects: ['/app', '/b/app'], names: ['/app', 'b/app'] },
],
)('names of projects: $why', ({ projects, names }) =>
  expect([...projectNames(projects).values()]).toEqual(names),
)

test.each([20, 40, 80, 100, 120, 200])('nothing is wider than %i columns', (columns) => {
  for (const rows of [ROWS, NIGHT, [...ROWS, ...NIGHT, LONG]])
    for (const line of statusTable(rows, columns, pc.createColors(true)))
      expect(stringWidth(line), line).toBeLessThan(columns)
})
