// The steps of the test-fix cycle that act on the host: measure, commit, roll back, record.
import { workflowInfo } from '@temporalio/workflow'
import type { RunResult } from '../../contract/result.js'
import type {
  Best,
  PendingFix,
  ServerFacts,
  TestFixState,
} from '../../contract/test-fix/test-fix-state.js'
import type { Compare, RunTestsInput } from '../../contract/step.js'
import type { Measured, TestRun } from '../../contract/test-run.js'
import type { CommitResult } from '../../contract/workspace.js'
import { testsSummary } from '../../core/run/step-summary.js'
import { firstFix } from '../../core/test-fix/end-reason.js'
import { stuckMajority } from '../../core/test-results/stuck.js'
import { earlierKept } from '../../core/test-results/provisional.js'
import { isStartBetter } from '../../core/test-results/standing.js'
import { files, light, long } from '../run/activity-options.js'
import type { TestFixRun } from './test-fix-run.js'
import { hostStep } from '../run/host-step.js'
import type { PrepareInput, PreparedRun } from '../../contract/test-fix/test-fix-step.js'

/** Reads facts about the server, and prepares a workspace. */
export async function prepare(
  run: TestFixRun,
  open: PrepareInput['open'],
): Promise<{ facts: ServerFacts; prepared: PreparedRun }> {
  const { input, control } = run
  const facts = await light.serverFacts({ project: input.project })
  run.details.register(facts.searchAttributes)
  run.details.upsert({ RatchetProject: facts.project, RatchetKind: 'test-fix' })
  const prepared = await control.step(() => {
    run.enter('preparing', 'host: preparing the workspace')
    return files(facts.queue, 'prepare the workspace').prepareRun({
      run: run.id,
      chain: workflowInfo().firstExecutionRunId,
      project: facts.project,
      at: Date.now(),
      session: input.session,
      base: input.base,
      open,
    })
  })
  return { facts, prepared }
}

/** The part of the baseline that a run replaces. */
export type Takes = Pick<RunTestsInput, 'replaces' | 'founds'>

/** Runs the full suite on a commit. */
export async function measure(
  run: TestFixRun,
  step: string,
  commit: string,
  compare?: Compare,
  takes: Takes = {},
): Promise<TestRun> {
  await run.control.safePoint()
  const { facts, prepared, baseline } = run.ready
  countFullRun(run)
  const measured = await run.control.step(() => {
    run.enter('testing', `tests: ${prepared.testCommand}`)
    return long(
      facts.queue,
      prepared.testTimeoutMs,
      testsSummary({ command: prepared.testCommand, step, before: run.ready.lastRun }),
    ).runTests({
      run: run.id,
      step: `${run.runId}/${step}`,
      workspace: prepared.workspace,
      commit,
      timeoutMs: prepared.testTimeoutMs,
      configHash: prepared.configHash,
      baseline,
      compare,
      ...takes,
    })
  })
  if (measured.kind !== 'measured') return measured
  const { baseline: next, ...rest } = measured
  run.ready.baseline = next ?? baseline ?? rest.results
  return rest
}

export function countFullRun(run: TestFixRun): void {
  run.ready.fullRuns = (run.ready.fullRuns ?? 0) + 1
}

/**
 * Runs the full suite and compares it with earlier runs: stuck tests, new failures, criticality.
 */
export async function measureAndCompare(
  run: TestFixRun,
  step: string,
  affectedFiles: string[] = [],
  takes: Takes = {},
): Promise<TestRun> {
  const { state } = run
  // If the last commit was not measured, the comparison starts from the last full run, or from the
  // first one.
  const before =
    state?.lastRun?.kind === 'measured'
      ? state.lastRun.results
      : (state?.lastFull ?? state?.baseline)
  const measured = await measure(
    run,
    step,
    run.ready.head,
    {
      before,
      ...(state?.best === undefined ? {} : { best: state.best.run.results }),
      ...(state?.start === undefined ? {} : { start: state.start.run.results }),
      lastKept: state?.lastKept ?? true,
      ...(state?.lastFull === undefined ? {} : { lastFull: state.lastFull }),
      ...(state?.claims === undefined ? {} : { claims: state.claims }),
      ...(affectedFiles.length === 0 ? {} : { affectedFiles }),
    },
    takes,
  )
  const ready = run.ready
  if (measured.kind === 'measured') ready.lastFull = measured.results
  else if (measured.notLoaded !== undefined) ready.lastFull ??= measured.notLoaded
  returnToStart(run, measured)
  delete ready.stuckTests
  ready.stuckMajority =
    measured.kind === 'measured' &&
    measured.comparison !== undefined &&
    stuckMajority({ stuck: measured.comparison.stuck, failing: measured.failuresTotal })
  return measured
}

