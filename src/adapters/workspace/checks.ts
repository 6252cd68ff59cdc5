// What Ratchet cannot work on is refused before anything is made, with what to do instead.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { RefusalError } from '../../contract/failures.js'
import { git, GitError } from '../git/git.js'
import { findRepo, resolve, type Repo } from '../git/repo.js'
import { GITLINK, type Entry } from '../git/tree-diff.js'

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
  if (!existsSync(project))
    throw new RefusalError(
      'NoRepository',
      'the project directory does not exist',
      project,
      'check the path',
    )
  const { repo, folder } = await findOrRefuse(project)
  if ((await resolve(repo, 'HEAD')) === undefined)
    throw new RefusalError(
      'NoCommit',
      'the repository has no commit yet',
      repo.root,
      'create one: git add -A && git commit -m "Start"',
    )
  return { repo, folder }
}

async function findOrRefuse(project: string): Promise<ProjectRepo> {
  try {
    const inside = (await git(project, ['rev-parse', '--is-inside-work-tree'])).stdout
    if (inside !== 'true')
      throw new RefusalError(
        'NoRepository',
        'this is a git directory or a bare repository, without a work tree',
        project,
        'name the folder with the checked out files',
      )
    return {
      repo: await findRepo(project),
      folder: (await git(project, ['rev-parse', '--show-prefix'])).stdout.replace(/\/$/, ''),
    }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (/ENOENT/.test(error.stderr))
      throw new RefusalError(
        'NoRepository',
        'git was not found',
        project,
        'install git 2.32 or later',
      )
    if (/not a git repository/i.test(error.stderr))
      throw new RefusalError(
        'NoRepository',
        'the project is not in a git repository',
        project,
        'make one: git init && git add -A && git commit -m "Start"',
      )
    const strange = /dubious ownership in repository at '(.*)'/.exec(error.stderr)?.[1]
    if (strange !== undefined)
      throw new RefusalError(
        'NoRepository',
        'git refuses to read this repository, because another user owns it',
        strange,
        `if you trust it: git config --global --add safe.directory '${strange}'`,
      )
    throw new RefusalError(
      'NoRepository',
      `git cannot read the repository: ${error.stderr.split('\n')[0] ?? ''}`,
      project,
      'follow what git says, then try again',
    )
  }
}

/**
 * Refuses what a clone of this tree would not hold or would share with the user's project.
 *
 * @param files the tree that a workspace is made of
 * @param nested nested repositories in the working tree, as `path/`
 * @param options.inPlace the user's own tree is worked in
 * @throws RefusalError `UnsupportedRepository`, `NoRepository`
 */
export function checkTree(
  { repo, folder }: ProjectRepo,
  files: ReadonlyMap<string, Entry>,
  nested: readonly string[],
  options: { inPlace?: boolean } = {},
): void {
  const refuse = (what: string, where: string, next: string): never => {
    throw new RefusalError('UnsupportedRepository', what, path.join(repo.root, where), next)
  }
  const submodule =
    options.inPlace === true
      ? [...files].find(([, entry]) => entry.mode === GITLINK)?.[0]
      : undefined
  if (submodule !== undefined)
    refuse(
      'workspace.isolation "in-place" would not see what is changed in a submodule',
      submodule,
      'set workspace.isolation to "clone", or name the project inside the submodule',
    )
  const [inner] = nested
  if (inner !== undefined)
    refuse(
      'another git repository lies inside the project',
      inner,
      `move it away, or ignore it: echo "/${inner}" >> .gitignore`,
    )
  if (folder !== '' && ![...files.keys()].some((file) => file.startsWith(`${folder}/`)))
    throw new RefusalError(
      'NoRepository',
      'git tracks no file in the project folder',
      path.join(repo.root, folder),
      'add its files, or remove it from .gitignore',
    )
}
