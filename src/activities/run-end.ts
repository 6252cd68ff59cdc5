// Ends a run on its host, and says what could not be done because a directory of it is gone.
import { activityInfo } from '@temporalio/activity'
import { existsSync } from 'node:fs'
import type { CriticalityRule } from '../contract/config/config.js'
import type { ReportedFailure, RunResult } from '../contract/result.js'
import type { TestRun } from '../contract/test-run.js'
import type { Workspace } from '../contract/workspace.js'
import { reportedFailures } from '../core/run/reported-failures.js'
import { GitError, isFullDisk, WorkspaceMissingError } from '../adapters/git/git.js'
import { publishBranch } from '../adapters/git/user-repository/publish.js'
import { workspaceRepo } from '../adapters/git/repo.js'
import { restoreTree } from '../adapters/git/work-tree.js'
import { failuresOf } from '../adapters/records/failures-of.js'
import type { HostDeps } from './host/deps.js'

/**
 * Ends every process of the run and resets the tree to its head; answers a warning if uncommitted
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
 * Returns the warning for a directory that is gone or broken, or for git that fails repeatedly: a
 * stop ends the run also then. Throws any other error.
 */
export function goneWarning(error: unknown): string {
  if (error instanceof WorkspaceMissingError)
    return `${error.place} is ${error.how}: the branch is at its last published commit`
  if (
    !(error instanceof GitError) ||
    isFullDisk(error) ||
    activityInfo().attempt <= ATTEMPTS_TO_PUBLISH
  )
    throw error
  return `the branch is at its last published commit: ${error.message}`
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

/** Publishes the branch in the user's repository; answers warnings if that failed. */
export async function publish(workspace: Workspace): Promise<string[]> {
  if (!existsSync(workspace.project)) return []
  try {
    const { warning } = await publishBranch(workspace)
    return warning === undefined ? [] : [warning]
  } catch (error) {
    return [goneWarning(error)]
  }
}

/** Returns the failing tests of an ended run; `undefined` if it is open or was never measured. */
export function failuresAtEnd(
  result: RunResult | undefined,
  run: TestRun | undefined,
  rules: readonly CriticalityRule[],
): ReportedFailure[] | undefined {
  return result === undefined || run === undefined
    ? undefined
    : reportedFailures(failuresOf(run, rules, undefined))
}
