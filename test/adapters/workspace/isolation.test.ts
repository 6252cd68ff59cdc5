import { realpathSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { probePython } from '../../../src/adapters/workspace/isolation.js'
import {
  editable,
  expectIsolated,
  expectOwnPackage,
  type Installed,
} from '../../support/repositories/python-projects.js'
import {
  filesOf,
  makeRepo,
  prepare,
  tempDir,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'

const NODE = {
  'package.json': '{}',
  'packages/api/index.js': 'api\n',
  '.gitignore': 'node_modules/\n.venv/\n',
}

test.each([
  { why: 'a package', link: 'node_modules/api' },
  { why: 'a scoped package', link: 'node_modules/@acme/api' },
  { why: 'a package in a store', link: 'node_modules/.pnpm/web@1.0.0/node_modules/api' },
])(
  '$why that is an absolute link to what only the project has is refused, and named',
  async ({ link }) => {
    const project = makeRepo({ ...NODE, '.gitignore': 'node_modules/\nbuilt/\n' })
    writeFiles(project, {
      'built/api/index.js': 'built\n',
      [link]: { link: path.join(project, 'built/api') },
    })
    await expect(prepare(project, tempDirs())).rejects.toMatchObject({
      type: 'WorkspaceNotIsolated',
      where: expect.stringContaining(
        `${link.slice('node_modules/'.length)} resolves to ${project}/built/api through`,
      ) as string,
      next: expect.stringContaining('"install"') as string,
    })
  },
)

test.each([
  { why: 'relative into the project', link: '../packages/api' },
  { why: 'absolute into the project', link: 'packages/api' },
  { why: 'to a place outside of it', link: '/usr' },
  { why: 'leading nowhere', link: '/nowhere/at/all' },
])('a package that is a link $why is isolated', async ({ link }) => {
  const project = makeRepo(NODE)
  writeFiles(project, {
    'node_modules/api': { link: link === 'packages/api' ? path.join(project, link) : link },
  })
  const { workspace, warnings } = await prepare(project, tempDirs())
  expect(warnings).toEqual([])
  if (link.endsWith('packages/api'))
    expect(realpathSync(path.join(workspace.root, 'node_modules/api'))).toBe(
      path.join(workspace.root, 'packages/api'),
    )
  expect(filesOf(project)['node_modules/api']).toContain(link)
})

test.each<Installed>([{ why: 'an editable install by its record', files: editable }])(
  '$why leads to the workspace in a copied environment, and from one outside of the project it is refused',
  expectOwnPackage,
)

test.each<Installed>([
  {
    why: 'a broken record',
    files: () => ({
      'pkg-1.0.dist-info/METADATA': 'Name: pkg\n',
      'pkg-1.0.dist-info/direct_url.json': '{',
    }),
  },
])('a virtual environment with $why is isolated', expectIsolated)

test('the probe finds PYTHONPATH into the project, in the environment the tests get', async () => {
  const [project, cwd] = [tempDir(), tempDir()]
  writeFiles(project, { 'lib/x.py': '' })
  const probe = (env: NodeJS.ProcessEnv) =>
    probePython({ python: ['python3'], project, cwd, env: { ...process.env, ...env } })
  expect(await probe({ PYTHONPATH: path.join(project, 'lib') })).toMatchObject({
    resolvesTo: path.join(project, 'lib'),
  })
  expect(await probe({ PYTHONPATH: cwd })).toBeUndefined()
})

test('an interpreter that does not start is no finding: the tests will report it', async () => {
  expect(
    await probePython({ python: ['/nowhere/python'], project: tempDir(), cwd: tempDir(), env: {} }),
  ).toBeUndefined()
})
