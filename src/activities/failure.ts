// A refusal as Temporal carries it: never retried, with what, where and next apart for the CLI.
import { ApplicationFailure } from '@temporalio/common'
import { RefusalError } from '../contract/failures.js'

/** Turns a `RefusalError` into a failure of the same type; anything else stays as it is. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof RefusalError)) return error
  const { type, message, where, next } = error
  return ApplicationFailure.create({ type, message: `${message} (${where}). Next: ${next}`, nonRetryable: true, details: [{ message, where, next }] })
}
