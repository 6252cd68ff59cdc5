import { describe, expect, test } from 'vitest'
import { readChangesLog } from '../../../../../src/core/dev-cycle/documents/changes-log.js'

const line = (value: unknown): string => `${JSON.stringify(value)}\n`
const AT = '2026-01-22T10:00:00+08:00'

describe('changes.log: three shapes', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'RA, EP and VAS', entry: { timestamp: AT, version: '1.0.0', agent: 'ra', action: 'create', change: 'First draft', iteration: 1 }, want: { timestamp: AT, version: '1.0.0', agent: 'ra', action: 'create', change: 'First draft', iteration: 1 } },
    { why: 'the versioning rules', entry: { timestamp: AT, iteration: 1, version: '1.0.0', action: 'update', type: 'requirement', id: 'FR-001', description: 'Clearer' }, want: { timestamp: AT, iteration: 1, version: '1.0.0', action: 'update', change: 'requirement FR-001', description: 'Clearer' } },
    { why: 'CD', entry: { timestamp: AT, iteration: 2, file: 'src/a b.ts', action: 'modify', task: 'TASK-001', description: 'Login', lines_added: 12, lines_removed: 3 }, want: { timestamp: AT, iteration: 2, file: 'src/a b.ts', action: 'modify', task: 'TASK-001', description: 'Login', lines_added: 12, lines_removed: 3 } },
    { why: 'the prompt of the seed', entry: { file: 'a.ts', action: 'create', timestamp: AT }, want: { timestamp: AT, file: 'a.ts', action: 'create' } },
    { why: 'a marker of an iteration', entry: { timestamp: AT, iteration: 2, marker: 'ITERATION 2', version: '1.1.0' }, want: { timestamp: AT, iteration: 2, version: '1.1.0' } },
    { why: 'numbers as text', entry: { file: 'a.ts', iteration: '2', lines_added: '7' }, want: { file: 'a.ts', iteration: 2, lines_added: 7 } },
    { why: 'odd types', entry: { file: 'a.ts', iteration: {}, lines_added: -1, agent: null }, want: { file: 'a.ts' } },
    { why: 'a text of several lines', entry: { change: 'a\n  b' }, want: { change: 'a b' } },
  ],
  )('$why', ({ entry, want }) =>
    expect(readChangesLog(line(entry))).toEqual({ entries: [want], skipped: 0 }),
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'an empty log', text: '\n\n', entries: 0, skipped: 0 },
  { why: 'CRLF, a byte order mark, blank lines', text: `\ufeff${line({ file: 'a' })}\r\n\r\n${line({ file: 'b' })}`, entries: 2, skipped: 0 },
  { why: 'prose between', text: `# Changes\n${line({ file: 'a' })}- did it\n`, entries: 1, skipped: 2 },
  { why: 'a torn last line', text: `${line({ file: 'a' })}{"file": "b`, entries: 1, skipped: 1 },
  { why: 'other JSON', text: '7\nnull\n[]\n{"x":1}\n', entries: 0, skipped: 4 },
  { why: 'one array', text: JSON.stringify([{ file: 'a' }, { file: 'b' }], null, 2), entries: 2, skipped: 0 },
],
)('changes.log: $why', ({ text, entries, skipped }) => {
  const read = readChangesLog(text)
  expect({ entries: read.entries.length, skipped: read.skipped }).toEqual({ entries, skipped })
})
