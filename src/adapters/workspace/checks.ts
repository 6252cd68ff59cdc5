// What Ratchet cannot work on is refused before anything is made, with what to do instead.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parse as parseYaml, YAMLError } from 'yaml'
import { RefusalError } from '../../contract/failures.js'
import { git, GitError, joinZ, splitZ } from '../git/git.js'
import type { Repo } from '../git/repo.js'
import { findRepo, resolve } from '../git/repo.js'
import type { Entry } from '../git/tree-diff.js'
import { readBlob } from '../git/tree-diff.js'

export type ProjectRepo = {
  repo: Repo
  /** The project's folder below `repo.root`, `''` for the root itself. */
  folder: string
}

/**
 * Finds the repository of a project.
 *
 * @throws RefusalError `NoRepository`, `NoCommit`
 */
export async function openProject(project: string): Promise<ProjectRepo> {
  if (!existsSync(project)) throw new RefusalError('NoRepository', 'the project directory does not exist', project, 'check the path')
  const { repo, folder } = await findOrRefuse(project)
  if ((await resolve(repo, 'HEAD')) === undefined)
    throw new RefusalError('NoCommit', 'the repository has no commit yet', repo.root, 'make one: git add -A && git commit -m "Start"')
  return { repo, folder }
}

async function findOrRefuse(project: string): Promise<ProjectRepo> {
  try {
    const inside = (await git(project, ['rev-parse', '--is-inside-work-tree'])).stdout
    if (inside !== 'true') throw new RefusalError('NoRepository', 'this is a git directory or a bare repository, without a work tree', project, 'name the folder with the checked out files')
    return { repo: await findRepo(project), folder: (await git(project, ['rev-parse', '--show-prefix'])).stdout.replace(/\/$/, '') }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (/ENOENT/.test(error.stderr)) throw new RefusalError('NoRepository', 'git was not found', project, 'install git 2.31 or later')
    if (/not a git repository/i.test(error.stderr)) throw new RefusalError('NoRepository', 'the project is not in a git repository', project, 'make one: git init && git add -A && git commit -m "Start"')
    throw new RefusalError('NoRepository', `git cannot read the repository: ${error.stderr.split('\n')[0] ?? ''}`, project, 'follow what git says, then try again')
  }
}

/**
 * Refuses what a clone of this tree would not hold or would share with the user's project.
 *
 * @param files the tree that a workspace is made of
 * @param nested nested repositories in the working tree, as `path/`
 * @param options.inPlace the user's own tree is worked in: a package manager's workspaces do no harm there
 * @throws RefusalError `UnsupportedRepository`, `NoRepository`
 */
export async function checkTree({ repo, folder }: ProjectRepo, files: ReadonlyMap<string, Entry>, nested: readonly string[], options: { inPlace?: boolean } = {}): Promise<void> {
  const refuse = (what: string, where: string, next: string): never => {
    throw new RefusalError('UnsupportedRepository', what, path.join(repo.root, where), next)
  }
  const gitlink = [...files].find(([, entry]) => entry.mode === '160000')?.[0] ?? (files.has('.gitmodules') ? '.gitmodules' : undefined)
  if (gitlink !== undefined) refuse('submodules are not supported yet', gitlink, 'name the project inside the submodule, or vendor its files')
  const [inner] = nested
  if (inner !== undefined) refuse('another git repository lies inside the project', inner, `move it away, or ignore it: echo "/${inner}" >> .gitignore`)
  const lfs = await firstLfsFile(repo, files)
  if (lfs !== undefined) refuse('Git LFS is not supported yet', lfs, 'take the project\'s files out of LFS: git lfs migrate export')
  for (const dir of options.inPlace === true ? [] : upwards(folder)) {
    const at = await workspacesAt(repo, files, dir)
    if (at !== undefined) refuse('workspaces of a package manager are not supported yet', at, 'set workspace.isolation to "in-place" in ratchet.config.json and start from a clean tree')
  }
  if (folder !== '' && ![...files.keys()].some((file) => file.startsWith(`${folder}/`)))
    throw new RefusalError('NoRepository', 'git knows no file in the project folder', path.join(repo.root, folder), 'add its files, or take it out of .gitignore')
}

async function firstLfsFile(repo: Repo, files: ReadonlyMap<string, Entry>): Promise<string | undefined> {
  const attributes = [...files].filter(([file]) => path.posix.basename(file) === '.gitattributes')
  const texts = await Promise.all(attributes.map(([, entry]) => readBlob(repo, entry.sha)))
  if (!texts.some((text) => /^[^#\n]*\bfilter=lfs\b/m.test(text))) return undefined
  const answers = splitZ((await git(repo.root, ['check-attr', '-z', '--stdin', 'filter'], { env: repo.env, input: joinZ([...files.keys()]) })).stdout)
  for (let i = 0; i + 2 < answers.length; i += 3) if (answers[i + 2] === 'lfs') return answers[i]
  return undefined
}

function upwards(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/')
  return [...parts.map((_, i) => parts.slice(0, parts.length - i).join('/')), '']
}

// A pnpm-workspace.yaml without packages only holds settings.
async function workspacesAt(repo: Repo, files: ReadonlyMap<string, Entry>, dir: string): Promise<string | undefined> {
  const manifest = path.posix.join(dir, 'package.json')
  const pnpm = path.posix.join(dir, 'pnpm-workspace.yaml')
  const workspaces = field(await read(repo, files.get(manifest)), 'workspaces')
  if (isFilled(workspaces) || isFilled(field(workspaces, 'packages'))) return manifest
  return isFilled(field(await read(repo, files.get(pnpm)), 'packages')) ? pnpm : undefined
}

// JSON is YAML. What cannot be read is for the package manager to complain about.
async function read(repo: Repo, entry: Entry | undefined): Promise<unknown> {
  if (entry === undefined) return undefined
  try {
    return parseYaml(await readBlob(repo, entry.sha)) as unknown
  } catch (error) {
    if (error instanceof YAMLError) return undefined
    throw error
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
