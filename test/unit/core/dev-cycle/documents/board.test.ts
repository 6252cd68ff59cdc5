import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DISCOVERY_BYTES,
  DISCOVERY_TYPES,
  PHASES,
  type Discovery,
} from '../../../../../src/contract/dev-cycle/discovery.js'
import {
  boardDigest,
  boardView,
  lacking,
  mergeBoard,
  readBoard,
} from '../../../../../src/core/dev-cycle/documents/board.js'

const at = (minute: number): string => `2026-01-22T10:${String(minute).padStart(2, '0')}:00+08:00`
const entry = (
  type: string,
  data: Record<string, unknown>,
  minute = 0,
  agent = 'ra',
): Discovery => ({ ts: at(minute), agent, type, data })
const line = (value: unknown): string => `${JSON.stringify(value)}\n`
const GOOD = entry('utility', { name: 'a', file: 'a.ts', usage: 'a()' })

describe('invalid lines are skipped and counted', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'a good line', text: line(GOOD), entries: 1, skipped: 0 },
    { why: 'an unknown type', text: line(entry('hunch', {})), entries: 1, skipped: 0 },
    { why: 'broken JSON', text: `{"ts": "\n${line(GOOD)}`, entries: 1, skipped: 1 },
    { why: 'two lines glued together', text: `${JSON.stringify(GOOD)}${line(GOOD)}`, entries: 0, skipped: 1 },
    { why: 'JSON that is no object', text: '7\nnull\n[]\n""\n', entries: 0, skipped: 4 },
    { why: 'a field that is missing', text: line({ ts: at(0), agent: 'ra', type: 'utility' }) + line({ ts: at(0), type: 'utility', data: {} }), entries: 0, skipped: 2 },
    { why: 'an empty type, data that is a list', text: line(entry('', {})) + line({ ...GOOD, data: [] }), entries: 0, skipped: 2 },
    { why: 'a line that is too long', text: line(entry('utility', { name: 'x'.repeat(DISCOVERY_BYTES) })), entries: 0, skipped: 1 },
    { why: 'a line that is too long in bytes only', text: line(entry('utility', { name: '漢'.repeat(DISCOVERY_BYTES / 2) })), entries: 0, skipped: 1 },
    { why: 'CRLF, blank lines, a byte order mark', text: `\ufeff\r\n${JSON.stringify(GOOD)}\r\n\r\n`, entries: 1, skipped: 0 },
    { why: 'an empty board', text: '', entries: 0, skipped: 0 },
  ],
  )('$why', ({ text, entries, skipped }) => {
    const read = readBoard(text)
    expect({ entries: read.entries.length, skipped: read.skipped }).toEqual({ entries, skipped })
  })
})

describe('the boards of record and workspace are merged', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => JSON.stringify(entry('utility', { name }))) as [
    string,
    string,
    string,
  ]
  test.each(
    // prettier-ignore
    [
    { why: 'new lines are appended', known: `${a}\n`, seen: `${a}\n${b}\n`, text: `${a}\n${b}\n`, restored: 0, skipped: 0 },
    { why: 'a deleted line comes back', known: `${a}\n${b}\n`, seen: `${b}\n${c}\n`, text: `${a}\n${b}\n${c}\n`, restored: 1, skipped: 0 },
    { why: 'a board that was emptied', known: `${a}\n${b}\n`, seen: '', text: `${a}\n${b}\n`, restored: 2, skipped: 0 },
    { why: 'the same line twice is two lines', known: `${a}\n`, seen: `${a}\n${a}\n`, text: `${a}\n${a}\n`, restored: 0, skipped: 0 },
    { why: 'one of two equal lines is deleted', known: `${a}\n${a}\n`, seen: `${a}\n`, text: `${a}\n${a}\n`, restored: 1, skipped: 0 },
    { why: 'another order is no new line', known: `${a}\n${b}\n`, seen: `${b}\n${a}\n`, text: `${a}\n${b}\n`, restored: 0, skipped: 0 },
    { why: 'a torn last line waits', known: `${a}\n`, seen: `${a}\n${b.slice(0, -5)}`, text: `${a}\n`, restored: 0, skipped: 0 },
    { why: 'a whole last line without its newline counts', known: `${a}\n`, seen: `${a}\n${b}`, text: `${a}\n${b}\n`, restored: 0, skipped: 0 },
    { why: 'junk is kept and counted', known: '', seen: `hello\n${a}\n`, text: `hello\n${a}\n`, restored: 0, skipped: 1 },
    { why: 'a rewrite with CRLF changes nothing', known: `${a}\n${b}\n`, seen: `${a}\r\n${b}\r\n`, text: `${a}\n${b}\n`, restored: 0, skipped: 0 },
    { why: 'two empty boards', known: '', seen: '', text: '', restored: 0, skipped: 0 },
  ],
  )('$why', ({ known, seen, text, restored, skipped }) =>
    expect(mergeBoard(known, seen)).toEqual({
      text,
      restored,
      skipped,
      entries: text.split('\n').filter((one) => one.startsWith('{')).length,
    }),
  )

  test('merged twice is merged once, nothing is lost, the record stays in front', () => {
    const text = fc
      .array(fc.constantFrom(a, b, c, 'junk', '{"torn'), { maxLength: 12 })
      .map((lines) => lines.map((one) => `${one}\n`).join(''))
    const torn = fc
      .tuple(text, fc.constantFrom('', '{"ts": "2', a))
      .map(([lines, end]) => lines + end)
    fc.assert(
      fc.property(text, torn, (known, seen) => {
        const merged = mergeBoard(known, seen)
        expect(merged.text.startsWith(known)).toBe(true)
        expect(mergeBoard(merged.text, seen).text).toBe(merged.text)
        expect(mergeBoard(merged.text, merged.text)).toMatchObject({
          text: merged.text,
          restored: 0,
        })
        const times = (board: string, one: string): number =>
          board.split('\n').filter((other) => other === one).length
        for (const one of [a, b, c, 'junk', '{"torn'])
          expect(times(merged.text, one)).toBe(Math.max(times(known, one), times(seen, one)))
      }),
    )
  })
})

