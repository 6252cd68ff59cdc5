// A full run gets ignored files as they were prepared: files that an agent adds there are in no
// commit.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Workspace } from '../../../src/contract/workspace.js'
import { noteCaches, noteMade, restoreIgnored } from '../../../src/adapters/workspace/installed.js'
import {
  filesOf,
  makeWorkspaceIn,
  prepare,
  makeRepo,
  SAMPLE,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'
import { placeOf } from '../../support/repositories/templates.js'

const TRACKED = {
  ...SAMPLE,
  '.gitignore': 'node_modules\ndist\nlocal_*.js\n.env\n',
  'out/tracked.js': 'in git\n',
}
const INSTALLED = {
  'node_modules/m/index.js': 'module m',
  'node_modules/.vite/deps.js': 'bundled',
  '.venv/pyvenv.cfg': 'home = /usr/bin\n',
  '.venv/lib/__pycache__/pytest.pyc': 'compiled',
}

async function prepared() {
  const { workspace } = await placeOf('ignored', (dir) =>
    makeWorkspaceIn(dir, TRACKED, (project) => writeFiles(project, INSTALLED)),
  )
  return { workspace, before: filesOf(workspace.root) }
}
const tracked = Object.keys(TRACKED)
const restored = (workspace: Workspace, step = 'tests', keepPackages = false) =>
  restoreIgnored(workspace, { step, tracked, keepPackages })

test.each(
  // prettier-ignore
  [
  { why: 'a part of a fix',                      files: { 'src/local_sum.js': 'x' },                                                   leftOut: ['src/local_sum.js'] },
  { why: 'a folder',                             files: { 'dist/a.js': 'x', 'dist/b/c.js': 'x' },                                      leftOut: ['dist'] },
  { why: 'next to tracked files',                files: { 'out/local_x.js': 'x' },                                                     leftOut: ['out/local_x.js'] },
  { why: 'in the folder of Ratchet\'s own copies', files: { '.ratchet/.gitignore': '*\n', '.ratchet/help.js': 'x' },                   leftOut: ['.ratchet'] },
  { why: 'compiled tests, silently',             files: { 'test/__pycache__/test_a.pyc': 'x', 'src/a.pyc': 'x', '.pytest_cache/v': '' }, leftOut: [] },
  { why: 'in existing caches, silently',         files: { 'node_modules/.vite/deps.js': 'poison', '.venv/lib/__pycache__/pytest.pyc': 'poison', '.venv/lib/__pycache__/x.pyc': 'x' }, leftOut: [] },
  { why: 'an installed package',                 files: { 'node_modules/m/index.js': 'weak', 'node_modules/evil/index.js': 'x' },      leftOut: ['node_modules/evil', 'node_modules/m/index.js'] },
],
)('leaves out files that an agent writes to ignored places: $why', async ({ files, leftOut }) => {
  const { workspace, before } = await prepared()
  writeFiles(workspace.root, files)
  expect(await restored(workspace)).toEqual(leftOut)
  expect(filesOf(workspace.root)).toEqual(before)
  expect(await restored(workspace)).toEqual(leftOut) // the same step again
  expect(await restored(workspace, 'the next')).toEqual([])
})

test('a file that the measured commit tracks stays, though it was ignored at the start', async () => {
  const { workspace } = await prepared()
  writeFiles(workspace.root, { 'dist/kept.js': 'committed', 'dist/other.js': 'x' })
  expect(
    await restoreIgnored(workspace, {
      step: 'tests',
      tracked: [...tracked, 'dist/kept.js'],
      keepPackages: false,
    }),
  ).toEqual([])
  expect(Object.keys(filesOf(path.join(workspace.root, 'dist')))).toEqual(['kept.js', 'other.js'])
})

test('restores changed or deleted files of the set-up and of the copy', async () => {
  const project = makeRepo(TRACKED)
  writeFileSync(path.join(project, '.env'), 'A=1\n')
  const { workspace } = await prepare(project, tempDirs(), {
    workspaceConfig: {
      copy: ['.env'],
      setup: ["node -e \"fs.mkdirSync('dist'); fs.writeFileSync('dist/built.js', 'built')\""],
    },
  })
  const before = filesOf(workspace.root)
  writeFileSync(path.join(workspace.root, '.env'), 'A=2\n')
  rmSync(path.join(workspace.root, 'dist/built.js'))
  expect(await restored(workspace)).toEqual(['.env', 'dist/built.js'])
  expect(filesOf(workspace.root)).toEqual(before)
})

test('packages of a developer stay, other ignored files do not', async () => {
  const { workspace } = await prepared()
  writeFiles(workspace.root, {
    'node_modules/added/index.js': 'x',
    'src/node_modules/w/index.js': 'x',
    'env/pyvenv.cfg': '',
    'src/local_a.js': 'x',
  })
  expect(await restored(workspace, 'tests', true)).toEqual(['src/local_a.js'])
  expect(
    ['node_modules/added', 'src/node_modules/w', 'env/pyvenv.cfg', 'src/local_a.js'].map((file) =>
      existsSync(path.join(workspace.root, file)),
    ),
  ).toEqual([true, true, true, false])
})

test('removes files of test runs silently', async () => {
  const { workspace } = await prepared()
  mkdirSync(path.join(workspace.root, 'dist'))
  await noteMade(workspace)
  writeFileSync(path.join(workspace.root, 'dist/report.html'), 'x')
  expect(await restored(workspace)).toEqual([])
  expect(existsSync(path.join(workspace.root, 'dist'))).toBe(false)
})

test('restores a tagged cache as the first run left it', async () => {
  const { workspace } = await prepared()
  writeFiles(workspace.root, {
    'dist/CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55',
    'dist/debug/lib.o': 'built',
  })
  await noteCaches(workspace)
  writeFiles(workspace.root, { 'dist/debug/lib.o': 'poison', 'dist/debug/more.o': 'poison' })
  await restored(workspace)
  expect(filesOf(path.join(workspace.root, 'dist'))).toEqual({
    'CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55',
    'debug/lib.o': 'built',
  })
})

test('leaves ignored files of the user alone in place', async () => {
  const { workspace } = await prepared()
  writeFiles(workspace.root, { 'src/local_a.js': 'x' })
  expect(await restored({ ...workspace, isolation: 'in-place' })).toEqual([])
  expect(readFileSync(path.join(workspace.root, 'src/local_a.js'), 'utf8')).toBe('x')
})
