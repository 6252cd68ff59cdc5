// Claims the record of a run, from a predecessor that has ended.
import { WorkflowNotFoundError } from '@temporalio/client'
import { takeRecord } from '../adapters/owner.js'
import type { HostDeps } from './host/deps.js'

/**
 * Claims a record for a run.
 *
 * @throws RefusalError `RecordOwned` if another run of the record is open
 */
export function claimRecord(
  deps: HostDeps,
  name: string,
  run: string,
  signal: AbortSignal,
): Promise<void> {
  return takeRecord(deps.dirs, deps.projectKey, name, run, (id) => isOpen(deps, id), signal)
}

/** Returns whether the server knows a workflow of this id that runs. */
async function isOpen(deps: HostDeps, workflowId: string): Promise<boolean> {
  try {
    return (await deps.client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING'
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
