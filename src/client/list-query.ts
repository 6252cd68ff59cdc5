// Filters of the list of runs, and the query of the server's visibility store that they mean.
import { realpathSync } from 'node:fs'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { KINDS, WORKFLOW_TYPES, type Kind } from '../contract/names.js'

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

/** Runs that are listed without a limit. */
export const LIMIT = 50

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
