// From what a person calls a run to its workflow id: the id itself, or the name of a test session.
import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { idProblem, sessionProblem, testFixWorkflowId } from '../contract/ids.js'
import { WORKFLOW_TYPES } from '../contract/names.js'
import { projectKey } from '../adapters/state-dir.js'
import type { Caller } from './connection.js'
import { toClientError, RunNotFoundError } from './errors.js'
import { quoted } from './list.js'

/**
 * Finds the run of an id or of a session name. A session is looked for in a project where one is
 * given, else among all runs that the server has indexed: two projects may have sessions of the
 * same name.
 *
 * @throws RunNotFoundError; RefusalError `BadInput` for what can be no id, and for a session name
 * that several runs have
 */
export async function resolveRun(door: Caller, name: string, project?: string): Promise<string> {
  const problem = idProblem(name)
  if (problem !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `id: ${problem}`,
      'the id of the run',
      'see the ids with: ratchet status',
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
      'name one of these ids, or the project',
    )
  return only.id
}

/** Whether there is a run of that id, open or closed. */
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
 * Key of a project on this machine.
 *
 * @throws RefusalError `BadInput` where there is no such directory
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
      'correct it, or pass the key of the project on its host',
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
