import { expect, test } from 'vitest'
import { isExtended } from '../../../../src/core/test-fix/end-reason.js'

test.each([
  { why: 'the limit is the one that ends the run', limit: 3, maxIterations: 3, is: false },
  { why: 'the limit was raised since', limit: 3, maxIterations: 5, is: true },
  { why: 'another reason ends the run', limit: undefined, maxIterations: 5, is: false },
])('an extension lets a run continue: $why', ({ limit, maxIterations, is }) => {
  expect(isExtended({ limit }, { maxIterations })).toBe(is)
})
