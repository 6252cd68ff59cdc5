// The progress of a test run in words, with the total of the runner, of the last run, or none.
import { expect, test } from 'vitest'
import {
  counted,
  countedWords,
  sizeOf,
  sizeOfPart,
} from '../../../../src/core/test-progress/counted.js'

const tests = { unit: 'tests' as const, failed: 0 }
const files = { unit: 'files' as const, failed: 0 }
const last = { tests: 247, files: 40 }

test.each(
  // prettier-ignore
  [
  { why: 'the runner reports the total', runner: 'pytest', told: { ...tests, done: 83, total: 247, failed: 2 }, last: { tests: 9, files: 9 }, words: 'pytest: 83 of 247, 2 failed' },
  { why: 'the total comes before the first test ends', runner: 'pytest', told: { ...tests, done: 0, total: 247 }, last: undefined, words: 'pytest: 0 of 247' },
  { why: 'the last run had so many tests', runner: 'vitest', told: { ...tests, done: 83 }, last, words: 'vitest: 83 of about 247' },
  { why: 'the last run had so many files', runner: 'jest', told: { ...files, done: 12, failed: 1 }, last, words: 'jest: 12 of about 40 files, 1 failed' },
  { why: 'there are more tests than in the last run', runner: 'go', told: { ...tests, done: 248 }, last, words: 'go: 248 tests' },
  { why: 'the total is unknown', runner: 'jest', told: { ...files, done: 12 }, last: undefined, words: 'jest: 12 files' },
  { why: 'one', runner: 'node', told: { ...tests, done: 1, failed: 1 }, last: undefined, words: 'node: 1 test, 1 failed' },
  { why: 'nothing has ended, nothing is known', runner: 'go', told: { ...tests, done: 0 }, last: undefined, words: undefined },
  { why: 'the last run had none', runner: 'go', told: { ...tests, done: 0 }, last: { tests: 0, files: 0 }, words: undefined },
],
)('issue 8: $why -> $words', ({ runner, told, last, words }) =>
  expect(countedWords(counted(runner, told, last))).toBe(words),
)

test.each([
  undefined,
  null,
  7,
  'pytest: 3',
  {},
  { runner: 'go', unit: 'lines', done: 1, failed: 0 },
  { runner: 'go', unit: 'tests', done: -1, failed: 0 },
  { runner: 'x'.repeat(99), unit: 'tests', done: 1, failed: 0 },
])('no words for an invalid count: %j', (value) => expect(countedWords(value)).toBeUndefined())

test('the size of a suite is its tests and their files', () =>
  expect(sizeOf([{ file: 'a' }, { file: 'b' }, { file: 'a' }])).toEqual({ tests: 3, files: 2 }))

const SUITE = ['a/x_test.go', 'a/x_test.go', 'a/y_test.go', 'z_test.go'].map((file) => ({ file }))

test.each(
  // prettier-ignore
  [
  { why: 'the tests of the files that are named', files: ['a/x_test.go'], runner: 'vitest', size: { tests: 2, files: 1 } },
  { why: 'the packages of them, for go', files: ['a/x_test.go'], runner: 'go', size: { tests: 3, files: 2 } },
  { why: 'the package at the top, for go', files: ['z_test.go'], runner: 'go', size: { tests: 1, files: 1 } },
  { why: 'all without a file name', files: [], runner: 'jest', size: { tests: 4, files: 3 } },
  { why: 'nothing for unknown files', files: ['b.test.js'], runner: 'jest', size: { tests: 0, files: 0 } },
],
)('what runs again: $why', ({ files, runner, size }) =>
  expect(sizeOfPart(SUITE, files, runner)).toEqual(size),
)
