// Decides whether the tests of a workspace may run outside of the sandbox of their run.
import type { Workspace } from '../../contract/workspace.js'

export type OwnTree = {
  /** It is the first measurement of the run. */
  isFirst: boolean
  /** The commit that is measured. */
  commit: string
  workspace: Pick<Workspace, 'base' | 'isolation'>
  /** An agent of the run has had a turn: files that git ignores may be its own. */
  hasTurned: boolean
}

/** Whether everything in the workspace is of the user, as the run began with it. */
export function isUsersOwn({ isFirst, commit, workspace, hasTurned }: OwnTree): boolean {
  return isFirst && !hasTurned && workspace.isolation === 'clone' && commit === workspace.base
}
