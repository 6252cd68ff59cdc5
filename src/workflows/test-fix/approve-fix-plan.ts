// In interactive mode, a person approves the plan of a fix before it is carried out, or has it made
// again, which spends no iteration.
import { changeNote } from '../../core/run/approval.js'
import { fixPlan } from '../../core/run/approvables.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import { untilApproved } from '../run/approve.js'
import { analysisTurn, fixTaskOf, keepLevels, planOf } from './analysis-turn.js'
import { takeProposals } from './test-changes.js'
import { record } from './test-fix-steps.js'
import type { TestFixRun } from './test-fix-run.js'

/** Returns once the plan may be carried out: approved now or before, or no person is asked. */
export async function approveFixPlan(run: TestFixRun, task: TaskEntry): Promise<void> {
  const state = run.ready
  if (state.interactive !== true || state.pending?.approved === true) return
  await untilApproved(run, {
    about: () => fixPlan(planned(run), fileOf(run, task), state.prepared),
    record: () => record(run),
    change: async (words, nth) => {
      const problem = await planAgain(run, words, nth)
      const pending = planned(run)
      state.pending = { ...pending, notes: [...pending.notes, changeNote(words)] }
      return problem
    },
  })
  state.pending = { ...planned(run), approved: true }
}

function planned({ ready: { pending } }: TestFixRun) {
  if (pending === undefined) throw new Error('a plan is approved without its iteration')
  return pending
}

/** A plan that was made again may have another file. */
function fileOf(run: TestFixRun, { id, file }: TaskEntry): string {
  return run.queue.find((task) => task.id === id)?.file ?? file ?? `${id}.json`
}

/**
 * Has the plan of the current iteration made again as a person says, in the session of its analysis
 * if the agent can continue it.
 *
 * @param nth change of this plan
 * @returns why the plan is as it was, if it is
 */
async function planAgain(run: TestFixRun, words: string, nth: number): Promise<string | undefined> {
  const state = run.ready
  const { pending, lastRun: last } = state
  if (pending === undefined || last === undefined) throw new Error('there is no plan to change')
  const { iteration: n, strategy } = pending
  const { end, used } = await analysisTurn(run, {
    step: `iteration-${n}/change-${nth}/analysis`,
    ask: {
      strategy,
      because: 'it is the strategy of the plan that a person wants changed',
      change: { words, plan: pending.summary },
    },
    // The same causes are no reason to ask another agent: the person did not deny them.
    read: { earlierCauses: [], at: Date.now() },
    fixTask: fixTaskOf(
      run,
      n,
      pending.parent,
      { strategy, several: pending.causes !== undefined },
      last,
    ),
    newSession: undefined,
  })
  if (!end.ok) return end.reason
  const analysis = end.result.read
  if (analysis?.kind !== 'analysis') return 'no analysis was read'
  const notes = await takeProposals(run, end.result, n)
  const { files: _files, causes: _causes, ...before } = pending
  const plan = planOf(analysis)
  state.pending = {
    ...before,
    ...plan,
    notes: [...pending.notes, ...notes],
    sessions: { ...pending.sessions, analysis: used },
  }
  state.causes = [...(state.causes ?? []).slice(0, -1), analysis.cause]
  keepLevels(state, analysis, last)
  run.queue = run.queue.map((entry) =>
    entry.id === analysis.task ? { ...entry, title: plan.summary, file: analysis.file } : entry,
  )
  return undefined
}
