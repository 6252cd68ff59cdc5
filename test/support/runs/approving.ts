// A person who answers the approvals of a run.
import type { Question } from '../../../src/contract/question.js'
import type { Running } from '../servers/workflow-env.js'
import { waitFor } from '../wait.js'

/** Waits until the approval of this id is open. */
export function approvalOf({ handle }: Running, id: string): Promise<Question> {
  return waitFor(
    async () => (await handle.query<Question[]>('questions')).find((one) => one.id === id),
    { what: `the approval ${id}`, timeoutMs: 20_000 },
  )
}

/** Answers an approval, once it is open. */
export async function say(run: Running, id: string, answer: string): Promise<Question> {
  const question = await approvalOf(run, id)
  await run.handle.executeUpdate('answer', { args: [{ questionId: id, text: answer }] })
  return question
}

/** Approves the plan of a cycle's first iteration; the next question comes after that. */
export const approvePlan = (run: Running): Promise<Question> =>
  say(run, 'approve-plan-1', 'approve')
