// Installed packages are restored: git sees none of them, and an edited one can make tests pass.
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Workspace } from '../../../src/contract/workspace.js'
import { restoreInstalled } from '../../../src/adapters/workspace/installed.js'
import {
  filesOf,
  fingerprint,
  makeRepo,
  makeWorkspaceIn,
  prepare,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
  type Files,
} from '../../support/repositories/repos.js'
import { placeOf } from '../../support/repositories/templates.js'

const TRACKED = {
  ...SAMPLE,
  '.gitignore': 'node_modules\nvendor\n',
  'web/package.json': '{}',
  'test/fixture/node_modules/in-git.js': 'in git\n',
}
const INSTALLED: Files = {
  'node_modules/m/index.js': 'module m',
  'node_modules/m/lib/deep.js': 'deep',
  'node_modules/.bin/m': { link: '../m/index.js' },
  'node_modules/tool/run': { script: 'run' },
  'node_modules/.package-lock.json': '{}',
  'node_modules/.vite/results.json': 'r',
  'web/node_modules/w/index.js': 'module w',
  'vendor/v.php': 'v',
  '.venv/pyvenv.cfg': 'home = /usr/bin\n',
  '.venv/lib/pytest.py': 'pytest',
  '.venv/lib/__pycache__/pytest.pyc': 'compiled',
}

// A time that can be restored exactly.
const WHOLE_SECONDS = 1_700_000_000

function install(project: string): void {
  writeFiles(project, INSTALLED)
  utimesSync(path.join(project, 'node_modules/m/index.js'), WHOLE_SECONDS, WHOLE_SECONDS)
}

const at = (workspace: Workspace) => ({
  workspace,
  before: filesOf(workspace.root),
  at: (file: string) => path.join(workspace.root, file),
})

/** Prepared for this test alone: its files have exactly the noted times. */
async function installed(
  workspaceConfig: Record<string, unknown> = {},
  setUp: (project: string) => void = () => undefined,
) {
  const project = makeRepo(TRACKED)
  install(project)
  setUp(project)
  const { workspace } = await prepare(project, tempDirs(), { workspaceConfig })
  return { project, ...at(workspace) }
}

/** A copy of one: only the times differ. */
async function copied() {
  const { project, workspace } = await placeOf('installed', (dir) =>
    makeWorkspaceIn(dir, TRACKED, install),
  )
  return { project, ...at(workspace) }
}

const tracked = Object.keys(TRACKED)
const restored = (workspace: Workspace, step = 'IMPL-001/work/commit') =>
  restoreInstalled(workspace, step, tracked)

type Tampering = { why: string; tamper: (at: (file: string) => string) => void; told: string[] }

const tamperings: Tampering[] = [
  {
    why: 'changed',
    tamper: (at) => writeFileSync(at('node_modules/m/index.js'), 'globalThis.expect = weak'),
    told: ['node_modules/m/index.js'],
  },
  {
    why: 'changed in a folder of its own, an environment, a vendor folder',
    tamper: (at) =>
      ['web/node_modules/w/index.js', '.venv/lib/pytest.py', 'vendor/v.php'].forEach((file) =>
        writeFileSync(at(file), 'x'),
      ),
    told: ['.venv/lib/pytest.py', 'vendor/v.php', 'web/node_modules/w/index.js'],
  },
  {
    why: 'changed to the same size, with its old times',
    tamper: (at) => {
      writeFileSync(at('node_modules/m/index.js'), 'module x')
      utimesSync(at('node_modules/m/index.js'), WHOLE_SECONDS, WHOLE_SECONDS)
    },
    told: ['node_modules/m/index.js'],
  },
  {
    why: 'deleted',
    tamper: (at) => rmSync(at('node_modules/m/lib/deep.js')),
    told: ['node_modules/m/lib/deep.js'],
  },
  {
    why: 'deleted with everything',
    tamper: (at) => rmSync(at('node_modules'), { recursive: true }),
    told: ['node_modules'],
  },
  {
    why: 'added',
    tamper: (at) =>
      writeFiles(at('node_modules'), {
        'm/more.js': 'x',
        'evil/index.js': 'x',
        'evil/lib/x.js': 'x',
      }),
    told: ['node_modules/evil', 'node_modules/m/more.js'],
  },
  {
    why: 'added nearer to the tests',
    tamper: (at) =>
      writeFiles(at('test'), { 'node_modules/m/index.js': 'x', 'env/pyvenv.cfg': '' }),
    told: ['test/env', 'test/node_modules'],
  },
  {
    why: 'behind another link',
    tamper: (at) => (
      rmSync(at('node_modules/.bin/m')),
      symlinkSync('../tool/run', at('node_modules/.bin/m'))
    ),
    told: ['node_modules/.bin/m'],
  },
  {
    why: 'a link instead of a file',
    tamper: (at) => (
      rmSync(at('node_modules/m/index.js')),
      symlinkSync('/etc/hostname', at('node_modules/m/index.js'))
    ),
    told: ['node_modules/m/index.js'],
  },
  {
    why: 'a file instead of a folder',
    tamper: (at) => (
      rmSync(at('node_modules/m'), { recursive: true }),
      writeFileSync(at('node_modules/m'), 'x')
    ),
    told: ['node_modules/m'],
  },
  {
    why: 'a folder instead of a file',
    tamper: (at) => (
      rmSync(at('node_modules/m/index.js')),
      writeFiles(at('node_modules/m'), { 'index.js/x': 'x' })
    ),
    told: ['node_modules/m/index.js'],
  },
  {
    why: 'not to be executed',
    tamper: (at) => chmodSync(at('node_modules/tool/run'), 0o644),
    told: ['node_modules/tool/run'],
  },
]

