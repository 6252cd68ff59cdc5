// In interactive mode, a person approves the plan before development of it starts, or has the
// planner make it again.
import type { Phase } from '../../contract/dev-cycle/discovery.js'
import { cyclePlan, planDigest } from '../../core/run/approvables.js'
import { withFeedback } from '../../core/dev-cycle/feedback.js'
import { oneLine } from '../../core/text/one-line.js'
import { untilApproved } from '../run/approve.js'
import { settleEdits } from '../run/edit-questions.js'
import type { CycleRun } from './cycle-run.js'
import { record } from './cycle-steps.js'
import { brief, phaseTurn } from './cycle-turns.js'

/** Characters of a change in the log of feedback. */
const LOGGED_CHARS = 500

/** Whether the developer waits for a person, if the planner makes another plan. */
export function approvesPlan({ ready }: CycleRun, phases: readonly Phase[]): boolean {
  return ready.interactive && phases.includes('ep') && phases.includes('cd')
}

/** Returns once the plan is approved; a plan that a person approved before is not asked about. */
export async function approveCyclePlan(run: CycleRun): Promise<void> {
  const state = run.ready
  if (state.approvedPlan === planDigest(state.promised ?? [])) return
  const { iteration, prepared } = state
  const inRecord = { workspace: prepared.workspace, recordDir: prepared.recordDir }
  await untilApproved(run, {
    about: () => cyclePlan(iteration, state.promised ?? [], state.results.ep?.note, inRecord),
    record: () => record(run),
    change: (words, nth) => planAgain(run, words, nth),
  })
  // A person may have edited the plan before the answer.
  await record(run)
  await settleEdits(run, { isAsked: true, record: () => record(run) })
  state.approvedPlan = planDigest(state.promised ?? [])
}

/** Has EP make the plan again, in its session if it can be continued. */
async function planAgain(run: CycleRun, words: string, nth: number): Promise<string | undefined> {
  const state = run.ready
  state.feedbackLog = withFeedback(state.feedbackLog, [
    {
      timestamp: run.now(),
      source: 'user',
      target: 'ep',
      content: oneLine(words, LOGGED_CHARS),
      type: 'requirement_update',
    },
  ])
  const result = await phaseTurn(run, 'ep', {
    kind: 'feedback',
    step: `change-${nth}`,
    limitMs: state.prepared.limits.feedbackTurnMs,
    ask: () => ({
      about: 'cycle-feedback',
      brief: brief(state, 'ep'),
      feedback: planFeedback(words),
    }),
  })
  return result.synthetic === true ? (result.note ?? 'the planner did not answer') : undefined
}

function planFeedback(words: string): string {
  return `A person has read your plan and did not approve it. Make the plan again, in your documents, with this change:\n\n${words}`
}
