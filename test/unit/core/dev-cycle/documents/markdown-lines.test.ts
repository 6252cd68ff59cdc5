import { describe, expect, test } from 'vitest'
import {
  entriesOf,
  markdownLines,
  sectionsOf,
} from '../../../../../src/core/dev-cycle/documents/markdown-lines.js'
import { cpuMs } from '../../../../support/cpu.js'

const listed = (text: string): string[] => entriesOf(markdownLines(text)).map((entry) => entry.text)

describe('documents of agents: lines without content are left out', () => {
  test.each([
    { why: 'code', text: '```md\n- a\n```\n- b', want: ['b'] },
    { why: 'code in tildes, with backticks in it', text: '~~~\n```\n- a\n~~~\n- b', want: ['b'] },
    { why: 'comments', text: '<!-- - a\n- b -->- c', want: ['c'] },
    { why: 'a comment that is never closed is text', text: '- a <!-- b', want: ['a <!-- b'] },
    { why: 'rules', text: '- a\n\n---\n* * *\n- b', want: ['a', 'b'] },
    { why: 'the head of a table', text: '| ID | What |\n|:--|--:|\n| 1 | a |', want: ['1 - a'] },
    { why: 'bold and code marks', text: '- **a**: `b`', want: ['a: b'] },
  ])('$why', ({ text, want }) => expect(listed(text)).toEqual(want))
})

describe('sections', () => {
  const lines = markdownLines('# T\n## A\n- a\n### A1\n- b\n## B\n- c\n## A again\n- d')
  const section = (heading: RegExp) => sectionsOf(lines, (title) => heading.test(title))

  test('one ends at the next heading of its level, and all that fit count', () => {
    expect(entriesOf(section(/^A/) ?? []).map(({ text }) => text)).toEqual(['a', 'b', 'd'])
    expect(entriesOf(section(/^A1/) ?? []).map(({ text }) => text)).toEqual(['b'])
    expect(section(/^Z/)).toBeUndefined()
  })
})

test('items below an item are its details, also in the rows of a table', () => {
  expect(
    entriesOf(
      markdownLines('- a\n  - Severity: high\n  more\n- [x] b\n| X | Y |\n|---|---|\n| c | d |'),
    ),
  ).toEqual([
    { text: 'a', details: ['Severity: high', 'more'], done: false },
    { text: 'b', details: [], done: true },
    { text: 'c - d', details: ['X: c', 'Y: d'], done: false },
  ])
})

test('a hostile megabyte is read quickly', () => {
  const cost = cpuMs(() => {
    for (const one of ['<!--', '-', '#', '# ', '|-', '- ', '\n- ', '**'])
      markdownLines(`# ${one.repeat(1_000_000 / one.length)}x`)
  })
  expect(cost).toBeLessThan(5_000)
}, 120_000)
