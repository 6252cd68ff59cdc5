import { describe, expect, test } from 'vitest'
import type { StoredTest } from '../../../../src/contract/test-run.js'
import { missingTests } from '../../../../src/core/test-results/test-merge.js'
import { expectedTests } from '../../../../src/core/test-results/expected.js'

/** `file/name: status`; a missing one by its id alone. */
const results = (...lines: string[]) => {
  const all = lines.map((line) => {
    const [id = '', status] = line.split(': ')
    const [file = '', name = ''] = id.split('/')
    return { file, test: name, status }
  })
  return {
    tests: all.filter(({ status }) => status !== undefined) as StoredTest[],
    missing: all
      .filter(({ status }) => status === undefined)
      .map(({ file, test: name }) => ({ file, test: name, error: '', missing: true })),
  }
}

describe('missing tests of a run', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'one that the baseline ran',                          baseline: ['f/a: passed'], before: ['f/a: passed'], best: [], now: ['f/b: passed'], missed: ['a'] },
    { why: 'one that only the tip ran',                          baseline: ['f/a: passed'], before: ['f/a: passed', 'f/new: passed'], best: [], now: ['f/a: passed'], missed: ['new'] },
    { why: 'one that only the tip ran, skipped now',             baseline: ['f/a: passed'], before: ['f/a: passed', 'f/new: failed'], best: [], now: ['f/a: passed', 'f/new: skipped'], missed: ['new'] },
    { why: 'one that only the best state ran',                   baseline: ['f/a: passed'], before: ['f/a: passed'], best: ['f/a: passed', 'f/new: passed'], now: ['f/a: passed'], missed: ['new'] },
    { why: 'one that the tip missed already',                    baseline: ['f/a: passed'], before: ['f/a: passed', 'f/new'], best: [], now: ['f/a: passed'], missed: ['new'] },
    { why: 'one that the tip missed and that is back',           baseline: ['f/a: passed'], before: ['f/a: passed', 'f/new'], best: [], now: ['f/a: passed', 'f/new: passed'], missed: [] },
    { why: 'one that was skipped at the baseline and ran later', baseline: ['f/a: skipped'], before: ['f/a: passed'], best: [], now: ['f/b: passed'], missed: ['a'] },
    { why: 'none that was skipped in all of them',               baseline: ['f/a: skipped'], before: ['f/a: skipped'], best: [], now: ['f/b: passed'], missed: [] },
    { why: 'a file that loaded on the tip and skips everything now', baseline: ['f/(could not be loaded): failed', 'g/x: passed'], before: ['f/a: passed', 'g/x: passed'], best: [], now: ['f/a: skipped', 'g/x: passed'], missed: ['a'] },
    { why: 'the same of a file that is left out, with two tests', baseline: ['f/(could not be loaded): failed', 'g/x: passed'], before: ['f/a: passed', 'f/b: failed', 'g/x: passed'], best: [], now: ['g/x: passed'], missed: ['a', 'b'] },
    { why: 'a file that did not load on the tip and skips everything now', baseline: ['g/x: passed'], before: ['f/(could not be loaded): failed', 'g/x: passed'], best: [], now: ['g/x: passed'], missed: ['(could not be loaded)'] },
  ],
  )('$why -> $missed', ({ baseline, before, best, now, missed }) => {
    expect(
      missingTests(
        results(...now).tests,
        expectedTests([
          results(...baseline),
          results(...before),
          best.length === 0 ? undefined : results(...best),
        ]),
      ).map((one) => one.test),
    ).toEqual(missed)
  })
})
