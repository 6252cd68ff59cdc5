// What the tests of an agent left in its tree where their worker died, or could not restore it.
import { restoreAgentTree } from '../../git/agent-tree.js'
import type { Dirs } from '../../state-dir.js'
import { saveClaim, type Claim } from '../turn/turn-store.js'

/**
 * Restores the tree of a turn that this process drives to what it was before the test run of its
 * agent, if one was under way. Its processes must have ended.
 */
export async function undoTests(dirs: Dirs, claim: Claim): Promise<void> {
  if (claim.testing === undefined) return
  const { workspace, tree } = claim.testing
  await restoreAgentTree(workspace, tree)
  saveClaim(dirs, Object.assign(claim, { testing: undefined }))
}
