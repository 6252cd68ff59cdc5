// Prevents queries from being answered from a state that the server does not know yet.
//
// A worker that loads a run to answer a query gets its history up to the last event, and SDK core
// also applies events that no workflow task has processed. The run then stays in the cache ahead of
// its own history: a later pause or answer is handled after those events in memory, but before them
// at every replay, which then never matches the history. This guard makes such a worker evict the
// run; the query can be repeated once the task is done. Seen after kill -9 of the workflow worker,
// while `watch` queried.
import type { WorkflowInterceptors, WorkflowInternalsInterceptor } from '@temporalio/workflow'
import { NOT_YET } from '../../contract/failures.js'

/** SDK core's name for a query without a workflow task. */
const ALONE = 'legacy_query'

/** The bundler finds it by this name. */
export const interceptors = (): WorkflowInterceptors => ({ internals: [notAhead()] })

export function notAhead(): WorkflowInternalsInterceptor {
  let task = ''
  let events = 0
  let ahead = false
  return {
    activate(input, next) {
      const { timestamp, historyLength, jobs } = input.activation
      if (jobs?.some(({ queryWorkflow }) => queryWorkflow != null) === true) {
        // Failing the activation, unlike failing the query, makes the worker evict the run.
        if (ahead && jobs.some(({ queryWorkflow }) => queryWorkflow?.queryId === ALONE))
          throw new Error(NOT_YET)
        return next(input)
      }
      // Events without a task do not advance the clock of the run, which is that of the last task.
      const now = `${String(timestamp?.seconds)} ${timestamp?.nanos ?? 0}`
      const length = historyLength ?? 0
      ahead = now === task && length > events
      task = now
      events = length
      return next(input)
    },
  }
}
