// Lists the runs that a server knows, by the filters of its visibility store. Asks the server, not
// the workflows.
import { realpathSync } from 'node:fs'
import type { Client, WorkflowExecutionInfo } from '@temporalio/client'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { WORKFLOW_TYPES, type Kind } from '../contract/names.js'
import type { Caller } from './connection.js'
import { toClientError } from './errors.js'

/** Filters of the list; a run must match all of them. */
export type ListOptions = {
  /** Maximum number of runs (default 50). */
  limit?: number
  kind?: Kind
  /** Only open ones, or only those that have ended. */
  open?: boolean
  /** Only open ones that wait for a person, or only those that do not. */
  needsHuman?: boolean
  /** Directory of the project on its host. A run has it once its first step is done. */
  project?: string
  /** Only those that are open, or have ended since then. */
  since?: Date
}

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

const LIMIT = 50
const PAGE = 100
const KINDS = Object.keys(WORKFLOW_TYPES) as Kind[]

/**
 * Builds a query of the server from the filters. Closed runs are included, as the newest run of an
 * id decides whether that id is open.
 *
 * @throws RefusalError `BadInput` for an invalid kind or date
 */
export function listQuery({ kind, open, needsHuman, project, since }: ListOptions): string {
  if (kind !== undefined && !KINDS.includes(kind))
    throw refused(`kind: must be one of ${KINDS.join(', ')}, got ${JSON.stringify(kind)}`)
  if (since !== undefined && Number.isNaN(since.getTime())) throw refused('since: is not a date')
  return [
    `WorkflowType IN (${(kind === undefined ? KINDS : [kind]).map((one) => quoted(WORKFLOW_TYPES[one])).join(', ')})`,
    // A closed run waits for no person, even if an old index entry says so. A continued run is an
    // older link of a chain.
    open === true || needsHuman === true
      ? `ExecutionStatus = 'Running'`
      : `ExecutionStatus != 'ContinuedAsNew'`,
    ...(needsHuman === true ? ['RatchetNeedsHuman = true'] : []),
    ...(project === undefined ? [] : [`RatchetProject = ${quoted(realPath(project))}`]),
    ...(since === undefined
      ? []
      : [`(ExecutionStatus = 'Running' OR CloseTime >= ${quoted(since.toISOString())})`]),
  ].join(' AND ')
}

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
  const kind = KINDS.find((one) => WORKFLOW_TYPES[one] === type)
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

/** Returns a string literal of the query language, with quotes and backslashes escaped. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

// Runs are indexed by the real path; a path on another host stays unchanged.
function realPath(project: string): string {
  try {
    return realpathSync(project)
  } catch {
    return project
  }
}

function refused(problem: string): RefusalError {
  return new RefusalError(BAD_INPUT, problem, 'the filters of the list', 'correct it')
}
