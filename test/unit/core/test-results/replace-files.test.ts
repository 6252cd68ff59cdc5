// After an accepted change of test files, its run takes the place of earlier ones for those files.
import { expect, test } from 'vitest'
import type { StoredRun } from '../../../../src/contract/test-run.js'
import {
  lostBefore,
  replacing,
  withFilesOf,
  withoutFiles,
} from '../../../../src/core/test-results/replace-files.js'
import { notLoaded } from '../../../../src/core/test-results/stand-ins.js'

const run = (commit: string, ...files: string[]): StoredRun => ({
  schema: 1,
  commit,
  runner: 'vitest',
  tests: files.map((file) => ({ file, test: `adds at ${commit}`, status: 'passed' })),
  missing: files.map((file) => ({ file, test: 'halves', error: commit })),
  memory: files.map((file) => ({ file, test: `adds at ${commit}`, seen: ['s'] })),
})
const filesOf = ({ tests, missing, memory = [] }: StoredRun) => [
  tests.map(({ file, test: name }) => `${file} ${name}`),
  missing.map(({ file, error }) => `${file} ${error}`),
  memory.map(({ file }) => file),
]

test('a run without some files knows nothing of their tests', () => {
  expect(filesOf(withoutFiles(run('base', 'a', 'b'), ['a']))).toEqual([
    ['b adds at base'],
    ['b base'],
    ['b'],
  ])
})

test('a test that was lost before the change of its file stays expected', () => {
  const base = run('base', 'a', 'b')
  const lost = lostBefore(base, ['a'])
  expect(filesOf(withoutFiles(base, ['a'], lost))).toEqual([
    ['b adds at base'],
    ['a base', 'b base'],
    ['b'],
  ])
  const unloaded = { ...base, tests: [notLoaded({ file: 'a', error: 'no module' })] }
  expect(lostBefore(unloaded, ['a'])).toEqual(new Set())
  expect(lostBefore(undefined, ['a'])).toEqual(new Set())
})

test('a run with some files of another one has its own tests of all others', () => {
  expect(filesOf(withFilesOf(run('base', 'a', 'b'), ['a'], run('now', 'a', 'b')))).toEqual([
    ['b adds at base', 'a adds at now'],
    ['b base', 'a now'],
    ['b'],
  ])
})

test('every earlier run is replaced but the last full one, which only says what was seen', () => {
  const earlier = {
    baseline: run('base', 'a', 'b'),
    before: run('tip', 'a'),
    best: undefined,
    lastFull: run('last', 'a'),
  }
  const now = run('now', 'a', 'b')
  const then = replacing(earlier, ['a'], now)
  expect([then.baseline, then.before].map((one) => one && filesOf(one)[0])).toEqual([
    ['b adds at base', 'a adds at now'],
    ['a adds at now'],
  ])
  expect(then.best).toBeUndefined()
  expect(then.lastFull).toBe(earlier.lastFull)
  expect(replacing(earlier, [], now)).toBe(earlier)
})
