// The histories of a run: a run is a chain of executions, one per iteration or per few actions.
import type { Client, WorkflowHandle } from '@temporalio/client'

/** Of `temporal.api.enums.v1.TimeoutType`. */
const SCHEDULE_TO_START = 2

/** One execution of a chain. */
export type Link = {
  events: number
  activities: number
  /** Workflow tasks that failed, or timed out while a worker had them; expected to be 0. */
  failedTasks: number
  /** Those that a busy worker did not begin within ten seconds, so that they lost its cache. */
  lateTasks: number
}

/** Every execution of a run, in order, from the first one. */
export async function chainOf(
  client: Client,
  workflowId: string,
  firstRunId: string,
): Promise<Link[]> {
  const links: Link[] = []
  for (let runId: string | undefined = firstRunId; runId !== undefined;) {
    const history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>> = await client.workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
    const events = history.events ?? []
    const count = (has: (event: (typeof events)[number]) => unknown): number =>
      events.filter((event) => Boolean(has(event))).length
    links.push({
      events: events.length,
      activities: count((e) => e.activityTaskScheduledEventAttributes),
      failedTasks: count(
        ({
          workflowTaskFailedEventAttributes: failed,
          workflowTaskTimedOutEventAttributes: timedOut,
        }) => failed ?? (timedOut && !isLate(timedOut)),
      ),
      lateTasks: count(
        ({ workflowTaskTimedOutEventAttributes: timedOut }) => timedOut && isLate(timedOut),
      ),
    })
    runId =
      events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined
  }
  return links
}

function isLate({ timeoutType }: { timeoutType?: number | null }): boolean {
  return timeoutType === SCHEDULE_TO_START
}
