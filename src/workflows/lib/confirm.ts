// Confirms the best state by canaries before a run ends with it. Where its results are forged, the run goes back to the
// newest state that is not refuted, and continues from there; where there is no such state it ends as blocked.
import type { Best, TestFixState } from '../../contract/state.js'
import type { Confirmation } from '../../contract/step.js'
import { setStatus } from '../../core/queue.js'
import { budgetReason, isStart, note, shortList } from '../../core/test-fix-view.js'
import { long } from './activity-options.js'
import type { End } from './test-fix-end.js'
import { backToBest, countFullRun, record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'

/** Refutations in a row that end a run. */
const REFUTATIONS = 2

/** The end of a run, after its best state was looked at; the next iteration where it was refuted. */
export async function confirmEnd(run: TestFixRun, end: End): Promise<End | 'next iteration'> {
  const state = run.ready
  const { best } = state
  // A state that was refuted is looked at again: a session may go on with it.
  if (best === undefined || isStart(state) || (state.confirmation?.commit === best.commit && state.confirmation.refuted !== true)) return end
  const step = `confirm-${state.iteration}`
  if (state.atBest !== true) await backToBest(run, `${step}/best`)
  const said = await confirm(run, step, best)
  if (said.verdict !== 'refuted') {
    noteConfirmation(state, best, said)
    delete state.forged
    // Should a later state be refuted, the run comes back to this one.
    delete state.earlier
    return end
  }
  const reason = `the code under test forges its results in ${shortList(said.files)}`
  if (state.start === undefined) {
    state.confirmation = { commit: best.commit, reason, refuted: true }
    return { outcome: 'blocked', reason: note([end.reason, reason]) ?? reason }
  }
  state.forged = { times: (state.forged?.times ?? 0) + 1, reason }
  await leaveBest(run, step, reason)
  // The turns of the iteration that blocked the run are spent: it does not begin again.
  if (end.outcome === 'blocked') return { outcome: 'blocked', reason: note([end.reason, reason]) ?? reason }
  if (state.iteration >= state.maxIterations) return { outcome: 'failed', reason: note([state.best === undefined ? undefined : budgetReason(state.best.run, state.iteration, state.maxIterations), reason]) ?? reason }
  if (state.forged.times >= REFUTATIONS || end.outcome === 'failed') return { outcome: 'blocked', reason }
  state.rollbackReason = `iteration ${best.iteration} was rolled back: ${reason}: a test that has to fail was not reported as failed`
  const last = run.queue.findLast((task) => task.type === 'test-fix' && task.parent === undefined)
  if (last === undefined) throw new Error('the session has no test task')
  run.queue = setStatus(run.queue, last.id, 'pending')
  run.warn(`iteration ${best.iteration} was rolled back: ${reason}`)
  await record(run)
  return 'next iteration'
}

async function confirm(run: TestFixRun, step: string, { run: { results } }: Best): Promise<Confirmation> {
  const { facts, prepared, head, baseline } = run.ready
  countFullRun(run)
  return run.control.step(() => {
    run.enter('confirming', `tests: ${prepared.testCommand}`)
    return long(facts.queue, prepared.testTimeoutMs, 'confirm the results by canaries').confirmResults({
      run: run.id, step: `${run.runId}/${step}`, workspace: prepared.workspace, head, results, timeoutMs: prepared.testTimeoutMs, configHash: prepared.configHash,
      ...(baseline === undefined ? {} : { baseline }),
    })
  })
}

function noteConfirmation(state: TestFixState, { commit }: Best, said: Exclude<Confirmation, { verdict: 'refuted' }>): void {
  state.confirmation = { commit, ...(said.verdict === 'unconfirmed' ? { reason: said.reason } : {}) }
}

/** Goes back to the newest state before best that is not refuted, or else to the start. */
async function leaveBest(run: TestFixRun, step: string, reason: string): Promise<void> {
  const state = run.ready
  const { earlier = [], start } = state
  delete state.earlier
  Object.assign(state, { best: start, atBest: false })
  for (let n = earlier.length - 1; n >= 0; n--) {
    const candidate = earlier[n] as Best
    const said = await confirm(run, `${step}/earlier-${n}`, candidate)
    if (said.verdict === 'refuted') continue
    noteConfirmation(state, candidate, said)
    state.best = candidate
    state.earlier = earlier.slice(0, n)
    break
  }
  if (state.best === start) delete state.start
  await backToBest(run, `${step}/back`)
  const { iteration } = state.best ?? { iteration: 0 }
  state.history = state.history.map((one) => (one.iteration > iteration && one.result === 'kept' ? { ...one, result: 'rolled_back' as const, note: note([one.note, `rolled back: ${reason}`]) ?? reason } : one))
  Object.assign(state, { lastKept: false, progress: false, repeated: false, stuckMajority: false })
  delete state.stuckTests
}
