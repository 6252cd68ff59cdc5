// ratchet status: lists runs, one line each. Never starts anything, and never waits long.
import { existsSync } from 'node:fs'
import type { Kind } from '../../contract/names.js'
import type { Question } from '../../contract/question.js'
import { registeredProjects } from '../../adapters/config/registry.js'
import { layout, userDirs } from '../../adapters/state-dir.js'
import type { IterationSummary, RunResult } from '../../contract/result.js'
import type { ListOptions } from '../../client/list.js'
import type { Context, ProjectChoice, ServerChoice } from '../context.js'
import { badInput, isUnanswered, unavailable } from '../output/errors.js'
import { endLines, endedError } from '../output/ending.js'
import {
  checkedId,
  hadRuns,
  lookUp,
  projectOf,
  unknownRun,
  type FoundRun,
} from '../find/find-run.js'
import { keptObstacle, keptOf, nounOf, type KeptRun } from '../find/run-record.js'
import { historyLines, iterationNow, percent, questionLines } from '../output/run-lines.js'
import { projectDir, projectPath } from '../start/project-dir.js'
import { readSession, recordedResult } from '../find/session-record.js'
import { isRemote, joinServer, runUrl, workerState, type Server } from '../start/server.js'
import { isFiltered, statusFilters, type StatusOptions } from '../output/status-filters.js'
import type { Told } from '../output/status-run.js'
import { iterationOf, obstacle, sessionOf, type ProjectSession } from '../find/sessions.js'
import { isoTime, projectNames, whenOf, type Times } from '../output/when.js'
import { inLocalTime, waitingFor } from '../../client/waiting.js'

type ServerLine = { address: string; uiUrl: string | null; pid: number | null; version: string }
type WorkerLine = { pid: number; queue: string; host: string; kind: string }
type RunLine = {
  id: string
  kind: Kind
  status: string
  phase: string
  iteration: number
  passRate: number | null
  waitingFor: string
}
/**
 * `line` belongs to the JSON document, `about` is for a person only, `more` are lines about one run
 * that is shown in full.
 */
type Shown = {
  line: RunLine
  about?: Times & { project?: string }
  history: IterationSummary[]
  recorded?: string[]
  questions?: Question[]
  more?: string[]
  told?: Told
}
type StatusDocument = { server: ServerLine | null; workers: WorkerLine[]; runs: RunLine[] }

const ANSWER_MS = 5_000
const NOTHING = 'nothing'

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
  const document: StatusDocument = { ...(await processes(context, server)), runs: [] }
  const one = wanted === undefined ? undefined : await oneRun(context, server, wanted)
  const shown =
    one !== undefined ? [one] : server === undefined ? [] : await listedRuns(server, filters)
  if (shown.length === 0) await knownProject(context.project, server)
  document.runs = shown.map(({ line }) => line)
  const iterations =
    one === undefined
      ? []
      : [...historyLines(one.history, 0, one.line.kind), ...(one.recorded ?? [])]
  const { columns } = context.out
  const runs =
    one === undefined && columns !== undefined
      ? await tableLines(context.project.env, shown, columns)
      : shown.flatMap((each) => [runLine(each, shown), ...askedLines(each)])
  const none = shown.length > 0 ? [] : [whyNone(context.server, options, server)]
  context.out.answer(document, [
    ...processLines(document),
    ...runs,
    ...none,
    ...[...iterations, ...(one?.more ?? [])].map((line) => `${''.padEnd(9)}${line}`),
  ])
  return 0
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

async function listedRuns(server: Server, filters: ListOptions): Promise<Shown[]> {
  const { overview } = await import('../../client/overview.js')
  return Promise.all(
    (await server.ratchet.list(filters)).map(async ({ id, kind }) => {
      const seen = await overview(server.ratchet.client, id)
      if (seen === undefined)
        return {
          line: {
            id,
            kind,
            status: 'failed',
            phase: 'gone',
            iteration: 0,
            passRate: null,
            waitingFor: NOTHING,
          },
          history: [],
        }
      const found = {
        id,
        kind,
        overview: seen,
        handle: server.ratchet.attach(id),
        server,
        project: projectOf(server.dirs, seen),
        uiUrl: runUrl(server, id),
      }
      return withTimes(found, await (seen.open ? openLine(found) : closedLine(found)))
    }),
  )
}

