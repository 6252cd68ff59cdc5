// A refusal as Temporal carries it: never retried, with what, where and next apart for the CLI.
import { ApplicationFailure } from '@temporalio/common'
import { RefusalError } from '../../contract/failures.js'
import { WorkspaceMissingError } from '../../adapters/git/git.js'

/**
 * Turns a `RefusalError` into a failure of the same type, and a workspace that is gone or broken
 * into one that no further attempt can mend; anything else stays as it is.
 */
export function asFailure(error: unknown): unknown {
  if (error instanceof WorkspaceMissingError)
    return ApplicationFailure.nonRetryable(
      `${error.place} is ${error.how}, so the run cannot go on; what was kept is on its branch. Next: ratchet resume, with its id`,
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
