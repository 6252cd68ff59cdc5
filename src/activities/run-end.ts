// The end of a run on its host, and what is said where a place of it is gone.
import { existsSync } from 'node:fs'
import type { Workspace } from '../contract/workspace.js'
import { activityInfo } from '@temporalio/activity'
import { GitError, isFullDisk, WorkspaceMissingError } from '../adapters/git/git.js'
import { publishBranch } from '../adapters/git/user-repository/publish.js'
import { workspaceRepo } from '../adapters/git/repo.js'
import { restoreTree } from '../adapters/git/steps.js'
import type { HostDeps } from './host/deps.js'

/**
 * Ends every process of the run and puts the tree to its head; answers a warning where uncommitted
 * work was kept.
 */
export async function endOnHost(
  { agents }: HostDeps,
  run: string,
  workspace: Workspace,
  head: string,
): Promise<string | undefined> {
  await agents.endRun(run)
  const snapshot = await restoreTree(workspace, head)
  return snapshot === undefined
    ? undefined
    : `uncommitted work was kept as ${snapshot}; show it with: git -C ${(await workspaceRepo(workspace)).gitDir} show ${snapshot}`
}

/** Attempts of a record whose branch git cannot publish; the next one is written without it. */
const ATTEMPTS_TO_PUBLISH = 4

/**
 * The warning for a place that is gone or broken, or for git that fails again and again: a stop
 * must end the run all the same. Any other error is thrown.
 */
export function goneWarning(error: unknown): string {
  if (error instanceof WorkspaceMissingError)
    return `${error.place} is ${error.how}: the branch is as it was last published`
  if (
    !(error instanceof GitError) ||
    isFullDisk(error) ||
    activityInfo().attempt <= ATTEMPTS_TO_PUBLISH
  )
    throw error
  return `the branch is as it was last published: ${error.message}`
}

/** A missing agent process or workspace does not prevent the end. */
export async function closeOnHost(
  deps: HostDeps,
  run: string,
  workspace: Workspace,
  head: string,
): Promise<string[]> {
  try {
    const kept = await endOnHost(deps, run, workspace, head)
    return kept === undefined ? [] : [kept]
  } catch (error) {
    return [goneWarning(error)]
  }
}

/** Brings the branch to the user's repository; warnings where that could not be done. */
export async function publish(workspace: Workspace): Promise<string[]> {
  if (!existsSync(workspace.project)) return []
  try {
    const { warning } = await publishBranch(workspace)
    return warning === undefined ? [] : [warning]
  } catch (error) {
    return [goneWarning(error)]
  }
}
