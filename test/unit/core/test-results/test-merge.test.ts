import { describe, expect, test } from 'vitest'
import type { StoredTest } from '../../../../src/contract/test-run.js'
import {
  countTests,
  failuresOf,
  fingerprintText,
  mergeRerun,
  missingTests,
} from '../../../../src/core/test-results/test-merge.js'

/** `name: status` in file `f`, or `file/name: status`. */
const run = (...lines: string[]): StoredTest[] =>
  lines.map((line) => {
    const [id = '', status = ''] = line.split(': ')
    const [file, name] = id.includes('/') ? id.split('/') : ['f', id]
    return { file: file ?? '', test: name ?? '', status: status as StoredTest['status'] }
  })
const told = (tests: StoredTest[]) =>
  tests.map((t) => `${t.file === 'f' ? '' : `${t.file}/`}${t.test}: ${t.status}`)

describe('flaky is failed, then passed on re-run', () => {
  test.each<{ why: string; first: string[]; again: string[]; earlier?: string[]; sum: string[] }>(
    // prettier-ignore
    [
    { why: 'failed then passed', first: ['a: failed'], again: ['a: passed'], sum: ['a: flaky'] },
    { why: 'failed twice', first: ['a: failed'], again: ['a: failed'], sum: ['a: failed'] },
    { why: 'not in the re-run', first: ['a: failed', 'b: passed'], again: ['b: passed'], sum: ['a: failed', 'b: passed'] },
    { why: 'skipped in the re-run', first: ['a: failed'], again: ['a: skipped'], sum: ['a: failed'] },
    { why: 'passed, then failed in the re-run of its file', first: ['a: passed'], again: ['a: failed'], sum: ['a: passed'] },
    { why: 'the same, and it passed before', first: ['a: passed'], again: ['a: failed'], earlier: ['a: passed'], sum: ['a: passed'] },
    { why: 'the same, and it failed before', first: ['a: passed'], again: ['a: failed'], earlier: ['a: failed'], sum: ['a: flaky'] },
    { why: 'the same, and it is new', first: ['a: passed'], again: ['a: failed'], earlier: ['b: passed'], sum: ['a: flaky'] },
    { why: 'the same name in another file', first: ['a: failed'], again: ['g/a: passed'], sum: ['a: failed'] },
    { why: 'flaky stays flaky', first: ['a: flaky'], again: ['a: failed'], sum: ['a: flaky'] },
    { why: 'a set-up that failed once', first: ['s: failed', 's > x: skipped', 'y: skipped'], again: ['s > x: passed', 'y: skipped'], sum: ['s: flaky', 's > x: flaky', 'y: skipped'] },
    { why: 'a file that loaded the second time: its tests are known from there', first: ['f/(could not be loaded): failed'], again: ['f/x: passed', 'f/y: failed', 'g/z: passed'], sum: ['(could not be loaded): flaky', 'x: passed', 'y: failed'] },
    { why: 'a file that loads and skips everything', first: ['f/(could not be loaded): failed'], again: ['f/x: skipped'], sum: ['(could not be loaded): failed'] },
    { why: 'an error outside of any test that came once', first: ['f/(error outside of any test): failed', 'x: passed'], again: ['x: passed'], sum: ['(error outside of any test): flaky', 'x: passed'] },
    { why: 'a fixed set-up with a failing test', first: ['s: failed', 's > x: skipped'], again: ['s > x: failed'], sum: ['s: failed', 's > x: skipped'] },
  ],
  )('$why -> $sum', ({ first, again, earlier, sum }) =>
    expect(told(mergeRerun(run(...first), run(...again), earlier && run(...earlier)))).toEqual(sum),
  )
})

