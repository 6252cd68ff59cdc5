// Asks the server with Temporal's client: about ended runs, on a server that the command line
// names, and where the supervisor could not ask.
import { existsSync } from 'node:fs'
import { registeredProjects } from '../../adapters/config/registry.js'
import { archivedDir } from '../../adapters/records/test-fix/session-paths.js'
import { findSession } from '../../adapters/records/test-fix/sessions.js'
import { userDirs } from '../../adapters/state-dir.js'
import { recordName } from '../../contract/ids.js'
import type { ListOptions } from '../../client/list-query.js'
import type { LocalStatus } from '../../dev-server/local-status.js'
import type { Context, ProjectChoice } from '../context.js'
import { hadRuns, lookUp, unknownRun, type FoundRun } from '../find/find-run.js'
import { keptIn, keptOf } from '../find/run-record.js'
import { readSession } from '../find/session-record.js'
import { sessionOf } from '../find/sessions.js'
import { unavailable } from '../output/errors.js'
import { projectDir, projectPath } from '../start/project-dir.js'
import { isRemote, joinServer, type Server } from '../start/server.js'
import { ofKept, ofResult, ofSession } from './recorded-runs.js'
import { listedRuns, wholeRun } from './server-runs.js'
import { NOTHING, type ServerLine, type ShownRun } from './shown-run.js'

/** The server that was asked, `null` if none runs, and the runs. */
export type Asked = { server: ServerLine | null; shown: ShownRun[] }

/**
 * Returns the wanted run in full, else the runs that the filters select.
 *
 * @param known what runs locally; absent for a server that the command line names
 */
export async function directStatus(
  context: Pick<Context, 'project' | 'server'>,
  { wanted, filters }: { wanted: string | undefined; filters: ListOptions },
  known: LocalStatus | undefined,
): Promise<Asked> {
  const server = await joinServer(context.server, known)
  const shown =
    wanted !== undefined
      ? [await oneRun(context, server, wanted, known)]
      : server === undefined
        ? []
        : await listedRuns(server, filters, known)
  if (shown.length === 0) await knownProject(context.project, server)
  return { server: known === undefined ? await named(server) : (known.server ?? null), shown }
}

async function named(server: Server | undefined): Promise<ServerLine | null> {
  if (server === undefined) return null
  const { serverVersion } = await import('../../client/overview.js')
  const version = await serverVersion(server.ratchet.client)
  return { address: server.address, uiUrl: null, pid: null, version }
}

// A missing directory may have had runs; a misspelt one is an error.
async function knownProject(choice: ProjectChoice, server: Server | undefined): Promise<void> {
  if (choice.named === undefined) return
  const project = projectPath(choice)
  if (
    existsSync(project) ||
    registeredProjects(userDirs(choice.env)).some(({ path }) => path === project)
  )
    return
  if (server === undefined || (await server.ratchet.list({ project, limit: 1 })).length === 0)
    projectDir(choice) // refuses it
}

async function oneRun(
  context: Pick<Context, 'project' | 'server'>,
  server: Server | undefined,
  wanted: string,
  known: LocalStatus | undefined,
): Promise<ShownRun> {
  const found = server === undefined ? undefined : await lookUp(context.project, server, wanted)
  const place = isRemote(context.server)
    ? undefined
    : archivedAt(context.project, found?.id ?? wanted, found?.project)
  if (found?.overview.open === true || place === undefined)
    return recordedOrWhole(context, server, found, wanted, known)
  const { line, ...shown } = await recordedOrWhole(context, server, found, wanted, known, place)
  return { ...shown, line: { ...line, waitingFor: `${NOTHING}: the record is archived: ${place}` } }
}

/** Directory of the archived record of a run, if it is archived. */
function archivedAt(
  choice: ProjectChoice,
  id: string,
  project: string | undefined,
): string | undefined {
  const here = project ?? projectPath(choice)
  const name = recordName(id, undefined)
  return findSession(here, name)?.archived === true
    ? archivedDir(here, name)
    : keptIn(here, id)?.archived
}

async function recordedOrWhole(
  context: Pick<Context, 'project' | 'server'>,
  server: Server | undefined,
  found: FoundRun | undefined,
  wanted: string,
  known: LocalStatus | undefined,
  archived?: string,
): Promise<ShownRun> {
  if (found !== undefined) return wholeRun(found, known, archived)
  // Temporal deletes closed runs after their retention, and the server may be down; the record
  // stays.
  const recorded = isRemote(context.server)
    ? undefined
    : readSession(projectPath(context.project), wanted)?.result
  if (recorded !== undefined) return ofResult(recorded)
  const session =
    server === undefined && hadRuns(context.server) ? undefined : sessionOf(context.project, wanted)
  if (session !== undefined) return ofSession(session)
  const kept = isRemote(context.server) ? undefined : keptOf(context.project, wanted)
  if (kept !== undefined) return ofKept(kept)
  if (server === undefined)
    throw unavailable(
      'NoServer',
      `this project has no record of ${wanted}, and no server is running`,
      'this machine',
      'start the server with: ratchet dev; then list all runs with: ratchet status --all',
    )
  throw await unknownRun(server, wanted)
}
