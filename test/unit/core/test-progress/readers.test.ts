// The progress of a run, read from outputs of real runners without a terminal. Only the output of
// nextest is made up, from nexte.st "Running tests". The small projects behind the outputs: seven
// kinds of endings and seventy tests that print "collected 7 items" for pytest; five files for
// vitest, one of which cannot be loaded.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { lines } from '../../../../src/core/test-progress/lines.js'
import { readerFor, type Told } from '../../../../src/core/test-progress/readers.js'

const output = (name: string) =>
  readFileSync(path.join(import.meta.dirname, 'outputs', name), 'utf8')

/** The progress read from a text that arrives in pieces of this many characters. */
function toldOf(runner: string, text: string, piece = 7): Told {
  const reader = readerFor(runner)
  if (reader === undefined) throw new Error(`nothing is known of ${runner}`)
  const read = lines((line) => reader.line(line))
  for (let at = 0; at < text.length; at += piece) read.write(text.slice(at, at + piece))
  return reader.told(read.unfinished())
}
const upTo = (text: string, mark: string): string => {
  const at = text.indexOf(mark)
  if (at === -1) throw new Error(`no ${mark}`)
  return text.slice(0, at + mark.length)
}

// `half`: the progress when the output was at `mark`.
test.each(
  // prettier-ignore
  [
  { runner: 'pytest', of: 'pytest-9.txt', whole: { done: 77, failed: 3, total: 77 }, mark: '.FsxE', half: { done: 5, failed: 2, total: 77 } },
  { runner: 'pytest', of: 'pytest-9-q.txt', whole: { done: 78, failed: 3 }, mark: '[ 93%]', half: { done: 72, failed: 2 } },
  { runner: 'pytest', of: 'pytest-9-v.txt', whole: { done: 77, failed: 3, total: 77 }, mark: 'test_5 ERROR', half: { done: 5, failed: 2, total: 77 } },
  { runner: 'pytest', of: 'pytest-9-k.txt', whole: { done: 72, failed: 1, total: 72 }, mark: '[ 97%]', half: { done: 70, failed: 0, total: 72 } },
  { runner: 'pytest', of: 'pytest-9-log.txt', whole: { done: 2, failed: 0, total: 2 }, mark: 'done\n', half: { done: 1, failed: 0, total: 2 } },
  { runner: 'pytest', of: 'pytest-8-xdist-3.txt', whole: { done: 77, failed: 3, total: 77 }, mark: '........F', half: { done: 9, failed: 1, total: 77 } },
  { runner: 'pytest', of: 'pytest-8-xdist-3-v.txt', whole: { done: 77, failed: 3, total: 77 }, mark: 'PASSED test_a.py::test_1 \n', half: { done: 1, failed: 0, total: 77 } },
  { runner: 'pytest', of: 'pytest-7-xdist-2.txt', whole: { done: 77, failed: 3, total: 77 }, mark: '.sE.', half: { done: 4, failed: 1, total: 77 } },
  { runner: 'vitest', of: 'vitest-4.txt', whole: { done: 6, failed: 1 }, mark: 'later\n', half: { done: 3, failed: 1 } },
  { runner: 'vitest', of: 'vitest-3.txt', whole: { done: 6, failed: 1 }, mark: 'later\n', half: { done: 3, failed: 1 } },
  { runner: 'vitest', of: 'vitest-1.txt', whole: { done: 6, failed: 1 }, mark: 'boom', half: { done: 3, failed: 1 } },
  { runner: 'jest', of: 'jest-29.txt', whole: { done: 2, failed: 1 }, mark: 'boom', half: { done: 1, failed: 1 } },
  { runner: 'mocha', of: 'mocha-12.txt', whole: { done: 3, failed: 1, total: 4 }, mark: 'Error: boom', half: { done: 2, failed: 1, total: 4 } },
  { runner: 'go', of: 'go.jsonl', whole: { done: 4, failed: 1 }, mark: '"Action":"run","Package":"example.com/calc/a","Test":"TestX"', half: { done: 2, failed: 1 } },
  { runner: 'node', of: 'node-20.jsonl', whole: { done: 6, failed: 1 }, mark: '"name":"with subs"', half: { done: 2, failed: 1 } },
  { runner: 'nextest', of: 'nextest.txt', whole: { done: 5, failed: 2, total: 5 }, mark: 'TRY 1 FAIL [   0.004s] calc tests::now_and_then\n', half: { done: 2, failed: 1, total: 5 } },
],
)('issue 8: $of, to its end and at "$mark"', ({ runner, of, whole, mark, half }) => {
  const unit = runner === 'jest' ? 'files' : 'tests'
  const text = output(of)
  expect(toldOf(runner, text)).toEqual({ unit, ...whole })
  expect(toldOf(runner, upTo(text, mark))).toEqual({ unit, ...half })
})

