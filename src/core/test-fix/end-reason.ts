// Says why a test-fix run ends, where its branch stands then, and how it continues.
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { Measured, TestRun } from '../../contract/test-run.js'
import { shortList, note } from '../text/short-text.js'
import { flakyReason, describeRun } from '../run/describe-run.js'
import { REVIEW_RATE } from './gate.js'

export const NOTHING_MEASURED = 'no run of the tests measured anything'

/** Returns whether the best state is the start, so that no agent made any of it. */
export function isStart({ best, prepared }: Pick<TestFixState, 'best' | 'prepared'>): boolean {
  return best?.commit === prepared.workspace.base
}

/** Returns the commit of the first fix; `undefined` if no fix changed anything. */
export function firstFix({
  history,
  pending,
}: Pick<TestFixState, 'history' | 'pending'>): string | undefined {
  return (
    history.find(({ iteration, commit }) => iteration > 0 && commit !== null)?.commit ??
    pending?.commit ??
    undefined
  )
}

/** Returns the first commit of a fix that is on the branch; `undefined` if there is none. */
export function firstOnBranch({ history }: Pick<TestFixState, 'history'>): string | undefined {
  return (
    history.find(
      ({ iteration, commit, result }) =>
        iteration > 0 && commit !== null && result !== 'rolled_back',
    )?.commit ?? undefined
  )
}

/** Returns a note about the best state at the end; `undefined` if the last iteration made it. */
export function bestNote(
  state: Pick<TestFixState, 'best' | 'history' | 'iteration' | 'pending' | 'prepared'>,
): string | undefined {
  const { best, history, iteration } = state
  if (best === undefined)
    return firstFix(state) === undefined
      ? undefined
      : `${NOTHING_MEASURED}, so nothing is handed over`
  if (iteration === 0 || history.every(({ iteration: n, commit }) => n === 0 || commit === null))
    return undefined
  if (best.iteration === 0)
    return isStart(state)
      ? 'no fix improved on the start, so there is nothing to apply'
      : 'no fix helped, so the branch has only what was committed before the fixes'
  return best.iteration === iteration
    ? undefined
    : `the branch is at iteration ${best.iteration}, the best one measured`
}

/** Says why a run with failures left, or with flaky tests, needs a review. */
export function partialReason(run: Measured, flaky: readonly string[]): string {
  const low =
    run.failuresTotal === 0
      ? undefined
      : `${run.failuresTotal} failing test${run.failuresTotal === 1 ? '' : 's'} of low criticality: ${shortList(
          run.failures.map((f) => `${f.file} > ${f.test}`),
          run.failuresTotal,
        )}`
  return note([low, flaky.length === 0 ? undefined : flakyReason(flaky)]) ?? 'flaky tests'
}

/** Whether the limit that ends a run was raised since: an accepted extension lets it continue. */
export function isExtended(
  { limit }: { limit?: number | undefined },
  { maxIterations }: Pick<TestFixState, 'maxIterations'>,
): boolean {
  return limit !== undefined && maxIterations > limit
}

/** Says how a run stands when its iterations are spent. */
export function budgetReason(run: TestRun, iteration: number, maxIterations: number): string {
  const levels = run.kind === 'measured' ? run.comparison?.levels : undefined
  const inBand =
    run.kind === 'measured' &&
    run.passed * 100 >= REVIEW_RATE * run.total &&
    levels !== undefined &&
    levels.high + levels.medium > 0
  const critical = inBand
    ? `, with ${levels.high} high and ${levels.medium} medium failures left`
    : ''
  return `${describeRun(run)} after ${iteration} of ${maxIterations} iterations${critical}`
}

/** Iterations that a run gets if it has spent its own. */
const FURTHER = 3

/** `ratchet resume` is refused if the iterations are spent, so such a run needs more of them. */
export function againCommand({
  id,
  outcome,
  iterations = 0,
  maxIterations = Infinity,
}: {
  id: string
  outcome: string
  iterations?: number | undefined
  /** Absent if the run is no test-fix run. */
  maxIterations?: number | undefined
}): string {
  return outcome === 'failed' && iterations >= maxIterations
    ? `ratchet extend ${id} ${FURTHER}`
    : `ratchet resume ${id}`
}
