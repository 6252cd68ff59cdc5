// What a workspace holds beyond what was published, kept in the user's repository before it goes.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { bringLfsSince } from '../git/lfs.js'
import { keptRefs } from '../git/ratchet-refs.js'
import { inRepo, resolve, workspaceRepo } from '../git/repo.js'
import type { Repo } from '../git/repo.js'
import { snapshotUncommitted } from '../git/steps.js'

/**
 * Keeps uncommitted work, what is checked out and the branch of a clone under refs: an agent may have switched
 * to a branch of its own. Answers them, the fullest first. A place that is gone holds nothing.
 */
export async function keepWork(user: Repo, name: string, workspace: Workspace): Promise<string[]> {
  if (workspace.isolation === 'in-place' || !existsSync(path.join(workspace.root, '.git'))) return []
  const left = await snapshotUncommitted(workspace, 'left-uncommitted')
  const clone = await workspaceRepo(workspace)
  const kept: string[] = []
  for (const ref of [left, 'HEAD', `refs/heads/${workspace.branch}`]) {
    const commit = ref === undefined ? undefined : await resolve(clone, ref)
    if (ref === undefined || commit === undefined || commit === workspace.base) continue
    const own = keptRefs.old(name, commit)
    if (kept.includes(own)) continue
    await inRepo(user, ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-prune', '--update-shallow', clone.gitDir, `+${ref}:${own}`])
    await bringLfsSince(clone, user, { base: workspace.base, head: commit })
    kept.push(own)
  }
  return kept
}