describe('baseline tests that are missing or skipped now', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'passed there, missing now', baseline: ['a: passed'], now: ['b: passed'], missing: ['a'] },
    { why: 'failed there, missing now', baseline: ['a: failed'], now: ['b: passed'], missing: ['a'] },
    { why: 'flaky there, skipped now', baseline: ['a: flaky'], now: ['a: skipped'], missing: ['a'] },
    { why: 'skipped there, missing now', baseline: ['a: skipped'], now: [], missing: [] },
    { why: 'skipped in both', baseline: ['a: skipped'], now: ['a: skipped'], missing: [] },
    { why: 'failed now', baseline: ['a: passed'], now: ['a: failed'], missing: [] },
    { why: 'moved to another file', baseline: ['a: passed'], now: ['g/a: passed'], missing: ['a'] },
    { why: 'the fixed set-up of a suite', baseline: ['s: failed', 's > x: skipped'], now: ['s > x: passed'], missing: [] },
    { why: 'the fixed hook of a file', baseline: ['f: failed', 'x: passed'], now: ['x: passed'], missing: [] },
    { why: 'the failed set-up of a suite whose tests are skipped now', baseline: ['s: failed', 's > x: skipped'], now: ['s > x: skipped'], missing: ['s'] },
    { why: 'the failed set-up of a suite, and none of its tests', baseline: ['s: failed', 's > x: skipped'], now: ['y: passed'], missing: ['s'] },
    { why: 'a file that loads again', baseline: ['f/(could not be loaded): failed'], now: ['f/x: passed'], missing: [] },
    { why: 'a file that loads again, and whose only test fails', baseline: ['f/(could not be loaded): failed'], now: ['f/x: failed'], missing: [] },
    { why: 'a file that still does not load', baseline: ['f/(could not be loaded): failed'], now: ['f/(could not be loaded): failed', 'g/x: passed'], missing: [] },
    { why: 'a file that skips everything instead', baseline: ['f/(could not be loaded): failed'], now: ['f/x: skipped', 'g/x: passed'], missing: ['(could not be loaded)'] },
    { why: 'a file that is left out instead', baseline: ['f/(could not be loaded): failed'], now: ['g/x: passed'], missing: ['(could not be loaded)'] },
    { why: 'a file that was flaky in loading', baseline: ['f/(could not be loaded): flaky', 'f/x: passed'], now: ['f/x: passed'], missing: [] },
    { why: 'an error outside of any test that is gone', baseline: ['f/(error outside of any test): failed', 'f/x: passed'], now: ['f/x: passed'], missing: [] },
    { why: 'a passed test whose name another begins with', baseline: ['s: passed', 's > x: passed'], now: ['s > x: passed'], missing: ['s'] },
  ],
  )('$why -> $missing', ({ baseline, now, missing }) =>
    expect(missingTests(run(...now), run(...baseline)).map((f) => f.test)).toEqual(missing),
  )

  test('counts: total without skipped but with missing, flaky as passed, a missing one not skipped as well', () => {
    const now = run('a: passed', 'b: failed', 'c: skipped', 'd: flaky', 'e: skipped')
    const missing = missingTests(now, run('c: passed', 'z: passed'))
    expect(countTests(now, missing)).toEqual({
      total: 5,
      passed: 2,
      failed: 3,
      skipped: 1,
      flaky: 1,
    })
    expect(failuresOf(now, missing, (e) => e).map((f) => f.test)).toEqual(['b', 'c', 'z'])
  })
})

describe('the fingerprint is the same for the same failures', () => {
  const of = (...errors: string[]) =>
    fingerprintText(errors.map((error, n) => ({ file: 'f', test: `t${n}`, error })))
  test.each([
    ['numbers', 'took 12.5 ms', 'took 7 ms'],
    ['addresses', 'at 0x7f0A12', 'at 0xdeadBEEF'],
    ['temporary paths', "no '/tmp/a-1/x.txt'", "no '/tmp/b/y.log'"],
    ['lines after the first', 'boo\n at a', 'boo\n at b'],
  ])('for any %s', (_what, one, two) => expect(of(one)).toBe(of(two)))
  test('the order does not count, the words, names and number of failures do', () => {
    const [a, b] = [
      { file: 'f', test: 'a', error: 'x' },
      { file: 'f', test: 'b', error: 'y' },
    ]
    expect(fingerprintText([a, b])).toBe(fingerprintText([b, a]))
    expect(new Set([of('x'), of('y'), of('x', 'x'), fingerprintText([a])]).size).toBe(4)
  })
})
