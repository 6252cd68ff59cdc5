// Resolves the name of a run to its workflow id: the id itself, or the name of a test session.
import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { idProblem, sessionProblem, testFixWorkflowId } from '../contract/ids.js'
import { WORKFLOW_TYPES } from '../contract/names.js'
import { projectKey } from '../adapters/state-dir.js'
import type { Caller } from './connection.js'
import { toClientError, RunNotFoundError } from './errors.js'
import { quoted } from './list-query.js'

/**
 * Finds the run of an id or of a session name. A session is searched in its project if one is
 * given, else among all indexed runs, as two projects may have sessions of the same name.
 *
 * @throws RunNotFoundError; RefusalError `BadInput` for an invalid id, and for a session name of
 * several runs
 */
export async function resolveRun(door: Caller, name: string, project?: string): Promise<string> {
  const problem = idProblem(name)
  if (problem !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `id: ${problem}`,
      'the id of the run',
      'list the ids with: ratchet status --all',
    )
  const ofProject =
    project !== undefined && sessionProblem(name) === undefined
      ? [testFixWorkflowId(name, keyHere(project))]
      : []
  for (const id of [...ofProject, name]) if ((await stateOf(door, id)) !== undefined) return id
  if (project !== undefined || sessionProblem(name) !== undefined)
    throw new RunNotFoundError(name, door.where)
  const found = await sessions(door, name)
  const open = found.filter((run) => run.open)
  const [only, another] = open.length > 0 ? open : found
  if (only === undefined) throw new RunNotFoundError(name, door.where)
  if (another !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `several projects have a session ${name}: ${(open.length > 0 ? open : found).map(({ id }) => id).join(', ')}`,
      door.where,
      'use one of these ids, or name the project',
    )
  return only.id
}

/** Returns whether there is a run of that id, open or closed. */
export async function stateOf(door: Caller, id: string): Promise<'open' | 'closed' | undefined> {
  try {
    return (await door.call((client) => client.workflow.getHandle(id).describe())).status.name ===
      'RUNNING'
      ? 'open'
      : 'closed'
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw toClientError(error, id, door.where)
  }
}

/**
 * Returns the key of a project on this machine.
 *
 * @throws RefusalError `BadInput` if there is no such directory
 */
export function keyHere(project: string): string {
  try {
    return projectKey(project)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new RefusalError(
      BAD_INPUT,
      `project: there is no directory ${project} on this machine`,
      'input',
      'correct the path, or pass the key of the project on its host',
    )
  }
}

function sessions(door: Caller, name: string): Promise<{ id: string; open: boolean }[]> {
  return door.call(async (client: Client) => {
    const query = `WorkflowType = ${quoted(WORKFLOW_TYPES['test-fix'])} AND ExecutionStatus != 'ContinuedAsNew' AND WorkflowId STARTS_WITH ${quoted(`${name}.`)}`
    const found = new Map<string, { id: string; open: boolean }>() // newest first
    for await (const { workflowId, status } of client.workflow.list({ query })) {
      if (/^[0-9a-f]{6}$/.test(workflowId.slice(name.length + 1)) && !found.has(workflowId))
        found.set(workflowId, { id: workflowId, open: status.name === 'RUNNING' })
    }
    return [...found.values()]
  })
}
