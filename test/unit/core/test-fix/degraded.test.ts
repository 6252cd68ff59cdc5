import { expect, test } from 'vitest'
import { degradedVerdict } from '../../../../src/core/test-fix/degraded.js'

test.each(
  // prettier-ignore
  [
  { why: 'iteration 1 has nothing to build on',              iteration: 1, progress: false, inARow: 0, verdict: 'accept' },
  { why: 'after progress',                                   iteration: 2, progress: true,  inARow: 0, verdict: 'accept' },
  { why: 'after progress, however late',                     iteration: 9, progress: true,  inARow: 0, verdict: 'accept' },
  { why: 'without progress the iteration is spent',          iteration: 2, progress: false, inARow: 0, verdict: 'spend' },
  { why: 'the second in a row without progress blocks',      iteration: 2, progress: false, inARow: 1, verdict: 'block' },
  { why: 'and so does a later one',                          iteration: 7, progress: false, inARow: 1, verdict: 'block' },
  { why: 'progress in between starts again',                 iteration: 7, progress: true,  inARow: 1, verdict: 'accept' },
],
)('a degraded analysis: $why', ({ why: _, verdict, ...facts }) =>
  expect(degradedVerdict(facts)).toBe(verdict),
)
