// Python projects with a virtual environment, and where their packages point.
import { execFileSync } from 'node:child_process'
import { readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { filesOf, makeRepo, prepare, tempDir, tempDirs, writeFiles, type Files } from './repos.js'
import { copyTree, placeOf } from './templates.js'

const PYTHON = { 'pyproject.toml': '', 'src/pkg/__init__.py': '', '.gitignore': '.venv/\n' }

export type Installed = { why: string; files: (project: string) => Files }

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

export const editable = (project: string): Files => ({
  'pkg-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n',
  'pkg-1.0.dist-info/direct_url.json': JSON.stringify({
    url: `file://${project}`,
    dir_info: { editable: true },
  }),
})

/**
 * In a copied environment what is installed is the workspace's; from an environment elsewhere it is
 * the project's, and refused.
 */
export async function expectOwnPackage({ files }: Installed): Promise<void> {
  const copied = await pythonProject(files)
  const { workspace } = await prepare(copied, tempDirs())
  const said = Object.values(filesOf(path.join(workspace.root, '.venv'))).join('\n')
  expect(said).toContain(workspace.root)
  expect(said).not.toMatch(new RegExp(`${copied}(/src|"|$)`, 'm'))

  const project = await pythonProject(files)
  const outside = path.join(tempDir(), 'venv')
  renameSync(path.join(project, '.venv'), outside)
  const env = { ...process.env, PATH: `${outside}/bin:${process.env['PATH'] ?? ''}` }
  await expect(prepare(project, tempDirs(), { env })).rejects.toMatchObject({
    type: 'WorkspaceNotIsolated',
    where: expect.stringContaining(project) as string,
    next: expect.stringContaining('without -e') as string,
  })
}

/** No installed package points into the project. */
export async function expectIsolated({ files }: Installed): Promise<void> {
  await expect(prepare(await pythonProject(files), tempDirs())).resolves.toMatchObject({
    warnings: [],
  })
}
