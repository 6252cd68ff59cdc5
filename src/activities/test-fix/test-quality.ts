// Measures tests, under the lock of the test runs: what they cover, and whether those that an agent
// wrote can fail.
//
// The tree is left at the commit. A killed attempt leaves it to the next measuring tree.
import path from 'node:path'
import { RefusalError } from '../../contract/failures.js'
import type { Config } from '../../contract/config/config.js'
import type {
  CoverageFound,
  MeasureTestsInput,
  MeasuredCoverage,
  MeasuredTests,
  SupplementInput,
} from '../../contract/test-fix/test-quality.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import { fileKind } from '../../core/guard/test-files.js'
import { shownId } from '../../core/test-results/test-merge.js'
import { gateThresholds } from '../../core/test-fix/gate-thresholds.js'
import { focusFiles } from '../../core/test-gen/asked-files.js'
import { assertionsOf, canFail } from '../../core/test-gen/assertion-count.js'
import {
  percentages,
  unloadedFile,
  type FileCoverage,
} from '../../core/test-gen/coverage-report.js'
import { firstChars } from '../../core/text/test-text.js'
import { frozenConfig } from '../../adapters/config/frozen-config.js'
import { changesOf } from '../../adapters/git/numstat.js'
import { projectFiles } from '../../adapters/git/project-files.js'
import { workspaceRepo } from '../../adapters/git/repo.js'
import { restoreTree } from '../../adapters/git/steps.js'
import { listTree } from '../../adapters/git/tree-diff.js'
import { taskContent } from '../../adapters/records/test-fix/task-content.js'
import {
  writeCoverageGap,
  writeTestQuality,
} from '../../adapters/records/test-fix/test-quality-files.js'
import { writeSupplement } from '../../adapters/records/test-fix/supplement-task.js'
import { sandboxOf } from '../../adapters/sandbox/run-sandbox.js'
import { coveredRun, type CoveredRun } from '../../adapters/test-gen/covered-run.js'
import { runMutants } from '../../adapters/test-gen/run-mutants.js'
import { trackedSource } from '../../adapters/test-runners/canaries.js'
import { resolveTestPlan, selectable } from '../../adapters/test-runners/command.js'
import type { ExecuteInput } from '../../adapters/test-runners/execute.js'
import { testEnv } from '../../adapters/test-runners/run-env.js'
import { commandOf } from '../../adapters/test-runners/stored-run.js'
import { envOf } from '../../adapters/workspace/environment.js'
import { ownPath } from '../../adapters/workspace/own-path.js'
import { withHeartbeat, type Beat } from '../host/with-heartbeat.js'
import type { HostDeps } from '../host/deps.js'
import { atTestPlace, type TestPlace } from '../host/test-directory.js'

/** Names in a result. */
const SHOWN = 5
const NAME_CHARS = 120

export const createTestQualityActivities = (deps: HostDeps) => ({
  /** What the tests of a commit cover of the files in question. */
  measureCoverage: withHeartbeat(
    deps.inFlight,
    (input: MeasureTestsInput, beat): Promise<CoverageFound> =>
      measuring(deps, input, beat, async (open) => {
        const thresholds = gateThresholds(taskContent(input.recordDir, input.task, undefined).json)
        if (typeof open === 'string')
          return { coverage: notMeasured(open), hasTests: false, untested: [], thresholds }
        const ran = await coveredRun({ ...open.shared, name: 'output-coverage' }, open.sourceOf)
        const files = ofFocus(open, ran)
        const found = {
          coverage: coverageOf(ran, files),
          hasTests: testsOf(ran).length > 0,
          untested: shown(untestedIn(files ?? [])),
          thresholds,
        }
        await writeCoverageGap(input.recordDir, input.commit, found.coverage, files)
        return found
      }),
  ),

  /**
   * What the written tests are worth: coverage of the files in question, assertions, and mutants of
   * the code under test.
   */
  measureTests: withHeartbeat(
    deps.inFlight,
    (input: MeasureTestsInput, beat): Promise<MeasuredTests> =>
      measuring(deps, input, beat, async (open) => {
        const thresholds = gateThresholds(taskContent(input.recordDir, input.task, undefined).json)
        const none = {
          tests: 0,
          failing: 0,
          thresholds,
          mutants: { tried: 0, killed: 0, survivors: [] },
        }
        if (typeof open === 'string')
          return {
            ...none,
            coverage: notMeasured(open),
            mutants: { ...none.mutants, notChecked: open },
          }
        const { shared, sourceOf } = open
        const written = await writtenTests(input)
        const whole = await coveredRun({ ...shared, name: 'output-quality' }, sourceOf)
        const own = testsOf(whole).filter(({ file }) => written.includes(file))
        const files = ofFocus(open, whole)
        const selected = selectable(shared.plan, written, shared.cwd)
        const without = selected
          ? await coveredRun({ ...shared, name: 'output-written', files: written }, sourceOf)
          : whole
        const measured: MeasuredTests = {
          ...none,
          coverage: coverageOf(whole, files),
          tests: own.length,
          failing: own.filter(({ status }) => status === 'failed').length,
          ...assertionsIn(written, sourceOf),
          mutants:
            input.workspace.isolation === 'in-place'
              ? { ...none.mutants, notChecked: 'in place, no line of your files is changed' }
              : await runMutants({
                  shared,
                  sourceOf,
                  files: open.focus,
                  tests: written,
                  without: {
                    tests: testsOf(without),
                    durationMs: without.durationMs,
                    files: without.files,
                  },
                  seed: input.commit,
                }),
        }
        await writeTestQuality(
          input.recordDir,
          input.commit,
          measured,
          own.map((one) => shownId(one)),
        )
        return measured
      }),
  ),

  /** Writes the file of IMPL-supplement-N. The same input gives the same file. */
  planSupplement: withHeartbeat(
    deps.inFlight,
    ({ recordDir, ...supplement }: SupplementInput): Promise<TaskEntry> =>
      writeSupplement(recordDir, supplement),
  ),
})

