// What the server itself knows about a run and the workers, without querying a workflow, so no
// worker is needed.
import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { kindOfType, type Kind } from '../contract/names.js'

/** A run in the visibility store; what was not measured or indexed is absent. */
export type Overview = {
  id: string
  kind: Kind
  open: boolean
  /** Temporal's name of the state: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, … */
  state: string
  project?: string
  phase?: string
  iteration?: number
  passRate?: number
  /**
   * Start of its newest iteration, a workflow run of its own; `firstRunId` is that of the first
   * one, if it differs.
   */
  startedAt: Date
  firstRunId?: string
  closedAt?: Date
}

/**
 * Returns the newest run of a workflow id, `undefined` if the server has no such run of Ratchet.
 */
export async function overview(client: Client, id: string): Promise<Overview | undefined> {
  try {
    const { type, status, searchAttributes, runId, startTime, closeTime, raw } =
      await client.workflow.getHandle(id).describe()
    const kind = kindOfType(type)
    if (kind === undefined) return undefined
    const [project, phase, iteration, passRate] = [
      'RatchetProject',
      'RatchetPhase',
      'RatchetIteration',
      'RatchetPassRate',
    ].map((name) => searchAttributes[name]?.[0])
    const firstRunId = raw.workflowExecutionInfo?.firstRunId ?? ''
    return {
      id,
      kind,
      startedAt: startTime,
      open: status.name === 'RUNNING',
      state: status.name,
      ...(typeof project === 'string' ? { project } : {}),
      ...(typeof phase === 'string' ? { phase } : {}),
      ...(typeof iteration === 'number' ? { iteration } : {}),
      ...(typeof passRate === 'number' ? { passRate } : {}),
      closedAt: closeTime,
      ...(firstRunId === '' || firstRunId === runId ? {} : { firstRunId }),
    }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

/**
 * Returns when a run started; if the server has deleted its first iteration, the start of the
 * newest one.
 */
export async function began(
  client: Client,
  { id, startedAt, firstRunId }: Pick<Overview, 'id' | 'startedAt' | 'firstRunId'>,
): Promise<Date> {
  if (firstRunId === undefined) return startedAt
  try {
    return (await client.workflow.getHandle(id, firstRunId).describe()).startTime
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return startedAt
    throw error
  }
}

/** Returns the number of pollers of a task queue, for workflow and activity tasks together. */
export async function pollers(client: Client, queue: string): Promise<number> {
  const ask = async (taskQueueType: 1 | 2): Promise<number> =>
    (
      await client.connection.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: queue },
        taskQueueType,
      })
    ).pollers?.length ?? 0
  const [workflows, activities] = await Promise.all([ask(1), ask(2)])
  return workflows + activities
}

/** Version of the server. */
export async function serverVersion(client: Client): Promise<string> {
  return (await client.connection.workflowService.getSystemInfo({})).serverVersion ?? ''
}

/** Sets a deadline for every call, so that a query of a run without a worker does not hang. */
export async function within<T>(client: Client, ms: number, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + ms, call)
}
