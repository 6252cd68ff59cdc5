import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { restoreTree } from '../../../src/adapters/git/steps.js'
import { workspaceEnv } from '../../../src/adapters/workspace/environment.js'
import {
  fingerprint,
  makeRepo,
  prepare,
  runGit,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'

const LOCK = JSON.stringify({
  name: 'sample',
  lockfileVersion: 3,
  packages: { '': { name: 'sample' } },
})
const NODE = {
  ...SAMPLE,
  '.gitignore': 'node_modules/\nvendor/\n.env*\ndist/\n',
  'package.json': '{ "name": "sample", "version": "1.0.0" }',
  'package-lock.json': LOCK,
  'web/package.json': '{}',
}

test('dependencies next to every manifest are copied, not linked, and stay out of commits', async () => {
  const project = makeRepo(NODE)
  writeFiles(project, {
    'node_modules/m/index.js': 'm',
    'node_modules/.bin/m': { link: '../m/index.js' },
    'web/node_modules/w/index.js': 'w',
    'vendor/v.php': 'v',
    'other/node_modules/x': 'no manifest',
  })
  const { workspace } = await prepare(project, tempDirs())
  const at = (file: string) => path.join(workspace.root, file)
  for (const file of ['node_modules/m/index.js', 'web/node_modules/w/index.js', 'vendor/v.php']) {
    expect(existsSync(at(file))).toBe(true)
    expect(lstatSync(at(file)).ino).not.toBe(lstatSync(path.join(project, file)).ino)
    expect(realpathSync(at(file))).toBe(at(file))
  }
  expect(lstatSync(at('node_modules/.bin/m')).isSymbolicLink()).toBe(true)
  expect(existsSync(at('other'))).toBe(false)
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
})

test('without a .gitignore: packages and environments of any name are no part of the snapshot, and are copied', async () => {
  const project = makeRepo({ 'package.json': '{}', 'pyproject.toml': '', 'src/x.py': 'x' })
  const environment = (dir: string) => ({
    [`${dir}/pyvenv.cfg`]: 'home = /usr/bin\n',
    [`${dir}/bin/tool`]: { script: `#!${path.join(project, dir)}/bin/python3\n` },
    [`${dir}/lib/m.py`]: 'm',
  })
  writeFiles(project, {
    'node_modules/m/index.js': 'm',
    ...environment('.venv'),
    ...environment('py 3.12'),
    'src/new.py': 'new',
  })
  mkdirSync(path.join(project, '.venv/src/editable'), { recursive: true })
  runGit(path.join(project, '.venv/src/editable'), 'init', '-q')
  const { workspace } = await prepare(project, tempDirs())
  expect(runGit(workspace.root, 'ls-files').split('\n')).toEqual([
    'package.json',
    'pyproject.toml',
    'src/new.py',
    'src/x.py',
  ])
  for (const file of ['node_modules/m/index.js', '.venv/lib/m.py', 'py 3.12/lib/m.py'])
    expect(existsSync(path.join(workspace.root, file))).toBe(true)
  expect(readFileSync(path.join(workspace.root, 'py 3.12/bin/tool'), 'utf8')).toBe(
    `#!${workspace.root}/py 3.12/bin/python3\n`,
  )
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
  await restoreTree(workspace, workspace.base)
  expect(existsSync(path.join(workspace.root, 'py 3.12/lib/m.py'))).toBe(true)
})

test('a node_modules that is a link is copied with its target', async () => {
  const project = makeRepo({ ...NODE, '.gitignore': 'node_modules\n' })
  const elsewhere = tempDir()
  writeFiles(elsewhere, { 'm/index.js': 'm' })
  symlinkSync(elsewhere, path.join(project, 'node_modules'))
  const { workspace } = await prepare(project, tempDirs())
  expect(lstatSync(path.join(workspace.root, 'node_modules')).isDirectory()).toBe(true)
  expect(readFileSync(path.join(workspace.root, 'node_modules/m/index.js'), 'utf8')).toBe('m')
})

test('npm ci in the workspace leaves node_modules of the user as they are', async () => {
  const project = makeRepo(NODE)
  writeFiles(project, { 'node_modules/m/index.js': 'm' })
  const before = fingerprint(project)
  const { workspace } = await prepare(project, tempDirs())
  execFileSync('npm', ['ci', '--offline', '--no-audit', '--no-fund'], {
    cwd: workspace.root,
    stdio: 'ignore',
    env: { ...process.env, npm_config_cache: tempDir() },
  })
  expect(existsSync(path.join(workspace.root, 'node_modules/m'))).toBe(false)
  expect(fingerprint(project)).toEqual(before)
}, 60_000)

test('install runs the package manager of the lock file in the workspace, not in the project', async () => {
  const bin = tempDir()
  const log = path.join(bin, 'log')
  for (const name of ['npm', 'pnpm', 'yarn'])
    writeFiles(bin, {
      [name]: {
        script: `#!/bin/sh\necho "${name} $* in $(pwd) prefix=$npm_config_local_prefix" >> '${log}'\n`,
      },
    })
  const project = makeRepo({
    ...NODE,
    'web/pnpm-lock.yaml': '',
    'app/package.json': '{}',
    'app/yarn.lock': '',
    'berry/package.json': '{}',
    'berry/yarn.lock': '',
    'berry/.yarnrc.yml': '',
    'plain/package.json': '{}',
  })
  writeFiles(project, { 'node_modules/m/index.js': 'm' })
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH']}`,
    npm_config_local_prefix: project,
    INIT_CWD: project,
  }
  const { workspace } = await prepare(project, tempDirs(), {
    workspaceConfig: { dependencies: 'install' },
    env,
  })
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
    `npm ci --no-audit --no-fund in ${workspace.root} prefix=`,
    `yarn install --frozen-lockfile in ${workspace.root}/app prefix=`,
    `yarn install --immutable in ${workspace.root}/berry prefix=`,
    `pnpm install --frozen-lockfile in ${workspace.root}/web prefix=`,
  ])
  expect(existsSync(path.join(workspace.root, 'node_modules'))).toBe(false)
})

