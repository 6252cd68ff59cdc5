// Runs the full suite on the head, and compares it with earlier runs.
import type { RunTestsInput, Compare } from '../../contract/step.js'
import type { TestFixRun } from './test-fix-run.js'
import type { TestRun } from '../../contract/test-run.js'
import { lostSuite } from '../../core/test-results/test-agreement.js'
import { long } from '../run/activity-options.js'
import { isNoTestCommand } from '../run/measure.js'
import { testsSummary } from '../../core/run/step-summary.js'
import { stuckMajority } from '../../core/test-results/stuck.js'
import { inHindsight } from '../../core/test-results/standing.js'

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
  const tests = run.control.step(() => {
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
  const measured = await tests.catch((error: unknown) => {
    const lost = isNoTestCommand(error)
      ? lostSuite(
          commit,
          error.cause?.message ?? 'no test command was found',
          run.ready.baseline !== undefined || run.ready.lastRun !== undefined,
        )
      : undefined
    if (lost === undefined) throw error
    return lost
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
  const former = [...(state?.earlier ?? []), ...(state?.dropped ?? [])]
  // If the last commit was not measured, the comparison starts from the best state: the last full
  // run may be one of a fix that was rolled back.
  const before =
    state?.lastRun?.kind === 'measured'
      ? state.lastRun.results
      : (state?.best?.run.results ?? state?.lastFull ?? state?.baseline)
  const measured = await measure(
    run,
    step,
    run.ready.head,
    {
      before,
      ...(state?.best === undefined ? {} : { best: state.best.run.results }),
      ...(state?.start === undefined ? {} : { start: state.start.run.results }),
      ...(former.length === 0 ? {} : { earlier: former.map(({ run: { results } }) => results) }),
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
  // For the files of an accepted change all states are alike, which says nothing of them.
  if (takes.replaces === undefined) rankAgain(run, measured)
  delete ready.stuckTests
  ready.stuckMajority =
    measured.kind === 'measured' &&
    measured.comparison !== undefined &&
    stuckMajority({ stuck: measured.comparison.stuck, failing: measured.failuresTotal })
  return measured
}

/**
 * Ranks the best states again as flaky tests show up: one of them, or the start, is the best state
 * again if such tests made later ones look better.
 */
function rankAgain(run: TestFixRun, measured: TestRun): void {
  const state = run.ready
  const comparison = measured.kind === 'measured' ? measured.comparison : undefined
  if (comparison === undefined) return
  const ranked = inHindsight(state, comparison)
  delete comparison.earlier
  if (ranked === undefined) return
  const { best, counts, start, earlier, dropped } = ranked
  if (best.commit !== state.best?.commit) {
    state.best = best
    state.atBest = false
    if (comparison.best !== undefined) comparison.best.counts = counts
  }
  Object.assign(state, {
    start,
    earlier: earlier.length === 0 ? undefined : earlier,
    dropped: dropped.length === 0 ? undefined : dropped,
  })
}
