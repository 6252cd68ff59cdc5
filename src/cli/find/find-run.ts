// Resolves what a user typed to a run: a workflow id, or the name of a session, cycle or loop of
// this project.
import { idProblem, sessionProblem, testFixWorkflowId } from '../../contract/ids.js'
import type { Kind } from '../../contract/names.js'
import { ownerOf } from './record-owner.js'
import { keyOfProject, registeredProjects } from '../../adapters/config/registry.js'
import { userDirs, type Dirs } from '../../adapters/state-dir.js'
import type { RunHandle } from '../../client/handle.js'
import type { Overview } from '../../client/overview.js'
import type { Context, ProjectChoice, ServerChoice } from '../context.js'
import { badInput } from '../output/errors.js'
import { keptOf, projectOfKept } from './run-record.js'
import { nearest } from './nearest.js'
import { projectDir, projectPath } from '../start/project-dir.js'
import { readSession } from './session-record.js'
import { hadServer, isRemote, runUrl, startServer, type Server } from '../start/server.js'

export type FoundRun = {
  id: string
  kind: Kind
  overview: Overview
  handle: RunHandle
  server: Server
  project: string | undefined
  uiUrl: string | null
}

/** Refuses what cannot be an id, before anything else uses it. */
export function checkedId(typed: string | undefined): string {
  const problem = typed === undefined ? 'is missing' : idProblem(typed)
  if (typed === undefined || problem !== undefined)
    throw badInput(
      `the id ${problem ?? ''}`,
      'the command line',
      'list the ids with: ratchet status --all',
    )
  return typed
}

/**
 * Returns whether an id can only belong to a test-fix run: the name of a session, or the id of its
 * run.
 */
export function isSessionId(id: string): boolean {
  return sessionProblem(id.replace(/\.[0-9a-f]{6}$/, '')) === undefined
}

/**
 * Returns the possible ids, likeliest first. A session of this project belongs to the run that
 * claimed its record, which may have its own id; the typed id comes last.
 */
export function candidates(choice: ProjectChoice, typed: string): string[] {
  // The file of a cycle or loop may have another name than its run: file names have no colon, and a
  // run with another id may continue it.
  if (sessionProblem(typed) !== undefined) {
    const kept = keptOf(choice, typed)
    const taken = kept === undefined ? undefined : keyOfProject(userDirs(choice.env), kept.project)
    const owner =
      kept === undefined || taken === undefined
        ? undefined
        : ownerOf(userDirs(choice.env), taken, kept.name)
    return [...new Set([typed, kept?.id ?? typed, owner ?? typed])]
  }
  const dirs = userDirs(choice.env)
  const project = projectPath(choice)
  const key = keyOfProject(dirs, project)
  if (key === undefined) projectDir(choice) // refuses a missing directory
  const own =
    key === undefined
      ? []
      : [
          ownerOf(dirs, key, typed),
          testFixWorkflowId(typed, key),
          readSession(project, typed)?.workflow_id,
        ]
  return [...new Set([...own, typed])].filter((id) => id !== undefined)
}

/**
 * Finds a run, open or closed. Starts the local server but not the project's worker, as a signal
 * must reach the run even if no worker can start.
 *
 * @throws RefusalError `BadInput` for an unknown id, with the nearest open ones
 */
export async function findRun(context: Context, typed: string | undefined): Promise<FoundRun> {
  const found = await findRunIfAny(context, checkedId(typed))
  if ('refusal' in found) throw found.refusal
  return found
}

/** The same, or the reason why there is none. */
export async function findRunIfAny(
  context: Context,
  wanted: string,
): Promise<FoundRun | { refusal: Error }> {
  if (!hadRuns(context.server))
    return { refusal: unknown(wanted, [], userDirs(context.project.env).state) }
  const server = await startServer(context)
  return (
    (await lookUp(context.project, server, wanted)) ?? { refusal: await unknownRun(server, wanted) }
  )
}

/** Returns whether there can be a run at all: without a local server there never was one. */
export function hadRuns(server: ServerChoice): boolean {
  return isRemote(server) || hadServer(userDirs(server.env))
}

/** Looks up a run on a server; starts nothing. */
export async function lookUp(
  project: ProjectChoice,
  server: Server,
  wanted: string,
): Promise<FoundRun | undefined> {
  const { overview } = await import('../../client/overview.js')
  const look = async (ids: readonly string[]): Promise<FoundRun | undefined> => {
    let closed: FoundRun | undefined
    for (const id of ids) {
      const seen = await overview(server.ratchet.client, id)
      if (seen === undefined) continue
      const found = {
        id,
        kind: seen.kind,
        overview: seen,
        handle: server.ratchet.attach(id),
        server,
        project: projectOf(server.dirs, seen),
        uiUrl: runUrl(server, id),
      }
      if (seen.open) return found
      closed ??= found
    }
    return closed
  }
  return (await look(candidates(project, wanted))) ?? look(await elsewhere(server, wanted))
}

/** Returns the refusal for an id that no run has. */
export async function unknownRun(server: Server, wanted: string): Promise<Error> {
  const open = (await server.ratchet.list()).filter((run) => run.open).map((run) => run.id)
  return unknown(wanted, open, `${server.address}, namespace ${server.namespace}`)
}

/**
 * Returns the real path of a run's project: the indexed one, else the one that has its record or
 * whose key is in the id.
 */
export function projectOf(
  dirs: Dirs,
  run: Pick<Overview, 'id' | 'project' | 'kind'>,
): string | undefined {
  if (run.project !== undefined) return run.project
  if (run.kind === 'prep')
    return registeredProjects(dirs).find(({ key }) => ownerOf(dirs, key, run.id) === run.id)?.path
  if (run.kind !== 'test-fix') return projectOfKept(dirs, run.id, run.kind)
  const prefix = /\.([0-9a-f]{6})$/.exec(run.id)?.[1]
  return prefix === undefined
    ? undefined
    : registeredProjects(dirs).find((project) => project.key.startsWith(prefix))?.path
}

// Finds the session in another project if exactly one open run has that name.
async function elsewhere(server: Server, wanted: string): Promise<string[]> {
  if (sessionProblem(wanted) !== undefined) return []
  const owners = registeredProjects(server.dirs).map(({ key }) => ownerOf(server.dirs, key, wanted))
  const same = (await server.ratchet.list()).filter(
    (run) => run.open && (run.id.startsWith(`${wanted}.`) || owners.includes(run.id)),
  )
  return same.length === 1 ? same.map((run) => run.id) : []
}

function unknown(wanted: string, open: string[], where: string): Error {
  const near = nearest(wanted, open)
  return badInput(
    `there is no run ${wanted}`,
    where,
    near.length === 0
      ? 'no run is open; list ended runs with: ratchet status --all'
      : `open runs: ${near.join(', ')}; list all with: ratchet status --all`,
  )
}
