// A person's edits of the record, as a cycle or a loop keeps them.
import type { PersonEdit, PersonEdits } from '../../contract/dev-cycle/person-edit.js'
import { withFeedback } from '../../core/dev-cycle/feedback.js'
import { NO_EDITS, untoldTo, withEdits } from '../../core/dev-cycle/documents/person-edits.js'
import { planDigest } from '../../core/run/approvables.js'
import { withPlanEdit } from '../../core/dev-cycle/documents/plan-edit.js'
import type { CycleRun } from '../dev-cycle/cycle-run.js'

/** A run whose record a person may edit. */
export type EditedRun = {
  readonly ready: { edits?: PersonEdits | undefined }
  warn: (text: string) => void
}

/** Keeps the edits that the host found; returns the new ones that can be used. */
export function keptEdits(run: EditedRun, found: readonly PersonEdit[] | undefined): PersonEdit[] {
  const { edits, news } = withEdits(run.ready.edits ?? NO_EDITS, found ?? [])
  if (news.length === 0) return []
  run.ready.edits = edits
  const usable = news.filter(({ problem }) => problem === undefined)
  for (const { file } of usable)
    run.warn(`${file} was edited by a person; the agents get the edit in their next turn`)
  return usable
}

/**
 * Keeps them for a cycle. An edit of the plan changes the promised tasks; an approved plan stays
 * approved with it.
 */
export function keepEdits(run: CycleRun, found: readonly PersonEdit[] | undefined): void {
  const state = run.ready
  for (const { phase, file, change, plan } of keptEdits(run, found)) {
    if (plan !== undefined) {
      const isApproved = state.approvedPlan === planDigest(state.promised ?? [])
      state.promised = withPlanEdit(state.promised ?? [], plan)
      if (isApproved) state.approvedPlan = planDigest(state.promised)
    }
    state.feedbackLog = withFeedback(state.feedbackLog, [
      {
        timestamp: run.now(),
        source: 'user',
        target: phase,
        content: `${file} was edited: ${change.join('; ')}`.slice(0, CONTENT_CHARS),
        type: 'requirement_update',
      },
    ])
  }
}

const CONTENT_CHARS = 500

/** Edits that CD has not seen, one sentence each: the text is in the same prompt. */
export function editTexts({ ready }: CycleRun): string[] {
  return untoldTo(ready.edits, 'cd').map(({ id, file }) => `${id}: a person edited ${file}`)
}
