import { describe, expect, test } from 'vitest'
import {
  furthest,
  isFurther,
  reachOf,
  type Place,
} from '../../../../../src/core/test-results/failures/reach.js'

const NODE = [
  'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
  '',
  '-1 !== 20',
  '',
  '    at check (file:///ws/1/test/table.test.js:4:10)',
  '    at Array.forEach (<anonymous>)',
  '    at TestContext.<anonymous> (file:///ws/1/test/table.test.js:17:3)',
  '    at Test.run (node:internal/test_runner/test:796:25)',
]
const CAUSE = ['  [cause]: Error: inner', '      at x (file:///ws/1/test/table.test.js:99:1)']
const PYTEST = [
  'assert -1 == 20',
  'def test_x():',
  '>       check(-1, 20)',
  '',
  'tests/test_a.py:7: ',
  '_ _ _ _',
  '    def check(a, b):',
  '>       assert a == b',
  '',
  'tests/test_a.py:2: AssertionError',
]
const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "/usr/lib/python3.12/unittest/case.py", line 58, in testPartExecutor',
  '  File "/ws/1/tests/test_a.py", line 7, in test_x',
  '  File "/ws/1/src/shop.py", line 40, in price',
  'KeyError: 3',
]
const PANIC = [
  'panic: assignment to entry in nil map [recovered]',
  '',
  'goroutine 6 [running]:',
  'testing.tRunner.func1.2({0x55a7a0, 0x6cae50})',
  '\t/usr/local/go/src/testing/testing.go:1974 +0x232',
  'ex.TestP.func1(...)',
  '\t/ws/1/mul/mul_test.go:20 +0x1',
  'ex.TestP(0x3581211066c8?)',
  '\t/ws/1/mul/mul_test.go:25 +0x29',
  'testing.tRunner(0x3581211066c8, 0x592e28)',
]
const WORKER = ['Error: x', '    at Object.<anonymous> (/ws/1/test/table.test.js:12:5)']

describe('the place of a failure in its own file, the outermost frame first', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'a helper of the file, and a callback',           file: 'test/table.test.js', error: NODE,                                      place: [17, 4] },
    { why: 'not the stack of a cause',                       file: 'test/table.test.js', error: [...NODE, ...CAUSE],                       place: [17, 4] },
    { why: 'a relative path, as mocha prints it',            file: 'test/a.js',          error: ['no', '  at Context.<anonymous> (test/a.js:5:10)'], place: [5] },
    { why: 'nothing in between but the code under test',     file: 'test/table.test.js', error: ['x', '  at f (/ws/1/src/a.js:9:1)', ...WORKER.slice(1)], place: [12] },
    { why: 'no frame in the file',                           file: 'test/table.test.js', error: ['x', '  at f (/ws/1/src/a.js:9:1)'],       place: undefined },
    { why: 'a file of the same end of name is another one',  file: 'table.test.js',      error: ['x', '  at f (/ws/1/big-table.test.js:9:1)'], place: undefined },
    { why: 'no frame at all',                                file: 'test/table.test.js', error: ['x'],                                      place: undefined },
    { why: 'pytest',                                         file: 'tests/test_a.py',    error: PYTEST,                                     place: [7, 2] },
    { why: 'a traceback of Python',                          file: 'tests/test_a.py',    error: TRACEBACK,                                  place: [7] },
    { why: 'lines of Go, in order of time',                  file: 'mul/mul_test.go',    error: ['    mul_test.go:12: begin', '    mul_test.go:17: got 1, want 2'], place: [12, 17] },
    { why: 'a panic of Go',                                  file: 'mul/mul_test.go',    error: PANIC,                                      place: [25, 20] },
    { why: 'deep recursion is cut off',                      file: 'a.test.js',          error: ['x', ...Array.from({ length: 20 }, (_, n) => `  at f (/ws/a.test.js:${n + 1}:1)`)], place: [20, 19, 18, 17, 16, 15, 14, 13] },
  ],
  )('$why', ({ file, error, place }) =>
    expect(reachOf(file, [error.join('\n')])).toEqual(place && { first: place, last: place }),
  )

  test('over several executions, the one that came first and the one that came last', () => {
    const at = (line: number) => `Error: x\n    at /ws/a.test.js:${line}:1`
    expect(reachOf('a.test.js', [at(7), at(3), at(9)])).toEqual({ first: [3], last: [9] })
    expect(reachOf('a.test.js', [at(7), 'Error: timed out'])).toBeUndefined()
  })
})

test.each<{ why: string; a: Place; b: Place; further: boolean }>(
  // prettier-ignore
  [
  { why: 'a later line',                                     a: [7],      b: [5],      further: true },
  { why: 'an earlier line',                                  a: [5],      b: [7],      further: false },
  { why: 'the same line',                                    a: [5],      b: [5],      further: false },
  { why: 'a later line of a helper',                         a: [5, 40],  b: [5, 30],  further: true },
  { why: 'a later line of the test counts before the helper', a: [7, 30], b: [5, 40],  further: true },
  { why: 'and an earlier one too',                           a: [5, 40],  b: [7, 30],  further: false },
  { why: 'the same line, in a helper now',                   a: [5, 40],  b: [5],      further: false },
  { why: 'the same line, in a helper no more',               a: [5],      b: [5, 40],  further: false },
],
)('further: $why', ({ a, b, further }) => expect(isFurther(a, b)).toBe(further))

test.each<{ why: string; known?: Place; now?: Place; kept: Place | undefined }>(
  // prettier-ignore
  [
  { why: 'the first one',                 now: [5],                 kept: [5] },
  { why: 'a later one',                   known: [5], now: [7],     kept: [7] },
  { why: 'not an earlier one',            known: [7], now: [5],     kept: [7] },
  { why: 'the known one, if none is said', known: [7],              kept: [7] },
  { why: 'none',                                                    kept: undefined },
],
)('the furthest place: $why', ({ known, now, kept }) =>
  expect(furthest(known, now && { first: now, last: now })).toEqual(kept),
)

test.each(['', '\n'.repeat(50_000), 'at ('.repeat(1_000), '/a'.repeat(2_000), '"'.repeat(4_000)])(
  'any text has a place quickly, or none',
  (error) => expect(reachOf('a.test.js', [error])).toBeUndefined(),
)
