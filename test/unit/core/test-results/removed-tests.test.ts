import { expect, test } from 'vitest'
import type { TestRun } from '../../../../src/contract/test-run.js'
import { meantRemovals } from '../../../../src/core/test-results/removed-tests.js'

const run = {
  kind: 'measured',
  comparison: {
    removed: [
      { file: 'a.test.ts', passed: true, total: 3, tests: ['adds', 'sums > removed items', 'old'] },
      { file: 'b.test.ts', passed: true, total: 1, tests: ['adds'] },
    ],
  },
} as unknown as TestRun

test.each([
  ['a.test.ts', 3],
  ['a.test.ts (obsolete)', 3],
  ['a.test.ts: replaced by c.test.ts', 3],
  ['a.test.ts: all of it, replaced by c.test.ts', 3],
  ['a.test.ts - replaced', 3],
  ['a.test.ts is obsolete', 3],
  ['`a.test.ts`', 3],
  ['`a.test.ts` (obsolete)', 3],
  ['a.test.ts > adds', 1],
  ['`a.test.ts > adds`', 1],
  ['a.test.ts: adds', 1],
  ['a.test.ts > adds (obsolete)', 1],
  ['a.test.ts: removed items', 1],
  ['old - replaced', 1],
  ['adds', 2],
  // Words that are no title and no reason.
  ['a.test.ts > divides', 0],
  ['a.test.ts: divides', 0],
  ['a.test.ts > replaced', 0],
  ['(obsolete)', 0],
])('%s names %i', (entry, total) => {
  expect(meantRemovals(run, [entry]).total).toBe(total)
})
