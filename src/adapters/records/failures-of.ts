// The failing tests of a full run with all that is known of them, for prompts and for the files of
// an analysis.
import type { CriticalityRule } from '../../contract/config/config.js'
import type { FileRef } from '../../contract/files.js'
import type { TestRun } from '../../contract/test-run.js'
import type { FailureFact } from '../../core/test-fix/failure-facts.js'
import { lastRunOf } from './last-run.js'

/** The most critical first; none where the suite did not start. */
export function failuresOf(
  run: TestRun,
  rules: readonly CriticalityRule[],
  claims: FileRef | undefined,
): FailureFact[] {
  return lastRunOf({ lastRun: run, claims }, rules).failures
}
