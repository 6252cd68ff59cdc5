import { describe, expect, test } from 'vitest'
import type { StoredTest } from '../../../../src/contract/test-run.js'
import { missingTests } from '../../../../src/core/test-results/test-merge.js'
import { expectedTests } from '../../../../src/core/test-results/expected.js'
import {
  allEntries,
  entriesByName,
  isNotLoadedOnly,
  withoutUnseen,
} from '../../../../src/core/test-results/not-loaded.js'
import { notLoaded } from '../../../../src/core/test-results/stand-ins.js'

test.each(
  // prettier-ignore
  [
  { file: 'tests/test_a.py', text: 'def test_a(): pass\n', entries: ['tests/test_a.py'] },
  { file: 'test_a.py', text: 'import unittest\nclass ATest(unittest.TestCase):\n  def test_a(self): pass\n', entries: ['test_a.py'] },
  { file: 'test_helpers.py', text: 'def helper(): pass\n', entries: [] },
  { file: 'test_windows.py', text: 'import pytest\npytestmark = pytest.mark.skipif(True)\ndef test_a(): pass\n', entries: [] },
  { file: 'a_test.py', text: 'def test_a(): pass\n', entries: [] },
  { file: 'src/a.test.ts', text: "import { test } from 'vitest'\ntest('a', () => {})\n", entries: ['src/a.test.ts'] },
  { file: 'src/a.spec.ts', text: "test('a', () => {})\n", entries: [] },
  { file: 'src/a.test.ts', text: "test.skip('a', () => {})\ntest('b', () => {})\n", entries: [] },
  { file: 'calc/calc_test.go', text: 'package calc\nfunc TestA(t *testing.T) {}\n', entries: ['calc'] },
  { file: 'calc/calc_test.go', text: '//go:build linux\npackage calc\nfunc TestA(t *testing.T) {}\n', entries: [] },
  { file: 'tests/test_big.py', text: '', entries: [] },
],
)('a suite that does not start: $file is a test: $entries', ({ file, text, entries }) =>
  expect(entriesByName([{ file, text }]).map((one) => one.file)).toEqual(entries),
)

test('two files of a Go package are one entry', () => {
  const text = 'package calc\nfunc TestA(t *testing.T) {}\n'
  expect(
    entriesByName([
      { file: 'calc/a_test.go', text },
      { file: 'calc/b_test.go', text },
    ]),
  ).toHaveLength(1)
})

describe('missing tests of the first measured run', () => {
  const text = 'def test_a(): pass\n'
  const listed = (file: string): StoredTest => notLoaded({ file, error: 'no module' })
  const ran = (file: string, status: StoredTest['status'] = 'passed'): StoredTest => ({
    file,
    test: 'test_a',
    status,
  })
  test.each(
    // prettier-ignore
    [
    { why: 'a listed file that skips everything',             entries: [listed('test_a.py'), listed('test_b.py')], now: [ran('test_a.py'), ran('test_b.py', 'skipped')], missed: ['test_b.py'] },
    { why: 'a listed file that is gone from the report',      entries: [listed('test_a.py'), listed('sub/test_b.py')], now: [ran('test_a.py')], missed: ['sub/test_b.py'] },
    { why: 'none where each of them runs a test',             entries: [listed('test_a.py'), listed('test_b.py')], now: [ran('test_a.py'), ran('test_b.py', 'failed')], missed: [] },
    { why: 'a file by name that skips everything',            entries: entriesByName([{ file: 'test_a.py', text }, { file: 'test_b.py', text }]), now: [ran('test_a.py'), ran('test_b.py', 'skipped')], missed: ['test_b.py'] },
    { why: 'a file by name that is gone from a folder of tests', entries: entriesByName([{ file: 't/test_a.py', text }, { file: 't/test_b.py', text }]), now: [ran('t/test_a.py')], missed: ['t/test_b.py'] },
    { why: 'no file by name in a folder where the runner does not look', entries: entriesByName([{ file: 't/test_a.py', text }, { file: 'examples/test_b.py', text }]), now: [ran('t/test_a.py')], missed: [] },
    { why: 'no file by name where the same commit starts the next time', entries: entriesByName([{ file: 'test_a.py', text }, { file: 'test_b.py', text }]), now: [ran('test_a.py')], commit: 'base', missed: [] },
  ],
  )('$why', ({ entries, now, missed, commit = 'fix' }) => {
    const start = { tests: entries, missing: [], commit: 'base' }
    expect(isNotLoadedOnly(start)).toBe(true)
    expect(
      missingTests(
        now,
        expectedTests([undefined, withoutUnseen(start, { tests: now, commit })]),
      ).map((one) => one.file),
    ).toEqual(missed)
  })

  test('lists each file once, and the entry of the runner wins over the one by name', () => {
    expect(
      allEntries(
        [listed('test_a.py')],
        entriesByName([
          { file: 'test_a.py', text },
          { file: 'test_b.py', text },
        ]),
      ).map(({ file, error }) => [file, error === 'no module']),
    ).toEqual([
      ['test_a.py', true],
      ['test_b.py', false],
    ])
  })
})
