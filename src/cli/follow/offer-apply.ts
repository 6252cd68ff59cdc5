// At the end of an interactive fix that succeeded, offers to apply its branch to the working tree.
// The run has ended: without a terminal nothing is asked, and `ratchet apply` does the same later.
import { APPROVE } from '../../core/run/approval.js'
import { isDone } from '../../core/run/done-outcomes.js'
import { whyNothing } from '../../core/test-results/best-line.js'
import { STOP } from '../../contract/question-limits.js'
import type { RunResult } from '../../contract/result.js'
import type { Context } from '../context.js'

/** Applies the branch as `ratchet apply` does, if a person at the terminal approves. */
export async function offerApply(context: Context, result: RunResult): Promise<void> {
  const { ask, interrupted } = context.out
  const { id, outcome, branch } = result
  if (ask === undefined || !isDone(outcome) || branch === null || whyNothing(result) !== undefined)
    return
  const given = await ask(
    {
      id: 'apply',
      kind: 'approval',
      text: `Apply ${branch} to the working tree now?`,
      options: [APPROVE, STOP],
      descriptions: {
        [APPROVE]: 'changes the files of the working tree, and commits nothing',
        [STOP]: `leaves it as it is; later: ratchet apply ${id}`,
      },
      askedAt: Date.now(),
    },
    interrupted,
  )
  if (typeof given !== 'object' || given.choice !== APPROVE) return
  await (await import('../run/run-apply.js')).run(context, [id])
}
