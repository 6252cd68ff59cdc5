// Where a repository is. A clone has two: Ratchet's own, which alone is read, and the agent's,
// which is only written.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { textOf } from '../files/read-text.js'
import { git } from './git.js'

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
  /** Only Ratchet writes into it: its refs are files, its HEAD is always the run's branch. */
  own: boolean
}

/** Ratchet's repository of a clone, or with `in-place` the user's. */
export async function workspaceRepo(workspace: Workspace): Promise<Repo> {
  return workspace.isolation === 'in-place' ? findRepo(workspace.root) : ownRepo(workspace.root)
}

/**
 * Ratchet's repository of the clone at `root`: its git directory lies next to the clone, its work
 * tree is the clone's.
 *
 * It reads no configuration but its own file, so nothing that an agent writes into the clone's
 * `.git` has an effect.
 */
export function ownRepo(root: string): Repo {
  const gitDir = path.join(path.dirname(root), 'git')
  return {
    root,
    gitDir,
    commonDir: gitDir,
    env: {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: root,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
    own: true,
  }
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
  if (answers.length !== questions.length)
    answers = [
      await ask('--show-toplevel'),
      await ask('--absolute-git-dir'),
      await ask('--git-common-dir'),
    ]
  const [root = '', gitDir = '', commonDir = ''] = answers
  return {
    root,
    gitDir: path.resolve(dir, gitDir),
    commonDir: path.resolve(dir, commonDir),
    env: {},
    own: false,
  }
}

/** Other directories that an object directory borrows objects from, absolute. */
export async function alternatesOf(objects: string): Promise<string[]> {
  const lines = ((await textOf(path.join(objects, 'info', 'alternates'))) ?? '').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) =>
      path.resolve(objects, line.startsWith('"') ? (JSON.parse(line) as string) : line),
    )
}

/** Runs git in a repository and returns what it printed. */
export async function inRepo(
  repo: Repo,
  args: readonly string[],
  options: { env?: Record<string, string>; input?: string; bytes?: boolean } = {},
): Promise<string> {
  const { env, ...rest } = options
  return (await git(repo.root, args, { ...rest, env: { ...repo.env, ...env } })).stdout
}

/**
 * Brings a ref with its objects from a workspace's repository to another one.
 *
 * Every object that comes is checked: its content is what its name says, and is what git may hold
 * (a tree without a path to `.git`, a well-formed commit). Nothing is taken where one is not.
 *
 * @param as the ref to be written; without it objects alone come
 * @throws GitError where an object is refused
 */
export async function bringObjects(from: Repo, to: Repo, ref: string, as?: string): Promise<void> {
  await inRepo(to, [
    '-c',
    'fetch.fsckObjects=true',
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-recurse-submodules',
    '--no-prune',
    '--update-shallow',
    from.gitDir,
    as === undefined ? ref : `+${ref}:${as}`,
  ])
}

/** The commit a revision names, or `undefined`. */
export async function resolve(repo: Repo, revision: string): Promise<string | undefined> {
  if (repo.own && revision.startsWith('refs/')) return readOwnRef(repo, revision)
  const { stdout, code } = await git(
    repo.root,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    { env: repo.env, okCodes: [1, 128] },
  )
  return code === 0 ? stdout : undefined
}

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

// No process is needed for it: Ratchet packs no refs.
async function readOwnRef({ gitDir }: Repo, ref: string): Promise<string | undefined> {
  try {
    const commit = (await readFile(path.join(gitDir, ref), 'utf8')).trim()
    return HASH.test(commit) ? commit : undefined
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}

/** Refs below one, in the order of their names. */
export async function refsBelow(
  repo: Repo,
  folder: string,
): Promise<{ ref: string; sha: string }[]> {
  if (!repo.own) {
    const lines = (
      await inRepo(repo, ['for-each-ref', '--format=%(refname) %(objectname)', `${folder}/`])
    ).split('\n')
    return lines
      .filter((line) => line !== '')
      .map((line) => ({
        ref: line.slice(0, line.indexOf(' ')),
        sha: line.slice(line.indexOf(' ') + 1),
      }))
  }
  const names = await readdir(path.join(repo.gitDir, folder), { recursive: true }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    },
  )
  const refs = await Promise.all(
    names.sort().map(async (name) => ({
      ref: `${folder}/${name}`,
      sha: await readOwnRef(repo, `${folder}/${name}`),
    })),
  )
  return refs.flatMap(({ ref, sha }) => (sha === undefined ? [] : [{ ref, sha }]))
}

/** Whether a commit is the other, or in its history. */
export async function isAncestor(repo: Repo, commit: string, of: string): Promise<boolean> {
  return (
    commit === of ||
    (
      await git(repo.root, ['merge-base', '--is-ancestor', commit, of], {
        env: repo.env,
        okCodes: [1],
      })
    ).code === 0
  )
}

/** Branch that HEAD is attached to, as a full ref, or `undefined`. */
export async function headRef(repo: Repo): Promise<string | undefined> {
  const { stdout, code } = await git(repo.root, ['symbolic-ref', '--quiet', 'HEAD'], {
    env: repo.env,
    okCodes: [1],
  })
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
