// ratchet status: lists runs, one line each, or shows one run in full. Never starts anything, and
// never waits long.
import { existsSync } from 'node:fs'
import { registeredProjects } from '../../adapters/config/registry.js'
import { recordName } from '../../contract/ids.js'
import { archivedDir } from '../../adapters/records/test-fix/session-paths.js'
import { findSession } from '../../adapters/records/test-fix/sessions.js'
import { layout, userDirs } from '../../adapters/state-dir.js'
import type { Context, ProjectChoice, ServerChoice } from '../context.js'
import { checkedId, hadRuns, lookUp, unknownRun, type FoundRun } from '../find/find-run.js'
import { keptIn, keptOf } from '../find/run-record.js'
import { readSession } from '../find/session-record.js'
import { sessionOf } from '../find/sessions.js'
import { badInput, unavailable } from '../output/errors.js'
import { historyLines } from '../output/run-lines.js'
import { projectDir, projectPath } from '../start/project-dir.js'
import { isRemote, joinServer, type Server } from '../start/server.js'
import { plainLines, tableLines } from '../status/list-lines.js'
import { ofKept, ofResult, ofSession } from '../status/recorded-runs.js'
import { listedRuns, wholeRun } from '../status/server-runs.js'
import { NOTHING, type RunLine, type ShownRun } from '../status/shown-run.js'
import { isFiltered, statusFilters, type StatusOptions } from '../status/status-filters.js'

type ServerLine = { address: string; uiUrl: string | null; pid: number | null; version: string }
type WorkerLine = { pid: number; queue: string; host: string; kind: string }
type StatusDocument = { server: ServerLine | null; workers: WorkerLine[]; runs: RunLine[] }

export async function run(
  context: Context,
  [typed]: string[],
  options: StatusOptions = {},
): Promise<number> {
  const wanted = typed === undefined ? undefined : checkedId(typed)
  if (wanted !== undefined && isFiltered(options))
    throw badInput(
      'an id and filters cannot be used together',
      'ratchet status',
      `use one of them: ratchet status ${wanted}`,
    )
  const filters = statusFilters(context.project, options, Date.now())
  const server = await joinServer(context.server)
  const known = await processes(context, server)
  const one = wanted === undefined ? undefined : await oneRun(context, server, wanted)
  const shown =
    one !== undefined ? [one] : server === undefined ? [] : await listedRuns(server, filters)
  if (shown.length === 0) await knownProject(context.project, server)
  const document: StatusDocument = { ...known, runs: shown.map(({ line }) => line) }
  const { columns, env } = context.out
  context.out.answer(document, [
    ...processLines(document),
    ...(one === undefined && columns !== undefined
      ? await tableLines(shown, { columns, env })
      : plainLines(shown)),
    ...(shown.length > 0 ? [] : [whyNone(context.server, options, server)]),
    ...(one === undefined ? [] : detailLines(one)),
  ])
  return 0
}

// The iterations of a run, then how it is going or how it ended.
function detailLines({ line, history, recorded = [], more = [] }: ShownRun): string[] {
  return [...historyLines(history, 0, line.kind), ...recorded, ...more].map(
    (text) => `${''.padEnd(9)}${text}`,
  )
}

function processLines({ server, workers }: StatusDocument): string[] {
  return [
    server === null
      ? 'server   not running'
      : `server   ${server.address}${server.uiUrl === null ? '' : `  ${server.uiUrl}`}${server.pid === null ? '' : `  process ${server.pid}`}  version ${server.version}`,
    ...workers.map((worker) => `worker   ${worker.kind}  ${worker.queue}  process ${worker.pid}`),
  ]
}

function whyNone(choice: ServerChoice, options: StatusOptions, server: Server | undefined): string {
  if (isFiltered(options)) return 'no run matches; list all of them with: ratchet status --all'
  if (server === undefined && leftRuns(choice))
    return 'runs were open when the server stopped; they continue when it runs again; start it with: ratchet dev'
  return 'no run is open'
}

// A stopping server removes its record, unless it leaves open runs or could not check for them.
function leftRuns(server: ServerChoice): boolean {
  return !isRemote(server) && existsSync(layout.serverRecord(userDirs(server.env)))
}

async function processes(
  context: Pick<Context, 'server' | 'out'>,
  server: Server | undefined,
): Promise<Omit<StatusDocument, 'runs'>> {
  if (server !== undefined && !server.local) {
    const { serverVersion } = await import('../../client/overview.js')
    return {
      server: {
        address: server.address,
        uiUrl: null,
        pid: null,
        version: await serverVersion(server.ratchet.client),
      },
      workers: [],
    }
  }
  const { localStatus } = await import('../../dev-server/index.js')
  const status = await localStatus(userDirs(context.server.env))
  for (const problem of status.problems) context.out.warn(`warning: ${problem}`)
  return { server: status.server ?? null, workers: status.workers }
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
): Promise<ShownRun> {
  const found = server === undefined ? undefined : await lookUp(context.project, server, wanted)
  const place = isRemote(context.server)
    ? undefined
    : archivedAt(context.project, found?.id ?? wanted, found?.project)
  if (found?.overview.open === true || place === undefined)
    return recordedOrWhole(context, server, found, wanted)
  const { line, ...shown } = await recordedOrWhole(context, server, found, wanted, place)
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
  archived?: string,
): Promise<ShownRun> {
  if (found !== undefined) return wholeRun(found, archived)
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
