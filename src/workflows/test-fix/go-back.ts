// Returns to an earlier state: from a candidate to the commit before it, which the branch never
// left; or by a new commit with the tree of the best state.
import type { TestFixRun } from './test-fix-run.js'
import { firstOnBranch } from '../../core/test-fix/end-reason.js'
import { rolledBackText } from '../../core/test-fix/branch/kept-commits.js'
import { hostStep, moveHead } from '../run/host-step.js'
import { leaveSession } from './session-turn.js'

/**
 * Creates a commit with the tree of the best state.
 *
 * @param why what is wrong with the commits that it leaves, if their own messages do not show it
 */
export async function backToBest(run: TestFixRun, step: string, why?: string): Promise<void> {
  const state = run.ready
  const { best } = state
  if (best === undefined) return
  const where = best.iteration === 0 ? 'the start' : `iteration ${best.iteration}`
  await goBack(run, step, {
    where,
    toTree: best.commit,
    body: `The best measured state is ${best.commit}${why === undefined ? '' : `, as ${why}`}.`,
  })
  state.worse = 0
  // A fix that waits for its retest is compared with the run that it started from.
  if (typeof state.pending?.commit === 'string') return
  state.lastRun = { ...best.run, commit: best.commit }
  state.atBest = true
}

/** Restores the tree before the first fix, as nothing was measured. */
export async function backBeforeFixes(run: TestFixRun, step: string): Promise<void> {
  const state = run.ready
  // A candidate is not on the branch; a change of tests that a person accepted is.
  const waits = typeof state.pending?.commit === 'string'
  const first = firstOnBranch(state) ?? (waits ? undefined : run.unmeasured)
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
      host.goBack({
        run: run.id,
        step,
        workspace: state.prepared.workspace,
        configHash: state.prepared.configHash,
        expectHead: state.head,
        toTree,
        at: Date.now(),
        subject: `Back to ${where}`,
        body: [body, rolledBackText(state.rolledBack ?? [])].join('\n\n'),
      }),
    run.closing,
  )
  moveHead(state, back)
  if (back.commit !== null) delete state.rolledBack
  leaveSession(state, 'back_to_best')
}

/** Leaves the candidate of a fix: the branch stays at the commit before it. */
export async function rollBack(run: TestFixRun, n: number, step: string): Promise<void> {
  const state = run.ready
  run.enter('rolling back', `host: rolling back IMPL-fix-${n}`)
  const { head } = await hostStep(
    run,
    `roll back IMPL-fix-${n}`,
    (host) =>
      host.rollBack({
        run: run.id,
        step,
        workspace: state.prepared.workspace,
        configHash: state.prepared.configHash,
        expectHead: state.head,
        at: Date.now(),
      }),
    run.closing,
  )
  state.head = head
  leaveSession(state, 'rolled_back')
}