test.each(
  // prettier-ignore
  [
  { why: 'pytest without a word on how many', runner: 'pytest', text: 'sub/b ü.py ..F', told: { done: 3, failed: 1 } },
  { why: 'pytest that counts instead of percents', runner: 'pytest', text: 'collected 4 items\n\ntest_a.py ..  [2/4]\n', told: { done: 2, failed: 0, total: 4 } },
  { why: 'pytest with one test', runner: 'pytest', text: 'collected 1 item\n\ntest_a.py ', told: { done: 0, failed: 0, total: 1 } },
  { why: 'pytest that collects, with an error', runner: 'pytest', text: 'collected 3 items / 1 error\n\n==== ERRORS ====\n...\n', told: { done: 0, failed: 0, total: 3 } },
  { why: 'a sentence that ends in dots or in a word of pytest', runner: 'pytest', text: 'loading ...\nERROR    shop:a.py:3 it FAILED\nE\tx\n', told: { done: 0, failed: 0 } },
  { why: 'a file of vitest with the name of its project', runner: 'vitest', text: ' ✓ |unit| test/a.test.ts (3 tests) 5ms\n', told: { done: 3, failed: 0 } },
  { why: 'a test of vitest that is called like a file', runner: 'vitest', text: '   ✓ reads a file (3 tests) 5ms\n', told: { done: 0, failed: 0 } },
  { why: 'jest with the name of its project and a time', runner: 'jest', text: 'PASS unit ./a b.test.js (5.2 s)\n', told: { done: 1, failed: 0 } },
  { why: 'jest tells failures again', runner: 'jest', text: 'FAIL ./a.test.js\nSummary of all failing tests\nFAIL ./a.test.js\n', told: { done: 1, failed: 1 } },
  { why: 'go, a subtest with a slash in its name', runner: 'go', text: ['T/a/b', 'T'].map((name) => `{"Action":"pass","Package":"p","Test":"${name}","Elapsed":0}\n`).join(''), told: { done: 1, failed: 0 } },
  { why: 'go, tests of one name in two packages', runner: 'go', text: ['p', 'q'].map((name) => `{"Action":"skip","Package":"${name}","Test":"T"}\n`).join(''), told: { done: 2, failed: 0 } },
  { why: 'an incomplete line counts when it is complete', runner: 'vitest', text: ' ✓ a.test.ts (3 tests) 5ms', told: { done: 0, failed: 0 } },
],
)('issue 8: $why', ({ runner, text, told }) => expect(toldOf(runner, text, 3)).toMatchObject(told))

test('reads no progress of a runner that reports none', () => {
  expect(['other', 'constructor', ''].map(readerFor)).toEqual([undefined, undefined, undefined])
})

describe('any output', () => {
  const RUNNERS = ['pytest', 'vitest', 'jest', 'mocha', 'go', 'node', 'nextest']
  const GARBAGE = [
    '\u001b['.repeat(4_000),
    'a.b '.repeat(5_000),
    ':: PASSED ('.repeat(2_000),
    `{"Action":"pass","Package":"p","Test":"${'\\"'.repeat(9_000)}`,
    ' ✓ ('.repeat(9_000),
    '\ud800\u0000\u001b]',
    '\r\n\n\n',
    'collected 99999999999999999999 items',
  ]
  test.each(RUNNERS)('%s reads it to its end, quickly', (runner) => {
    const flood = GARBAGE.map((one) => `${one}\n${one}`).join('')
    const since = performance.now()
    expect(toldOf(runner, flood.repeat(20), 65_536).failed).toBeGreaterThanOrEqual(0)
    expect(performance.now() - since).toBeLessThan(10_000)
  })

  test('keeps only the beginning of an endless line', () => {
    const read = lines(() => undefined)
    for (let n = 0; n < 1_000; n++) read.write('x'.repeat(1_000))
    expect(read.unfinished()).toHaveLength(4_000)
  })

  test('remembers a limited number of tests with unfinished subtests', () => {
    const reader = readerFor('go')
    for (let n = 0; n < 50_000; n++)
      reader?.line(`{"Action":"pass","Package":"p","Test":"T${n}/a"}`)
    expect(reader?.told('')).toEqual({ unit: 'tests', done: 50_000, failed: 0 })
  })
})
