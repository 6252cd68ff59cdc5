import { execFileSync } from 'node:child_process'
import { readdirSync, realpathSync, renameSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { probePython } from '../../../src/adapters/workspace/isolation.js'
import type { Files } from '../../support/repos.js'
import { filesOf, makeRepo, prepare, tempDir, tempDirs, writeFiles } from '../../support/repos.js'
import { copyTree, placeOf } from '../../support/templates.js'

const NODE = { 'package.json': '{}', 'packages/api/index.js': 'api\n', '.gitignore': 'node_modules/\n.venv/\n' }
const PYTHON = { 'pyproject.toml': '', 'src/pkg/__init__.py': '', '.gitignore': '.venv/\n' }

test.each([
  { why: 'a package', link: 'node_modules/api' },
  { why: 'a scoped package', link: 'node_modules/@acme/api' },
  { why: 'a package in a store', link: 'node_modules/.pnpm/web@1.0.0/node_modules/api' },
])('$why that is an absolute link to what only the project has is refused, and named', async ({ link }) => {
  const project = makeRepo({ ...NODE, '.gitignore': 'node_modules/\nbuilt/\n' })
  writeFiles(project, { 'built/api/index.js': 'built\n', [link]: { link: path.join(project, 'built/api') } })
  await expect(prepare(project, tempDirs())).rejects.toMatchObject({
    type: 'WorkspaceNotIsolated', where: expect.stringContaining(`${link.slice('node_modules/'.length)} resolves to ${project}/built/api through`) as string, next: expect.stringContaining('"install"') as string,
  })
})

test.each([
  { why: 'relative into the project', link: '../packages/api' },
  { why: 'absolute into the project', link: 'packages/api' },
  { why: 'to a place outside of it', link: '/usr' },
  { why: 'leading nowhere', link: '/nowhere/at/all' },
])('a package that is a link $why is isolated', async ({ link }) => {
  const project = makeRepo(NODE)
  writeFiles(project, { 'node_modules/api': { link: link === 'packages/api' ? path.join(project, link) : link } })
  const { workspace, warnings } = await prepare(project, tempDirs())
  expect(warnings).toEqual([])
  if (link.endsWith('packages/api')) expect(realpathSync(path.join(workspace.root, 'node_modules/api'))).toBe(path.join(workspace.root, 'packages/api'))
  expect(filesOf(project)['node_modules/api']).toContain(link)
})

/** A project with a virtual environment, whose site-packages gets these files. */
async function pythonProject(files: (project: string) => Files): Promise<string> {
  const project = await placeOf('python', (dir) => {
    const root = path.join(dir, 'project')
    copyTree(makeRepo(PYTHON), root)
    execFileSync('python3', ['-m', 'venv', '--without-pip', path.join(root, '.venv')])
    return root
  })
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
])('$why leads to the workspace in a copied environment, and from one outside of the project it is refused', async ({ files }) => {
  const copied = await pythonProject(files)
  const { workspace } = await prepare(copied, tempDirs())
  const said = Object.values(filesOf(path.join(workspace.root, '.venv'))).join('\n')
  expect(said).toContain(workspace.root)
  expect(said).not.toMatch(new RegExp(`${copied}(/src|"|$)`, 'm'))

  const project = await pythonProject(files)
  const outside = path.join(tempDir(), 'venv')
  renameSync(path.join(project, '.venv'), outside)
  const env = { ...process.env, PATH: `${outside}/bin:${process.env['PATH'] ?? ''}` }
  await expect(prepare(project, tempDirs(), { env })).rejects.toMatchObject({ type: 'WorkspaceNotIsolated', where: expect.stringContaining(project) as string, next: expect.stringContaining('without -e') as string })
})

test.each<{ why: string; files: (project: string) => Files }>([
  { why: 'nothing of the project', files: () => ({}) },
  { why: 'an editable install from elsewhere', files: () => editable('/opt/other') },
  { why: 'a broken record', files: () => ({ 'pkg-1.0.dist-info/METADATA': 'Name: pkg\n', 'pkg-1.0.dist-info/direct_url.json': '{' }) },
])('a virtual environment with $why is isolated', async ({ files }) => {
  await expect(prepare(await pythonProject(files), tempDirs())).resolves.toMatchObject({ warnings: [] })
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
