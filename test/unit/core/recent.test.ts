// A map with a limit forgets what was set longest ago.
import { expect, test } from 'vitest'
import { Recent } from '../../../src/core/recent.js'

test('of more entries than the limit those that were set longest ago are forgotten', () => {
  const recent = new Recent<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  recent.set('a', 3)
  recent.set('c', 4)
  expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([3, undefined, 4])
})

test('a deleted entry leaves room for another', () => {
  const recent = new Recent<number>(1)
  recent.set('a', 1)
  recent.delete('a')
  recent.set('b', 2)
  expect([recent.get('a'), recent.get('b')]).toEqual([undefined, 2])
})
