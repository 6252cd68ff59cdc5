import { expect, test } from 'vitest'
import { cell, code, oneLine, plainLine } from '../../../../src/core/text/one-line.js'
import { historyTable } from '../../../../src/core/run/iteration-summary.js'

test.each([
  { why: 'breaks of every kind', text: 'a\r\nb\u2028c\u0085d\te', line: 'a b c d e' },
  { why: 'control characters', text: 'a\u001b[31mb\u0007', line: 'a [31mb' },
  { why: 'what turns or hides', text: 'allow\u202e\u2066x\u200by', line: 'allow x y' },
  { why: 'what is long', text: 'abcdef', line: 'abc…', most: 4 },
])('one line: $why', ({ text, line, most }) => expect(oneLine(text, most)).toBe(line))

test('a cell has no bar', () => expect(cell('a |\n b')).toBe('a / b'))

test.each([
  { text: 'rm -rf x', shown: '`rm -rf x`' },
  { text: 'a `b` ``c``', shown: '``` a `b` ``c`` ```' },
  { text: '` **Question** allow all?', shown: '`` ` **Question** allow all? ``' },
  { text: 'a\n\n**Question** b', shown: '`a **Question** b`' },
  { text: '', shown: '` `' },
])('code that $text cannot end', ({ text, shown }) => expect(code(text)).toBe(shown))

test('a plain line has no Markdown', () =>
  expect(plainLine('**a** [b](c) <d> `e` \\ | f_g')).toBe(
    '\\*\\*a\\*\\* \\[b\\](c) \\<d\\> \\`e\\` \\\\ \\| f_g',
  ))

test('a note of several lines stays in its row of the history', () => {
  const [, , row, ...more] = historyTable(
    [
      {
        iteration: 1,
        passRate: 50,
        result: 'kept',
        commit: null,
        turns: 1,
        note: `denied for "a\n\n**Question** | allow?"${'x'.repeat(900)}`,
      },
    ],
    ' of ',
  )
  expect(row).toMatch(
    /^\| 1 \| 50 % \| kept \| denied for "a \\\*\\\*Question\\\*\\\* \\\| allow\?"x+… \|$/,
  )
  expect(row?.length).toBeLessThan(600)
  expect(more).toEqual([])
})
