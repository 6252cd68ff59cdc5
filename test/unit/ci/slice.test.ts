// The slice of the nightly tests that a commit runs in CI.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SLICE, slicedBy, sliceOf } from '../../slice.js'

const list = Array.from({ length: 290 }, (_, n) => n)
const hashes = fc.stringMatching(/^[0-9a-f]{40}$/)

test('a slice is spread over the list, has its size, and no duplicates', () => {
  fc.assert(
    fc.property(hashes, fc.integer({ min: 0, max: 290 }), (hash, length) => {
      const slice = sliceOf(hash, 'mutations', list.slice(0, length))
      expect(slice).toHaveLength(Math.min(SLICE.mutations, length))
      expect(new Set(slice).size).toBe(slice.length)
      const gaps = slice.map(
        (one, n) => ((slice[(n + 1) % slice.length] as number) - one + length) % length,
      )
      for (const gap of gaps.slice(0, -1)) expect(gap).toBe(Math.floor(length / slice.length))
    }),
  )
})

test('the same commit has the same slice, and each entry is in the slice of some commit', () => {
  const hash = 'd0af4e8'.padEnd(40, '0')
  expect(sliceOf(hash, 'cases', list)).toEqual(sliceOf(hash, 'cases', list))
  const seen = new Set(
    list.flatMap((n) => sliceOf(n.toString(16).padStart(8, '0').padEnd(40, '0'), 'cases', list)),
  )
  expect(seen.size).toBe(list.length)
})

test('without a commit everything is included; an invalid hash is refused', () => {
  expect(slicedBy({}, 'agents', list)).toBe(list)
  expect(slicedBy({ SLICE: 'f'.repeat(40) }, 'agents', list)).toHaveLength(SLICE.agents)
  expect(() => slicedBy({ SLICE: 'main' }, 'agents', list)).toThrow(
    'SLICE must be the hash of a commit',
  )
})

test('each part uses its own digits of the hash', () => {
  for (const part of Object.keys(SLICE) as (keyof typeof SLICE)[])
    expect(sliceOf('0'.repeat(40), part, list)[0]).toBe(0)
  expect(sliceOf(`${'0'.repeat(32)}00000007`, 'verdicts', list)[0]).toBe(7)
})
