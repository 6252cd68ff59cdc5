import { expect, test } from 'vitest'
import { Duration, durationProblem } from '../../../src/contract/duration.js'

test.each([
  ['30s', 30_000],
  ['10m', 600_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
])('%s is %d ms', (text, ms) => expect(Duration.parse(text)).toBe(ms))

test.each([
  [30, 'needs a unit'],
  ['30', 'needs a unit'],
  ['x', 'must be a number'],
  ['0s', 'more than 0'],
  ['-1s', 'must be a number'],
  [null, 'must be a number'],
  ['1d', 'must be a number'],
])('%j is refused: %s', (value, why) => {
  expect(durationProblem(value)).toContain(why)
  expect(Duration.safeParse(value).success).toBe(false)
})
