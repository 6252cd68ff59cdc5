// Measures one commit with the project's own tests.
//
// A suite that did not start is tried once more; a failed test is re-run before it counts as a
// failure. The verdict on each execution is `core/test-results/test-agreement`, the sum
// `core/test-results/test-merge`, the comparison with earlier runs
// `core/test-results/compare-runs`.
import { mkdirSync } from 'node:fs'
import type { CriticalityRule } from '../../contract/config/config.js'
import type { FileRef } from '../../contract/files.js'
import { MARKERS } from '../../contract/names.js'
import {
  ERROR_SHOWN,
  FAILURES_SHOWN,
  type Comparison,
  type StoredRun,
  type StoredTest,
  type TestFailure,
  type TestMemory,
  type TestRun,
} from '../../contract/test-run.js'
import type { Compare } from '../../contract/step.js'
import { compareRuns, type CompareInput } from '../../core/test-results/compare-runs.js'
import type { Redactor } from '../../core/text/redact.js'
import { sizeOf, sizeOfPart, type SuiteSize } from '../../core/test-progress/counted.js'
import {
  countTests,
  failuresOf,
  fingerprintText,
  shownId,
} from '../../core/test-results/test-merge.js'
import { firstChars, firstWithin, lastChars, textWithin } from '../../core/text/test-text.js'
import { foundedOn } from '../../core/test-results/founded.js'
import { isNotLoadedOnly, withoutUnseen } from '../../core/test-results/not-loaded.js'
import { lostBefore, replacing, withoutFiles } from '../../core/test-results/replace-files.js'
import { settle } from '../../core/test-results/settle.js'
import { endMarkedAll } from '../process/end.js'
import { digest } from '../state-dir.js'
import { stopwatch } from '../stopwatch.js'
import { affectedFirst, runAffected } from './affected.js'
import type { SpawnGroup } from '../process/spawn-group.js'
import { readClaims } from './claim-reports.js'
import type { TestPlan } from './command.js'
import {
  execute,
  type ExecuteInput,
  type TestPhase,
  type TestProgress as ExecutionProgress,
} from './execute.js'
import { noteNotLoaded } from './note-not-loaded.js'
import { againBy } from './run-again.js'
import { testEnv } from './run-env.js'
import { readStoredRun, storedRuns, writeStoredRun } from './stored-run.js'

/** `affected`: what the affected tests said, from when they ran, as in "2 of 3 pass". */
export type TestProgress = Omit<ExecutionProgress, 'phase'> & {
  phase: TestPhase | 'affected tests'
  affected?: string
}

export type RunTestsOptions = {
  plan: TestPlan
  /** The project directory in the workspace. */
  cwd: string
  /** Commit that `cwd` is at. */
  commit: string
  /** The candidate as which it was measured before: what was measured of that is of this commit. */
  measuredAs?: string | undefined
  /** The user's environment; what an outer test runner left in it is taken out. */
  env: Readonly<Record<string, string | undefined>>
  /** Starts them: inside a sandbox, where there is one. */
  spawn?: SpawnGroup | undefined
  /** Markers of every process that is started; together unique on this host. */
  run: string
  step: string
  /** Directory outside the project, for output, report and results. */
  outDir: string
  /**
   * Limit of each execution; a run has at most 7 + `flakyRetries` of them. Given once more where
   * tests of a first run still finish at it.
   */
  timeoutMs: number
  /** Between TERM and KILL for what has to be ended; 10 s. */
  graceMs?: number
  /** How long a runner may do nothing behind its complete report; 10 s. */
  idleMs?: number
  flakyRetries: number
  /** Results of the run to compare with: `Measured.results` of the first one. */
  baseline?: FileRef
  /**
   * Test files for which this run takes the place of every run before it: see `Measured.baseline`.
   */
  replaces?: readonly string[]
  /** The run founds the baseline: see `Measured.baseline`. */
  founds?: boolean
  /** Earlier runs to compare with, and the rules on criticality: see `Measured.comparison`. */
  compare?: Compare
  rules?: readonly CriticalityRule[]
  /**
   * How large the suite was when another run measured it: shown with the progress of a first
   * run, nothing more.
   */
  lastSize?: SuiteSize | undefined
  signal: AbortSignal
  /** For what the tests print and report: they have the keys of the agents, too. */
  redact?: Redactor
  /**
   * Runs something on the tree of an earlier commit, and restores the measured one; `undefined`
   * where that cannot be set up. Without it no test is confirmed as broken there.
   */
  onCommit?: <T>(commit: string, body: () => Promise<T>) => Promise<T | undefined>
  /**
   * Files of the project that are not ignored, relative to `cwd`: among them are the tests where
   * the suite does not start.
   */
  projectFiles?: () => Promise<string[]>
  /** Changed lines of the measured commit since the run's base. */
  size?: number
  /** Files of the project that differ from the run's base. */
  changed?: readonly string[]
  /** Called once a second. */
  onProgress?: (progress: TestProgress) => void
}

