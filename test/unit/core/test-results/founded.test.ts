import { expect, test } from 'vitest'
import type { StoredTest } from '../../../../src/contract/test-run.js'
import { foundedOn } from '../../../../src/core/test-results/founded.js'

const tests = (...lines: string[]): StoredTest[] =>
  lines.map((line) => ({
    file: 'f',
    test: line.split(': ')[0] ?? '',
    status: line.split(': ')[1] as StoredTest['status'],
  }))

test.each(
  // prettier-ignore
  [
  { why: 'a written test is one of the baseline', baseline: ['a: passed'], now: ['a: passed', 'new: passed'], founded: ['a: passed', 'new: passed'] },
  { why: 'a written test that fails, too', baseline: ['a: passed'], now: ['a: passed', 'new: failed'], founded: ['a: passed', 'new: failed'] },
  { why: 'a test that passed before and fails now passed at the baseline', baseline: ['a: passed'], now: ['a: failed'], founded: ['a: passed'] },
  { why: 'a test that failed before and passes now does, too', baseline: ['a: failed'], now: ['a: passed'], founded: ['a: passed'] },
  { why: 'a test that is gone stays in the baseline', baseline: ['a: passed', 'b: passed'], now: ['a: passed'], founded: ['a: passed', 'b: passed'] },
],
)('$why', ({ baseline, now, founded }) => {
  const run = {
    schema: 1 as const,
    commit: 'base',
    runner: 'r',
    tests: tests(...baseline),
    missing: [],
  }
  expect(foundedOn(run, { tests: tests(...now) })).toEqual({ ...run, tests: tests(...founded) })
})
