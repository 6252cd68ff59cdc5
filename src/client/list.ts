// Lists the runs that a server knows, by the filters of its visibility store. Asks the server, not
// the workflows.
import type { Client, WorkflowExecutionInfo } from '@temporalio/client'
import { kindOfType, type Kind } from '../contract/names.js'
import type { Caller } from './connection.js'
import { toClientError } from './errors.js'
import { LIMIT, listQuery, type ListOptions } from './list-query.js'

/** One line of the list of runs. What was not measured or indexed yet is absent. */
export type ListedRun = {
  id: string
  kind: Kind
  open: boolean
  /** Start of its newest iteration. */
  startedAt: Date
  closedAt?: Date
  project?: string
  phase?: string
  iteration?: number
  /** Percent, 0-100. */
  passRate?: number
  needsHuman?: boolean
}

const PAGE = 100

/** Returns the runs, newest first, one entry for each id. */
export async function listRuns(door: Caller, options: ListOptions = {}): Promise<ListedRun[]> {
  const query = listQuery(options)
  try {
    return await door.call((client) => read(client, query, options))
  } catch (error) {
    throw toClientError(error, 'list', door.where)
  }
}

async function read(
  client: Client,
  query: string,
  { limit = LIMIT, open, needsHuman }: ListOptions,
): Promise<ListedRun[]> {
  const seen = new Set<string>()
  const runs: ListedRun[] = []
  for await (const info of client.workflow.list({ query, pageSize: PAGE })) {
    if (runs.length >= limit) break
    if (seen.has(info.workflowId)) continue // an earlier run of the same session, cycle or loop
    seen.add(info.workflowId)
    const run = listed(info)
    if (run === undefined || (open !== undefined && run.open !== open)) continue
    if (needsHuman === false && run.open && run.needsHuman === true) continue
    runs.push(run)
  }
  return runs
}

function listed({
  workflowId,
  type,
  status,
  startTime,
  closeTime,
  searchAttributes,
}: WorkflowExecutionInfo): ListedRun | undefined {
  const kind = kindOfType(type)
  if (kind === undefined) return undefined
  const [project, phase, iteration, passRate, needsHuman] = [
    'RatchetProject',
    'RatchetPhase',
    'RatchetIteration',
    'RatchetPassRate',
    'RatchetNeedsHuman',
  ].map((name) => searchAttributes[name]?.[0])
  return {
    id: workflowId,
    kind,
    open: status.name === 'RUNNING',
    startedAt: startTime,
    closedAt: closeTime,
    ...(typeof project === 'string' ? { project } : {}),
    ...(typeof phase === 'string' ? { phase } : {}),
    ...(typeof iteration === 'number' ? { iteration } : {}),
    ...(typeof passRate === 'number' ? { passRate } : {}),
    ...(typeof needsHuman === 'boolean' ? { needsHuman } : {}),
  }
}
