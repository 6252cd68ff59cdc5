// The first execution of a run: its id is the same over every iteration, and differs where the id
// of the run is used again.
import type { Client } from '@temporalio/client'
import { Recent } from '../core/recent.js'

const DEADLINE_MS = 5_000
const REMEMBERED = 500

/**
 * Asks the server once per execution. One that is away, or does not know the run any more, costs
 * nothing but the link: the execution counts as the first one.
 */
export function chains(client: Client): (workflowId: string, runId: string) => Promise<string> {
  const known = new Recent<Promise<string>>(REMEMBERED)
  const ask = (workflowId: string, runId: string): Promise<string> =>
    client.connection.withDeadline(Date.now() + DEADLINE_MS, async () => {
      const { raw } = await client.workflow.getHandle(workflowId, runId).describe()
      const first = raw.workflowExecutionInfo?.firstRunId
      return first === undefined || first === null || first === '' ? runId : first
    })
  return (workflowId, runId) => {
    const asked = known.get(runId) ?? ask(workflowId, runId).catch(() => runId)
    known.set(runId, asked)
    return asked
  }
}