async function withTimes({ overview, server, project }: FoundRun, shown: Shown): Promise<Shown> {
  const { began } = await import('../../client/overview.js')
  const startedAt = isoTime(await began(server.ratchet.client, overview))
  return {
    ...shown,
    about: {
      startedAt,
      ...(overview.closedAt === undefined ? {} : { endedAt: isoTime(overview.closedAt) }),
      project,
    },
  }
}

async function oneRun(
  context: Pick<Context, 'project' | 'server'>,
  server: Server | undefined,
  wanted: string,
): Promise<Shown> {
  const found = server === undefined ? undefined : await lookUp(context.project, server, wanted)
  if (found !== undefined)
    return withTimes(found, await (found.overview.open ? wholeRun(found) : closedLine(found, true)))
  // Temporal deletes closed runs after their retention, and the server may be down; the record
  // stays.
  const recorded = recordOf(context, wanted)
  if (recorded !== undefined) return resultLine(recorded)
  const session =
    server === undefined && hadRuns(context.server) ? undefined : sessionOf(context.project, wanted)
  if (session !== undefined) return { line: sessionLine(session), history: [] }
  const kept = isRemote(context.server) ? undefined : keptOf(context.project, wanted)
  if (kept !== undefined) return keptLine(kept)
  if (server === undefined)
    throw unavailable(
      'NoServer',
      `this project has no record of ${wanted}, and no server is running`,
      'this machine',
      'start the server with: ratchet dev; then list all runs with: ratchet status --all',
    )
  throw await unknownRun(server, wanted)
}

// Shows one open run in full: agents at work, usage, branch.
async function wholeRun(found: FoundRun): Promise<Shown> {
  const shown = await openLine(found)
  const { wholeLines } = await import('../output/status-run.js')
  return { ...shown, more: await wholeLines(found, shown.told) }
}

async function openLine(found: FoundRun): Promise<Shown> {
  const { id, handle, overview, server, project } = found
  const { within } = await import('../../client/overview.js')
  const [pending, worker] = await Promise.all([handle.pending(), workerState(server, project)])
  try {
    const [status, questions] = await within(server.ratchet.client, ANSWER_MS, async () => {
      const told = await handle.status()
      return [told, told.questions > 0 ? await handle.questions() : []]
    })
    const { kind, phase, iteration, passRate } = status
    return {
      line: {
        id,
        kind,
        status: status.status,
        phase,
        iteration,
        passRate,
        waitingFor: waitingFor(id, status.waitingFor, pending, worker),
      },
      history: status.history,
      questions,
      told: { status, pending },
    }
  } catch (error) {
    if (!isUnanswered(error)) throw error
    // The server itself knows the rest.
    const { kind, phase = 'unknown', iteration = 0, passRate = null } = overview
    return {
      line: {
        id,
        kind,
        status: 'running',
        phase,
        iteration,
        passRate,
        waitingFor: waitingFor(
          id,
          `host: no workflow worker answers; start one with: ratchet watch ${id}`,
          pending,
          worker,
        ),
      },
      history: [],
    }
  }
}

async function closedLine(found: FoundRun, whole = false): Promise<Shown> {
  const end = await found.handle.result()
  const result =
    'result' in end
      ? end.result
      : end.ended.kind === 'canceled'
        ? recordedResult(found.project, found.id)
        : undefined
  if (result !== undefined)
    return {
      ...resultLine(result),
      ...(whole
        ? {
            more: endLines(result, found.uiUrl)
              .slice(1)
              .map((line) => line.replace(/^ {2}/, '')),
          }
        : {}),
    }
  const { message } = endedError(
    found.id,
    (end as { ended: Parameters<typeof endedError>[1] }).ended,
    found.kind,
  )
  const { kind, iteration = 0, passRate = null } = found.overview
  return {
    line: {
      id: found.id,
      kind,
      status: 'failed',
      phase: found.overview.state.toLowerCase(),
      iteration,
      passRate,
      waitingFor: `${NOTHING}: ${message}`,
    },
    history: [],
  }
}

function resultLine({
  id,
  kind,
  status,
  outcome,
  iterations,
  passRate,
  history,
}: RunResult): Shown {
  return {
    line: {
      id,
      kind,
      status,
      phase: outcome,
      iteration: iterations,
      passRate,
      waitingFor: NOTHING,
    },
    history,
  }
}

