// Measures one commit with the project's own tests.
//
// What did not start is tried once more before it is believed; what failed is run again before it is
// called a failure. The verdict on each execution is `core/test-agreement`, the sum `core/test-merge`.
// Source: architecture §6 rules 1, 2, 3 and 12; the lock of rule 12 is the caller's.
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { FileRef } from '../../contract/files.js'
import { MARKERS } from '../../contract/names.js'
import { ERROR_SHOWN, FAILURES_SHOWN } from '../../contract/test-run.js'
import type { StoredTest, TestRun } from '../../contract/test-run.js'
import { countTests, failuresOf, fingerprintText, mergeRerun, missingTests } from '../../core/test-merge.js'
import { firstChars, firstWithin, lastChars, textWithin } from '../../core/test-text.js'
import { endMarkedAll } from '../process/end.js'
import { digest } from '../state-dir.js'
import type { TestPlan } from './command.js'
import type { ExecuteInput, Executed, TestProgress } from './execute.js'
import { execute } from './execute.js'
import { testEnv } from './run-env.js'
import { readStoredRun, writeStoredRun } from './stored-run.js'

export type { TestProgress } from './execute.js'

export type RunTestsOptions = {
  plan: TestPlan
  /** The project directory in the workspace. */
  cwd: string
  /** Commit that `cwd` is at. */
  commit: string
  /** The user's environment; what an outer test runner left in it is taken out. */
  env: Readonly<Record<string, string | undefined>>
  /** Markers of every process that is started; together unique on this host. */
  run: string
  step: string
  /** Directory outside the project, for output, report and results. */
  outDir: string
  /** Limit of each execution; a run has at most 2 + `flakyRetries` of them. */
  timeoutMs: number
  /** Between TERM and KILL for what has to be ended; 10 s. */
  graceMs?: number
  flakyRetries: number
  /** Results of the run to compare with: `Measured.results` of the first one. */
  baseline?: FileRef
  signal: AbortSignal
  /** Called once a second. */
  onProgress?: (progress: TestProgress) => void
}

// What a result may hold as JSON, in bytes: together with the rest of it under 8 kB, whatever is in a report.
const TAIL_BYTES = 3_500
const FAILURES_BYTES = 5_000
const FLAKY_BYTES = 1_500
/** Flaky tests that travel with a result. */
const FLAKY_SHOWN = 20

/** More files than this do not fit safely in a command line: then the whole command is run again. */
const FILES_IN_COMMAND = 200

/**
 * Runs the tests and returns what they say.
 *
 * Processes of an earlier attempt at the same run and step are ended first. Rejects with the signal's
 * reason when aborted, after all processes have ended.
 */
export async function runTests(options: RunTestsOptions): Promise<TestRun> {
  const { run, step, outDir, commit, baseline, signal } = options
  const since = Date.now()
  mkdirSync(outDir, { recursive: true, mode: 0o700 })
  await endMarkedAll({ [MARKERS.run]: run, [MARKERS.step]: step })
  const base = baseline === undefined ? undefined : readStoredRun(baseline)
  const shared = { ...options, env: testEnv(options.env), workedBefore: base !== undefined }

  let first = await execute({ ...shared, phase: 'tests', name: 'output' })
  if (first.kind === 'not_started') {
    const again = await execute({ ...shared, phase: 'tests again', name: 'output-again' })
    first = again.kind === 'not_started' ? { ...again, reason: `${again.reason} It was tried twice.` } : again
  }
  signal.throwIfAborted()
  if (first.kind !== 'measured')
    return { kind: first.kind, commit, reason: first.reason, tail: textWithin(first.tail, TAIL_BYTES, lastChars), ...(first.output && { output: first.output }), durationMs: Date.now() - since }

  const tests = await rerunFailed(shared, first.tests)
  const missing = missingTests(tests, base?.tests ?? [])
  const results = await writeStoredRun(outDir, { schema: 1, commit, runner: options.plan.runner, tests, missing }, base === undefined)
  const failures = failuresOf(tests, missing, (error) => firstChars(error, ERROR_SHOWN))
  const flaky = tests.filter((one) => one.status === 'flaky')
  return {
    kind: 'measured', commit, ...countTests(tests, missing),
    flakyTests: firstWithin(flaky.map((one) => `${one.file} > ${one.test}`), FLAKY_SHOWN, FLAKY_BYTES),
    failures: firstWithin(failures, FAILURES_SHOWN, FAILURES_BYTES), failuresTotal: failures.length,
    results, output: first.output, fingerprint: digest(fingerprintText(failures)), durationMs: Date.now() - since,
  }
}

// A re-run that says nothing about the tests leaves the failures as they are.
async function rerunFailed(shared: Omit<ExecuteInput, 'phase' | 'name'> & { flakyRetries: number }, first: StoredTest[]): Promise<StoredTest[]> {
  let tests = first
  for (let retry = 1; retry <= shared.flakyRetries; retry++) {
    const failed = tests.filter((one) => one.status === 'failed')
    if (failed.length === 0) break
    const again: Executed = await execute({ ...shared, phase: 'flaky re-run', name: `output-flaky-${retry}`, files: filesToRun(failed, shared.plan, shared.cwd) })
    if (again.kind !== 'measured') break
    tests = mergeRerun(tests, again.tests)
  }
  return tests
}

/** The failing files, or none (which runs all) where the runner cannot be told. */
function filesToRun(failed: readonly StoredTest[], plan: TestPlan, cwd: string): string[] {
  const files = [...new Set(failed.map((one) => one.file))]
  const known = plan.runner !== 'other' && files.length <= FILES_IN_COMMAND && files.every((file) => existsSync(path.join(cwd, file)))
  return known ? files : []
}