// Limit of a result as JSON, in bytes: with the rest of it under 8 kB for any report.
const TAIL_BYTES = 3_500
const FAILURES_BYTES = 4_000
const FLAKY_BYTES = 1_200
/** Flaky tests that travel with a result. */
const FLAKY_SHOWN = 20

/**
 * Runs the tests and returns what they say.
 *
 * Processes of an earlier attempt at the same run and step are ended first. Rejects with the
 * signal's reason when aborted, after all processes have ended.
 */
export async function runTests(options: RunTestsOptions): Promise<TestRun> {
  const { run, step, outDir, commit, baseline, compare, signal } = options
  const passed = stopwatch()
  mkdirSync(outDir, { recursive: true, mode: 0o700 })
  await endMarkedAll({ [MARKERS.run]: run, [MARKERS.step]: step })
  const { replaces = [] } = options
  const earlierRun = readOnce(replaces, compare?.before, options)
  const base = earlierRun(baseline)
  const lastFull = earlierRun(compare?.lastFull)
  const last = lastFull === undefined || isNotLoadedOnly(lastFull) ? base : lastFull
  let shared = {
    ...options,
    timeoutMs: limitOf(options.timeoutMs, base),
    env: testEnv(options.env),
    workedBefore: base !== undefined,
    expected: last === undefined ? options.lastSize : sizeOf(last.tests),
  }

  const affected = await measureAffected(shared, lastFull)
  if (affected !== undefined) {
    const told = `${affected.passed} of ${affected.total} pass`
    options.onProgress?.({ phase: 'affected tests', affected: told, elapsedMs: passed() })
    shared = { ...shared, onProgress: (p) => options.onProgress?.({ ...p, affected: told }) }
  }
  let took = stopwatch()
  let first = await execute({
    ...shared,
    mayExtend: last === undefined,
    phase: 'tests',
    name: 'output',
  })
  if (first.kind === 'not_started') {
    took = stopwatch()
    const again = await execute({ ...shared, phase: 'tests again', name: 'output-again' })
    first =
      again.kind === 'not_started'
        ? { ...again, reason: `${again.reason} It was tried twice.` }
        : again
  }
  const durationMs = took()
  signal.throwIfAborted()
  if (first.kind !== 'measured') {
    const notLoaded =
      first.kind === 'not_started' &&
      compare !== undefined &&
      compare.ownTests !== true &&
      last === undefined &&
      lastFull === undefined
        ? await noteNotLoaded(options, first.unloaded ?? [])
        : undefined
    return {
      kind: first.kind,
      commit,
      reason: first.reason,
      tail: textWithin(first.tail, TAIL_BYTES, lastChars),
      ...(first.output && { output: first.output }),
      durationMs: passed(),
      notLoaded,
    }
  }

  const seen = { tests: first.tests, commit }
  const [before, full] = [earlierRun(compare?.before), lastFull].map(
    (run) => run && withoutUnseen(run, seen),
  )
  const earlier = {
    baseline: base,
    before,
    best: earlierRun(compare?.best),
    start: earlierRun(compare?.start),
    lastFull: full,
  }
  const settled = await settle({
    commit,
    first: first.tests,
    flakyRetries: options.flakyRetries,
    earlier,
    ownTests: compare?.ownTests,
    accepted: replaces.length > 0,
    again: againBy(shared, first.tests),
  })
  const now = { tests: settled.tests, missing: settled.missing }
  const fingerprint = digest(
    fingerprintText(failuresOf(now.tests, now.missing, (error) => firstChars(error, ERROR_SHOWN))),
  )
  const against = replacing(settled.earlier, replaces, now)
  const founded =
    options.founds === true && against.baseline !== undefined
      ? foundedOn(against.baseline, now)
      : undefined
  const { tests, missing, memory, comparison } = compared(
    options,
    now,
    {
      ...settled,
      ...against,
      ...(founded === undefined ? {} : { baseline: founded }),
      earlier: compare?.earlier && storedRuns(compare.earlier, settled.listings),
    },
    fingerprint,
    await frozenFiles(options, now.tests),
  )
  const results = await writeStoredRun(
    outDir,
    {
      schema: 1,
      commit,
      runner: options.plan.runner,
      command: [...options.plan.command],
      tests,
      missing,
      durationMs,
      memory,
      ...(settled.listings.length === 0 ? {} : { listings: settled.listings }),
    },
    base === undefined,
  )
  const next = founded ?? (replaces.length === 0 ? undefined : against.baseline)
  const baselineNow = next === undefined ? undefined : await writeStoredRun(outDir, next, true)
  const failures = failuresOf(tests, missing, (error) => firstChars(error, ERROR_SHOWN))
  return {
    kind: 'measured',
    commit,
    ...countTests(tests, missing),
    flakyTests: firstWithin(
      tests.filter((one) => one.status === 'flaky').map(shownId),
      FLAKY_SHOWN,
      FLAKY_BYTES,
    ),
    failures: firstWithin(failures, FAILURES_SHOWN, FAILURES_BYTES),
    failuresTotal: failures.length,
    results,
    output: first.output,
    note: first.note,
    fingerprint,
    durationMs: passed(),
    ...(comparison === undefined
      ? {}
      : { comparison: { ...comparison, ...(affected === undefined ? {} : { affected }) } }),
    baseline: baselineNow,
  }
}

