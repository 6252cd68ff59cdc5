// Brings the branch of a workspace to the user's repository: objects and one ref, nothing else.
import type { Workspace } from '../../../contract/workspace.js'
import { acceptedAt, candidatesOf, pointTo } from '../candidates.js'
import { readCommit } from '../commits.js'
import { needPlace, WorkspaceMissingError } from '../git.js'
import { bringLfsSince } from '../lfs.js'
import { openWorkspace } from '../open-workspace.js'
import { keptName, keptRefs, removeRef } from '../ratchet-refs.js'
import {
  bringObjects,
  checkedOut,
  findRepo,
  inRepo,
  isAncestor,
  resolve,
  type Repo,
} from '../repo.js'

/**
 * Publishes a workspace's branch up to its newest accepted commit, and its candidates as refs. Can
 * be repeated. Snapshot refs stay in the workspace.
 *
 * @returns the accepted commit; a warning where the user's branch was left alone, because it is
 * checked out or was moved, and where the commit is kept instead
 * @throws WorkspaceMissingError where the workspace or the project was removed
 */
export async function publishBranch(
  workspace: Workspace,
): Promise<{ head: string; warning?: string }> {
  const clone = await openWorkspace(workspace)
  const ref = `refs/heads/${workspace.branch}`
  const tip = await resolve(clone, ref)
  if (tip === undefined && clone.own) throw new WorkspaceMissingError(clone.gitDir, 'broken')
  if (tip === undefined)
    throw new Error(`the workspace has no branch ${workspace.branch}: ${workspace.root}`)
  const head = await acceptedAt(clone, tip)
  if (workspace.isolation === 'in-place') return { head }

  needPlace(workspace.project)
  const user = await findRepo(workspace.project)
  await publishCandidates(clone, user, workspace)
  const kept = keptRefs.head(keptName(workspace.branch))
  const there = await resolve(user, ref)
  if (there === head) {
    await removeRef(user, kept)
    return { head }
  }
  if ((await resolve(user, head)) !== head) await bringObjects(clone, user, ref)
  await bringLfsSince(clone, user, { base: workspace.base, head })
  const problem = await whyNotMoved(user, ref, there, head)
  if (problem === undefined) {
    if (there !== undefined && !(await isAncestor(user, there, head)))
      await inRepo(user, ['update-ref', keptRefs.old(keptName(workspace.branch), there), there])
    await inRepo(user, ['update-ref', '-m', 'ratchet: publish', ref, head, there ?? ''])
    await removeRef(user, kept) // the branch has it now
    return { head }
  }
  await inRepo(user, ['update-ref', kept, head])
  return { head, warning: `${problem} and was left alone; the result is ${kept}` }
}

// A report shows what they changed, and a session whose workspace is gone continues at one.
async function publishCandidates(clone: Repo, user: Repo, workspace: Workspace): Promise<void> {
  for (const { ref, sha } of await candidatesOf(clone, workspace)) {
    if ((await resolve(user, ref)) === sha) continue
    if ((await resolve(user, sha)) !== sha) await bringObjects(clone, user, ref)
    await bringLfsSince(clone, user, { base: workspace.base, head: sha })
    await pointTo(user, workspace, ref, sha)
  }
}

// Moved by the user: to a commit that is neither on the way to the new head nor one of Ratchet's.
async function whyNotMoved(
  user: Repo,
  ref: string,
  there: string | undefined,
  head: string,
): Promise<string | undefined> {
  const branch = ref.slice('refs/heads/'.length)
  const worktree = (await checkedOut(user)).get(ref)
  if (worktree !== undefined) return `the branch ${branch} is checked out in ${worktree}`
  const blocker = await blockingRef(user, branch)
  if (blocker !== undefined)
    return `the branch ${branch} cannot exist together with the branch ${blocker}`
  if (
    there === undefined ||
    (await isAncestor(user, there, head)) ||
    (await readCommit(user, there)).ours
  )
    return undefined
  return `the branch ${branch} was moved to ${there.slice(0, 10)}`
}

async function blockingRef(user: Repo, branch: string): Promise<string | undefined> {
  const parts = branch.split('/')
  for (let length = 1; length < parts.length; length++) {
    const above = parts.slice(0, length).join('/')
    if ((await resolve(user, `refs/heads/${above}`)) !== undefined) return above
  }
  return undefined
}