/**
 * Makes the start the best state again if tests that made a fix look better turn out to be flaky.
 */
function returnToStart(run: TestFixRun, measured: TestRun): void {
  const { best, start } = run.ready
  const comparison = measured.kind === 'measured' ? measured.comparison : undefined
  if (
    best === undefined ||
    start === undefined ||
    comparison === undefined ||
    !isStartBetter(comparison, best.size)
  )
    return
  run.ready.best = start
  run.ready.atBest = false
  delete run.ready.start
  delete run.ready.earlier
  if (comparison.best !== undefined && comparison.start !== undefined)
    comparison.best.counts = comparison.start
}

/**
 * Number of failures and flaky tests that the best state carries; all of them are in its results.
 */
const FAILURES_OF_BEST = 1

/** Returns a run without its lists, as it is carried in addition to the last one. */
export function compact(run: Measured): Measured {
  const { comparison } = run
  return {
    ...run,
    failures: run.failures.slice(0, FAILURES_OF_BEST),
    flakyTests: run.flakyTests.slice(0, FAILURES_OF_BEST),
    ...(comparison === undefined
      ? {}
      : {
          comparison: {
            ...comparison,
            brokenTests: [],
            stuckTests: [],
            flakyTests: comparison.flakyTests.slice(0, FAILURES_OF_BEST),
          },
        }),
  }
}

/** Returns the best state for a full run of iteration `n`. */
export function bestOf(run: Measured, iteration: number): Best {
  return { commit: run.commit, iteration, run: compact(run), size: run.comparison?.size ?? 0 }
}

/** An earlier state as the run carries it: it may become the best one again. */
function withoutLists({ comparison, ...run }: Measured): Measured {
  return {
    ...run,
    failures: [],
    flakyTests: [],
    ...(comparison === undefined
      ? {}
      : {
          comparison: {
            ...comparison,
            flakyTests: [],
            best: undefined,
            start: undefined,
            similarity: undefined,
          },
        }),
  }
}

/** Makes a state the best one, and keeps the previous best. */
export function setBest(state: TestFixState, best: Best): void {
  if (state.best !== undefined) {
    const before = { ...state.best, run: withoutLists(state.best.run) }
    if (state.start === undefined) state.start = before
    else state.earlier = earlierKept(state, [...(state.earlier ?? []), before])
  }
  state.best = best
}

/** Creates a commit with the tree of the best state: the branch only moves forward. */
export async function backToBest(run: TestFixRun, step: string): Promise<void> {
  const state = run.ready
  const { best } = state
  if (best === undefined) return
  const where = best.iteration === 0 ? 'the start' : `iteration ${best.iteration}`
  await goBack(run, step, {
    where,
    toTree: best.commit,
    body: `The best measured state is ${best.commit}.`,
  })
  state.worse = 0
  // A fix that waits for its retest is compared with the run that it started from.
  if (typeof state.pending?.commit === 'string') return
  state.lastRun = best.run
  state.atBest = true
}

/** The same if nothing was measured: restores the tree before the first fix. */
export async function backBeforeFixes(run: TestFixRun, step: string): Promise<void> {
  const state = run.ready
  const first = firstFix(state) ?? run.unmeasured // a change of tests that a person accepted
  if (first === undefined) return
  await goBack(run, step, {
    where: 'the start',
    toTree: `${first}^`,
    body: 'No run of the tests measured anything.',
  })
  delete state.lastRun // the branch no longer holds it
}