/** The limit of an execution: as long again where the first run needed that. */
function limitOf(timeoutMs: number, base: StoredRun | undefined): number {
  return (base?.durationMs ?? 0) > timeoutMs ? 2 * timeoutMs : timeoutMs
}

/**
 * Reads earlier runs without some files. Several names often stand for one run, whose results may
 * be large.
 */
function readOnce(
  replaces: readonly string[],
  before: FileRef | undefined,
  { commit, measuredAs }: Pick<RunTestsOptions, 'commit' | 'measuredAs'>,
): (ref: FileRef | undefined) => StoredRun | undefined {
  const known = new Map<string, StoredRun>()
  const lost = lostBefore(
    before === undefined || replaces.length === 0 ? undefined : readStoredRun(before),
    replaces,
  )
  return (ref) => {
    if (ref === undefined) return undefined
    const stored = known.get(ref.path) ?? withoutFiles(readStoredRun(ref), replaces, lost)
    const run = stored.commit === measuredAs ? { ...stored, commit } : stored
    known.set(ref.path, run)
    return run
  }
}

async function measureAffected(
  shared: Omit<ExecuteInput, 'phase' | 'name'> & Pick<RunTestsOptions, 'compare' | 'onProgress'>,
  lastFull: StoredRun | undefined,
): Promise<Comparison['affected']> {
  const files = affectedFirst(
    shared.plan,
    shared.cwd,
    shared.compare?.affectedFiles ?? [],
    lastFull,
  )
  if (files.length === 0) return undefined
  return runAffected(
    {
      ...shared,
      expected: sizeOfPart(lastFull?.tests ?? [], files, shared.plan.runner),
      onProgress: (p) => shared.onProgress?.({ ...p, phase: 'affected tests' }),
    },
    files,
    lastFull,
  )
}

type Compared = {
  tests: StoredTest[]
  missing: TestFailure[]
  memory?: TestMemory[]
  comparison?: Comparison
}

type Against = Pick<
  CompareInput,
  'baseline' | 'before' | 'best' | 'start' | 'earlier' | 'lastFull' | 'flaky' | 'otherErrors'
>

function compared(
  { compare, rules = [], size = 0, changed }: RunTestsOptions,
  now: { tests: StoredTest[]; missing: TestFailure[] },
  against: Against,
  fingerprint: string,
  frozen: CompareInput['frozen'],
): Compared {
  if (compare === undefined) return now
  return compareRuns({
    now,
    ...against,
    lastKept: compare.lastKept,
    tellsKnown: compare.tellsKnown,
    claims: readClaims(compare.claims),
    rules,
    fingerprint,
    size,
    frozen,
    ...(compare.tellsRemoved === true ? { changed } : {}),
  })
}

/** Committed files that are as at the run's base; not asked for where no test fails. */
async function frozenFiles(
  { compare, changed, projectFiles }: RunTestsOptions,
  tests: readonly StoredTest[],
): Promise<CompareInput['frozen']> {
  if (compare === undefined || changed === undefined) return undefined
  if (!tests.some(({ status }) => status === 'failed')) return undefined
  const differs = new Set(changed)
  return new Set((await projectFiles?.())?.filter((file) => !differs.has(file)))
}
