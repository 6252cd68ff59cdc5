import { expect, test } from 'vitest'
import { signatureOf } from '../../../../../src/core/test-results/failures/signature.js'

const JS = (message: string, frame = 'at add (/ws/1/src/calc.js:3:9)') =>
  `${message}\n    ${frame}\n    at Object.<anonymous> (/ws/1/test/calc.test.js:7:3)`

test.each(
  // prettier-ignore
  [
  { why: 'numbers',                     a: 'AssertionError: expected 1 to be 2',                      b: 'AssertionError: expected 7 to be 9' },
  { why: 'negative and decimal ones',   a: 'expected -1.5 to be 2e3',                                 b: 'expected 1 to be 2' },
  { why: 'quoted literals',             a: "expected 'red' to equal \"blue\"",                        b: "expected 'a b' to equal \"\"" },
  { why: 'hex',                         a: 'object at 0x7fa31b',                                      b: 'object at 0x11' },
  { why: 'long hex without a prefix',   a: 'commit 3f2a91bc not found',                               b: 'commit 77aa01bc99 not found' },
  { why: 'base64',                      a: 'token aGVsbG8gd29ybGQ1Zm9v refused',                      b: 'token c29tZXRoaW5nMTIzZWxzZQ== refused' },
  { why: 'paths',                       a: 'ENOENT: no such file /tmp/a1/x.json',                     b: 'ENOENT: no such file /var/folders/zz/y.json' },
  { why: 'times',                       a: 'expired at 2026-11-23T10:00:00Z',                         b: 'expired at 2025-01-02 11:12:13.5+01:00' },
  { why: 'the line of a frame',         a: JS('TypeError: x'),                                        b: JS('TypeError: x', 'at add (/ws/1/src/calc.js:88:1)') },
  { why: 'where the workspace lies',    a: JS('TypeError: x'),                                        b: JS('TypeError: x', 'at add (/other/place/src/calc.js:3:9)') },
  { why: 'frames of Node',              a: JS('TypeError: x'),                                        b: 'TypeError: x\n    at run (node:internal/process/task_queues:95:5)\n    at add (/ws/1/src/calc.js:3:9)' },
  { why: 'frames of packages',          a: JS('TypeError: x'),                                        b: 'TypeError: x\n    at run (/ws/1/node_modules/lib/a.js:1:1)\n    at add (/ws/1/src/calc.js:3:9)' },
],
)('the same failure but for $why', ({ a, b }) => expect(signatureOf([a])).toBe(signatureOf([b])))

test.each(
  // prettier-ignore
  [
  { why: 'another error type',        a: 'TypeError: boom',                    b: 'RangeError: boom' },
  { why: 'another message',           a: 'AssertionError: expected to pass',   b: 'AssertionError: expected to fail' },
  { why: 'another function',          a: JS('TypeError: x'),                   b: JS('TypeError: x', 'at sub (/ws/1/src/calc.js:3:9)') },
  { why: 'another file',              a: JS('TypeError: x'),                   b: JS('TypeError: x', 'at add (/ws/1/src/other.js:3:9)') },
  { why: 'another Python function',   a: 'ValueError: x\n  File "/ws/a/b.py", line 3, in one', b: 'ValueError: x\n  File "/ws/a/b.py", line 3, in two' },
  { why: 'a folder of the name internal', a: 'wrong\n    internal/sum/a_test.go:12: no', b: 'wrong\n    internal/sum/b_test.go:12: no' },
  { why: 'another Go file',           a: 'wrong\n    a_test.go:12: no',        b: 'wrong\n    b_test.go:12: no' },
],
)('another failure: $why', ({ a, b }) => expect(signatureOf([a])).not.toBe(signatureOf([b])))

test('ignores differences between two runs of one commit', () => {
  const [one, two, three] = [
    'expected alpha to be beta',
    'expected gamma to be beta',
    'expected delta to be beta',
  ]
  expect(signatureOf([one, two])).toBe(signatureOf([three, one]))
  expect(signatureOf([one])).not.toBe(signatureOf([three]))
})

test.each([
  '',
  '\n\n',
  'x'.repeat(100_000),
  '\\'.repeat(50_000),
  `${'"'.repeat(30_000)}`,
  `${'a/'.repeat(40_000)}`,
  `${'at ('.repeat(20_000)}`,
])('any text quickly gets a signature', (error) => {
  expect(signatureOf([error])).toMatch(/^[0-9a-f]{16}$/)
})
