import { expect, test } from 'vitest'
import { roomWith, withinBytes } from '../../../../src/core/dev-loop/within-bytes.js'

const rungs = [4, 2, 1].map((most) => (list: string[]) => list.slice(0, most))

test.each([
  { why: 'what fits stays whole', most: 100, left: 8 },
  { why: 'drops no more than needed', most: 9, left: 2 },
  { why: 'the last step gives the smallest form', most: 1, left: 1 },
])('payloads: $why', ({ most, left }) =>
  expect(withinBytes(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], most, rungs)).toHaveLength(left),
)

test('the texts of the tasks stay complete, and the rest is cut to fit', () => {
  expect(roomWith('x'.repeat(98), 500)).toBe(15_500)
  expect(roomWith('x'.repeat(19_998), 500)).toBe(26_000)
  expect(roomWith('ü'.repeat(9_999), 500)).toBe(26_000)
})
