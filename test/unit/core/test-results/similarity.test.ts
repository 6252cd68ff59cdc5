import fc from 'fast-check'
import { expect, test } from 'vitest'
import { similarity } from '../../../../src/core/test-results/similarity.js'

test.each(
  // prettier-ignore
  [
  { why: 'the same failures',            before: ['a', 'b'],           now: ['b', 'a'],           alike: 1 },
  { why: 'none in common',               before: ['a'],                now: ['b'],                alike: 0 },
  { why: 'one gone of two',              before: ['a', 'b'],           now: ['a'],                alike: 0.5 },
  { why: 'seven of ten: not above 0.7',  before: [...'abcdefghij'],    now: [...'abcdefg'],       alike: 0.7 },
  { why: 'all fixed',                    before: ['a'],                now: [],                   alike: 0 },
  { why: 'nothing against nothing',      before: [],                   now: [],                   alike: 1 },
  { why: 'a repeated id counts once',    before: ['a', 'a', 'b'],      now: ['a'],                alike: 0.5 },
],
)('similarity: $why is $alike', ({ before, now, alike }) =>
  expect(similarity(before, now)).toBe(alike),
)

test('similarity: symmetric, within 0-1, and 1 only for equal sets', () => {
  const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 })
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const alike = similarity(a, b)
      expect(similarity(b, a)).toBe(alike)
      expect(alike).toBeGreaterThanOrEqual(0)
      expect(alike).toBeLessThanOrEqual(1)
      expect(alike === 1).toBe([...new Set(a)].sort().join() === [...new Set(b)].sort().join())
    }),
  )
})
