// Edits of a person in the record: what the cycle keeps of them.
import type { PersonEdit } from '../../contract/person-edit.js'
import { withFeedback } from '../../core/cycle/feedback.js'
import { NO_EDITS, untoldTo, withEdits } from '../../core/cycle/person-edits.js'
import { withPlanEdit } from '../../core/cycle/plan-edit.js'
import type { CycleRun } from './cycle-run.js'

/** Keeps the edits that the host has found. One of the plan changes what is promised. */
export function keepEdits(run: CycleRun, found: readonly PersonEdit[] | undefined): void {
  const state = run.ready
  const { edits, news } = withEdits(state.edits ?? NO_EDITS, found ?? [])
  if (news.length === 0) return
  state.edits = edits
  for (const { phase, file, change, problem, plan } of news) {
    if (problem !== undefined) continue
    if (plan !== undefined) state.promised = withPlanEdit(state.promised ?? [], plan)
    state.feedbackLog = withFeedback(state.feedbackLog, [{ timestamp: run.now(), source: 'user', target: phase, content: `${file} was edited: ${change.join('; ')}`.slice(0, CONTENT_CHARS), type: 'requirement_update' }])
    run.warn(`${file} was edited by a person; the agents hear of it in their next turn`)
  }
}

const CONTENT_CHARS = 500

/** What CD has not heard of, one sentence an edit: the text stands in the same prompt. */
export function editTexts({ ready }: CycleRun): string[] {
  return untoldTo(ready.edits, 'cd').map(({ id, file }) => `${id}: a person edited ${file}`)
}
