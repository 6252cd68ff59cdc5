// The tree of an agent that is at work: what it changed so far, and test runs that leave no trace
// in it.
import type { Workspace } from '../../contract/workspace.js'
import { holdsSecrets } from '../../core/test-fix/code/failing-code.js'
import { patchBetween } from './commit-files.js'
import { stage, withOwnIndex } from './index-file.js'
import { keepAs } from './kept-work.js'
import { openWorkspace } from './open-workspace.js'
import { inRepo, resolve } from './repo.js'
import { diffTrees } from './tree-diff.js'

/** Unchanged lines around a change. */
const CONTEXT = 3

/**
 * Runs something in a workspace, then restores the files that it changed or made, as a commit would
 * contain them. What was there is kept in a snapshot. In place nothing is restored: the user works
 * there too.
 *
 * @returns `restored`: paths relative to the repository
 */
export async function withoutTraces<T>(
  workspace: Workspace,
  run: () => Promise<T>,
): Promise<{ value: T; restored: string[] }> {
  if (workspace.isolation === 'in-place') return { value: await run(), restored: [] }
  const repo = await openWorkspace(workspace)
  const here = (await resolve(repo, `refs/heads/${workspace.branch}`)) ?? workspace.base
  return withOwnIndex(repo, here, async (index) => {
    const before = await stage(repo, index, { head: here })
    const restored: string[] = []
    const undo = async (): Promise<void> => {
      const after = await stage(repo, index)
      const changes = await diffTrees(repo, before.tree, after.tree)
      if (changes.length === 0) return
      await keepAs(repo, `agent-tests-${after.tree.slice(0, 10)}`, {
        tree: after.tree,
        parents: [here],
        at: Date.now(),
      })
      await inRepo(repo, ['read-tree', '--reset', '-u', before.tree], { env: index.env })
      restored.push(...changes.map((change) => change.path))
    }
    const value = await run().finally(undo)
    return { value, restored }
  })
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
