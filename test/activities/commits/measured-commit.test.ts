// A full run measures a clone of the commit after its own set-up.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commitStep } from '../../../src/adapters/git/steps.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { AT, RUN, runGit, type Files } from '../../support/repositories/repos.js'
import { testHost } from '../../support/test-host.js'

/** Tests run what `build.cjs` makes of `src.txt`. */
const BUILT = (workspace: Record<string, unknown> = {}): Files => ({
  '.gitignore': 'dist\n',
  'src.txt': 'right\n',
  'build.cjs':
    "const fs = require('fs')\nconst text = fs.readFileSync('src.txt', 'utf8')\nif (text === 'no build\\n') throw new Error('cannot build this')\nfs.mkdirSync('dist', { recursive: true })\nfs.writeFileSync('dist/out.txt', text)\n",
  'a.test.mjs':
    "import { readFileSync } from 'node:fs'\nimport test from 'node:test'\nimport assert from 'node:assert'\ntest('is right', () => assert.equal(readFileSync('dist/out.txt', 'utf8'), 'right\\n'))\n",
  'package.json': '{ "name": "built", "scripts": { "test": "node --test" } }\n',
  'ratchet.config.json': JSON.stringify({ workspace: { setup: ['node build.cjs'], ...workspace } }),
})

/** A commit of the run's branch. */
async function committed(
  workspace: Workspace,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  for (const [file, text] of Object.entries(files))
    writeFileSync(path.join(workspace.root, file), text)
  return (
    await commitStep(
      { workspace, run: RUN, step: 'fix', expectHead: workspace.base, at: AT, subject: 'A fix' },
      () => false,
    )
  ).head
}

test('workspace.setup runs again for a commit that changed a file, and the tests see its output', async () => {
  const { workspace, measure } = await testHost(BUILT())
  expect(await measure()).toMatchObject({ kind: 'measured', passed: 1 })
  const wrong = await committed(workspace, { 'src.txt': 'wrong\n' })
  expect(await measure({ commit: wrong, step: 'wrong' })).toMatchObject({
    kind: 'measured',
    passed: 0,
    failed: 1,
  })
  expect(await measure({ step: 'again' })).toMatchObject({ kind: 'measured', passed: 1 })
})

test('build output of an agent is not measured, and is named', async () => {
  const { workspace, measure } = await testHost({ ...BUILT(), '.gitignore': 'dist\nmade\n' })
  const wrong = await committed(workspace, { 'src.txt': 'wrong\n' })
  writeFileSync(path.join(workspace.root, 'dist/out.txt'), 'forged\n')
  writeFileSync(path.join(workspace.root, 'made'), 'x')
  expect(await measure({ commit: wrong })).toMatchObject({
    kind: 'measured',
    passed: 0,
    failed: 1,
    leftOut: ['dist/out.txt', 'made'],
  })
})

test('a set-up that fails counts as a suite that does not start', async () => {
  const { workspace, measure } = await testHost(BUILT())
  const run = await measure({ commit: await committed(workspace, { 'src.txt': 'no build\n' }) })
  expect(run).toMatchObject({
    kind: 'not_started',
    reason: expect.stringMatching(
      /^the set-up of this commit failed: "node build.cjs" ended with 1[^]*cannot build this/,
    ) as string,
  })
})

test('workspace.setupOnce: set-up does not run again', async () => {
  const { workspace, measure } = await testHost(BUILT({ setupOnce: true }))
  expect(
    await measure({ commit: await committed(workspace, { 'src.txt': 'wrong\n' }) }),
  ).toMatchObject({ kind: 'measured', passed: 1 })
})

test('packages that a fix adds to the manifest are installed', async () => {
  const { workspace, measure } = await testHost({
    'own/package.json': '{ "name": "own", "version": "1.0.0", "main": "own.js" }\n',
    'own/own.js': 'module.exports = 1\n',
    'package.json': '{ "name": "p", "scripts": { "test": "node --test" } }\n',
    'a.test.mjs':
      "import test from 'node:test'\nimport { createRequire } from 'node:module'\ntest('finds it', () => createRequire(import.meta.url)('own'))\n",
  })
  expect(await measure()).toMatchObject({ kind: 'measured', passed: 0, failed: 1 })
  const named = await committed(workspace, {
    'package.json':
      '{ "name": "p", "scripts": { "test": "node --test" }, "dependencies": { "own": "file:own" } }\n',
  })
  expect(await measure({ commit: named, step: 'named' })).toMatchObject({
    kind: 'measured',
    passed: 1,
  })
  expect(await measure({ step: 'before' })).toMatchObject({ kind: 'measured', passed: 0 })
  expect(existsSync(path.join(workspace.root, 'node_modules'))).toBe(false)
  expect(await measure({ commit: named, step: 'developed', keepPackages: true })).toMatchObject({
    kind: 'measured',
    passed: 0,
  })
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
})

test('a renamed test is reported as gone from a changed file, one that another file skips is not', async () => {
  const { workspace, measure } = await testHost({
    'package.json': '{ "name": "p", "scripts": { "test": "node --test" } }\n',
    'open.txt': '',
    'a.test.mjs':
      "import test from 'node:test'\ntest('adds', () => {})\ntest('subtracts', () => {})\n",
    'b.test.mjs':
      "import test from 'node:test'\nimport { readFileSync } from 'node:fs'\nif (readFileSync('open.txt', 'utf8') === '') test('waits', () => {})\ntest('stays', () => {})\n",
  })
  const first = await measure()
  if (first.kind !== 'measured') throw new Error(first.reason)
  const renamed = await committed(workspace, {
    'a.test.mjs':
      "import test from 'node:test'\ntest('sums', () => {})\ntest('subtracts', () => {})\n",
    'open.txt': 'no',
  })
  const run = await measure({
    commit: renamed,
    step: 'renamed',
    baseline: first.results,
    compare: { lastKept: true, tellsRemoved: true, lastFull: first.results, before: first.results },
  })
  expect(run).toMatchObject({
    kind: 'measured',
    failed: 2,
    comparison: { removed: [{ file: 'a.test.mjs', passed: true, total: 1, tests: ['adds'] }] },
  })
})

const PYTEST = { 'pytest.ini': '[pytest]\n', 'tests/test_a.py': 'def test_a():\n    assert True\n' }

test.each(['node scripts/check.js', 'vitest run'])(
  'the command that measured the baseline measures a commit that adds the script "%s"',
  async (script) => {
    const { workspace, measure } = await testHost(PYTEST)
    const first = await measure()
    if (first.kind !== 'measured') throw new Error(first.reason)
    const commit = await committed(workspace, {
      'package.json': JSON.stringify({ scripts: { test: script } }),
    })
    expect(
      await measure({
        step: 'script',
        commit,
        baseline: first.results,
        compare: { lastKept: true, before: first.results },
      }),
    ).toMatchObject({ kind: 'measured', commit, passed: 1, total: 1 })
  },
)