async function goBack(
  run: TestFixRun,
  step: string,
  { where, toTree, body }: { where: string; toTree: string; body: string },
): Promise<void> {
  const state = run.ready
  run.enter('going back', `host: going back to ${where}`)
  const back = await hostStep(
    run,
    `go back to ${where}`,
    (host) =>
      host.rollBack({
        run: run.id,
        step,
        workspace: state.prepared.workspace,
        configHash: state.prepared.configHash,
        expectHead: state.head,
        toTree,
        at: Date.now(),
        subject: `Back to ${where}`,
        body,
      }),
    run.closing,
  )
  state.head = back.head
  if (back.commit !== null) state.commits.push(back.commit)
}

/**
 * Commits the work of a turn, within seconds: a stop right after it finds the work committed, if
 * git can commit it.
 */
export async function commitFix(
  run: TestFixRun,
  n: number,
  agent: string,
  pending?: PendingFix,
): Promise<CommitResult> {
  return commit(run, {
    task: `IMPL-fix-${n}`,
    step: `iteration-${n}/commit`,
    subject: `IMPL-fix-${n}: test fix, iteration ${n}`,
    agent,
    ...(pending === undefined ? {} : { record: { dir: run.ready.prepared.recordDir, pending } }),
  })
}

export type TaskCommit = {
  task: string
  step: string
  subject: string
  agent: string
  writesTests?: boolean
  record?: { dir: string; pending: PendingFix }
}

/** Commits the work of a task. */
export async function commit(
  run: TestFixRun,
  { task, step, subject, agent, ...options }: TaskCommit,
): Promise<CommitResult> {
  const state = run.ready
  await run.control.safePoint()
  run.enter('committing', `host: committing ${task}`)
  const committed = await hostStep(run, `commit ${task}`, (host) =>
    host.commitFix({
      run: run.id,
      step,
      workspace: state.prepared.workspace,
      configHash: state.prepared.configHash,
      expectHead: state.head,
      at: Date.now(),
      subject,
      body: `Made by ${agent}.`,
      ...options,
    }),
  )
  state.head = committed.head
  if (committed.commit !== null) state.commits.push(committed.commit)
  return committed
}

/** Undoes a fix by a new commit with the tree from before it. */
export async function rollBack(
  run: TestFixRun,
  n: number,
  fix: string,
  reason: string,
): Promise<void> {
  const state = run.ready
  run.enter('rolling back', `host: rolling back IMPL-fix-${n}`)
  const reverted = await hostStep(run, `roll back IMPL-fix-${n}`, (host) =>
    host.rollBack({
      run: run.id,
      step: `iteration-${n}/rollback`,
      workspace: state.prepared.workspace,
      configHash: state.prepared.configHash,
      expectHead: state.head,
      toTree: `${fix}^`,
      at: Date.now(),
      subject: `Revert IMPL-fix-${n}`,
      body: `Rolled back: ${reason}.`,
    }),
  )
  state.head = reverted.head
  if (reverted.commit !== null) state.commits.push(reverted.commit)
}

/** Projects the state into the record and the branch into the user's repository. */
export async function record(run: TestFixRun, result?: RunResult): Promise<RunResult['failures']> {
  const state = run.ready
  const { warnings, failures } = await hostStep(run, 'write the record', (host) =>
    host.recordRun({
      // History and failures are in the state: twice of them would exceed a payload.
      run: run.id,
      prepared: state.prepared,
      status: { ...run.status(), history: [] },
      state,
      at: Date.now(),
      ...(result === undefined ? {} : { result: { ...result, history: [], failures: [] } }),
    }),
  )
  for (const warning of warnings) run.warn(warning)
  return failures ?? []
}

/** After a resume, the current configuration applies: an agent or a limit may have changed. */
export async function reload(run: TestFixRun): Promise<void> {
  const { state } = run
  if (state === undefined) return
  const reloaded = await hostStep(run, 'read the configuration', (host) =>
    host.reloadConfig({
      workspace: state.prepared.workspace,
    }),
  )
  if ('problem' in reloaded) run.warn(`the configuration was not read again: ${reloaded.problem}`)
  else {
    state.prepared = { ...state.prepared, ...reloaded }
    delete state.confirmsAtEnd // another runner may select files
  }
}
