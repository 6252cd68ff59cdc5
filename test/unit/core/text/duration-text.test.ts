import { expect, test } from 'vitest'
import { durationText } from '../../../../src/core/text/duration-text.js'

test.each([
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m 00s'],
  [3_599_000, '59m 59s'],
  [3_600_000, '1h 00m'],
  [90_000_000, '25h 00m'],
  [-5, '0s'],
])('%i ms are %s', (ms, text) => expect(durationText(ms)).toBe(text))
