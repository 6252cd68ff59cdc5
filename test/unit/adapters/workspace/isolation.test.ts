import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { probePython } from '../../../../src/adapters/workspace/isolation.js'
import type { Files } from '../../../support/repos.js'
import { makeRepo, prepare, tempDir, tempDirs, writeFiles } from '../../../support/repos.js'

const NODE = { 'package.json': '{}', 'packages/api/index.js': 'api\n', '.gitignore': 'node_modules/\n.venv/\n' }
const PYTHON = { 'pyproject.toml': '', 'src/pkg/__init__.py': '', '.gitignore': '.venv/\n' }

test.each([
  { why: 'a package', link: 'node_modules/api' },
  { why: 'a scoped package', link: 'node_modules/@acme/api' },
])('$why that is an absolute link to the project is refused, and named', async ({ link }) => {
  const project = makeRepo(NODE)
  writeFiles(project, { [link]: { link: path.join(project, 'packages/api') } })
  await expect(prepare(project, tempDirs())).rejects.toMatchObject({
    type: 'WorkspaceNotIsolated', where: expect.stringContaining(`${link.slice('node_modules/'.length)} resolves to ${project}/packages/api through`) as string, next: expect.stringContaining('"install"') as string,
  })
})

test.each([
  { why: 'relative into the project', link: '../packages/api' },
  { why: 'to a place outside of it', link: '/usr' },
  { why: 'leading nowhere', link: '/nowhere/at/all' },
])('a package that is a link $why is isolated', async ({ link }) => {
  const project = makeRepo(NODE)
  writeFiles(project, { 'node_modules/api': { link } })
  await expect(prepare(project, tempDirs())).resolves.toMatchObject({ warnings: [] })
})

/** A project with a virtual environment, whose site-packages gets these files. */
function pythonProject(files: (project: string) => Files): string {
  const project = makeRepo(PYTHON)
  execFileSync('python3', ['-m', 'venv', '--without-pip', path.join(project, '.venv')])
  const lib = path.join(project, '.venv/lib')
  writeFiles(path.join(lib, readdirSync(lib)[0] ?? '', 'site-packages'), files(project))
  return project
}

const editable = (project: string): Files => ({
  'pkg-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n',
  'pkg-1.0.dist-info/direct_url.json': JSON.stringify({ url: `file://${project}`, dir_info: { editable: true } }),
})

test.each<{ why: string; files: (project: string) => Files }>([
  { why: 'an editable install by its record', files: editable },
  { why: 'a path file', files: (project) => ({ 'pkg.pth': `${project}/src\n` }) },
  { why: 'an editable finder', files: (project) => ({ '__editable___pkg_1_0_finder.py': `MAPPING = {'pkg': '${project}/src/pkg'}\n`, '__editable__.pkg-1.0.pth': 'import sys\n' }) },
])('$why that leads to the project is refused', async ({ files }) => {
  const project = pythonProject(files)
  await expect(prepare(project, tempDirs())).rejects.toMatchObject({ type: 'WorkspaceNotIsolated', where: expect.stringContaining(project) as string, next: expect.stringContaining('without -e') as string })
})

test.each<{ why: string; files: (project: string) => Files }>([
  { why: 'nothing of the project', files: () => ({}) },
  { why: 'an editable install from elsewhere', files: () => editable('/opt/other') },
  { why: 'a broken record', files: () => ({ 'pkg-1.0.dist-info/METADATA': 'Name: pkg\n', 'pkg-1.0.dist-info/direct_url.json': '{' }) },
])('a virtual environment with $why is isolated', async ({ files }) => {
  await expect(prepare(pythonProject(files), tempDirs())).resolves.toMatchObject({ warnings: [] })
})

test('the probe finds PYTHONPATH into the project, in the environment the tests get', async () => {
  const [project, cwd] = [tempDir(), tempDir()]
  writeFiles(project, { 'lib/x.py': '' })
  const probe = (env: NodeJS.ProcessEnv) => probePython({ python: ['python3'], project, cwd, env: { ...process.env, ...env } })
  expect(await probe({ PYTHONPATH: path.join(project, 'lib') })).toMatchObject({ resolvesTo: path.join(project, 'lib') })
  expect(await probe({ PYTHONPATH: cwd })).toBeUndefined()
})

test('an interpreter that does not start is no finding: the tests will say so', async () => {
  expect(await probePython({ python: ['/nowhere/python'], project: tempDir(), cwd: tempDir(), env: {} })).toBeUndefined()
})
