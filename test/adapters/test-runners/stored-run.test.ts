import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  baselineFiles,
  readStoredRun,
  testRunsDir,
  writeStoredRun,
} from '../../../src/adapters/test-runners/stored-run.js'
import { REFUSALS } from '../../../src/contract/failures.js'
import type { StoredRun } from '../../../src/contract/test-run.js'
import { makeProject, removeProject } from '../../support/repositories/test-projects.js'

let dir = ''
afterEach(() => removeProject(dir))

const stored = (...files: string[]): StoredRun => ({
  schema: 1,
  commit: 'c',
  runner: 'vitest',
  missing: [],
  tests: files.map((file) => ({ file, test: 'ä "x"', status: 'passed' })),
})

test('a stored run reads back, and its baseline alone names guarded files', async () => {
  dir = makeProject({ 'tests/one/x': '', 'tests/two/x': '' })
  const workspace = {
    project: '/p',
    root: path.join(dir, 'clone'),
    cwd: path.join(dir, 'clone/sub'),
    branch: 'b',
    base: 'c',
    isolation: 'clone' as const,
  }
  expect(baselineFiles(workspace)).toEqual([])
  const ref = await writeStoredRun(
    path.join(testRunsDir(workspace), 'one'),
    stored('b.js', 'a.js', 'a.js'),
    true,
  )
  await writeStoredRun(path.join(testRunsDir(workspace), 'two'), stored('by-agent.js'), false)
  expect(readStoredRun(ref)).toEqual(stored('b.js', 'a.js', 'a.js'))
  expect(baselineFiles(workspace)).toEqual(['a.js', 'b.js'])
})

test.each([
  ['changed', (file: string) => writeFileSync(file, '{}')],
  ['removed', (file: string) => rmSync(file)],
] as const)('results that were %s are a refusal, which no attempt repeats', async (how, spoil) => {
  dir = makeProject({ 'one/x': '' })
  const ref = await writeStoredRun(path.join(dir, 'one'), stored('a.js'), true)
  spoil(ref.path)
  expect(REFUSALS).toContain('ResultsChanged')
  expect(() => readStoredRun(ref)).toThrow(
    expect.objectContaining({
      type: 'ResultsChanged',
      message: `the results of a test run were ${how}`,
      where: ref.path,
    }) as Error,
  )
})
