// A programming error that repeats is a fault that no further attempt passes. It ends the activity, not a retry for ever.
import { ApplicationFailure } from '@temporalio/common'
import { ZodError } from 'zod'

/** Times that an activity may end with the same programming error. */
const MOST = 3

const PROGRAMMING = [TypeError, RangeError, ReferenceError, SyntaxError, ZodError]

/** Counts the programming errors of each activity by its key, as long as this worker lives. */
export function repeatedErrors() {
  const last = new Map<string, { stack: string; times: number }>()
  return {
    /** Returns the failure that ends the activity, where the error came the third time in a row; otherwise the error. */
    judge(key: string, error: unknown): unknown {
      // An error of the system, as a full disk, has a code and passes.
      if (!PROGRAMMING.some((kind) => error instanceof kind) || (error as NodeJS.ErrnoException).code !== undefined) return error
      const { name, message, stack = message } = error as Error
      const known = last.get(key)
      const times = known?.stack === stack ? known.times + 1 : 1
      if (times < MOST) {
        last.set(key, { stack, times })
        return error
      }
      last.delete(key)
      return ApplicationFailure.create({ type: 'InternalError', message: `Ratchet failed ${MOST} times in the same way: ${name}: ${message}. The stack is in the log of the worker: ratchet logs`, nonRetryable: true, cause: error as Error })
    },
    passed(key: string): void {
      last.delete(key)
    },
  }
}
