import { expect, test } from 'vitest'
import { askedFiles, focusFiles } from '../../../../src/core/test-gen/asked-files.js'
import { isGeneration, testRequest } from '../../../../src/core/test-gen/test-request.js'

const FILES = [
  'src/parser.py',
  'src/parsing/lexer.ts',
  'src/priceList.ts',
  'src/shop.ts',
  'test/parser.test.ts',
  'vitest.config.ts',
  'README.md',
]

test.each([
  ['the parser', ['src/parser.py']],
  ['the Parsers', ['src/parser.py']],
  ['everything below parsing', ['src/parsing/lexer.ts']],
  ['the price of a list', ['src/priceList.ts']],
  ['src/shop.ts and its errors', ['src/shop.ts']],
  ['./src/shop.ts:12', ['src/shop.ts']],
  ['lexer.ts', ['src/parsing/lexer.ts']],
  ['add more tests for the code', []],
  ['README.md', []],
])('%s', (text, files) => expect(askedFiles(text, FILES)).toEqual(files))

test.each([
  [['.'], ['src/parser.py', 'src/parsing/lexer.ts', 'src/priceList.ts', 'src/shop.ts']],
  [['src/parsing/'], ['src/parsing/lexer.ts']],
  [['./src/shop.ts', 'test/parser.test.ts'], ['src/shop.ts']],
])('a task about %j', (focus_paths, files) =>
  expect(focusFiles({ context: { focus_paths } }, FILES)).toEqual(files),
)

test('a request without a file of its name is about all code, and says so', () => {
  expect(testRequest({ from: 'all' }, FILES)).toEqual({ about: 'all of the code', files: [] })
  expect(testRequest({ from: 'text', text: 'the robot\narm' }, FILES)).toMatchObject({
    about: 'the robot arm',
    document: 'the robot\narm\n',
    files: [],
    warning: expect.stringContaining('no file of the project') as string,
  })
  expect(
    testRequest({ from: 'file', name: 'docs/a.md', text: 'Test src/shop.ts.' }, FILES),
  ).toEqual({
    about: 'what docs/a.md asks for',
    document: 'Test src/shop.ts.\n',
    files: ['src/shop.ts'],
  })
})

test('the request of an earlier run is about what it changed, else about what its summaries name', () => {
  const run = { from: 'run' as const, name: 'WFS-test-a', changed: ['src/shop.ts', 'README.md'] }
  expect(
    testRequest({ ...run, summaries: [{ name: 's.md', text: 'made parser.py better' }] }, FILES),
  ).toEqual({
    about: 'what WFS-test-a changed',
    document:
      '# Changes of WFS-test-a\n\n- src/shop.ts\n- README.md\n\n## s.md\n\nmade parser.py better\n',
    files: ['src/shop.ts'],
  })
  expect(
    testRequest(
      { ...run, changed: [], summaries: [{ name: 's.md', text: 'made parser.py better' }] },
      FILES,
    ).files,
  ).toEqual(['src/parser.py'])
})

test('only a task with that analysis is one that Ratchet measures', () => {
  expect(isGeneration({ meta: { type: 'test-gen', analysis_type: 'coverage-gap' } })).toBe(true)
  expect(isGeneration({ meta: { type: 'test-gen' } })).toBe(false)
})
