// Which of a worker's changes a commit restores, and which repairs it makes.
import type { LoopAction } from '../../contract/dev-loop/loop-input.js'
import type { Workspace } from '../../contract/workspace.js'
import {
  fileKind,
  isUndoneForDeveloper,
  isUndoneForTestWriter,
  type FileChange,
} from '../../core/guard/test-files.js'
import { isReleased, restoreGuardedParts } from '../../core/guard/test-guard.js'
import { frozenConfig } from '../../adapters/config/frozen-config.js'
import type { commitStep } from '../../adapters/git/steps.js'
import { baselineFiles } from '../../adapters/test-runners/stored-run.js'
import { ownPath } from '../../adapters/workspace/own-path.js'
import type { HostDeps } from '../host/deps.js'

/**
 * Returns which changes are restored: all of init and complete, code of validate, test
 * configuration of all others.
 */
export function guardOf(
  deps: HostDeps,
  {
    workspace: measured,
    suite,
    configHash,
  }: { workspace: Workspace; suite: boolean; configHash: string },
  action: LoopAction,
  workspace: Workspace,
): (file: string, change: FileChange) => boolean {
  if (action === 'init' || action === 'complete') return () => true
  const own = ownPath(workspace)
  const reportFiles = baselineFiles(measured)
  const { guard } = frozenConfig(deps.dirs, configHash, deps.project).test
  const isUndone = (file: string, change: FileChange) =>
    action === 'validate'
      ? isUndoneForTestWriter(file, change, reportFiles)
      : isUndoneForDeveloper(file, change, { suite, reportFiles })
  return (file, change) => !isReleased(own(file), guard) && isUndone(own(file), change)
}

export function repairOf(
  action: LoopAction,
  suite: boolean,
  isTest: (file: string) => boolean,
): Parameters<typeof commitStep>[2] {
  if (action === 'init' || action === 'complete' || !suite) return {}
  return { restore: restoreGuardedParts, isTest }
}

export function isTestIn(workspace: Workspace): (file: string) => boolean {
  const own = ownPath(workspace)
  const reportFiles = baselineFiles(workspace)
  return (file) => fileKind(own(file), reportFiles) === 'test'
}
