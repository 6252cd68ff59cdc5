// The histories of a run: a run is a chain of executions, one per iteration or per few actions.
import type { Client, WorkflowHandle } from '@temporalio/client'

/**
 * One execution of a chain. `failedTasks`: workflow tasks that failed or timed out; expected to be
 * 0.
 */
export type Link = { events: number; activities: number; failedTasks: number }

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
        (e) => e.workflowTaskFailedEventAttributes ?? e.workflowTaskTimedOutEventAttributes,
      ),
    })
    runId =
      events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined
  }
  return links
}
