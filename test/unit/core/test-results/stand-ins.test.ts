import { describe, expect, test } from 'vitest'
import type { StoredTest } from '../../../../src/contract/test-run.js'
import { compareRuns } from '../../../../src/core/test-results/compare-runs.js'
import { mergeSameCommit, missingTests } from '../../../../src/core/test-results/test-merge.js'
import { expectedTests } from '../../../../src/core/test-results/expected.js'
import {
  ERROR_OUTSIDE,
  hasRun,
  isStandIn,
  notLoaded,
} from '../../../../src/core/test-results/stand-ins.js'

const ran = (file: string, status: StoredTest['status'] = 'passed'): StoredTest => ({
  file,
  test: 'x',
  status,
})

test.each(
  // prettier-ignore
  [
  { why: 'the file itself', file: 'a.test.js', tests: [ran('a.test.js')], says: true },
  { why: 'a test that fails', file: 'a.test.js', tests: [ran('a.test.js', 'failed')], says: true },
  { why: 'only skipped tests', file: 'a.test.js', tests: [ran('a.test.js', 'skipped')], says: false },
  { why: 'only its entry', file: 'a.test.js', tests: [notLoaded({ file: 'a.test.js', error: '' })], says: false },
  { why: 'a file of that name elsewhere', file: 'a.test.js', tests: [ran('sub/a.test.js')], says: false },
  { why: 'a directory of pytest, below it too', file: 'sub', tests: [ran('sub/deep/test_a.py')], says: true },
  { why: 'a package of Go', file: 'extra', tests: [ran('extra/extra_test.go')], says: true },
  { why: 'a package of Go below it', file: 'extra', tests: [ran('extra/deep/deep_test.go')], says: false },
  { why: 'the package of Go at the root', file: '.', tests: [ran('a_test.go')], says: true },
  { why: 'a package of Go whose files are not known', file: 'extra', tests: [ran('example.com/x/extra')], says: true },
],
)('whether a test of a file ran: $why', ({ file, tests, says }) =>
  expect(hasRun(file, tests)).toBe(says),
)

test.each([
  ['(could not be loaded)', true],
  ['(error outside of any test)', true],
  ['(error outside of any test) (2)', true],
  ['adds (2)', false],
])('"%s" stands for no test: %s', (name, says) =>
  expect(isStandIn({ file: 'a', test: name })).toBe(says),
)

test('two runs of one commit, of which one could not load a file: it is flaky', () => {
  const [entry, passes] = [notLoaded({ file: 'f', error: 'no' }), ran('f')]
  expect(
    mergeSameCommit([entry], [passes]).map(({ test: name, status }) => [name, status]),
  ).toEqual([
    ['(could not be loaded)', 'flaky'],
    ['x', 'passed'],
  ])
  expect(
    mergeSameCommit([passes], [entry]).map(({ test: name, status }) => [name, status]),
  ).toEqual([
    ['x', 'passed'],
    ['(could not be loaded)', 'flaky'],
  ])
})

describe('against the run of the tip', () => {
  const entry = notLoaded({ file: 'f', error: 'no module' })
  const unbuilt: StoredTest = { file: 'f', test: ERROR_OUTSIDE, status: 'failed', error: 'no' }
  const compared = (before: StoredTest[], tests: StoredTest[], atBest: StoredTest[]) => {
    const now = {
      tests,
      missing: missingTests(
        tests,
        expectedTests([
          { tests: before, missing: [] },
          { tests: atBest, missing: [] },
        ]),
      ),
    }
    const [run, best] = [
      { tests: before, missing: [] },
      { tests: atBest, missing: [] },
    ]
    return compareRuns({
      now,
      baseline: run,
      before: run,
      best,
      lastKept: true,
      claims: [],
      rules: [],
      fingerprint: '',
      size: 1,
    }).comparison
  }
  type Row = {
    why: string
    before: StoredTest[]
    best?: StoredTest[]
    now: StoredTest[]
    repaired: number
    broken: number
    failing: number
  }
  test.each<Row>(
    // prettier-ignore
    [
    { why: 'a file loads again: repaired', before: [entry, ran('g')], now: [ran('f'), ran('g')], repaired: 1, broken: 0, failing: 0 },
    { why: 'a file loads again, its test fails: repaired all the same', before: [entry, ran('g')], now: [ran('f', 'failed'), ran('g')], repaired: 1, broken: 0, failing: 1 },
    { why: 'a file runs no test instead: not repaired', before: [entry, ran('g')], now: [ran('f', 'skipped'), ran('g')], repaired: 0, broken: 0, failing: 1 },
    { why: 'a file no longer loads: its tests are broken, and the entry fails', before: [ran('f'), ran('g')], now: [entry, ran('g')], repaired: 0, broken: 1, failing: 2 },
    { why: 'a file that loaded before the tip runs no test: one failure, and not repaired', before: [entry, ran('g')], best: [ran('f'), ran('g')], now: [ran('f', 'skipped'), ran('g')], repaired: 0, broken: 0, failing: 1 },
    { why: 'a package without tests builds again: repaired, and nothing is left of it', before: [unbuilt, ran('g')], now: [ran('g')], repaired: 1, broken: 0, failing: 0 },
    { why: 'a package without tests does not build still: one failure', before: [unbuilt, ran('g')], now: [unbuilt, ran('g')], repaired: 0, broken: 0, failing: 1 },
    { why: 'a package that did not build is without its tests: both fail', before: [entry, ran('g')], now: [unbuilt, ran('g')], repaired: 0, broken: 0, failing: 2 },
    { why: 'a package without its tests builds again: it runs no test', before: [entry, ran('g')], now: [ran('g')], repaired: 0, broken: 0, failing: 1 },
    { why: 'a package lost its tests, then did not build, then builds: its tests are missing', before: [unbuilt, ran('g')], best: [ran('f'), ran('g')], now: [ran('g')], repaired: 1, broken: 0, failing: 1 },
  ],
  )('$why', ({ before, best = before, now, repaired, broken, failing }) =>
    expect(compared(before, now, best)).toMatchObject({ repaired, broken, counts: { failing } }),
  )
})
