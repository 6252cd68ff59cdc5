// Going on with a session: its run is followed where it is open, and started again under the same id
// where it has ended, was lost with the server's database, or never was. The record says where it stood.
import { projectKey } from '../adapters/state-dir.js'
import { sessionProblem } from '../contract/ids.js'
import type { TestFixInput } from '../contract/input.js'
import type { Context } from './context.js'
import { badInput } from './errors.js'
import { checkedId, findRunIfAny, nearest } from './find-run.js'
import type { FoundRun } from './find-run.js'
import type { Followed } from './follow.js'
import { preflight, projectDir } from './project.js'
import { ensureWorker, runUrl, startServer } from './server.js'
import type { Server } from './server.js'
import { obstacle, sessionOf, sessionsOf } from './sessions.js'
import type { ProjectSession } from './sessions.js'

/** Takes the ids of runs too, open, closed or known from their record only. */
export type Resumable = { open: FoundRun } | { session: ProjectSession }

/**
 * What a user wants to go on with.
 *
 * @throws RefusalError `BadInput` where nothing has that name, it is over, or its record is lost
 */
export async function findResumable(context: Context, typed: string | undefined): Promise<Resumable> {
  const wanted = checkedId(typed)
  const found = await findRunIfAny(context, wanted)
  if (!('refusal' in found) && found.overview.open) return { open: found }
  const session = ('refusal' in found ? undefined : sessionOf(context, found.id, found.project)) ?? sessionOf(context, wanted)
  if (session !== undefined) {
    const problem = obstacle(session)
    if (problem !== undefined) throw problem
    return { session }
  }
  if (!('refusal' in found)) throw badInput(`the run has ended (${found.overview.phase ?? found.overview.state.toLowerCase()}), and its record is not there to go on from`, found.id, 'start a new one with: ratchet fix')
  const near = nearest(wanted, sessionsOf(projectDir(context)).map(({ name }) => name))
  throw near.length === 0 ? found.refusal : badInput(found.refusal.message, projectDir(context), `sessions of this project: ${near.join(', ')}`)
}

export type Wishes = Pick<TestFixInput, 'maxIterations' | 'extend' | 'generateTests' | 'base'>

/**
 * Starts the run of a session, for the first time or again.
 *
 * Whether an iteration is left for it is not judged here: a fix that is planned or waits for its retest
 * has its iteration already, and the project's host knows that.
 */
export async function startSession(context: Context, session: ProjectSession, wishes: Wishes): Promise<Followed> {
  const { project, name, runId } = session
  const ready = await preflight(project, wishes.base, context.env)
  const server = await startServer(context)
  await register(server, project)
  await ensureWorker(context, server, project)
  const named = sessionProblem(name) === undefined ? { session: name } : {}
  const handle = await server.ratchet.startTestFix({ project, ...named, ...wishes }, projectKey(project), runId)
  const started = { id: handle.id, handle, server, project, uiUrl: runUrl(server, handle.id) }
  context.say(`${handle.id}  goes on in ${project} with: ${ready.testCommand}`)
  if (started.uiUrl !== null) context.say(`             ${started.uiUrl}`)
  return started
}

/** Registers a project, so that workers take it. */
export async function register(server: Server, project: string): Promise<void> {
  const { registerProject } = await import('../adapters/registry.js')
  await registerProject(server.dirs, project)
}
