// Which of a turn's changes to tests a commit restores: of a fix, and of a turn that writes tests.
import type { Workspace } from '../../contract/workspace.js'
import { fileKind, isUndoneForTestWriter } from '../../core/guard/test-files.js'
import { isGuarded, isMayChange, isReleased } from '../../core/guard/test-guard.js'
import { frozenConfig } from '../../adapters/config/frozen-config.js'
import type { Guard } from '../../adapters/git/tamper.js'
import { baselineFiles } from '../../adapters/test-runners/stored-run.js'
import { ownPath } from '../../adapters/workspace/own-path.js'
import type { HostDeps } from '../host/deps.js'

/**
 * Guarded are the usual test files, what the config names, and every file that a report named; but
 * for what `test.mayChange` names.
 */
export function fixGuard(
  deps: HostDeps,
  { workspace, configHash }: { workspace: Workspace; configHash: string },
): { guard: Guard; isTest: ((file: string) => boolean) | undefined } {
  const { guard, mayChange } = frozenConfig(deps.dirs, configHash, deps.project).test
  const own = ownPath(workspace)
  const reported = baselineFiles(workspace)
  const isWatched = (file: string): boolean => isGuarded(own(file), guard, reported)
  const isAllowed = (file: string): boolean => isMayChange(own(file), mayChange)
  return {
    guard: (file, change) => isWatched(file) && (change === 'deleted' || !isAllowed(file)),
    isTest: mayChange.length === 0 ? undefined : (file) => isWatched(file) && isAllowed(file),
  }
}

// What the config names is a test only if a report says so; else it may not be changed, like the
// code under test.
export function testWriterGuard(
  deps: HostDeps,
  { workspace, configHash }: { workspace: Workspace; configHash: string },
): { guard: Guard; isTest: (file: string) => boolean } {
  const own = ownPath(workspace)
  const reported = baselineFiles(workspace)
  const globs = frozenConfig(deps.dirs, configHash, deps.project).test.guard
  return {
    guard: (file, change) =>
      !isReleased(own(file), globs) && isUndoneForTestWriter(own(file), change, reported),
    isTest: (file) => fileKind(own(file), reported) === 'test',
  }
}
