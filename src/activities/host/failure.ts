// A refusal as Temporal carries it: never retried, with what, where and next apart for the CLI.
import { ApplicationFailure } from '@temporalio/common'
import { RefusalError } from '../../contract/failures.js'
import { WorkspaceMissingError } from '../../adapters/git/git.js'

/**
 * Turns a `RefusalError` into a failure of the same type, and a missing or broken workspace into a
 * non-retryable one; anything else stays unchanged.
 */
export function asFailure(error: unknown): unknown {
  if (error instanceof WorkspaceMissingError)
    return ApplicationFailure.nonRetryable(
      `${error.place} is ${error.how}, so the run cannot continue; its kept work is on its branch. Next: ratchet resume <id>`,
      'WorkspaceGone',
    )
  if (!(error instanceof RefusalError)) return error
  const { type, message, where, next } = error
  return ApplicationFailure.create({
    type,
    message: `${message} (${where}). Next: ${next}`,
    nonRetryable: true,
    details: [{ message, where, next }],
  })
}