test('with dependencies none they are left out', async () => {
  const project = makeRepo(NODE)
  writeFiles(project, { 'node_modules/m/index.js': 'm' })
  const { workspace } = await prepare(project, tempDirs(), {
    workspaceConfig: { dependencies: 'none' },
  })
  expect(existsSync(path.join(workspace.root, 'node_modules'))).toBe(false)
})

test('ignored files named by copy arrive; set-up runs with the environment; files that it creates are ignored, changes of tracked files are undone and reported', async () => {
  const project = makeRepo(NODE)
  writeFiles(project, { '.env.local': 'A=1', 'config/.env': 'B=2', '.envrc': 'C=3' })
  const setup = [
    "node -e \"require('fs').mkdirSync('out put[1]'); fs.writeFileSync('out put[1]/x', process.env.MARK); fs.writeFileSync('!odd', ''); fs.writeFileSync('src/add.js', 'generated')\"",
  ]
  const { workspace, warnings, measuredWith } = await prepare(project, tempDirs(), {
    workspaceConfig: { copy: ['.env*', '**/.env'], setup },
    env: { ...process.env, MARK: 'mark' },
  })
  const read = (file: string) => readFileSync(path.join(workspace.root, file), 'utf8')
  expect([read('.env.local'), read('config/.env'), read('.envrc'), read('out put[1]/x')]).toEqual([
    'A=1',
    'B=2',
    'C=3',
    'mark',
  ])
  expect(read('src/add.js')).toBe(SAMPLE['src/add.js'])
  expect(warnings).toEqual(['set-up changed tracked files, which were restored: src/add.js'])
  expect(measuredWith).toEqual(['workspace.copy: .env.local, .envrc, config/.env'])
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
})

test('scripts of a copied virtual environment run its own interpreter', async () => {
  const project = makeRepo({ 'pyproject.toml': '', '.gitignore': '.venv/\n' })
  execFileSync('python3', ['-m', 'venv', '--without-pip', path.join(project, '.venv')])
  writeFiles(project, {
    '.venv/bin/tool': { script: `#!${project}/.venv/bin/python\nimport sys\nprint(sys.prefix)\n` },
  })
  const { workspace } = await prepare(project, tempDirs())
  expect(
    execFileSync(path.join(workspace.root, '.venv/bin/tool'), { encoding: 'utf8' }).trim(),
  ).toBe(path.join(workspace.root, '.venv'))
})

test('an environment that points into the project points into the workspace', () => {
  const [from, to] = [tempDir(), tempDir()]
  writeFiles(to, { '.venv/bin/python': '' })
  const env = {
    PATH: `${from}/.venv/bin:/usr/bin:${from}/gone/bin:${from}-other/bin`,
    VIRTUAL_ENV: `${from}/.venv`,
    PYTHONPATH: `${from}/lib`,
    GIT_DIR: '/x',
    npm_config_local_prefix: from,
    KEPT: from,
  }
  expect(workspaceEnv(env, { from, to })).toEqual({
    PATH: `${to}/.venv/bin:/usr/bin:${from}-other/bin`,
    VIRTUAL_ENV: `${to}/.venv`,
    KEPT: from,
  })
})

test('directories of the project that are named through a link lead to the workspace too', () => {
  const [from, to, link] = [tempDir(), tempDir(), path.join(tempDir(), 'link')]
  symlinkSync(from, link)
  writeFiles(from, { '.venv/bin/python': '' })
  writeFiles(to, { '.venv/bin/python': '' })
  const wanted = { PATH: `${to}/.venv/bin:/usr/bin`, VIRTUAL_ENV: `${to}/.venv` }
  expect(
    workspaceEnv(
      { PATH: `${link}/.venv/bin:/usr/bin`, VIRTUAL_ENV: `${link}/.venv` },
      { from, to },
    ),
  ).toEqual(wanted)
  expect(
    workspaceEnv(
      { PATH: `${from}/.venv/bin:/usr/bin`, VIRTUAL_ENV: `${from}/.venv` },
      { from: link, to },
    ),
  ).toEqual(wanted)
})
