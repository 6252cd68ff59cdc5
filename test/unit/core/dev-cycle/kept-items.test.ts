import { expect, test } from 'vitest'
import { keptItems } from '../../../../src/core/dev-cycle/kept-items.js'

const LOW = Array.from({ length: 12 }, (_, n) => `[low] remark ${n}`)

test('a list that fits keeps its order', () => {
  expect(keptItems(['[low] a', ' [high]  b', '', '[low] a'])).toEqual(['[low] a', '[high] b'])
})

test('of a longer list the most severe items are kept, each rank in its order', () => {
  expect(keptItems([...LOW, 'c', '[high] b', 'd'], 5)).toEqual([
    '[high] b',
    'c',
    'd',
    '[low] remark 0',
    '[low] remark 1',
  ])
})
