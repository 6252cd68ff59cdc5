// Asks a person to approve work before it is carried out, and has it changed until that is so.
import type { Question } from '../../contract/question.js'
import type { RunUsage } from '../../contract/result.js'
import { afterApproval, approvalQuestion, type Approvable } from '../../core/run/approval.js'
import type { Control } from './control.js'
import type { Questions } from './questions.js'

type ApprovingRun = {
  readonly control: Control
  readonly questions: Questions
  readonly ready: { usage: RunUsage }
  ask: (question: Question) => Promise<string | undefined>
  enter: (phase: string, waitingFor: string) => void
}

export type ToApprove = {
  /** What it is now: a change may have made it again. */
  about: () => Approvable
  /** Writes the record, in which the person reads it. */
  record: () => Promise<unknown>
  /**
   * Has it changed, for the nth time.
   *
   * @returns why it is as it was, if it is
   */
  change: (words: string, nth: number) => Promise<string | undefined>
}

/** Returns once a person has approved. Every other end of the question stops the run. */
export async function untilApproved(
  run: ApprovingRun,
  { about, record, change }: ToApprove,
): Promise<void> {
  let note: string | undefined
  for (let changes = 0; ; changes++) {
    await run.control.safePoint()
    await record()
    const asked = about()
    const { usage } = run.ready
    const question = approvalQuestion(asked, { changes, note, usage, askedAt: Date.now() })
    run.enter('asking', `person: approve ${asked.what}`)
    const answer = await run.ask(question)
    await run.control.safePoint()
    const approval = afterApproval(asked.what, {
      answer,
      text: run.questions.textOf(question.id),
      isSilent: run.questions.isSilent(question.id),
    })
    if (approval.then === 'carry out') return
    if (approval.then === 'stop') run.control.onStop(approval.reason)
    await run.control.safePoint() // a stop ends the run here
    if (approval.then === 'change') note = await change(approval.words, changes + 1)
  }
}
