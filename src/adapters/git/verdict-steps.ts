// Steps after the verdict on a candidate: the branch gets commits of its tree, or stays at the
// commit before it. The same input gives the same commits, however often it is repeated.
import type { Accepted, AcceptInput } from '../../contract/test-fix/test-fix-step.js'
import type { CommitInput } from '../../contract/workspace.js'
import type { FixPart } from '../../contract/test-fix/task.js'
import { acceptedAt, CANDIDATE, keepCandidate, stepTrailers } from './candidates.js'
import { commitTree, treeOf } from './commits.js'
import { openWorkspace } from './open-workspace.js'
import { TASK, treeWithout } from './parts.js'
import { resolve, type Repo } from './repo.js'
import { attach, currentCommit, putBack, settled } from './work-tree.js'

/**
 * Makes the commits of a kept fix from the tree of its candidate, and moves the branch to them. No
 * file changes.
 */
export async function acceptStep(input: AcceptInput): Promise<Accepted> {
  const { workspace, expectHead, commits, parts = [], at } = input
  const repo = await openWorkspace(workspace)
  await keepCandidate(repo, workspace, expectHead)
  let head = await acceptedAt(repo, expectHead)
  const made: FixPart[] = []
  for (const [n, { task, subject, body, trailers }] of commits.entries()) {
    const isLast = n === commits.length - 1
    const part = parts.find((one) => one.task === task)?.commit
    head = await commitTree(repo, {
      tree: isLast
        ? await treeOf(repo, expectHead)
        : await treeWithout(repo, parts, notIn(parts, commits.slice(0, n + 1))),
      parents: [head],
      at,
      subject,
      body,
      trailers: {
        ...stepTrailers(input),
        [TASK]: task,
        ...trailers,
        [CANDIDATE]: isLast ? expectHead : (part ?? expectHead),
      },
    })
    made.push({ task, commit: head })
  }
  await moveFrom(repo, input, head)
  return { head, parts: made }
}

/**
 * Puts branch and work tree at the commit before a candidate, which stays reachable by its ref.
 * Uncommitted work is kept under a ref.
 */
export async function rollBackStep(
  input: Pick<CommitInput, 'workspace' | 'run' | 'step' | 'expectHead' | 'at'>,
): Promise<{ head: string }> {
  const { workspace, expectHead } = input
  const repo = await openWorkspace(workspace)
  await keepCandidate(repo, workspace, expectHead)
  const head = await acceptedAt(repo, expectHead)
  await putBack(workspace, repo, head, input)
  return { head }
}

function notIn(parts: readonly FixPart[], kept: readonly { task: string }[]): string[] {
  return parts.map(({ task }) => task).filter((task) => !kept.some((one) => one.task === task))
}

// The tree is that of the candidate, unless something else has moved the branch.
async function moveFrom(repo: Repo, input: AcceptInput, head: string): Promise<void> {
  const { workspace, expectHead } = input
  const tip = await resolve(repo, `refs/heads/${workspace.branch}`)
  const found = [await currentCommit(repo, workspace), tip]
  if (found.some((commit) => commit !== expectHead && commit !== head)) {
    await putBack(workspace, repo, head, input)
    return
  }
  await attach(workspace, repo, head)
  await settled(workspace, repo, head)
}
