// Returns what a result reports besides its outcome: failing tests, files that no commit holds, the
// sandbox and the environment.
import { type Criticality, FAILURES_SHOWN, ERROR_SHOWN } from '../../contract/test-run.js'
import type { ReportedFailure, RunEnv, RunResult } from '../../contract/result.js'
import type { RunSandboxUse } from '../../contract/sandbox.js'
import type { ChangedTests } from '../../contract/workspace.js'

/** Returns failures for a result; a failure without an assessment counts as high. */
export function reportedFailures(
  failures: readonly {
    test: string
    file: string
    error?: string | undefined
    criticality?: Criticality | undefined
  }[],
): ReportedFailure[] {
  return failures.slice(0, FAILURES_SHOWN).map((f) => ({
    test: f.test,
    file: f.file,
    criticality: f.criticality ?? 'high',
    error: (f.error ?? '').slice(0, ERROR_SHOWN),
  }))
}

/** Returns the files that the tests of a run saw although no commit holds them. */
export function seenBesides(
  state: { prepared: { measuredWith?: string[] | undefined } } | undefined,
): Pick<RunResult, 'measuredWith'> {
  const files = state?.prepared.measuredWith
  return files === undefined ? {} : { measuredWith: files }
}

/** Returns the existing tests that a dev cycle or loop has changed. */
export function changedTestsOf(
  state: { changedInRun?: ChangedTests | undefined } | undefined,
): Pick<RunResult, 'changedTestFiles'> {
  const changed = state?.changedInRun
  return changed === undefined ? {} : { changedTestFiles: changed.files }
}

/** Returns what the programs of a run run in: the sandbox, if there is one, and the environment. */
export function surroundings(
  state:
    { prepared: { sandbox?: RunSandboxUse | undefined; env?: RunEnv | undefined } } | undefined,
): Pick<RunResult, 'sandbox' | 'env'> {
  const { sandbox = 'none', env } = state?.prepared ?? {}
  return { ...(sandbox === 'none' ? {} : { sandbox }), ...(env === undefined ? {} : { env }) }
}
