// Whether a run is open, by the server.
import { WorkflowNotFoundError } from '@temporalio/client'
import type { HostDeps } from './host/deps.js'

/** Whether a workflow of this id runs; one that the server does not know does not. */
export async function isOpen(deps: HostDeps, workflowId: string): Promise<boolean> {
  try {
    return (await deps.client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING'
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
