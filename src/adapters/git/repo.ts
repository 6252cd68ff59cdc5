// Where a repository is. A clone is addressed by its own .git, so that an agent that removes it, or
// sets core.worktree in it, cannot point Ratchet at a repository further up.
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { git, needPlace, PlaceGone } from './git.js'

/** A repository with a work tree. Paths are absolute. */
export type Repo = {
  /** Top of the work tree. */
  root: string
  /** Directory with HEAD and index; of the worktree, where it is a linked one. */
  gitDir: string
  /** Directory with objects and refs. */
  commonDir: string
  /** Variables for every git command in it. */
  env: Readonly<Record<string, string>>
}

/** The clone of a workspace, or with `in-place` the user's repository. */
export async function workspaceRepo(workspace: Workspace): Promise<Repo> {
  if (workspace.isolation === 'in-place') return findRepo(workspace.root)
  return cloneRepo(workspace.root)
}

/**
 * Opens the repository of a workspace. An agent may have removed the clone, its `.git`, or what git needs in
 * it: no further attempt mends that, as one of the user's own repository may be mended by the user.
 *
 * @throws PlaceGone
 */
export async function livingRepo(workspace: Workspace): Promise<Repo> {
  needPlace(workspace.root)
  const repo = await workspaceRepo(workspace)
  needPlace(repo.gitDir)
  if (workspace.isolation === 'in-place') return repo
  const { code } = await git(repo.root, ['rev-parse', '--git-dir'], { env: repo.env, okCodes: [NO_REPOSITORY] })
  if (code === NO_REPOSITORY) throw new PlaceGone(repo.gitDir, 'broken')
  return repo
}

/** Exit code of git where there is no repository, or one whose HEAD or configuration nobody can read. */
const NO_REPOSITORY = 128

/** A clone that Ratchet made. */
export function cloneRepo(root: string): Repo {
  const gitDir = path.join(root, '.git')
  return { root, gitDir, commonDir: gitDir, env: { GIT_DIR: gitDir, GIT_WORK_TREE: root } }
}

/**
 * The repository around a directory.
 *
 * @throws GitError where there is none, or none with a work tree
 */
export async function findRepo(dir: string): Promise<Repo> {
  const ask = async (...questions: string[]) => (await git(dir, ['rev-parse', ...questions])).stdout
  const questions = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir']
  let answers = (await ask(...questions)).split('\n')
  // A path that holds a line break.
  if (answers.length !== questions.length) answers = [await ask('--show-toplevel'), await ask('--absolute-git-dir'), await ask('--git-common-dir')]
  const [root = '', gitDir = '', commonDir = ''] = answers
  return { root, gitDir: path.resolve(dir, gitDir), commonDir: path.resolve(dir, commonDir), env: {} }
}

/** Runs git in a repository and returns what it printed. */
export async function inRepo(repo: Repo, args: readonly string[], options: { env?: Record<string, string>; input?: string; bytes?: boolean } = {}): Promise<string> {
  const { env, ...rest } = options
  return (await git(repo.root, args, { ...rest, env: { ...repo.env, ...env } })).stdout
}

/** The commit a revision names, or `undefined`. */
export async function resolve(repo: Repo, revision: string): Promise<string | undefined> {
  const { stdout, code } = await git(repo.root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], { env: repo.env, okCodes: [1, 128] })
  return code === 0 ? stdout : undefined
}

/** Whether a commit is the other, or in its history. */
export async function isAncestor(repo: Repo, commit: string, of: string): Promise<boolean> {
  return commit === of || (await git(repo.root, ['merge-base', '--is-ancestor', commit, of], { env: repo.env, okCodes: [1] })).code === 0
}

/** Branch that HEAD is attached to, as a full ref, or `undefined`. */
export async function headRef(repo: Repo): Promise<string | undefined> {
  const { stdout, code } = await git(repo.root, ['symbolic-ref', '--quiet', 'HEAD'], { env: repo.env, okCodes: [1] })
  return code === 0 ? stdout : undefined
}

/** Full refs of the branches checked out in any worktree of the repository. */
export async function checkedOut(repo: Repo): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let worktree = ''
  for (const line of (await inRepo(repo, ['worktree', 'list', '--porcelain'])).split('\n')) {
    if (line.startsWith('worktree ')) worktree = line.slice('worktree '.length)
    if (line.startsWith('branch ')) found.set(line.slice('branch '.length), worktree)
  }
  return found
}
