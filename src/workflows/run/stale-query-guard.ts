// No query answers from a state that the server does not know yet.
//
// A worker that meets a run for the first time to answer a query is given its history up to the
// last event, and SDK core applies also what no workflow task has taken up. The run then stays in
// the cache, ahead of its own history: what comes next, a pause or an answer, is handled behind
// that in memory, but in front of it at every replay, which never again fits the history. Such a
// worker forgets the run instead; the query can be asked again as soon as the task was done. Seen
// after kill -9 of the workflow worker, with `watch` asking.
import type { WorkflowInterceptors, WorkflowInternalsInterceptor } from '@temporalio/workflow'
import { NOT_YET } from '../../contract/failures.js'

/** Name that SDK core gives to a query that comes without a workflow task. */
const ALONE = 'legacy_query'

/** Found by the bundler by this name. */
export const interceptors = (): WorkflowInterceptors => ({ internals: [notAhead()] })

export function notAhead(): WorkflowInternalsInterceptor {
  let task = ''
  let events = 0
  let ahead = false
  return {
    activate(input, next) {
      const { timestamp, historyLength, jobs } = input.activation
      if (jobs?.some(({ queryWorkflow }) => queryWorkflow != null) === true) {
        // Failing the activation, unlike failing the query, makes the worker forget the run.
        if (ahead && jobs.some(({ queryWorkflow }) => queryWorkflow?.queryId === ALONE))
          throw new Error(NOT_YET)
        return next(input)
      }
      // Events without a task leave the clock of the run where it was: it is that of the last task.
      const now = `${String(timestamp?.seconds)} ${timestamp?.nanos ?? 0}`
      const length = historyLength ?? 0
      ahead = now === task && length > events
      task = now
      events = length
      return next(input)
    },
  }
}
