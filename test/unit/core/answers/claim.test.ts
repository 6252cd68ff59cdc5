import { expect, test } from 'vitest'
import { claimedRate } from '../../../../src/core/answers/claim.js'

test.each([
  { text: 'All tests pass now.', rate: 100 },
  { text: 'I ran them: 100% of tests pass', rate: 100 },
  { text: 'all 12 tests are now passing', rate: 100 },
  { text: 'Every test passes.', rate: 100 },
  { text: 'pass rate: 97.5 %', rate: 97.5 },
  { text: '8/10 tests pass', rate: 80 },
  { text: '3 of 4 tests now passing', rate: 75 },
  { text: 'Tests are all green.', rate: 100 },
  { text: 'I fixed the rounding.', rate: undefined },
  { text: 'Coverage is 100 %.', rate: undefined },
  { text: '0/0 tests pass', rate: undefined },
])('a claim in $text is read as $rate', ({ text, rate }) => expect(claimedRate(text)).toBe(rate))
