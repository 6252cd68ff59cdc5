import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../src/core/answers/agent-values.js'
import {
  countOf,
  listOf,
  percentOf,
  resultBlocks,
  textOf,
  type ResultBlock,
} from '../../../../src/core/answers/result-block.js'
import { cpuMs } from '../../../support/cpu.js'

const KEYS = [
  'phase',
  'status',
  'summary',
  'issues',
  'files_written',
  'test_pass_rate',
  'n',
  'ready',
]
const blocks = (text: string): ResultBlock[] => resultBlocks(text, 'PHASE_RESULT', KEYS)
const last = (text: string): ResultBlock | undefined =>
  resultBlocks(text, 'PHASE_RESULT', KEYS).findLast(
    (block) => textOf(block, 'status') !== undefined,
  )
const withField = (line: string): ResultBlock => {
  const block = last(`PHASE_RESULT:\n- status: success\n${line}\n\nThat is all.`)
  if (block === undefined) throw new Error('expected a block')
  return block
}

test.each(
  // prettier-ignore
  [
  { why: 'as the source has it', text: 'PHASE_RESULT:\n- status: success\n- summary: all of it' },
  { why: 'in a fence, prose around it', text: 'Done.\n\n```\nPHASE_RESULT:\n- status: success\n- summary: all of it\n```\nBye: now' },
  { why: 'a fence with a language', text: '```yaml\nPHASE_RESULT:\n- status: success\n- summary: all of it\n```' },
  { why: 'the fence below the heading', text: 'PHASE_RESULT:\n\n```\n- status: success\n- summary: all of it\n```' },
  { why: 'CRLF', text: 'PHASE_RESULT:\r\n- status: success\r\n- summary: all of it\r\n\r\nBye' },
  { why: 'a bold heading', text: '**PHASE_RESULT:**\n- status: success\n- summary: all of it' },
  { why: 'bold, and the colon outside', text: '**PHASE_RESULT**:\n- **status**: success\n- **summary:** all of it' },
  { why: 'a Markdown heading', text: '## PHASE_RESULT\n\n- `status`: `success`\n- `summary`: all of it' },
  { why: 'a blank line below the heading', text: 'PHASE_RESULT:\n\n- status: success\n- summary: all of it' },
  { why: 'stars as bullets', text: 'PHASE_RESULT:\n* status: success\n* summary: all of it' },
  { why: 'indented', text: '  PHASE_RESULT:\n    - status: success\n    - summary: all of it' },
  { why: 'no bullets', text: 'PHASE_RESULT:\nstatus: success\nsummary: all of it' },
  { why: 'a loose list', text: 'PHASE_RESULT:\n\n- status: success\n\n- summary: all of it\n\nBye' },
  { why: 'keys in capitals, a space before the colon', text: 'PHASE_RESULT:\n- Status : success\n- Summary : all of it' },
  { why: 'a wrapped value', text: 'PHASE_RESULT:\n- status: success\n- summary: all\n  of it' },
  { why: 'a folded value', text: 'PHASE_RESULT:\nstatus: success\nsummary: >\n  all\n  of it' },
  { why: 'quotes around the values', text: 'PHASE_RESULT:\n- status: "success"\n- summary: \'all of it\'' },
],
)('block: $why is read', ({ text }) => {
  const block = last(text)
  expect(block && { status: textOf(block, 'status'), summary: textOf(block, 'summary') }).toEqual({
    status: 'success',
    summary: 'all of it',
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'no heading', text: '- status: success' },
  { why: 'the name in a sentence', text: 'I end with PHASE_RESULT: as asked\n- status: success' },
  { why: 'prose below the heading', text: 'PHASE_RESULT:\nAll went well.\n- status: success' },
  { why: 'nothing below the heading', text: 'PHASE_RESULT:' },
  { why: 'a quoted block', text: '> PHASE_RESULT:\n> - status: success' },
  { why: 'another name', text: 'WORKER_RESULT:\n- status: success' },
  { why: 'the sample of the source', text: '```\nPHASE_RESULT:\n- phase: cd\n- status: success | failed | partial\n- files_changed: [count]\n- summary: one-line summary\n- blockers: []\n```' },
],
)('block: $why is none', ({ text }) => expect(last(text)).toBeUndefined())

test.each([
  'success | failed',
  '"success|failed|partial"',
  '[list]',
  '[count]',
  'X%',
  'X/Y',
  'X.Y.Z',
  'N',
  '<one line>',
  '<passed>/<total>',
  '[<path>, <path>]',
  'one-line summary',
  '…',
])('samples: "%s" is no value', (value) =>
  expect(withField(`- summary: ${value}`).fields.has('summary')).toBe(false),
)

describe('trap 5', () => {
  const real = 'PHASE_RESULT:\n- status: partial\n- summary: mine'
  const sample = 'PHASE_RESULT:\n- status: success | failed\n- summary: one-line summary'
  test.each(
    // prettier-ignore
    [
    { why: 'an echoed sample before the block', text: `${sample}\n\n${real}` },
    { why: 'an echoed sample behind the block', text: `${real}\n\n${sample}` },
    { why: 'a draft before the block', text: `PHASE_RESULT:\n- status: failed\n- summary: draft\n\nNo:\n\n${real}` },
    { why: 'a sample right before the block', text: `${sample}\n${real}` },
  ],
  )('the last valid block wins: $why', ({ text }) =>
    expect(textOf(last(text) as ResultBlock, 'summary')).toBe('mine'),
  )

  test.each(
    // prettier-ignore
    [
    { why: 'quoted', line: '- issues: ["a, b", "c"]', list: ['a, b', 'c'] },
    { why: 'bare', line: '- issues: [a b, c]', list: ['a b', 'c'] },
    { why: 'single quotes', line: "- issues: ['a, b', 'it doesn't]", list: ['a, b', "'it doesn't"] },
    { why: 'over several lines', line: '- issues: [\n    "a, b",\n    "c"\n  ]\n- n: 1', list: ['a, b', 'c'] },
    { why: 'over several lines, not indented, trailing comma', line: '- issues: [\na,\nc,\n]', list: ['a', 'c'] },
    { why: 'a list that is cut off', line: '- issues: [a,\n  c', list: ['a', 'c'] },
    { why: 'bullets below the key', line: '- issues:\n  - a: b\n  - c\n- n: 1', list: ['a: b', 'c'] },
    { why: 'CRLF', line: '- issues:\r\n  - a: b\r\n  - c\r\n- n: 1', list: ['a: b', 'c'] },
    { why: 'bullets where the keys stand', line: '- issues:\n- TASK-1 fails\n- Login: fails\n- n: 1', list: ['TASK-1 fails', 'Login: fails'] },
    { why: 'numbered, one wrapped', line: '- issues:\n  1. a\n     b\n  2. c', list: ['a b', 'c'] },
    { why: 'check boxes', line: '- issues:\n  - [ ] a\n  - [x] c', list: ['a', 'c'] },
    { why: 'a number, then bullets', line: '- issues: 2 found\n  - a\n  - c', list: ['a', 'c'] },
    { why: 'objects', line: '- issues: [{"id":"BUG-1","description":"a"},{"issue":"c"}]', list: ['BUG-1: a', 'c'] },
    { why: 'one sentence', line: '- issues: The login fails, badly', list: ['The login fails, badly'] },
    { why: 'a sentence that begins with a bracket', line: '- issues: [high] the login fails', list: ['[high] the login fails'] },
    { why: 'names with commas', line: '- issues: a.md, `b.md`', list: ['a.md', 'b.md'] },
    { why: 'a comment behind it', line: '- issues: ["a"] (one left)', list: ['a'] },
    { why: 'parentheses', line: '- issues: [a (b, c), d]', list: ['a (b, c)', 'd'] },
    { why: 'the sample among real ones', line: '- issues:\n  - <one line each>\n  - a', list: ['a'] },
  ],
  )('a list is read: $why', ({ line, list }) =>
    expect(listOf(withField(line), 'issues')).toEqual(list),
  )
})

test.each([
  '[]',
  '[ ]',
  'none',
  'None.',
  'null',
  'n/a',
  'N/A',
  '-',
  '',
  '""',
  '["none"]',
  'no issues',
  'None found',
  'none (all tests pass)',
  '[] (none)',
  '\n  - none',
])('"%s" is an empty list', (value) =>
  expect(listOf(withField(`- issues: ${value}`), 'issues')).toEqual([]),
)

test('"none" with an exception is not empty, and a missing key is no list', () => {
  expect(listOf(withField('- issues: none (apart from the login)'), 'issues')).toEqual([
    'none (apart from the login)',
  ])
  expect(listOf(withField('- issues: None of the tests run'), 'issues')).toEqual([
    'None of the tests run',
  ])
  expect(listOf(withField('- n: 1'), 'issues')).toBeUndefined()
})

test.each([
  { value: '85%', percent: 85 },
  { value: '85.5 %', percent: 85.5 },
  { value: '**100%** (12/12)', percent: 100 },
  { value: '12/12 (100%)', percent: 100 },
  { value: '17/20', percent: 85 },
  { value: '2/3', percent: 66.6 },
  { value: '85', percent: 85 },
  { value: '~90', percent: 90 },
  { value: '105%', percent: null },
  { value: '-5%', percent: null },
  { value: 'n/a', percent: null },
  { value: 'X%', percent: null },
  { value: '3/0', percent: null },
  { value: 'not measured', percent: null },
])('"$value" is $percent percent', ({ value, percent }) =>
  expect(percentOf(withField(`- test_pass_rate: ${value}`), 'test_pass_rate')).toBe(percent),
)

test.each([
  { value: '3', count: 3 },
  { value: '3 tasks', count: 3 },
  { value: '3/5', count: 3 },
  { value: 'none', count: 0 },
  { value: '[TASK-1, TASK-2]', count: 2 },
  { value: '\n  - TASK-1\n  - TASK-2', count: 2 },
  { value: 'TASK-1, TASK-2', count: 2 },
  { value: 'n/a', count: undefined },
  { value: '[count]', count: undefined },
  { value: 'some', count: undefined },
  { value: '3.5', count: undefined },
])('numbers: "$value" counts $count', ({ value, count }) =>
  expect(countOf(withField(`- n: ${value}`), 'n')).toBe(count),
)

test.each([
  { value: 'true', is: true },
  { value: 'Yes, it is', is: true },
  { value: 'no', is: false },
  { value: '**false**', is: false },
  { value: 'not yet', is: false },
  { value: 'maybe', is: undefined },
  { value: 'true | false', is: undefined },
  { value: '✅', is: true },
  { value: '❌', is: false },
  { value: 'nein', is: false },
  { value: 'never', is: false },
  { value: 'after the migration is written', is: false },
  { value: 'only once FR-003 is met', is: false },
  // May be a remark: it is asked again.
  { value: 'yes, once FR-003 is met', is: undefined },
  { value: 'yes, not a single failure', is: undefined },
  { value: 'true (all tests pass)', is: true },
  { value: 'n/a', is: undefined },
  { value: 'not applicable', is: undefined },
  { value: '', is: undefined },
])('ready_for_production: "$value" is $is', ({ value, is }) => expect(yesNo(value)).toBe(is))

test.each(
  // prettier-ignore
  [
  { why: 'prose behind a blank line', text: 'PHASE_RESULT:\n- status: success\n\n- note: x\n- issues: y' },
  { why: 'prose right below', text: 'PHASE_RESULT:\n- status: success\nI am done.\n- issues: y' },
  { why: 'a list behind the fence', text: '```\nPHASE_RESULT:\n- status: success\n```\n- issues: y' },
],
)('block: $why is not part of it', ({ text }) =>
  expect([...(last(text)?.fields.keys() ?? [])]).toEqual(['status']),
)

test.each(
  // prettier-ignore
  [
  { why: 'behind its fence', text: '```\nPHASE_RESULT:\n- status: success\n```\n\n```json\n{}\n```', rest: '\n```json\n{}\n```' },
  { why: 'right behind it', text: 'PHASE_RESULT:\n- status: success\n```json\n{}\n```', rest: '```json\n{}\n```' },
  { why: 'up to the next block', text: 'PHASE_RESULT:\n- status: success\n\nx\nPHASE_RESULT:\n- status: a | b', rest: '\nx' },
],
)('block: the text after it is returned, $why', ({ text, rest }) =>
  expect(last(text)?.rest).toBe(rest),
)

test('a hostile answer is read quickly', () => {
  const cost = cpuMs(() => {
    blocks('PHASE_RESULT:\n'.repeat(20_000))
    blocks(`PHASE_RESULT:\n- status: success\n- issues: [\n${'"]\n'.repeat(60_000)}`)
    blocks(`PHASE_RESULT:\n- status: success\n- issues:\n${'  - a\n'.repeat(40_000)}`)
    blocks(`PHASE_RESULT:\n- ${'_'.repeat(200_000)}`)
    blocks(`${' *_`'.repeat(60_000)}\nPHASE_RESULT:${' '.repeat(100_000)}x`)
  })
  expect(cost).toBeLessThan(2_000)
}, 120_000)
