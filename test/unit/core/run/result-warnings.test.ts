// Warnings in the result of a run.
import { expect, test } from 'vitest'
import { resultWarnings } from '../../../../src/core/run/result-warnings.js'

test('all of them, if they fit', () => {
  expect(resultWarnings()).toEqual([])
  expect(resultWarnings(['a', 'b'])).toEqual(['a', 'b'])
})

test('the newest of many long ones, and how many are only in the record', () => {
  const kept = resultWarnings(Array.from({ length: 30 }, (_, n) => `${n} ${'日'.repeat(490)}`))
  expect(kept).toHaveLength(5)
  expect(kept[0]).toBe('26 earlier warnings are in the record')
  expect(kept.at(-1)).toMatch(/^29 /)
  expect(resultWarnings(['日'.repeat(2_000), 'b'])).toEqual([
    '1 earlier warning is in the record',
    'b',
  ])
})
