import { describe, expect, test } from 'vitest'
import type { StoredTest } from '../../../../src/contract/test-run.js'
import {
  listedAgain,
  mayBeUnstable,
  runWithStableNames,
  withStableNames,
} from '../../../../src/core/test-results/stable-names.js'
import { notLoaded } from '../../../../src/core/test-results/stand-ins.js'

/** `name: status` in file `f`, or `file/name: status`. */
const run = (...lines: string[]): StoredTest[] =>
  lines.map((line) => {
    const [id = '', status = 'passed'] = line.split(': ')
    const [file = '', name = ''] = id.includes('/') ? id.split('/') : ['f', id]
    return { file, test: name, status: status as StoredTest['status'] }
  })
const told = (tests: readonly StoredTest[]) =>
  tests.map((one) => `${one.test.replace('(name differs from run to run) ', '#')}: ${one.status}`)

test.each(
  // prettier-ignore
  [
  { why: 'the same names', first: ['a', 'b'], second: ['a', 'b'], says: [{ file: 'f' }] },
  { why: 'one name is not there again', first: ['a', 'b 1'], second: ['a', 'b 2'], says: [{ file: 'f', stable: ['a'] }] },
  { why: 'no name is there again', first: ['b 1'], second: ['b 2'], says: [{ file: 'f', stable: [] }] },
  { why: 'a new name with the same others', first: ['a'], second: ['a', 'b'], says: [{ file: 'f' }] },
  { why: 'the file runs no test', first: ['a', 'b'], second: ['g/a'], says: [{ file: 'f' }] },
  { why: 'a name that two listings had by chance', known: [{ file: 'f', stable: ['a', 'b 1'] }], first: ['a', '(name differs from run to run) 1'], second: ['a', 'b 2'], says: [{ file: 'f', stable: ['a'] }] },
],
)('two listings of a file: $why', ({ first, second, says, known = [] }) =>
  expect(listedAgain(known, ['f'], run(...first), run(...second))).toEqual(says),
)

test('a file is listed again while some of its names are unstable', () => {
  expect(
    ['f', 'g', 'h'].map((file) => mayBeUnstable([{ file: 'f' }, { file: 'g', stable: [] }], file)),
  ).toEqual([false, true, true])
})

describe('tests with unstable names', () => {
  const listings = [{ file: 'f', stable: ['a'] }]
  test.each(
    // prettier-ignore
    [
    { why: 'are numbered by how they ended', tests: ['x9: failed', 'a: failed', 'x7: passed', 'x8: skipped', 'x6: flaky'], sum: ['a: failed', '#1: passed', '#2: flaky', '#3: failed', '#4: skipped'] },
    { why: 'of another file keep their names', tests: ['g/x: failed'], sum: ['x: failed'] },
    { why: 'that have numbers keep them', tests: ['(name differs from run to run) 2: passed', '(name differs from run to run) 1: failed'], sum: ['#2: passed', '#1: failed'] },
  ],
  )('$why', ({ tests, sum }) => expect(told(withStableNames(run(...tests), listings))).toEqual(sum))

  test('have their name in the error, behind a blank line', () => {
    expect(
      withStableNames(
        [{ file: 'f', test: 'x 0.3', status: 'failed', error: 'Error: no' }],
        listings,
      )[0]?.error,
    ).toBe('Error: no\n\nits name in this run: x 0.3')
  })

  test('the entry of a file that does not load is none of them', () => {
    const entry = notLoaded({ file: 'f', error: 'no' })
    expect(withStableNames([entry], listings)).toEqual([entry])
  })

  test('a stored run loses what it knows of unstable names', () => {
    const memory = ['a', 'x 1'].map((name) => ({ file: 'f', test: name, streak: 1 }))
    const stored = {
      schema: 1 as const,
      commit: 'c',
      runner: 'pytest',
      tests: run('a: failed'),
      missing: [{ file: 'f', test: 'x 1', error: '', missing: true }],
      memory,
    }
    expect(runWithStableNames(stored, listings)).toMatchObject({
      missing: [],
      memory: [{ test: 'a' }],
    })
  })
})
