// The table of protections in ARCHITECTURE.md is that of `npm run mutation`, and what it takes out and runs is there.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LAYERS } from '../../layers.js'
import { PROTECTIONS } from '../../mutation/list.js'
import { rowsOf } from '../../mutation/protection.js'

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')

test('ARCHITECTURE.md lists them as they are', () => {
  const [, chapter = ''] = read('ARCHITECTURE.md').split(/^## Protections$/m)
  const shown = (chapter.split(/^## /m)[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  expect(shown).toEqual(['| taken out | red |', ...rowsOf(PROTECTIONS)])
})

test('no two have one name', () => {
  expect(new Set(PROTECTIONS.map(({ protection }) => protection)).size).toBe(PROTECTIONS.length)
})

test('npm test shows nearly all of them', () => {
  const inNpmTest = PROTECTIONS.filter(({ red }) => LAYERS.some(({ name }) => red.file.startsWith(`test/${name}/`)))
  expect(inNpmTest.length).toBeGreaterThanOrEqual(250)
})

test.each(PROTECTIONS)('$protection: what is taken out is there once, and its test is there', ({ file, find, replace, red }) => {
  expect(read(file).split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
  expect(read(red.file).replaceAll(/\\(['"`])/g, '$1')).toContain(red.name)
})
