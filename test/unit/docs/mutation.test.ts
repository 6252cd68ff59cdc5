// The code that `npm run mutation` removes exists once, and so does the test that it runs.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LAYERS } from '../../layers.js'
import { PROTECTIONS } from '../../mutation/list.js'
import { codeIn } from '../../mutation/protection.js'

const read = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')

test('names are unique', () => {
  expect(new Set(PROTECTIONS.map(({ protection }) => protection)).size).toBe(PROTECTIONS.length)
})

test('npm test covers nearly all of them', () => {
  const inNpmTest = PROTECTIONS.filter(({ red }) =>
    LAYERS.some(({ name }) => red.file.startsWith(`test/${name}/`)),
  )
  expect(inNpmTest.length).toBeGreaterThanOrEqual(250)
})

test.each(PROTECTIONS)(
  '$protection: the removed code exists once, and its test exists',
  ({ file, find, replace, red }) => {
    expect(codeIn(read(file), find).matches).toBe(1)
    expect(replace).not.toBe(find)
    expect(read(red.file).replaceAll(/\\(['"`])/g, '$1')).toContain(red.name)
  },
)

test.each([
  { why: 'as it is', source: 'a(b, c)', matches: 1 },
  { why: 'over several lines, with a trailing comma', source: 'a(\n  b,\n  c,\n)', matches: 1 },
  { why: 'twice', source: 'a(b, c); a(b,c)', matches: 2 },
  { why: 'another name', source: 'a(bb, c)', matches: 0 },
])('code is found $why', ({ source, matches }) =>
  expect(codeIn(source, 'a(b, c)').matches).toBe(matches),
)
