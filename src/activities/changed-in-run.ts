// Which tests that existed at the start of a cycle or loop its commits have changed.
import type { LeftByCommits, Workspace } from '../contract/workspace.js'
import { existingTestsChanged } from '../adapters/git/taken-back.js'
import type { HostDeps } from './host/deps.js'
import { withoutSecrets } from './host/redact-result.js'

/** Names that travel. */
const SHOWN = 20

/**
 * Returns what the branch has changed so far, and those of `named`, tests that a step has changed,
 * that existed at the start.
 *
 * @param isTest which files are tests
 */
export async function changedInRun(
  deps: HostDeps,
  of: { workspace: Workspace; configHash: string },
  head: string,
  isTest: (path: string) => boolean,
): Promise<Pick<LeftByCommits, 'changedInRun'> & { existed: (file: string) => boolean }> {
  const found = await existingTestsChanged(of.workspace, head, isTest)
  const all = withoutSecrets(deps, of, { changedTests: found }).changedTests
  return {
    existed: (file) => all.includes(file),
    ...(all.length === 0
      ? {}
      : { changedInRun: { files: all.slice(0, SHOWN), total: all.length } }),
  }
}