describe('Dedup by type+key', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the newer of two with one key', entries: [entry('utility', { name: 'a', file: 'new' }, 5), entry('utility', { name: 'a', file: 'old' }, 1)], data: [{ name: 'a', file: 'new' }] },
    { why: 'other keys stay apart', entries: [entry('utility', { name: 'a' }), entry('utility', { name: 'b' })], data: [{ name: 'a' }, { name: 'b' }] },
    { why: 'other types stay apart', entries: [entry('utility', { name: 'a' }), entry('code_pattern', { name: 'a' })], data: [{ name: 'a' }, { name: 'a' }] },
    { why: 'two without a key differ by their data', entries: [entry('utility', { file: 'a' }), entry('utility', { file: 'b' }), entry('utility', { file: 'a' })], data: [{ file: 'a' }, { file: 'b' }] },
    { why: 'unknown types by their data, in any order', entries: [entry('hunch', { a: 1, b: 2 }), entry('hunch', { b: 2, a: 1 }), entry('hunch', { a: 2 })], data: [{ b: 2, a: 1 }, { a: 2 }] },
    { why: 'of a singleton the newest field wins', entries: [entry('test_baseline', { total: 9, passing: 9 }, 1), entry('test_baseline', { total: 10 }, 2)], data: [{ total: 10, passing: 9 }] },
    { why: 'two writers of one singleton', entries: [entry('test_command', { unit: 'npm test', integration: 'npm run it' }, 1, 'cd'), entry('test_command', { unit: 'npx vitest', e2e: 'npm run e2e', integration: '' }, 2, 'vas')], data: [{ unit: 'npx vitest', e2e: 'npm run e2e', integration: 'npm run it' }] },
    { why: 'the order of times, not of lines', entries: [entry('tech_stack', { language: 'new' }, 9), entry('tech_stack', { language: 'old', build: 'make' }, 1)], data: [{ language: 'new', build: 'make' }] },
    { why: 'a bad time is the oldest', entries: [{ ...entry('tech_stack', { language: 'bad' }), ts: 'yesterday' }, entry('tech_stack', { language: 'good' }, 0), { ...entry('tech_stack', { language: 'bad' }), ts: '' }], data: [{ language: 'good' }] },
    { why: 'of equal times the later line', entries: [entry('tech_stack', { language: 'a' }), entry('tech_stack', { language: 'b' })], data: [{ language: 'b' }] },
    { why: 'offsets count, no offset is UTC', entries: [{ ...entry('tech_stack', { language: 'new' }), ts: '2026-01-22T03:00:00' }, { ...entry('tech_stack', { language: 'old' }), ts: '2026-01-22T10:30:00+0800' }], data: [{ language: 'new' }] },
    { why: 'names of objects are names', entries: [entry('constructor', { a: 1 }), entry('__proto__', { a: 1 })], data: [{ a: 1 }, { a: 1 }] },
  ],
  )('$why', ({ entries, data }) => expect(boardView(entries).map((one) => one.data)).toEqual(data))

  test('a view holds each type and key once, and is its own view', () => {
    const types = fc.constantFrom(...Object.keys(DISCOVERY_TYPES), 'hunch')
    const entries = fc.array(
      fc
        .tuple(types, fc.constantFrom('a', 'b', ''), fc.nat(59))
        .map(([type, name, minute]) => entry(type, { name, file: name, issue: name }, minute)),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(entries, (all) => {
        const view = boardView(all)
        expect(boardView(view)).toEqual(view)
        expect(new Set(view.map((one) => one.type))).toEqual(new Set(all.map((one) => one.type)))
        for (const type of Object.keys(DISCOVERY_TYPES))
          if (DISCOVERY_TYPES[type]?.key === 'singleton')
            expect(view.filter((one) => one.type === type).length).toBeLessThanOrEqual(1)
      }),
    )
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'all there', one: entry('tech_stack', { language: 'ts', framework: 'none', test: 'vitest', build: 'tsc' }), lacks: [] },
  { why: 'one missing, one empty', one: entry('tech_stack', { language: 'ts', framework: '', test: 'vitest' }), lacks: ['framework', 'build'] },
  { why: 'optional fields may be missing', one: entry('test_command', { unit: 'npm test' }), lacks: [] },
  { why: 'an unknown type', one: entry('constructor', {}), lacks: [] },
],
)('required data: $why', ({ one, lacks }) => expect(lacking(one)).toEqual(lacks))

