import { expect, test } from 'vitest'
import { knownBefore } from '../../../../src/core/run/known-before.js'

const FAILURE = { test: 'adds', file: 'a.test.ts', error: 'wrong' }

test.each(
  // prettier-ignore
  [
  { why: 'the first run',             run: { isStart: true as const, total: 3, passed: 1, failures: [FAILURE] }, known: { total: 2, tests: ['a.test.ts > adds'], differently: 0 } },
  { why: 'the first run, all pass',   run: { isStart: true as const, total: 3, passed: 3, failures: [] },        known: undefined },
  { why: 'a later run',               run: { total: 3, passed: 2, failures: [FAILURE] },                         known: undefined },
],
)('$why', ({ run, known }) => expect(knownBefore(run)).toEqual(known))
