import { expect, test } from 'vitest'
import type { Comparison, TestRun } from '../../../../src/contract/test-run.js'
import { brokenTests, WHOLE_SUITE } from '../../../../src/core/dev-cycle/broken-tests.js'
import { compared, measured, notStarted } from '../../../support/test-runs.js'

function ran(brokenSinceBaseline: string[], rest: Partial<Comparison> = {}): TestRun {
  const broken = brokenSinceBaseline.length
  const counts = { baselinePassing: 5 - broken, broken, passing: 5 - broken, failing: broken }
  return measured(5 - broken, 5, { comparison: compared({ counts, brokenSinceBaseline, ...rest }) })
}
const removed = [{ file: 'a.test.ts', passed: true, total: 1, tests: ['adds'] }]
const many = { baselinePassing: 0, broken: 2, passing: 0, failing: 2 }

test.each<{
  why: string
  run: TestRun | undefined
  commits?: string[]
  hadBaseline?: boolean
  meant?: string[]
  broken: string[]
}>(
  // prettier-ignore
  [
  { why: 'no test run',                              run: undefined,                                                    broken: [] },
  { why: 'the first run, which compares nothing',    run: measured(3, 5),                                               broken: [] },
  { why: 'nothing is broken',                        run: ran([]),                                                      broken: [] },
  { why: 'a test fails or is missing',               run: ran(['a.test.ts > adds']),                                    broken: ['a.test.ts > adds'] },
  { why: 'nothing was committed',                    run: ran(['a.test.ts > adds']), commits: [],                       broken: [] },
  { why: 'a test is gone, and that was meant',       run: ran(['a.test.ts > adds'], { removed }), meant: ['a.test.ts'], broken: [] },
  { why: 'a test is gone, and no validation says so', run: ran(['a.test.ts > adds'], { removed }),                      broken: ['a.test.ts > adds'] },
  { why: 'one was meant, another one fails',         run: ran(['a.test.ts > adds', 'b.test.ts > adds'], { removed }), meant: ['a.test.ts > adds'], broken: ['b.test.ts > adds'] },
  { why: 'the one that fails is not in the list',    run: ran(['a.test.ts > adds'], { removed, counts: many }), meant: ['a.test.ts'], broken: ['a.test.ts > adds'] },
  { why: 'the suite ran before and does not now',    run: notStarted(),                                                 broken: [WHOLE_SUITE] },
  { why: 'the suite has never run',                  run: notStarted(), hadBaseline: false,                             broken: [] },
],
)('$why', ({ run, commits = ['c1'], hadBaseline = true, meant = [], broken }) =>
  expect(brokenTests({ run, commits, hadBaseline, removed: meant })).toEqual(broken),
)
