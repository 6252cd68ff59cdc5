// Documents of others are read up to 64 levels.
import { expect, test } from 'vitest'
import { DEPTH, boundedJson } from '../../../../src/core/text/json.js'

const list = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const object = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each([
  { why: 'lists', text: list(DEPTH) },
  { why: 'objects', text: object(DEPTH) },
  {
    why: 'brackets in a text',
    text: JSON.stringify({ a: '['.repeat(1_000), b: '\\"{'.repeat(99) }),
  },
  { why: 'many side by side', text: `[${Array.from({ length: 1_000 }, () => '[]').join()}]` },
])('as deep as it may be: $why', ({ text }) => {
  expect(DEPTH).toBe(64)
  expect(boundedJson(text)).toEqual(JSON.parse(text))
})

test.each([
  { why: 'lists', text: list(DEPTH + 1) },
  { why: 'objects', text: object(DEPTH + 1) },
  { why: 'more than a parser can hold', text: list(1_000_000) },
])('deeper than 64 levels is no document: $why', ({ text }) => {
  expect(() => boundedJson(text)).toThrow(/^it is nested deeper than 64 levels$/)
})
