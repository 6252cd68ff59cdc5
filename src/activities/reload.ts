// Reloads the configuration: a broken one is reported and changes nothing.
import { RefusalError } from '../contract/failures.js'

/** What `read` answers, or the refusal as one sentence. */
export async function orProblem<T>(read: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RefusalError) return { problem: `${error.message} (${error.where})` }
    throw error
  }
}
