// With `interactive`, a person approves the breakdown into tasks before the first action, or has
// init make it again.
import { breakdown } from '../../core/run/approvables.js'
import { pendingTasks } from '../../core/dev-loop/loop-tasks.js'
import { untilApproved } from '../run/approve.js'
import type { LoopRun } from './loop-run.js'
import { record } from './loop-steps.js'
import { work } from './loop-work.js'

/** Returns once the breakdown is approved, or no person is asked. */
export async function approveBreakdown(run: LoopRun): Promise<void> {
  if (run.ready.approval !== 'open') return
  await untilApproved(run, {
    about: () => breakdown(pendingTasks(run.ready.tasks)),
    record: () => record(run),
    change: (words) => breakDownAgain(run, words),
  })
  run.ready.approval = 'given'
}

/** Has init make the breakdown again, in its session if it can be continued. */
async function breakDownAgain(run: LoopRun, words: string): Promise<string | undefined> {
  const { last } = run.ready
  const session =
    last?.action === 'init' && last.agent !== null && last.sessionId !== undefined
      ? { agent: last.agent, sessionId: last.sessionId }
      : undefined
  await work(run, 'init', { words, session })
  const { last: done } = run.ready
  return done?.synthetic === true ? (done.note ?? 'init did not answer') : undefined
}