// Files that tools write while they run; a restored folder lacks them.
const CACHED = ['results.json', 'pytest.pyc']
const packages = (dir: string) => filesOf(dir, CACHED.concat('.vite'))

test.each(tamperings)(
  'an installed package that is $why is restored and named; the tree of the user is unchanged',
  async ({ why, tamper, told }) => {
    const { project, workspace, at } = await (why.includes('times') ? installed() : copied())
    const [before, theirs] = [packages(workspace.root), fingerprint(project)]
    tamper(at)
    expect(await restored(workspace)).toEqual(told)
    expect([packages(workspace.root), fingerprint(project)]).toEqual([before, theirs])
    expect(await restored(workspace)).toEqual(told) // the same step again
    expect(await restored(workspace, 'the next step')).toEqual([])
  },
)

test('a folder replaced by a link is restored, and nothing is written to its target', async () => {
  const { workspace, before, at } = await copied()
  const elsewhere = path.join(tempDir(), 'm')
  renameSync(at('node_modules/m'), elsewhere)
  symlinkSync(elsewhere, at('node_modules/m'))
  writeFileSync(path.join(elsewhere, 'index.js'), 'x')
  expect(await restored(workspace)).toEqual(['node_modules/m'])
  expect([filesOf(workspace.root), readFileSync(path.join(elsewhere, 'index.js'), 'utf8')]).toEqual(
    [before, 'x'],
  )
})

test('restores nothing through a link in place of a folder of the repository', async () => {
  const { workspace, at } = await copied()
  const elsewhere = tempDir()
  rmSync(at('web'), { recursive: true })
  symlinkSync(elsewhere, at('web'))
  expect(await restored(workspace)).toEqual([])
  expect(filesOf(elsewhere)).toEqual({})
})

test('untouched files, caches, files rewritten unchanged, and packages in git are no tampering', async () => {
  const { workspace, at } = await installed()
  expect(await restored(workspace, 'first')).toEqual([])
  writeFileSync(at('node_modules/m/index.js'), 'module m')
  writeFiles(workspace.root, {
    'node_modules/.vite/results.json': 'other',
    'node_modules/.cache/x': 'x',
    '.venv/lib/__pycache__/pytest.pyc': 'other',
    '.venv/lib/x.pyc': 'x',
    'test/fixture/node_modules/in-git.js': 'changed',
  })
  const now = filesOf(workspace.root)
  expect(await restored(workspace, 'second')).toEqual([])
  expect(filesOf(workspace.root)).toEqual(now)
})

test.each(
  // prettier-ignore
  [
  { why: 'set-up made', config: { setup: ['node -e "require(\'fs\').writeFileSync(\'node_modules/m/index.js\', \'patched\')"'] }, content: 'patched' },
  { why: 'set-up installed without packages of the user', config: { dependencies: 'none', setup: ['node -e "fs.mkdirSync(\'node_modules/m\', { recursive: true }); fs.writeFileSync(\'node_modules/m/index.js\', \'own\')"'] }, content: 'own' },
],
)('restores a file that $why', async ({ config, content }) => {
  const { workspace, at } = await installed(config)
  writeFileSync(at('node_modules/m/index.js'), 'x')
  expect(await restored(workspace)).toEqual(['node_modules/m/index.js'])
  expect(readFileSync(at('node_modules/m/index.js'), 'utf8')).toBe(content)
})

test('scripts of an environment are restored with the interpreter of the workspace', async () => {
  const { workspace, before, at } = await installed({}, (project) =>
    writeFiles(project, { '.venv/bin/tool': { script: `#!${project}/.venv/bin/python\n` } }),
  )
  writeFileSync(at('.venv/bin/tool'), '#!/bin/true\n')
  expect(await restored(workspace)).toEqual(['.venv/bin/tool'])
  expect(filesOf(workspace.root)).toEqual(before)
  expect(readFileSync(at('.venv/bin/tool'), 'utf8')).toContain(workspace.root)
})

test('a hard link into a store is edited in both places, and restored', async () => {
  const store = path.join(tempDir(), 'stored.js')
  writeFileSync(store, 'stored')
  const script = path.join(tempDir(), 'link.cjs')
  const { project, workspace, at } = await installed(
    { dependencies: 'none', setup: [`node ${script}`] },
    (own) => {
      mkdirSync(path.join(own, 'node_modules/s'))
      linkSync(store, path.join(own, 'node_modules/s/index.js'))
      writeFileSync(
        script,
        `require('fs').mkdirSync('node_modules/s', { recursive: true }); require('fs').linkSync(${JSON.stringify(store)}, 'node_modules/s/index.js')`,
      )
    },
  )
  writeFileSync(at('node_modules/s/index.js'), 'edited')
  expect(readFileSync(path.join(project, 'node_modules/s/index.js'), 'utf8')).toBe('edited')
  expect(await restored(workspace)).toEqual(['node_modules/s/index.js'])
  expect(readFileSync(at('node_modules/s/index.js'), 'utf8')).toBe('stored')
})

test('a file that the user has changed meanwhile gets the version of the user', async () => {
  const { project, workspace, at } = await installed()
  writeFileSync(path.join(project, 'node_modules/m/index.js'), 'a newer module')
  expect(await restored(workspace, 'first')).toEqual([])
  writeFileSync(at('node_modules/m/index.js'), 'x')
  expect(await restored(workspace, 'second')).toEqual(['node_modules/m/index.js'])
  expect(readFileSync(at('node_modules/m/index.js'), 'utf8')).toBe('a newer module')
  expect(await restored(workspace, 'third')).toEqual([])
})

test('in-place uses the packages of the user and does not restore them', async () => {
  const { workspace, at } = await copied()
  writeFileSync(at('node_modules/m/index.js'), 'x')
  expect(await restored({ ...workspace, isolation: 'in-place' })).toEqual([])
})
