// Asks about a person's edit that cannot be used: its author corrects it, or the version of the
// agents applies.
import type { Question } from '../../contract/question.js'
import { NO_EDITS, withoutEdit } from '../../core/dev-cycle/documents/person-edits.js'
import type { EditedRun } from './person-edits.js'

const FIXED = 'fixed'
const DISCARD = 'discard'

type Asking = EditedRun & { ask: (question: Question) => Promise<string | undefined> }

/**
 * Asks what to do about edits that cannot be used; if no person is asked, Ratchet's version
 * applies.
 *
 * @param p.record writes the record, which reads a corrected edit
 */
export async function settleEdits(
  run: Asking,
  { isAsked, record }: { isAsked: boolean; record: () => Promise<unknown> },
): Promise<void> {
  for (let edit = refused(run); edit !== undefined; edit = refused(run)) {
    const { id, file, problem = '' } = edit
    const text = `${file} was edited and cannot be used: ${problem}. The edit is kept as ${file}.edited.`
    const answer = isAsked
      ? await run.ask({
          id: id.toLowerCase(),
          kind: 'decision',
          text: `${text} Correct it there, then answer ${FIXED}; ${DISCARD} keeps the version of the agents.`,
          options: [FIXED, DISCARD],
          recommended: DISCARD,
          askedAt: Date.now(),
        })
      : DISCARD
    if (answer === undefined) return // stopped
    run.ready.edits = withoutEdit(run.ready.edits ?? NO_EDITS, id)
    if (answer !== FIXED) {
      run.warn(`${text} The version of the agents applies`)
      continue
    }
    const seen = run.ready.edits.seen
    await record()
    // Nothing was corrected, so the same question is asked again.
    if (run.ready.edits.seen === seen)
      run.ready.edits = { ...run.ready.edits, open: [...run.ready.edits.open, edit] }
  }
}

function refused({ ready }: EditedRun) {
  return ready.edits?.open.find(({ problem }) => problem !== undefined)
}
