// What one execution of a test command says: something about the code, or nothing.
//
// The exit code and the report are two witnesses. Where they contradict each other neither is
// believed: a command that hides failures would read as 100 %, one that fails for another reason as
// 0 %. Files that could not be loaded and errors outside of any test do not make a run unreadable
// where others ran: each is one failing entry. See `NotMeasured` in contract/test-run.ts.
import type { NotMeasured } from '../../contract/test-run.js'
import { runnerNamed, type Runner } from '../runners/known-runners.js'

/** One execution, as its exit code, report and output tell. */
export type Execution = {
  runner: Runner | 'other'
  /** `null` where a signal ended it. */
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  /** It was ended, as its report was complete and it did not exit: its exit code says nothing. */
  finished: boolean
  /** The command, or one it calls, is not there or not executable. */
  commandMissing: boolean
  /** `stale`: there is one, but it is from before this execution. */
  report: 'read' | 'missing' | 'broken' | 'stale'
  /** Tests in the report that passed (flaky ones included) or failed, and that were skipped. */
  executed: number
  failed: number
  skipped: number
  /** Test files in the report that could not be loaded. */
  unloaded: number
  /** Errors outside of any test that the runner counted. */
  unhandled: number
  /** The report calls tests passed that never ran, and does not say which. */
  uncertain: boolean
  /**
   * Failures that the report lists, and those that the runner printed in its summary, where it did.
   */
  listed: number
  printed: number | undefined
  /** An earlier run of this command was measured, so what stops it now came with a change. */
  workedBefore: boolean
}

/** Why an execution is no measurement. */
export type Problem =
  | 'timed_out'
  | 'command_missing'
  | 'ended_by_signal'
  | 'no_report'
  | 'broken_report'
  | 'stale_report'
  | 'unloaded_files'
  | 'unhandled_errors'
  | 'runner_error'
  | 'no_tests'
  | 'exit_hides_failures'
  | 'exit_without_failures'
  | 'report_differs'

export type Agreement =
  { kind: 'measured' } | { kind: 'not_started' | 'cannot_execute'; problem: Problem }

/** Judges an execution. The first line that applies decides. */
export function judgeExecution(e: Execution): Agreement {
  const person = e.workedBefore ? 'not_started' : 'cannot_execute'
  if (e.timedOut) return { kind: 'not_started', problem: 'timed_out' }
  if (e.commandMissing) return { kind: person, problem: 'command_missing' }
  if (e.exitCode === null && !e.finished) return { kind: 'not_started', problem: 'ended_by_signal' }

  const bad = e.failed + e.unloaded
  const ok = e.finished ? bad + e.unhandled === 0 : e.exitCode === 0
  if (e.report !== 'read')
    return {
      kind: ok ? 'cannot_execute' : 'not_started',
      problem:
        e.report === 'missing'
          ? 'no_report'
          : e.report === 'broken'
            ? 'broken_report'
            : 'stale_report',
    }
  if (e.printed !== undefined && e.printed > e.listed)
    return { kind: person, problem: 'report_differs' }
  if (ok && bad > 0) return { kind: 'cannot_execute', problem: 'exit_hides_failures' }
  if (e.unloaded > 0 && e.executed === 0) return { kind: 'not_started', problem: 'unloaded_files' }
  if (e.uncertain || (e.unhandled > 0 && e.executed === 0))
    return { kind: 'not_started', problem: 'unhandled_errors' }
  if (!e.finished && isRunnerError(e))
    return { kind: 'not_started', problem: e.unloaded > 0 ? 'unloaded_files' : 'runner_error' }
  if (e.executed === 0) return noTests(e, person)
  if (!ok && bad + e.unhandled === 0)
    return { kind: 'not_started', problem: 'exit_without_failures' }
  return { kind: 'measured' }
}

function isRunnerError({ runner, exitCode }: Execution): boolean {
  const codes = runnerNamed(runner)?.exitCodes
  if (codes === undefined || exitCode === null) return false
  return 'errors' in codes ? codes.errors.includes(exitCode) : !codes.results.includes(exitCode)
}

// Where every test is skipped, a baseline tells which of them are missing: that is a measurement.
function noTests(e: Execution, person: 'not_started' | 'cannot_execute'): Agreement {
  if (e.skipped > 0 && e.workedBefore && e.exitCode === 0) return { kind: 'measured' }
  return { kind: person, problem: 'no_tests' }
}

/**
 * Returns the run of a commit without a test command: if there was one, the commit has lost its
 * suite, so the suite does not start. Otherwise there are no tests: `undefined`.
 */
export function lostSuite(
  commit: string,
  reason: string,
  hadSuite: boolean,
): NotMeasured | undefined {
  return hadSuite ? { kind: 'not_started', commit, reason, tail: '', durationMs: 0 } : undefined
}
