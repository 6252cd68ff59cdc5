import { expect, test } from 'vitest'
import { acceptDegraded } from '../../../src/core/degraded.js'

test.each([
  { why: 'iteration 1 has nothing to have improved on', iteration: 1, improved: false, accepted: true },
  { why: 'iteration 2, improved',                       iteration: 2, improved: true,  accepted: true },
  { why: 'iteration 2, stagnant',                       iteration: 2, improved: false, accepted: false },
  { why: 'iteration 3, though improved',                iteration: 3, improved: true,  accepted: false },
  { why: 'iteration 3, stagnant',                       iteration: 3, improved: false, accepted: false },
])('ccw §3.7 trap 9, degraded analysis: $why', ({ why: _, accepted, ...facts }) => expect(acceptDegraded(facts)).toBe(accepted))