describe('the digest in a prompt', () => {
  const board = [
    entry('integration_point', { file: 'old.ts', description: 'x', exports: [] }, 1, 'ep'),
    entry('integration_point', { file: 'new.ts', description: 'x', exports: [] }, 9, 'ep'),
    entry('architecture', { pattern: 'layers' }, 2, 'ep'),
    entry('blocker', { issue: 'no key', severity: 'high', impact: 'all' }, 0, 'cd'),
    entry('tech_stack', { language: 'ts' }, 3),
    entry('test_pattern', { style: 'tables' }, 4, 'vas'),
  ]

  test('blockers, singletons, then the newest; what the phase does not read is only counted', () => {
    expect(boardDigest(board, 'vas').split('\n')).toEqual([
      '- blocker (cd): {"issue":"no key","severity":"high","impact":"all"}',
      '- tech_stack (ra): {"language":"ts"}',
      '- architecture (ep): {"pattern":"layers"}',
      '- integration_point (ep): {"file":"new.ts","description":"x","exports":[]}',
      '- integration_point (ep): {"file":"old.ts","description":"x","exports":[]}',
      '[1 more entry is in the file]',
    ])
  })

  test.each(
    // prettier-ignore
    [
    { why: 'an empty board', entries: [], want: '' },
    { why: 'nothing for this phase', entries: [entry('tech_stack', { language: 'ts' })], want: '[1 more entry is in the file]' },
    { why: 'all of it', entries: [entry('architecture', { pattern: 'x' })], want: '- architecture (ra): {"pattern":"x"}' },
    { why: 'a text that would be a heading', entries: [{ ...entry('architecture', { pattern: '\n# x\u2028' }), agent: 'ep\n## y' }], want: '- architecture (ep ## y): {"pattern":"\\n# x "}' },
  ],
  )('$why', ({ entries, want }) => expect(boardDigest(entries, 'ra')).toBe(want))

  test('a board of 10,000 lines stays short in a prompt', () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      entry(
        'integration_point',
        { file: `src/${i}.ts`, description: 'word '.repeat(50), exports: [] },
        i % 60,
        'ep',
      ),
    )
    const digest = boardDigest([...many, entry('blocker', { issue: 'no key' })], 'cd')
    expect(digest.length).toBeLessThanOrEqual(6_000)
    expect(digest.split('\n')[0]).toContain('no key')
    const shown = digest.split('\n').length - 1
    expect(digest).toContain(`[${10_001 - shown} more entries are in the file]`)
  })

  test('it is never longer than asked for', () => {
    const entries = fc.array(
      fc
        .tuple(
          fc.constantFrom(...Object.keys(DISCOVERY_TYPES)),
          fc.string({ maxLength: 700 }),
          fc.nat(59),
        )
        .map(([type, name, minute]) => entry(type, { name, file: name }, minute)),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(
        entries,
        fc.constantFrom(...PHASES),
        fc.integer({ min: 0, max: 2_000 }),
        (all, phase, most) => {
          expect(boardDigest(all, phase, most).length).toBeLessThanOrEqual(most)
        },
      ),
    )
  })
})
