// Measures one commit with the project's own tests.
//
// What did not start is tried once more before it is believed; what failed is run again before it is
// called a failure. The verdict on each execution is `core/test-agreement`, the sum `core/test-merge`,
// what it says beside earlier runs `core/compare-runs`. Source: architecture §6 rules 1-4, 7, 10 and 12;
// the lock of rule 12 is the caller's.
import { mkdirSync } from 'node:fs'
import type { CriticalityRule } from '../../contract/config.js'
import type { FileRef } from '../../contract/files.js'
import { MARKERS } from '../../contract/names.js'
import { ERROR_SHOWN, FAILURES_SHOWN } from '../../contract/test-run.js'
import type { Compare } from '../../contract/step.js'
import type { Comparison, StoredRun, StoredTest, TestFailure, TestRun } from '../../contract/test-run.js'
import { compareRuns } from '../../core/compare-runs.js'
import type { Redactor } from '../../core/redact.js'
import { sizeOf, sizeOfPart } from '../../core/test-progress/counted.js'
import type { SuiteSize } from '../../core/test-progress/counted.js'
import { countTests, failuresOf, fingerprintText, mergeRerun, missingTests, shownId } from '../../core/test-merge.js'
import { stillTests } from '../../core/test-suites.js'
import { firstChars, firstWithin, lastChars, textWithin } from '../../core/test-text.js'
import { endMarkedAll } from '../process/end.js'
import { digest } from '../state-dir.js'
import { stopwatch } from '../stopwatch.js'
import { affectedFirst, runAffected } from './affected.js'
import { readClaims } from './claims.js'
import type { TestPlan } from './command.js'
import { selectable } from './command.js'
import type { ExecuteInput, Executed, TestPhase, TestProgress as ExecutionProgress } from './execute.js'
import { execute } from './execute.js'
import { testEnv } from './run-env.js'
import { readStoredRun, writeStoredRun } from './stored-run.js'

/** `affected`: what the affected tests said, from when they ran, as in "2 of 3 pass". */
export type TestProgress = Omit<ExecutionProgress, 'phase'> & { phase: TestPhase | 'affected tests'; affected?: string }

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
  /** Limit of each execution; a run has at most 3 + `flakyRetries` of them. */
  timeoutMs: number
  /** Between TERM and KILL for what has to be ended; 10 s. */
  graceMs?: number
  flakyRetries: number
  /** Results of the run to compare with: `Measured.results` of the first one. */
  baseline?: FileRef
  /** Earlier runs to compare with, and the rules on criticality: see `Measured.comparison`. */
  compare?: Compare
  rules?: readonly CriticalityRule[]
  /** How large the suite was when another run measured it: a word beside the progress of a first run, nothing more. */
  lastSize?: SuiteSize | undefined
  signal: AbortSignal
  /** For what the tests print and report: they have the keys of the agents, too. */
  redact?: Redactor
  /** Called once a second. */
  onProgress?: (progress: TestProgress) => void
}

// What a result may hold as JSON, in bytes: together with the rest of it under 8 kB, whatever is in a report.
const TAIL_BYTES = 3_500
const FAILURES_BYTES = 4_000
const FLAKY_BYTES = 1_200
/** Flaky tests that travel with a result. */
const FLAKY_SHOWN = 20

/**
 * Runs the tests and returns what they say.
 *
 * Processes of an earlier attempt at the same run and step are ended first. Rejects with the signal's
 * reason when aborted, after all processes have ended.
 */
