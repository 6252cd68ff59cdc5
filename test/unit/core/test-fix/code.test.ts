import { expect, test } from 'vitest'
import {
  CODE_SHOWN,
  codeBudget,
  codeWithin,
  holdsSecrets,
  importsToShow,
  isShown,
  namedFiles,
  shownPart,
} from '../../../../src/core/test-fix/code/failing-code.js'
import { importedFiles } from '../../../../src/core/test-fix/code/imported-files.js'
import { codeSection } from '../../../../src/core/test-fix/prompts/prompt-code.js'

const among =
  (...files: string[]) =>
  (file: string): boolean =>
    files.includes(file)

test.each(
  // prettier-ignore
  [
  { why: 'a relative module',         file: 'test/a.test.js', text: "import { a } from '../src/a.js'",         known: ['src/a.js'],               found: ['src/a.js'] },
  { why: 'the source of a .js name',  file: 'test/a.test.ts', text: "import { a } from '../src/a.js'",         known: ['src/a.ts'],               found: ['src/a.ts'] },
  { why: 'a name without ending',     file: 'a.test.ts',      text: "import a from './lib'",                   known: ['lib/index.ts'],           found: ['lib/index.ts'] },
  { why: 'require and import()',      file: 'a.test.cjs',     text: "require('./a'); await import('./b.mjs')", known: ['a.js', 'b.mjs'],          found: ['a.js', 'b.mjs'] },
  { why: 'a type, and twice',         file: 'a.ts',           text: "export * from './b'\nimport type { B } from './b'", known: ['b.ts'],         found: ['b.ts'] },
  { why: 'a package',                 file: 'a.ts',           text: "import fs from 'node:fs'",                known: ['node:fs'],                found: [] },
  { why: '[!] above the project',     file: 'a.ts',           text: "import x from '../../etc/passwd'",        known: ['etc/passwd'],             found: [] },
  { why: 'itself',                    file: 'a.ts',           text: "import './a'",                            known: ['a.ts'],                   found: [] },
  { why: 'a module of Python',        file: 'tests/test_a.py', text: 'from calc import add, mul',              known: ['calc.py'],                found: ['calc.py'] },
  { why: 'below src',                 file: 'tests/test_a.py', text: 'import app.core',                        known: ['src/app/core.py'],        found: ['src/app/core.py'] },
  { why: 'a module of a package',     file: 'tests/test_a.py', text: 'from app import core',                   known: ['app/core.py', 'app/__init__.py'], found: ['app/core.py', 'app/__init__.py'] },
  { why: 'relative in Python',        file: 'app/sub/a.py',   text: 'from ..core import x\nfrom . import b',   known: ['app/core.py', 'app/sub/b.py'], found: ['app/core.py', 'app/sub/b.py'] },
  { why: 'another language',          file: 'a.go',           text: 'import "./a"',                            known: ['a'],                      found: [] },
],
)('imports: $why', ({ file, text, known, found }) =>
  expect(importedFiles(file, text, among(...known))).toEqual(found),
)

test.each(
  // prettier-ignore
  [
  { why: 'the test, at its line',   failure: { file: 't.js', error: '', line: 4 },                           found: [{ file: 't.js', lines: [4] }] },
  { why: 'a frame',                 failure: { file: 't.js', error: 'at f (src/a.js:7:3)' },                  found: [{ file: 't.js', lines: [] }, { file: 'src/a.js', lines: [7] }] },
  { why: 'an absolute frame',       failure: { file: 't.js', error: 'at file:///w/tree/src/a.js:7:3' },       found: [{ file: 't.js', lines: [] }, { file: 'src/a.js', lines: [7] }] },
  { why: 'a frame of Python',       failure: { file: 't.js', error: 'File "/w/src/a.js", line 9, in f' },     found: [{ file: 't.js', lines: [] }, { file: 'src/a.js', lines: [9] }] },
  { why: '[!] what is not tracked', failure: { file: 'gone.js', error: 'at /etc/passwd:1 node_modules/x/y.js:2' }, found: [] },
  { why: '[!] a file of secrets',   failure: { file: 't.js', error: '.env:1 keys/a.pem:2' },                  found: [{ file: 't.js', lines: [] }] },
],
)('named files: $why', ({ failure, found }) =>
  expect(namedFiles([failure], among('t.js', 'src/a.js', '.env', 'keys/a.pem'))).toEqual(found),
)

