// Removes what runs leave behind: workspaces, branches, refs. A branch goes only when it is
// Ratchet's and its work is somewhere else too.
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { idProblem } from '../../../contract/ids.js'
import { layout, type Dirs } from '../../state-dir.js'
import { readCommit } from '../commits.js'
import { mergeTrees } from '../merge/merge-trees.js'
import { nameOfBranch, reachableElsewhere } from '../ratchet-refs.js'
import { checkedOut, findRepo, inRepo, resolve, type Repo } from '../repo.js'
import { workTree } from './snapshot.js'

/** Removes a run's workspace with everything in it. Returns whether there was one. */
export async function removeWorkspace(
  dirs: Dirs,
  projectKey: string,
  name: string,
): Promise<boolean> {
  const problem = /^[0-9a-f]{6,64}$/.test(projectKey)
    ? idProblem(name)
    : `project key must be hex digits, got ${JSON.stringify(projectKey)}`
  if (problem !== undefined) throw new Error(problem)
  return removeTree(layout.workspace(dirs, projectKey, name))
}

/** Removes a directory, read-only folders in it included. Returns whether it was there. */
export async function removeTree(dir: string): Promise<boolean> {
  try {
    await lstat(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  try {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') throw error
    await makeWritable(dir) // module caches are written without the write bit
    await rm(dir, { recursive: true, force: true, maxRetries: 3 })
  }
  return true
}

async function makeWritable(dir: string): Promise<void> {
  await chmod(dir, 0o700)
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(path.join(dir, entry.name))
}

/** `reason` says in one sentence why a branch was kept. */
export type Removal = { removed: boolean; reason?: string }

/**
 * Removes a branch of Ratchet's whose work is in the working tree, in HEAD or on another branch.
 *
 * @param options.force also where its work is nowhere else; never a branch that is not Ratchet's or
 * is checked out
 * @param options.dryRun only says what would be done
 */
export async function removeBranch(
  project: string,
  branch: string,
  options: { force?: boolean; dryRun?: boolean } = {},
): Promise<Removal> {
  const repo = await findRepo(project)
  const ref = `refs/heads/${branch}`
  const tip = await resolve(repo, ref)
  if (tip === undefined) return { removed: false, reason: `there is no branch ${branch}` }
  if (nameOfBranch(branch) === undefined)
    return { removed: false, reason: `${branch} is not a branch of Ratchet's` }
  const worktree = (await checkedOut(repo)).get(ref)
  if (worktree !== undefined)
    return { removed: false, reason: `${branch} is checked out in ${worktree}` }
  if (!(await reachableElsewhere(repo, tip, ref))) {
    if (!(await readCommit(repo, tip)).ours)
      return { removed: false, reason: `${branch} holds commits that are not Ratchet's` }
    if (options.force !== true && !(await isApplied(repo, tip)))
      return { removed: false, reason: `the work on ${branch} is nowhere else` }
  }
  if (options.dryRun !== true) await inRepo(repo, ['update-ref', '-d', ref, tip])
  return { removed: true }
}

/**
 * Removes the refs that a run keeps besides its branch. Returns what was removed, or with `dryRun`
 * what would be.
 */
export async function removeRefs(
  project: string,
  name: string,
  { dryRun = false } = {},
): Promise<string[]> {
  const problem = idProblem(name)
  if (problem !== undefined) throw new Error(problem)
  const repo = await findRepo(project)
  const listed = await inRepo(repo, [
    'for-each-ref',
    '--format=%(refname)',
    `refs/ratchet/${name}/`,
    `refs/ratchet/old/${name}/`,
  ])
  const refs = listed.split('\n').filter((ref) => ref !== '')
  for (const ref of dryRun ? [] : refs) await inRepo(repo, ['update-ref', '-d', ref])
  return refs
}

// All commits of the branch after the last one of others, including the snapshot of uncommitted
// work.
async function isApplied(repo: Repo, tip: string): Promise<boolean> {
  let commit = await readCommit(repo, tip)
  while (commit.ours && commit.parents[0] !== undefined)
    commit = await readCommit(repo, commit.parents[0])
  const { tree } = await workTree(repo)
  for (const mine of [tree, 'HEAD']) {
    const { writes, conflicts } = await mergeTrees(repo, commit.sha, mine, tip)
    if (writes.size === 0 && conflicts.length === 0) return true
  }
  return false
}