export async function runTests(options: RunTestsOptions): Promise<TestRun> {
  const { run, step, outDir, commit, baseline, compare, signal } = options
  const passed = stopwatch()
  mkdirSync(outDir, { recursive: true, mode: 0o700 })
  await endMarkedAll({ [MARKERS.run]: run, [MARKERS.step]: step })
  const base = baseline === undefined ? undefined : readStoredRun(baseline)
  const lastFull = compare?.lastFull === undefined ? undefined : readStoredRun(compare.lastFull)
  const last = lastFull ?? base
  let shared = { ...options, env: testEnv(options.env), workedBefore: base !== undefined, expected: last === undefined ? options.lastSize : sizeOf(last.tests) }

  const affected = await measureAffected(shared, lastFull)
  if (affected !== undefined) {
    const told = `${affected.passed} of ${affected.total} pass`
    options.onProgress?.({ phase: 'affected tests', affected: told, elapsedMs: passed() })
    shared = { ...shared, onProgress: (p) => options.onProgress?.({ ...p, affected: told }) }
  }
  let took = stopwatch()
  let first = await execute({ ...shared, phase: 'tests', name: 'output' })
  if (first.kind === 'not_started') {
    took = stopwatch()
    const again = await execute({ ...shared, phase: 'tests again', name: 'output-again' })
    first = again.kind === 'not_started' ? { ...again, reason: `${again.reason} It was tried twice.` } : again
  }
  const durationMs = took()
  signal.throwIfAborted()
  if (first.kind !== 'measured')
    return { kind: first.kind, commit, reason: first.reason, tail: textWithin(first.tail, TAIL_BYTES, lastChars), ...(first.output && { output: first.output }), durationMs: passed() }

  const rerun = await rerunFailed(shared, first.tests)
  const now = { tests: rerun, missing: missingTests(rerun, stillTests(base?.tests ?? [], rerun)) }
  const fingerprint = digest(fingerprintText(failuresOf(now.tests, now.missing, (error) => firstChars(error, ERROR_SHOWN))))
  const { tests, missing, comparison } = compared(options, now, lastFull, fingerprint)
  const results = await writeStoredRun(outDir, { schema: 1, commit, runner: options.plan.runner, tests, missing, durationMs }, base === undefined)
  const failures = failuresOf(tests, missing, (error) => firstChars(error, ERROR_SHOWN))
  return {
    kind: 'measured', commit, ...countTests(tests, missing),
    flakyTests: firstWithin(tests.filter((one) => one.status === 'flaky').map(shownId), FLAKY_SHOWN, FLAKY_BYTES),
    failures: firstWithin(failures, FAILURES_SHOWN, FAILURES_BYTES), failuresTotal: failures.length,
    results, output: first.output, fingerprint, durationMs: passed(),
    ...(comparison === undefined ? {} : { comparison: { ...comparison, ...(affected === undefined ? {} : { affected }) } }),
  }
}

async function measureAffected(shared: Omit<ExecuteInput, 'phase' | 'name'> & Pick<RunTestsOptions, 'compare' | 'onProgress'>, lastFull: StoredRun | undefined): Promise<Comparison['affected']> {
  const files = affectedFirst(shared.plan, shared.cwd, shared.compare?.affectedFiles ?? [], lastFull)
  if (files.length === 0) return undefined
  return runAffected({ ...shared, expected: sizeOfPart(lastFull?.tests ?? [], files, shared.plan.runner), onProgress: (p) => shared.onProgress?.({ ...p, phase: 'affected tests' }) }, files, lastFull)
}

type Compared = { tests: StoredTest[]; missing: TestFailure[]; comparison?: Comparison }

function compared({ compare, rules = [] }: RunTestsOptions, now: { tests: StoredTest[]; missing: TestFailure[] }, lastFull: StoredRun | undefined, fingerprint: string): Compared {
  if (compare === undefined) return now
  const before = compare.before === undefined ? undefined : readStoredRun(compare.before)
  return compareRuns({ now, before, lastFull, claims: readClaims(compare.claims), rules, fingerprint })
}

// A re-run that says nothing about the tests leaves the failures as they are.
async function rerunFailed(shared: Omit<ExecuteInput, 'phase' | 'name'> & { flakyRetries: number }, first: StoredTest[]): Promise<StoredTest[]> {
  let tests = first
  for (let retry = 1; retry <= shared.flakyRetries; retry++) {
    const failed = tests.filter((one) => one.status === 'failed')
    if (failed.length === 0) break
    const files = filesToRun(failed, shared.plan, shared.cwd)
    const again: Executed = await execute({ ...shared, expected: sizeOfPart(first, files, shared.plan.runner), phase: 'flaky re-run', name: `output-flaky-${retry}`, files })
    if (again.kind !== 'measured') break
    tests = mergeRerun(tests, again.tests)
  }
  return tests
}

/** The failing files, or none (which runs all) where the runner cannot be told. */
function filesToRun(failed: readonly StoredTest[], plan: TestPlan, cwd: string): string[] {
  const files = [...new Set(failed.map((one) => one.file))]
  return selectable(plan, files, cwd) ? files : []
}
