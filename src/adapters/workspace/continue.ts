// Finds where a session continues whose workflow is gone: at the newest remaining state of its
// branch.
//
// The branch in the user's repository, its copy that could not be moved there, and the session's
// old workspace may each be ahead of the others. Nothing is lost by the choice: the other tips stay
// under refs/ratchet/old/.
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { acceptedAt } from '../git/candidates.js'
import { readCommit, treeOf } from '../git/commits.js'
import { bringLfsSince } from '../git/lfs.js'
import { candidateName, keptName, keptRefs } from '../git/ratchet-refs.js'
import {
  bringObjects,
  headRef,
  inRepo,
  isAncestor,
  ownRepo,
  resolve,
  type Repo,
} from '../git/repo.js'

export type ContinueFrom = {
  /** Branch of the run, and the commit that its first run began from. */
  branch: string
  base: string
  /**
   * A candidate that waits for its verdict: the session continues with it, not after Ratchet's
   * later commits.
   */
  fix?: string
  /** Iteration whose candidate may be there without a note of it. */
  iteration?: number
}

export type Continuation = { branch: string; base: string; head: string }

/** Finds where to continue; `undefined` if nothing is left of the branch. */
export async function findContinuation(
  user: Repo,
  name: string,
  dir: string,
  from: ContinueFrom,
): Promise<Continuation | undefined> {
  await fetchOld(user, name, dir, from)
  const kept = keptName(from.branch)
  const tips = await Promise.all(
    [
      `refs/heads/${from.branch}`,
      keptRefs.head(kept),
      ...(from.iteration === undefined
        ? []
        : [keptRefs.candidate(kept, candidateName(String(from.iteration)))]),
    ].map((ref) => resolve(user, ref)),
  )
  const old = await oldTip(dir, from.branch)
  let head: string | undefined
  for (const tip of [...tips, old === undefined ? undefined : await resolve(user, old)])
    // Of two that diverged, the user's own branch, as a person has moved it.
    if (tip !== undefined && (head === undefined || (await isAncestor(user, head, tip)))) head = tip
  if (head === undefined || (await resolve(user, from.base)) === undefined) return undefined
  return { branch: from.branch, base: from.base, head: await atCandidate(user, head, from) }
}

/**
 * The same for `in-place`: only where the branch is checked out, as switching to it is the user's
 * to do.
 *
 * @throws RefusalError `BadInput` where another branch is
 */
export async function continuesInPlace(user: Repo, from: ContinueFrom): Promise<boolean> {
  const ref = `refs/heads/${from.branch}`
  if ((await resolve(user, ref)) === undefined || (await resolve(user, from.base)) === undefined)
    return false
  if ((await headRef(user)) === ref) return true
  throw new RefusalError(
    BAD_INPUT,
    `with workspace.isolation "in-place" the session continues on its branch ${from.branch}, which is not checked out`,
    user.root,
    `switch to it: git switch ${from.branch}`,
  )
}

/** What is said of a session whose branch is gone. */
export function lostWarning({ branch }: ContinueFrom, start: string): string {
  return `the branch ${branch} is gone, and with it the changes of earlier iterations: the session continues from ${start}`
}

/**
 * The candidate that a session continues with; without one the newest accepted commit.
 *
 * What Ratchet has committed after the commit before the candidate is made again after the retest.
 */
export async function atCandidate(
  user: Repo,
  head: string,
  { fix, iteration }: Pick<ContinueFrom, 'fix' | 'iteration'>,
): Promise<string> {
  const accepted = await acceptedAt(user, head)
  if (fix === undefined) {
    const step = `iteration-${iteration}/commit`
    return (await readCommit(user, head)).trailers.get('Ratchet-Step') === step ? head : accepted
  }
  if ((await resolve(user, fix)) === undefined) return accepted
  const before = await acceptedAt(user, fix)
  if (!(await isAncestor(user, before, accepted))) return accepted
  const later = await inRepo(user, ['rev-list', `${before}..${accepted}`])
  for (const commit of later.split('\n').filter((line) => line !== ''))
    if (!(await readCommit(user, commit)).ours) return accepted
  return fix
}

async function oldTip(dir: string, branch: string): Promise<string | undefined> {
  return resolve(ownRepo(path.join(dir, 'tree')), `refs/heads/${branch}`)
}

async function fetchOld(
  user: Repo,
  name: string,
  dir: string,
  { branch, base }: ContinueFrom,
): Promise<void> {
  const tip = await oldTip(dir, branch)
  if (tip === undefined || (await resolve(user, tip)) !== undefined) return
  const clone = ownRepo(path.join(dir, 'tree'))
  await bringObjects(clone, user, `refs/heads/${branch}`, keptRefs.old(name, tip))
  if ((await resolve(clone, base)) !== undefined)
    await bringLfsSince(clone, user, { base, head: tip })
}

/** Whether two commits of a repository hold the same files; one that is not there does not. */
export async function sameTree(repo: Repo, a: string, b: string): Promise<boolean> {
  if (a === b) return true
  const commits = await Promise.all([a, b].map((commit) => resolve(repo, commit)))
  if (commits.includes(undefined)) return false
  return (await treeOf(repo, a)) === (await treeOf(repo, b))
}
