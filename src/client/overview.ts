// What the server itself knows of a run and of the workers, without asking a workflow: it answers
// also where no worker lives.
import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { WORKFLOW_TYPES, type Kind } from '../contract/names.js'

/** A run as visibility shows it; what was never measured or indexed is missing. */
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
   * When its newest iteration began, which is a workflow run of its own; `firstRunId` is that of
   * the first one, where it is another.
   */
  startedAt: Date
  firstRunId?: string
  closedAt?: Date
}

/** The newest run of a workflow id, `undefined` where the server knows none of ours. */
export async function overview(client: Client, id: string): Promise<Overview | undefined> {
  try {
    const { type, status, searchAttributes, runId, startTime, closeTime, raw } =
      await client.workflow.getHandle(id).describe()
    const kind = (Object.keys(WORKFLOW_TYPES) as Kind[]).find((k) => WORKFLOW_TYPES[k] === type)
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

/** When a run began; of one whose first iteration the server has forgotten, the newest one. */
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

/** How many pollers ask for work from a queue, workflow and activity tasks together. */
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

/** Gives every call inside a deadline, so that a query of a run without a worker does not hang. */
export async function within<T>(client: Client, ms: number, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + ms, call)
}