// A planned session that has not started, or whose run is gone.
function sessionLine(session: ProjectSession): RunLine {
  const { runId, standing, status, dir, name } = session
  const problem = obstacle(session)
  const rests =
    standing === 'completed' || standing === 'failed'
      ? standing
      : session.workflowId === undefined
        ? 'created'
        : 'paused'
  return {
    id: runId,
    kind: 'test-fix',
    status: rests,
    phase: status === '' ? 'unknown' : status,
    iteration: iterationOf({ dir }),
    passRate: null,
    waitingFor:
      problem === undefined
        ? `person: no run has this session; continue with: ratchet resume ${name}`
        : `${NOTHING}: ${problem.message}`,
  }
}

// A cycle or loop without a run on the server.
function keptLine(kept: KeptRun): Shown {
  const { kind, id, result, standing, history, lines: recorded, damage } = kept
  if (result !== undefined) return { ...resultLine(result), recorded }
  const problem = keptObstacle(kept, true)
  return {
    line: {
      id,
      kind,
      status:
        standing === undefined ? 'failed' : standing.status === 'created' ? 'created' : 'paused',
      phase: standing?.phase ?? 'unknown',
      iteration: standing?.iteration ?? 0,
      passRate: standing?.passRate ?? null,
      waitingFor:
        problem === undefined
          ? `person: ${damage ?? `no run has this ${nounOf(kind)}`}; continue with: ratchet resume ${id}`
          : `${NOTHING}: ${problem.message}`,
    },
    history,
    recorded,
  }
}

function recordOf(
  { project, server }: Pick<Context, 'project' | 'server'>,
  wanted: string,
): RunResult | undefined {
  if (isRemote(server)) return undefined
  return readSession(projectPath(project), wanted)?.result
}

function processLines({ server, workers }: StatusDocument): string[] {
  return [
    server === null
      ? 'server   not running'
      : `server   ${server.address}${server.uiUrl === null ? '' : `  ${server.uiUrl}`}${server.pid === null ? '' : `  process ${server.pid}`}  version ${server.version}`,
    ...workers.map((worker) => `worker   ${worker.kind}  ${worker.queue}  process ${worker.pid}`),
  ]
}

// In a terminal. A question is shortened; `ratchet status ID` shows it in full.
async function tableLines(
  env: NodeJS.ProcessEnv,
  shown: readonly Shown[],
  columns: number,
): Promise<string[]> {
  if (shown.length === 0) return []
  const [{ statusTable }, { default: pc }, { hasColors }] = await Promise.all([
    import('../output/status-table.js'),
    import('picocolors'),
    import('../live/can-draw.js'),
  ])
  const names = projectNames(shown.map(({ about }) => about?.project))
  const rows = shown.map(({ line, about = {} }) => {
    const when = whenOf(about, Date.now())
    return {
      ...line,
      iteration: iterationNow(line),
      waitingFor: line.waitingFor === NOTHING ? '' : inLocalTime(line.waitingFor, Date.now()),
      when,
      project: names.size < 2 ? '' : (names.get(about.project ?? '') ?? ''),
    }
  })
  return ['', ...statusTable(rows, columns, pc.createColors(hasColors(env)))]
}

function runLine({ line, about = {} }: Shown, listed: readonly Shown[]): string {
  const when = whenOf(about, Date.now())
  const several = new Set(listed.flatMap((one) => one.about?.project ?? [])).size > 1
  const facts = [
    ...(when === undefined ? [] : [`${when.word} ${when.at}`]),
    ...(several && about.project !== undefined ? [`in ${about.project}`] : []),
  ]
  const waits = line.waitingFor === NOTHING ? [] : [inLocalTime(line.waitingFor, Date.now())]
  return `run      ${[line.id, line.status, line.phase, `iteration ${iterationNow(line)}`, percent(line.passRate), ...facts, ...waits].join('  ')}`
}

// The questions for a person, with the commands that answer them.
function askedLines({ line, questions = [] }: Shown): string[] {
  return questions
    .flatMap((question) => questionLines(line.id, question, questions.length))
    .map((text) => `${''.padEnd(9)}${text}`)
}
