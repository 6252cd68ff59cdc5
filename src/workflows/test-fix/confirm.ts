// Confirms best states by canaries: the one that a run would end with, and one before more than
// three unconfirmed ones follow each other. If its results are forged, the run returns to the
// newest state that is not refuted and continues there; without such a state it ends as blocked.
import type { Best, TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { Confirmation } from '../../contract/test-fix/test-fix-step.js'
import { setStatus } from '../../core/test-fix/queue.js'
import { budgetReason, isExtended, isStart } from '../../core/test-fix/end-reason.js'
import {
  MOST_PROVISIONAL,
  confirmsBeforeChange,
  isLookedAt,
  narrowed,
  nextToConfirm,
  provisional,
  searchIn,
} from '../../core/test-results/provisional.js'
import { long } from '../run/activity-options.js'
import type { End } from './test-fix-end.js'
import { record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'
import { note, shortList } from '../../core/text/short-text.js'
import { backToBest } from './go-back.js'
import { countFullRun } from './measure-fix.js'

/** Consecutive refutations that end a run. */
const REFUTATIONS = 2

/**
 * Ends a run after its best state was checked; continues with the next iteration if it was refuted,
 * or if the limit that ends the run was raised since.
 */
export async function confirmEnd(run: TestFixRun, end: End): Promise<End | 'next iteration'> {
  const checked = isExtended(end, run.ready) ? end : await checkBest(run, end)
  if (checked === 'next iteration' || !isExtended(checked, run.ready)) return checked
  await record(run)
  return 'next iteration'
}

async function checkBest(run: TestFixRun, end: End): Promise<End | 'next iteration'> {
  const state = run.ready
  const { best } = state
  // A refuted state is checked again, as a session may continue with it.
  if (best === undefined || isStart(state) || isLookedAt(state, best)) return end
  const step = `confirm-${state.iteration}`
  if (state.atBest !== true) await backToBest(run, `${step}/best`)
  const said = await confirm(run, step, best)
  if (said.verdict !== 'refuted') {
    noteConfirmation(state, best, said)
    return end
  }
  const reason = forges(said)
  if (state.start === undefined) {
    state.confirmation = { commit: best.commit, reason, refuted: true }
    return { outcome: 'blocked', reason: note([end.reason, reason]) ?? reason }
  }
  const isLast = await refute(run, step, best, reason)
  const ends = !isExtended(end, state)
  // The turns of the iteration that blocked the run are spent, so it does not start again.
  if (ends && end.outcome === 'blocked')
    return { outcome: 'blocked', reason: note([end.reason, reason]) ?? reason }
  if (state.iteration >= state.maxIterations)
    return {
      outcome: 'failed',
      reason:
        note([
          state.best === undefined
            ? undefined
            : budgetReason(state.best.run, state.iteration, state.maxIterations),
          reason,
        ]) ?? reason,
    }
  if (isLast || (ends && end.outcome === 'failed')) return { outcome: 'blocked', reason }
  const last = run.queue.findLast((task) => task.type === 'test-fix' && task.parent === undefined)
  if (last === undefined) throw new Error('the session has no test task')
  run.queue = setStatus(run.queue, last.id, 'pending')
  await record(run)
  return 'next iteration'
}

/**
 * Confirms a new best state before more than three unconfirmed ones follow each other. Only if the
 * runner can select files, as that is no full run; otherwise the end of the run is early enough.
 *
 * @returns why the run ends, if this is the second refutation in a row
 */
export async function confirmEarly(run: TestFixRun): Promise<End | undefined> {
  const state = run.ready
  const { best } = state
  if (best === undefined || state.confirmsAtEnd === true || provisional(state) <= MOST_PROVISIONAL)
    return undefined
  return (await confirmBest(run, `confirm-early-${state.iteration}`, best, true)).end
}

/**
 * Confirms the best state before a person's change of tests is committed on it.
 *
 * @returns whether it was refuted, and why the run ends where this is the second time in a row
 */
export async function confirmBeforeChange(
  run: TestFixRun,
  step: string,
): ReturnType<typeof confirmBest> {
  const state = run.ready
  const { best } = state
  if (best === undefined || !confirmsBeforeChange(state)) return { refuted: false }
  return confirmBest(run, `${step}/confirm`, best)
}

/** Confirms the best state of a run that continues, or leaves it. */
async function confirmBest(
  run: TestFixRun,
  step: string,
  best: Best,
  early = false,
): Promise<{ refuted: boolean; end?: End | undefined }> {
  const state = run.ready
  const said = await confirm(run, step, best, early)
  if (said.verdict === 'later') state.confirmsAtEnd = true
  if (said.verdict !== 'refuted') {
    noteConfirmation(state, best, said)
    return { refuted: false }
  }
  const reason = forges(said)
  const isLast = await refute(run, step, best, reason, early)
  return { refuted: true, end: isLast ? { outcome: 'blocked', reason } : undefined }
}

function forges({ files }: Extract<Confirmation, { verdict: 'refuted' }>): string {
  return `the code under test forges its results in ${shortList(files)}`
}

/**
 * Leaves a best state, and passes the reason to the next analysis.
 *
 * @returns whether it is the second refutation in a row
 */
async function refute(
  run: TestFixRun,
  step: string,
  best: Best,
  reason: string,
  early = false,
): Promise<boolean> {
  const state = run.ready
  state.forged = { times: (state.forged?.times ?? 0) + 1, reason }
  await leaveBest(run, step, reason, early)
  state.rollbackReason = `iteration ${best.iteration} was rolled back: ${reason}: a test that has to fail was not reported as failed`
  run.warn(`iteration ${best.iteration} was rolled back: ${reason}`)
  return state.forged.times >= REFUTATIONS
}

async function confirm(
  run: TestFixRun,
  step: string,
  { run: { results } }: Best,
  early = false,
): Promise<Confirmation> {
  const { facts, prepared, head, baseline, confirmation } = run.ready
  const since = run.ready.earlier?.find(
    ({ commit }) => commit === confirmation?.commit && confirmation.reason === undefined,
  )?.run.results
  await run.control.safePoint() // a run that is stopped here has no further full run
  // With selected files it is no full run.
  if (!early) countFullRun(run)
  return run.control.step(() => {
    run.enter('confirming', `tests: ${prepared.testCommand}`)
    return long(
      facts.queue,
      prepared.testTimeoutMs,
      'confirm the results by canaries',
    ).confirmResults({
      run: run.id,
      step: `${run.runId}/${step}`,
      workspace: prepared.workspace,
      head,
      results,
      timeoutMs: prepared.testTimeoutMs,
      configHash: prepared.configHash,
      baseline,
      since,
      ...(early ? { early } : {}),
    })
  })
}

/** If a later state is refuted, the run returns to this one. */
function noteConfirmation(
  state: TestFixState,
  { commit }: Best,
  said: Exclude<Confirmation, { verdict: 'refuted' }>,
): void {
  if (said.verdict === 'later') return
  state.confirmation = {
    commit,
    ...(said.verdict === 'unconfirmed' ? { reason: said.reason } : {}),
  }
  delete state.forged
}

/** Returns to the newest state before best that is not refuted, or else to the start. */
async function leaveBest(
  run: TestFixRun,
  step: string,
  reason: string,
  early: boolean,
): Promise<void> {
  const state = run.ready
  const { earlier = [], start, forged } = state
  state.atBest = false
  let search = searchIn(state, earlier)
  // A stop during the search ends at the newest state that is not refuted.
  const standAt = (at: number): void => {
    state.best = earlier[at] ?? start
    if (at > 0) state.earlier = earlier.slice(0, at)
    else delete state.earlier
  }
  for (let at = nextToConfirm(search); at !== undefined; at = nextToConfirm(search)) {
    standAt(search.bad - 1)
    const candidate = earlier[at] as Best
    const said = await confirm(run, `${step}/earlier-${at}`, candidate, early)
    search = narrowed(search, at, said.verdict === 'refuted')
    if (said.verdict === 'refuted') continue
    noteConfirmation(state, candidate, said)
    Object.assign(state, { forged })
  }
  standAt(search.good)
  if (state.best === start) delete state.start
  // A later one may rest on what was refuted.
  const { iteration } = state.best ?? { iteration: 0 }
  state.dropped = state.dropped?.filter((one) => one.iteration <= iteration)
  await backToBest(run, `${step}/back`, reason)
  state.history = state.history.map((one) =>
    one.iteration > iteration && one.result === 'kept'
      ? {
          ...one,
          result: 'rolled_back' as const,
          note: note([one.note, `rolled back: ${reason}`]) ?? reason,
        }
      : one,
  )
  Object.assign(state, { lastKept: false, progress: false, repeated: false, stuckMajority: false })
  delete state.stuckTests
}
