// The tree of an agent that is at work: what it changed so far, and test runs that leave no trace
// in it.
import type { Workspace } from '../../contract/workspace.js'
import { holdsSecrets } from '../../core/test-fix/code/failing-code.js'
import { patchBetween } from './commit-files.js'
import { stage, withOwnIndex, type PrivateIndex } from './index-file.js'
import { keepAs } from './kept-work.js'
import { WorkspaceMissingError } from './git.js'
import { openWorkspace } from './open-workspace.js'
import { inRepo, resolve, type Repo } from './repo.js'
import { diffTrees } from './tree-diff.js'

/** Unchanged lines around a change. */
const CONTEXT = 3

/**
 * Runs something in a workspace, then restores the files that it changed or made, as a commit would
 * contain them. What was there is kept in a snapshot. In place nothing is restored: the user works
 * there too.
 *
 * @param note is given the tree to restore before the run, for `restoreAgentTree` after a crash,
 * and `undefined` once it is restored
 * @returns `restored`: paths relative to the repository
 */
export async function withoutTraces<T>(
  workspace: Workspace,
  run: () => Promise<T>,
  note: (tree: string | undefined) => void,
): Promise<{ value: T; restored: string[] }> {
  if (workspace.isolation === 'in-place') return { value: await run(), restored: [] }
  const repo = await openWorkspace(workspace)
  const here = await tip(repo, workspace)
  return withOwnIndex(repo, here, async (index) => {
    const { tree } = await stage(repo, index, { head: here })
    note(tree)
    let restored: string[] = []
    const undo = async (): Promise<void> => {
      restored = await backTo(repo, index, { here, tree })
      note(undefined)
    }
    const value = await run().finally(undo)
    return { value, restored }
  })
}

/**
 * Restores the files of an agent's tree where the worker died between the two notes of
 * `withoutTraces`. What was there is kept in a snapshot. Of a workspace that was removed nothing is
 * restored.
 */
export async function restoreAgentTree(workspace: Workspace, tree: string): Promise<void> {
  try {
    const repo = await openWorkspace(workspace)
    const here = await tip(repo, workspace)
    await withOwnIndex(repo, here, (index) => backTo(repo, index, { here, tree }))
  } catch (error) {
    if (!(error instanceof WorkspaceMissingError)) throw error
  }
}

async function tip(repo: Repo, { branch, base }: Workspace): Promise<string> {
  return (await resolve(repo, `refs/heads/${branch}`)) ?? base
}

async function backTo(
  repo: Repo,
  index: PrivateIndex,
  { here, tree }: { here: string; tree: string },
): Promise<string[]> {
  const after = await stage(repo, index)
  const changes = await diffTrees(repo, tree, after.tree)
  if (changes.length === 0) return []
  await keepAs(repo, `agent-tests-${after.tree.slice(0, 10)}`, {
    tree: after.tree,
    parents: [here],
    at: Date.now(),
  })
  await inRepo(repo, ['read-tree', '--reset', '-u', tree], { env: index.env })
  return changes.map((change) => change.path)
}

/** What differs from a commit, as paths relative to the repository and as a patch of the first. */
export async function changesSince(
  workspace: Workspace,
  commit: string,
): Promise<{ files: string[]; patch: string }> {
  const repo = await openWorkspace(workspace)
  return withOwnIndex(repo, commit, async (index) => {
    const { tree } = await stage(repo, index, { head: commit })
    const files = (await diffTrees(repo, commit, tree)).map((change) => change.path)
    const patch =
      files.length === 0
        ? ''
        : await patchBetween(repo, commit, tree, {
            isWanted: (file) => !holdsSecrets(file),
            context: CONTEXT,
          })
    return { files, patch }
  })
}
