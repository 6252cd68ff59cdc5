// Which tests that existed at the start of a cycle or loop its commits have changed.
import type { LeftByCommits, Workspace } from '../contract/workspace.js'
import { existingTestsChanged } from '../adapters/git/taken-back.js'
import type { HostDeps } from './host/deps.js'
import { withoutSecrets } from './host/redact-result.js'

/** Names that travel. */
const SHOWN = 20

/**
 * Returns which tests that existed at the start the branch has changed so far, and whether a file
 * is one of them. A step without a commit changes nothing of it.
 *
 * @param head the step's commit, or `null`
 * @param isTest which files are tests
 */
export async function changedInRun(
  deps: HostDeps,
  of: { workspace: Workspace; configHash: string },
  head: string | null,
  isTest: (path: string) => boolean,
): Promise<Pick<LeftByCommits, 'changedInRun'> & { existed: (file: string) => boolean }> {
  if (head === null) return { existed: () => false }
  const found = await existingTestsChanged(of.workspace, head, isTest)
  const all = withoutSecrets(deps, of, { changedTests: found }).changedTests
  return {
    existed: (file) => all.includes(file),
    ...(all.length === 0
      ? {}
      : { changedInRun: { files: all.slice(0, SHOWN), total: all.length } }),
  }
}
