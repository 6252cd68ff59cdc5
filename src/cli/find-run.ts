// From what a user typed to a run: a workflow id, or the name of a session of this project.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { idProblem, sessionProblem, testFixWorkflowId } from '../contract/ids.js'
import { RegisteredProject } from '../contract/registry.js'
import { projectKey, userDirs, layout } from '../adapters/state-dir.js'
import type { Dirs } from '../adapters/state-dir.js'
import type { RunHandle } from '../client/handle.js'
import type { Overview } from '../client/overview.js'
import type { Context } from './context.js'
import { badInput } from './errors.js'
import { projectDir } from './project.js'
import { ensureWorker, hadServer, isRemote, runUrl, startServer } from './server.js'
import type { Server } from './server.js'

export type FoundRun = { id: string; overview: Overview; handle: RunHandle; server: Server; project: string | undefined; uiUrl: string | null }

/** Refuses what can be no id, before anything else happens with it. */
export function checkedId(typed: string | undefined): string {
  const problem = typed === undefined ? 'is missing' : idProblem(typed)
  if (typed === undefined || problem !== undefined) throw badInput(`the id ${problem ?? ''}`, 'the command line', 'see the ids with: ratchet status')
  return typed
}

/** Ids that may be meant, likeliest first: a session of the project, then the id as it is. */
export function candidates(context: Context, typed: string): string[] {
  const own = sessionProblem(typed) === undefined ? [testFixWorkflowId(typed, projectKey(projectDir(context)))] : []
  return [...own, typed]
}

/**
 * Finds a run, open or closed. The local server is started for it; for an open run its project's
 * worker, too, so that what the user asks for can happen.
 *
 * @throws RefusalError `BadInput` for an unknown id, with the nearest open ones
 */
export async function findRun(context: Context, typed: string | undefined): Promise<FoundRun> {
  const wanted = checkedId(typed)
  if (!hadRuns(context)) throw unknown(wanted, [], userDirs(context.env).state)
  const server = await startServer(context)
  const found = await lookUp(context, server, wanted)
  if (found === undefined) throw await unknownRun(server, wanted)
  if (found.overview.open && found.project !== undefined) await ensureWorker(context, server, found.project)
  return found
}

/** Whether there can be a run at all; without a local server there never was one to start for it. */
export function hadRuns(context: Context): boolean {
  return isRemote(context) || hadServer(userDirs(context.env))
}

/** Looks a run up on a server; starts nothing. */
export async function lookUp(context: Context, server: Server, wanted: string): Promise<FoundRun | undefined> {
  const { overview } = await import('../client/overview.js')
  for (const id of [...candidates(context, wanted), ...(await elsewhere(server, wanted))]) {
    const seen = await overview(server.ratchet.client, id)
    if (seen === undefined) continue
    return { id, overview: seen, handle: server.ratchet.attach(id), server, project: projectOf(server.dirs, seen), uiUrl: runUrl(server, id) }
  }
  return undefined
}

/** The refusal for an id that no run has. */
export async function unknownRun(server: Server, wanted: string): Promise<Error> {
  const open = (await server.ratchet.list()).filter((run) => run.open).map((run) => run.id)
  return unknown(wanted, open, `${server.address}, namespace ${server.namespace}`)
}

/** Real path of a run's project: the indexed one, else the one whose key is in the id. */
export function projectOf(dirs: Dirs, run: Pick<Overview, 'id' | 'project'>): string | undefined {
  if (run.project !== undefined) return run.project
  const prefix = /\.([0-9a-f]{6})$/.exec(run.id)?.[1]
  return prefix === undefined ? undefined : registered(dirs).find((project) => project.key.startsWith(prefix))?.path
}

/** Every project of this user. */
export function registered(dirs: Dirs): RegisteredProject[] {
  const dir = path.dirname(layout.project(dirs, '-'))
  try {
    return readdirSync(dir).filter((name) => name.endsWith('.json')).map((name) => RegisteredProject.parse(JSON.parse(readFileSync(path.join(dir, name), 'utf8'))))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

// The session of another project, where only one open run has that name.
async function elsewhere(server: Server, wanted: string): Promise<string[]> {
  if (sessionProblem(wanted) !== undefined) return []
  const same = (await server.ratchet.list()).filter((run) => run.open && run.id.startsWith(`${wanted}.`))
  return same.length === 1 ? same.map((run) => run.id) : []
}

function unknown(wanted: string, open: string[], where: string): Error {
  const near = nearest(wanted, open)
  return badInput(`there is no run ${wanted}`, where, near.length === 0 ? 'no run is open; start one with: ratchet fix' : `open runs: ${near.join(', ')}`)
}

const NEAREST = 5

/** The ids most like a mistyped one, nearest first. */
export function nearest(wanted: string, ids: readonly string[]): string[] {
  const near = ids.map((id) => ({ id, distance: Math.min(editDistance(wanted, id), editDistance(wanted, id.replace(/\.[0-9a-f]{6}$/, ''))) }))
  return near.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1)).slice(0, NEAREST).map(({ id }) => id)
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((next[j - 1] as number) + 1, (row[j] as number) + 1, (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length] as number
}
