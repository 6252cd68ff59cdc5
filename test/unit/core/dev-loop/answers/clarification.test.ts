import { expect, test } from 'vitest'
import type { Clarification } from '../../../../../src/contract/dev-loop/action-reading.js'
import { readQuestions } from '../../../../../src/core/dev-loop/answers/clarification.js'

const below = (...lines: string[]): Clarification[] =>
  readQuestions(`I looked at it.\n\nCLARIFICATION_NEEDED:\n${lines.join('\n')}`)
const STORE = {
  id: 'Q1',
  text: 'Which store?',
  options: ['Postgres', 'SQLite'],
  recommended: 'SQLite',
}

test.each(
  // prettier-ignore
  [
  { why: 'as the source has it', text: 'CLARIFICATION_NEEDED:\nQ1: Which store? | Options: [Postgres, SQLite] | Recommended: [SQLite]' },
  { why: 'CRLF', text: 'CLARIFICATION_NEEDED:\r\nQ1: Which store? | Options: [Postgres, SQLite] | Recommended: [SQLite]\r\n' },
  { why: 'on the line of the heading', text: 'CLARIFICATION_NEEDED: Q1: Which store? | Options: [Postgres, SQLite] | Recommended: SQLite' },
  { why: 'a Markdown heading, bold, bullets', text: '## **CLARIFICATION_NEEDED**\n\n- **Q1:** Which store? | **Options:** [Postgres, SQLite] | **Recommended:** [SQLite]' },
  { why: 'in a fence, prose behind it', text: '```\nCLARIFICATION_NEEDED:\nQ1: Which store? | Options: [Postgres, SQLite] | Recommended: [SQLite]\n```\nI continue then. Is that fine?' },
  { why: 'quoted options', text: 'CLARIFICATION_NEEDED:\nQ1: Which store? | Options: ["Postgres", "SQLite"] | Recommended: ["SQLite"]' },
  { why: 'options without brackets', text: 'CLARIFICATION_NEEDED:\nQ1: Which store? | Options: Postgres, SQLite | Recommended: SQLite' },
  { why: 'over several lines', text: 'CLARIFICATION_NEEDED:\nQ1: Which store?\n  Options: [Postgres, SQLite]\n  Recommended: SQLite\n\nThat is all.' },
  { why: 'options as bullets', text: 'CLARIFICATION_NEEDED:\nQ1: Which store?\n  Options:\n  - Postgres\n  - SQLite\n  Recommended: SQLite' },
  { why: 'bullets below the question', text: 'CLARIFICATION_NEEDED:\nQ1: Which store?\n- Postgres\n- SQLite\n- Recommended: SQLite' },
  { why: 'the recommendation first', text: 'CLARIFICATION_NEEDED:\nQ1: Which store? | Recommended: SQLite | Options: [Postgres, SQLite]' },
  { why: 'in other case', text: 'CLARIFICATION_NEEDED:\nq1: Which store? | options: [Postgres, SQLite] | recommended: sqlite' },
  { why: 'without a number', text: 'CLARIFICATION_NEEDED:\n- Which store? | Options: [Postgres, SQLite] | Recommended: SQLite' },
  { why: 'the recommendation next to its option', text: 'CLARIFICATION_NEEDED:\nQ1: Which store?\n- Postgres\n- SQLite (recommended)' },
  { why: 'the recommendation in the list', text: 'CLARIFICATION_NEEDED:\nQ1: Which store? | Options: [Postgres, SQLite (Recommended)]' },
  { why: 'JSON below the heading', text: 'CLARIFICATION_NEEDED:\n```json\n[{"question":"Which store?","options":["Postgres","SQLite"],"recommended":"SQLite"}]\n```' },
  { why: 'JSON under its name', text: '{"CLARIFICATION_NEEDED":[{"id":"Q1","question":"Which store?","options":["Postgres","SQLite"],"recommended":["SQLite"]}]}' },
  { why: 'JSON, the recommendation next to its option', text: 'CLARIFICATION_NEEDED:\n[{"question":"Which store?","options":["Postgres","SQLite (recommended)"]}]' },
  { why: 'JSON with questions', text: 'CLARIFICATION_NEEDED: {"questions":[{"text":"Which store?","options":[{"label":"Postgres"},{"label":"SQLite"}],"recommendation":"sqlite"}]}' },
  { why: 'before the block', text: 'CLARIFICATION_NEEDED:\nQ1: Which store? | Options: [Postgres, SQLite] | Recommended: SQLite\nWORKER_RESULT:\n- status: needs_input' },
],
)('CLARIFICATION_NEEDED: $why is read', ({ text }) => expect(readQuestions(text)).toEqual([STORE]))