test('imports of a hostile file are found in linear time', () => {
  const dots = `from ${'.'.repeat(200_000)}\n`.repeat(5)
  const tabs = `from x${'\t'.repeat(200_000)}y\n`
  expect(importedFiles('a.py', `${dots}${tabs}import app`, among('app.py'))).toEqual(['app.py'])
})

test.each([
  ['.env', true],
  ['conf/.env.local', true],
  ['.envrc', true],
  ['k8s/secrets.yaml', true],
  ['service-account-prod.json', true],
  ['src/secrets.ts', false],
  ['src/credentials.go', false],
])('%s holds secrets: %s', (file, expected) => expect(holdsSecrets(file)).toBe(expected))

test('imports to show leave files of secrets out', () =>
  expect(
    importsToShow(
      { file: 'a.js', text: "import './.npmrc'; import './b.js'" },
      among('.npmrc', 'b.js'),
    ),
  ).toEqual([{ file: 'b.js', lines: [] }]))

test.each([
  { size: undefined, chars: CODE_SHOWN.unknown },
  { size: 4_000, chars: CODE_SHOWN.least },
  { size: 100_000, chars: 20_000 },
  { size: 1_000_000, chars: CODE_SHOWN.most },
])('the budget of a context of $size tokens is $chars characters', ({ size, chars }) =>
  expect(codeBudget(size)).toBe(chars),
)

const long = Array.from({ length: 2_000 }, (_, n) => `line ${n + 1}`).join('\n')

test('a small file is whole, a long one is shown around its lines', () => {
  const { shown } = codeWithin(
    [
      { file: 'a.js', lines: [2], text: 'one\ntwo\n' },
      { file: 'b.js', lines: [1_000, 1_010, 1_900], text: long },
      { file: 'c.js', lines: [], text: long },
      { file: 'd.js', lines: [9_999], text: long },
    ],
    10_000,
  )
  expect(
    shown.map(({ file, from, whole, text }) => [file, from, whole, text.split('\n').length]),
  ).toEqual([
    ['a.js', 1, true, 2],
    ['b.js', 970, false, 71],
    ['b.js', 1_870, false, 61],
    ['c.js', 1, false, 31],
  ])
})

test.each([
  { why: 'the lines that were shown', lines: [1_000], shown: true },
  { why: 'other lines', lines: [1_000, 1_500], shown: false },
  { why: 'another file', file: 'b.js', lines: [1_000], shown: false },
])('of a long file that was shown in part, a session knows $why: $shown', (row) => {
  const text = long
  const parts = codeWithin([{ file: 'a.js', lines: [990, 1_010], text }], 10_000).shown
  const wanted = { file: row.file ?? 'a.js', lines: row.lines, text }
  expect(isShown(wanted, parts.map(shownPart))).toBe(row.shown)
})

test('what exceeds the budget is named, and what fits behind it is shown', () => {
  const files = ['a', 'b', 'c'].map((file, n) => ({
    file,
    lines: [],
    text: 'x'.repeat([10, 90, 20][n] as number),
  }))
  const { shown, leftOut } = codeWithin(files, 50)
  expect([shown.map(({ file }) => file), leftOut]).toEqual([['a', 'c'], ['b']])
})

test('the sections: files in fences that their text cannot end, the last fix as a patch', () => {
  const text = codeSection({
    shown: [
      { file: 'a.md', text: '```\nx\n```', from: 1, of: 3, whole: true },
      { file: 'b.js', text: 'y\nz', from: 5, of: 90, whole: false },
    ],
    leftOut: ['c.js'],
    lastFix: { patch: '-a\n+b', result: 'Iteration 1: kept' },
  }).join('\n')
  expect(text).toContain('### a.md\n\n````\n```\nx\n```\n````')
  expect(text).toContain('### b.js, lines 5-6 of 90')
  expect(text).toContain('Not shown, as too long: c.js')
  expect(text).toContain('## Last Fix\n\nIteration 1: kept:\n\n```diff\n-a\n+b\n```')
  expect(codeSection({ shown: [], leftOut: [] })).toEqual(['', ''])
})
