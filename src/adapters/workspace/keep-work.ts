// What a workspace holds beyond what was published, kept in the user's repository before it goes.
import { existsSync } from 'node:fs'
import type { Workspace } from '../../contract/workspace.js'
import { bringLfsSince } from '../git/lfs.js'
import { keptRefs } from '../git/ratchet-refs.js'
import { bringObjects, ownRepo, resolve, type Repo } from '../git/repo.js'
import { snapshotUncommitted } from '../git/steps.js'

/**
 * Keeps uncommitted work and the branch of a clone under refs. Answers them, the fullest first. A
 * place that is gone holds nothing.
 */
export async function keepWork(user: Repo, name: string, workspace: Workspace): Promise<string[]> {
  if (
    workspace.isolation === 'in-place' ||
    !existsSync(workspace.root) ||
    !existsSync(ownRepo(workspace.root).gitDir)
  )
    return []
  const left = await snapshotUncommitted(workspace, 'left-uncommitted')
  const clone = ownRepo(workspace.root)
  const kept: string[] = []
  for (const ref of [left, `refs/heads/${workspace.branch}`]) {
    const commit = ref === undefined ? undefined : await resolve(clone, ref)
    if (ref === undefined || commit === undefined || commit === workspace.base) continue
    const own = keptRefs.old(name, commit)
    if (kept.includes(own)) continue
    await bringObjects(clone, user, ref, own)
    await bringLfsSince(clone, user, { base: workspace.base, head: commit })
    kept.push(own)
  }
  return kept
}