type Open = {
  shared: Omit<ExecuteInput, 'phase' | 'name' | 'files'>
  /** Files in question, relative to the project. */
  focus: string[]
  sourceOf: (file: string) => string | undefined
}

/** Runs something on the tree of the commit; with the reason where that cannot be set up. */
function measuring<T>(
  deps: HostDeps,
  input: MeasureTestsInput,
  beat: Beat,
  body: (open: Open | string) => Promise<T>,
): Promise<T> {
  const { workspace, commit } = input
  const config = frozenConfig(deps.dirs, input.configHash, deps.project)
  return atTestPlace(deps, input, config, beat, async (place) => {
    const made = await place.ready(commit, 'head')
    if ('problem' in made) return body(made.problem)
    try {
      return await body(await opened(deps, input, config, place, beat))
    } catch (error) {
      // Nothing was written that a runner would run.
      if (error instanceof RefusalError && error.type === 'NoTestCommand')
        return await body(error.message)
      throw error
    } finally {
      await restoreTree(workspace, commit)
    }
  })
}

async function opened(
  deps: HostDeps,
  { workspace, commit, baseline, recordDir, task, run, timeoutMs }: MeasureTestsInput,
  config: Config,
  { outDir, step, redact }: TestPlace,
  beat: Beat,
): Promise<Open> {
  const { cwd } = workspace
  const tracked = await listTree(await workspaceRepo(workspace), commit)
  const prefix = path.relative(workspace.root, cwd).split(path.sep).join('/')
  const isTracked = (file: string): boolean =>
    tracked.get(path.posix.join(prefix, file))?.mode.startsWith('100') === true
  const focus = focusFiles(
    taskContent(recordDir, task, undefined).json,
    (await projectFiles(workspace)).filter(isTracked),
  )
  return {
    focus,
    sourceOf: (file) => trackedSource({ cwd, isTracked }, file),
    shared: {
      plan: resolveTestPlan({
        cwd,
        config: config.test,
        env: deps.env,
        baseline: commandOf(baseline),
      }),
      cwd,
      env: testEnv(envOf(workspace, deps.env)),
      spawn: sandboxOf(deps, config)(workspace, 'tests'),
      run,
      step,
      outDir,
      timeoutMs,
      signal: beat.signal,
      redact,
      workedBefore: baseline !== undefined,
      onProgress: (progress) => beat.progress(progress),
    },
  }
}

function testsOf({ executed }: CoveredRun) {
  return executed.kind === 'measured'
    ? executed.tests.filter(({ status }) => status !== 'skipped')
    : []
}

function notMeasured(reason: string): MeasuredCoverage {
  return { lines: null, branches: null, functions: null, reason: firstChars(reason, 300) }
}

function coverageOf(
  { reason = 'unknown' }: CoveredRun,
  files: readonly FileCoverage[] | undefined,
): MeasuredCoverage {
  return files === undefined ? notMeasured(reason) : percentages(files)
}

/** The files in question, also those that no test loads. */
function ofFocus({ focus, sourceOf }: Open, { files }: CoveredRun): FileCoverage[] | undefined {
  if (files === undefined) return undefined
  const known = new Map(files.map((one) => [one.file, one]))
  return focus.flatMap((file) => {
    const source = known.has(file) ? undefined : sourceOf(file)
    return known.get(file) ?? (source === undefined ? [] : [unloadedFile(file, source)])
  })
}

function untestedIn(files: readonly FileCoverage[]): string[] {
  return files
    .filter(({ covered, missed }) => covered.length === 0 && missed.length > 0)
    .map(({ file }) => file)
}

/** Test files that the session added or changed, relative to the project. */
async function writtenTests({ workspace, commit }: MeasureTestsInput): Promise<string[]> {
  const own = ownPath(workspace)
  return (await changesOf(workspace, workspace.base, commit))
    .filter(({ action }) => action !== 'delete')
    .map(({ file }) => own(file))
    .filter((file) => fileKind(file) === 'test')
}

function assertionsIn(
  files: readonly string[],
  sourceOf: Open['sourceOf'],
): Pick<MeasuredTests, 'assertions'> {
  const tests = files.flatMap((file) => {
    const source = sourceOf(file)
    const found = source === undefined ? undefined : assertionsOf(file, source)
    return found?.map((one) => ({ file, ...one })) ?? []
  })
  if (tests.length === 0) return {}
  const weak = tests.filter((one) => !canFail(one)).map((one) => shownId(one))
  return {
    assertions: {
      tests: tests.length,
      total: tests.reduce((sum, { assertions, trivial }) => sum + assertions - trivial, 0),
      weak: shown(weak),
      weakTotal: weak.length,
    },
  }
}

function shown(names: readonly string[]): string[] {
  return names.slice(0, SHOWN).map((name) => firstChars(name, NAME_CHARS))
}
