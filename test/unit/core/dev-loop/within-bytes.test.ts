import { expect, test } from 'vitest'
import { roomWith, withinBytes } from '../../../../src/core/dev-loop/within-bytes.js'

const rungs = [4, 2, 1].map((most) => (list: string[]) => list.slice(0, most))

test.each([
  { why: 'what fits stays whole', most: 100, left: 8 },
  { why: 'the least loss that is enough', most: 9, left: 2 },
  { why: 'after the last rung it is as small as it gets', most: 1, left: 1 },
])('payloads: $why', ({ most, left }) =>
  expect(withinBytes(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], most, rungs)).toHaveLength(left),
)

test('the texts of the tasks are always told whole, and the rest has its room beside them', () => {
  expect(roomWith('x'.repeat(98), 500)).toBe(15_500)
  expect(roomWith('x'.repeat(19_998), 500)).toBe(26_000)
  expect(roomWith('ü'.repeat(9_999), 500)).toBe(26_000)
})
