// Whether a run was started by who holds the key: read from its first event, once a run.
import type { NativeConnection } from '@temporalio/worker'
import { purposeOf } from '../../adapters/signing/payload-signature.js'
import { Recent } from '../../core/recent.js'
import { startProblem } from '../../core/signing/signed-purpose.js'

const REMEMBERED = 500

type Run = { workflowId: string; runId: string }

/** What of a connection is needed. */
export type Histories = Pick<NativeConnection, 'workflowService'>

/**
 * Returns the function that says why a run may not do anything, or `undefined`. Workflow id and run
 * id are those of an activity, which the server names.
 *
 * @throws where the server cannot be asked; the activity is tried again
 */
export function signedRuns(
  { workflowService }: Histories,
  namespace: string,
  key: string,
): (run: Run) => Promise<string | undefined> {
  const known = new Recent<Promise<string | undefined>>(REMEMBERED)
  const look = async ({ workflowId, runId }: Run): Promise<string | undefined> => {
    const { history } = await workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId, runId },
      maximumPageSize: 1,
    })
    const event = history?.events?.[0]
    const started = event?.workflowExecutionStartedEventAttributes
    return startProblem(purposeOf(key, workflowId, started?.input?.payloads ?? []), {
      at: Number(event?.eventTime?.seconds ?? 0) * 1_000,
      isContinued: (started?.continuedExecutionRunId ?? '') !== '',
    })
  }
  return (run) => {
    const asked = known.get(run.runId) ?? look(run)
    known.set(run.runId, asked)
    asked.catch(() => known.delete(run.runId))
    return asked
  }
}