test.each(
  // prettier-ignore
  [
  { why: 'itself', said: 'B) SQLite', options: 'A) Postgres, B) SQLite', is: 'B) SQLite' },
  { why: 'its label', said: 'B', options: 'A) Postgres, B) SQLite', is: 'B) SQLite' },
  { why: 'its letter', said: 'A', options: 'Postgres, SQLite', is: 'Postgres' },
  { why: 'its number', said: 'Option 2', options: 'Postgres, SQLite', is: 'SQLite' },
  { why: 'a name that is a letter, before the letter', said: 'A', options: 'B, A', is: 'A' },
  { why: 'its beginning, a reason behind it', said: 'SQLite (no server)', options: 'Postgres, SQLite', is: 'SQLite' },
  { why: 'the longer of two that fit', said: 'SQLite in memory, as before', options: 'SQLite, SQLite in memory', is: 'SQLite in memory' },
  { why: 'none of them', said: 'Both', options: 'Postgres, SQLite', is: undefined },
  { why: 'a letter behind the last', said: 'Z', options: 'Postgres, SQLite', is: undefined },
  { why: 'a text, where there are no options', said: 'the one that is there', options: '', is: 'the one that is there' },
  { why: 'nothing', said: 'none', options: 'Postgres, SQLite', is: undefined },
  { why: 'the sample', said: '[<option>]', options: '', is: undefined },
],
)('Recommended: $why', ({ said, options, is }) =>
  expect(
    below(`Q1: Which store? | Options: [${options}] | Recommended: ${said}`)[0]?.recommended,
  ).toBe(is),
)

test('a question needs neither options nor a recommendation, and several keep their numbers', () => {
  expect(
    below('Q1: Why?', 'Q3: How, and with | or without? | Options: [a, b]', '', 'Q4: When'),
  ).toEqual([
    { id: 'Q1', text: 'Why?', options: [] },
    { id: 'Q3', text: 'How, and with | or without?', options: ['a', 'b'] },
    { id: 'Q4', text: 'When', options: [] },
  ])
})

test('a number that is there twice is renumbered, a text that is there twice is one question', () => {
  expect(
    below('Q1: Why?', 'Q1: How?', 'Q2: When?', 'Q7: Why?', 'Q0: Who?').map(
      ({ id, text }) => `${id} ${text}`,
    ),
  ).toEqual(['Q1 Why?', 'Q2 How?', 'Q3 When?', 'Q4 Who?'])
})

test('plain bullets are questions of their own', () => {
  expect(below('1. Which store?', '2. Which port? | Recommended: 80')).toEqual([
    { id: 'Q1', text: 'Which store?', options: [] },
    { id: 'Q2', text: 'Which port?', options: [], recommended: '80' },
  ])
})

test('a question may be wrapped', () =>
  expect(below('Q1: Which store', '    is it?', 'Q2: Why?').map(({ text }) => text)).toEqual([
    'Which store is it?',
    'Why?',
  ]))

test.each(
  // prettier-ignore
  [
  { why: 'nothing', text: '' },
  { why: 'no heading', text: 'Q1: Which store?' },
  { why: 'the name in a sentence', text: 'No CLARIFICATION_NEEDED: all is clear.\nQ1: x' },
  { why: 'none', text: 'CLARIFICATION_NEEDED: none' },
  { why: 'a key that says no', text: '- CLARIFICATION_NEEDED: false\n- summary: x' },
  { why: 'prose below it', text: 'CLARIFICATION_NEEDED:\nAll is clear to me.' },
  { why: 'the sample of the form', text: 'CLARIFICATION_NEEDED:\nQ1: <question> | Options: [<option>, <option>] | Recommended: [<option>]' },
  { why: 'the sample of the source', text: 'CLARIFICATION_NEEDED:\nQ1: text | Options: [A, B] | Recommended: [A]' },
],
)('$why asks nothing', ({ text }) => expect(readQuestions(text)).toEqual([]))

test('the last heading with a real question counts', () => {
  const ask = (text: string): string => `CLARIFICATION_NEEDED:\nQ1: ${text}\n`
  expect(readQuestions(`${ask('Old?')}\n${ask('New?')}\n${ask('<question>')}`)).toEqual([
    { id: 'Q1', text: 'New?', options: [] },
  ])
})
