// Decides when an error that repeats ends its activity: no further attempt would pass.
import { ApplicationFailure } from '@temporalio/common'
import { ZodError } from 'zod'
import { GitError, isFullDisk } from '../../adapters/git/git.js'

/** Times that an activity may end with the same programming error. */
const MOST = 3
/**
 * Times in a row that git may fail in an activity: nearly three minutes, which is longer than it
 * holds its locks.
 */
const MOST_OF_GIT = 10

const PROGRAMMING = [TypeError, RangeError, ReferenceError, SyntaxError, ZodError]

/** Counts the errors of each activity by its key, as long as this worker lives. */
export function repeatedErrors() {
  const last = new Map<string, { fault: string; times: number }>()
  const isLast = (key: string, fault: string, most: number): boolean => {
    const known = last.get(key)
    const times = known?.fault === fault ? known.times + 1 : 1
    if (times < most) last.set(key, { fault, times })
    else last.delete(key)
    return times >= most
  }
  return {
    /**
     * Returns the failure that ends the activity if the error has come too often in a row;
     * otherwise the error.
     */
    judge(key: string, error: unknown): unknown {
      if (error instanceof GitError) {
        // The run waits until the disk has room.
        if (isFullDisk(error) || !isLast(key, 'git', MOST_OF_GIT)) return error
        return ApplicationFailure.create({
          type: 'GitFailed',
          message: `git failed ${MOST_OF_GIT} times in a row: ${error.message}. What was kept is on the branch. Next: repair the repository, then ratchet resume, with the id of the run`,
          nonRetryable: true,
          cause: error,
        })
      }
      // A system error, such as a full disk, has a code and may pass.
      if (
        !PROGRAMMING.some((kind) => error instanceof kind) ||
        (error as NodeJS.ErrnoException).code !== undefined
      )
        return error
      const { name, message, stack = message } = error as Error
      if (!isLast(key, stack, MOST)) return error
      return ApplicationFailure.create({
        type: 'InternalError',
        message: `Ratchet failed ${MOST} times in the same way: ${name}: ${message}. The stack is in the log of the worker: ratchet logs`,
        nonRetryable: true,
        cause: error as Error,
      })
    },
    passed(key: string): void {
      last.delete(key)
    },
  }
}
