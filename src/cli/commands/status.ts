// ratchet status: what runs, one line a run. Never starts anything, and never waits long for anything.
import type { Kind } from '../../contract/names.js'
import type { Question } from '../../contract/question.js'
import { userDirs } from '../../adapters/state-dir.js'
import type { IterationSummary, RunResult } from '../../contract/result.js'
import type { Context } from '../context.js'
import { isUnanswered, unavailable } from '../errors.js'
import { endedError } from '../ending.js'
import { checkedId, hadRuns, lookUp, projectOf, unknownRun } from '../find-run.js'
import type { FoundRun } from '../find-run.js'
import { keptObstacle, keptOf, nounOf } from '../kept.js'
import type { KeptRun } from '../kept.js'
import { historyLines, percent, questionLines } from '../progress.js'
import { projectPath } from '../project.js'
import { readSession, recordedResult } from '../record.js'
import { isRemote, joinServer, runUrl, workerState } from '../server.js'
import type { Server } from '../server.js'
import { iterationOf, obstacle, sessionOf } from '../sessions.js'
import type { ProjectSession } from '../sessions.js'
import { inLocalTime, waitingFor } from '../waiting.js'

type ServerLine = { address: string; uiUrl: string | null; pid: number | null; version: string }
type WorkerLine = { pid: number; queue: string; host: string; kind: string }
type RunLine = { id: string; kind: Kind; status: string; phase: string; iteration: number; passRate: number | null; waitingFor: string }
type Shown = { line: RunLine; history: IterationSummary[]; recorded?: string[]; questions?: Question[] }
type StatusDocument = { server: ServerLine | null; workers: WorkerLine[]; runs: RunLine[] }

const ANSWER_MS = 5_000
const NOTHING = 'nothing'

export async function run(context: Context, [typed]: string[]): Promise<number> {
  const wanted = typed === undefined ? undefined : checkedId(typed)
  const server = await joinServer(context)
  const document: StatusDocument = { ...(await processes(context, server)), runs: [] }
  const one = wanted === undefined ? undefined : await oneRun(context, server, wanted)
  const shown = one !== undefined ? [one] : server === undefined ? [] : await openRuns(server)
  document.runs = shown.map(({ line }) => line)
  const iterations = one === undefined ? [] : [...historyLines(one.history, 0, one.line.kind), ...(one.recorded ?? [])]
  context.answer(document, [...lines(document, shown), ...iterations.map((line) => `${''.padEnd(9)}${line}`)])
  return 0
}

async function processes(context: Context, server: Server | undefined): Promise<Omit<StatusDocument, 'runs'>> {
  if (server !== undefined && !server.local) {
    const { serverVersion } = await import('../../client/overview.js')
    return { server: { address: server.address, uiUrl: null, pid: null, version: await serverVersion(server.ratchet.client) }, workers: [] }
  }
  const { localStatus } = await import('../../local/index.js')
  const status = await localStatus(userDirs(context.env))
  for (const problem of status.problems) context.warn(`warning: ${problem}`)
  return { server: status.server ?? null, workers: status.workers }
}

async function openRuns(server: Server): Promise<Shown[]> {
  const { overview } = await import('../../client/overview.js')
  const open = (await server.ratchet.list()).filter((listed) => listed.open)
  return Promise.all(open.map(async ({ id, kind }) => {
    const seen = await overview(server.ratchet.client, id)
    if (seen === undefined) return { line: { id, kind, status: 'failed', phase: 'gone', iteration: 0, passRate: null, waitingFor: NOTHING }, history: [] }
    return openLine({ id, kind, overview: seen, handle: server.ratchet.attach(id), server, project: projectOf(server.dirs, seen), uiUrl: runUrl(server, id) })
  }))
}

async function oneRun(context: Context, server: Server | undefined, wanted: string): Promise<Shown> {
  const found = server === undefined ? undefined : await lookUp(context, server, wanted)
  if (found !== undefined) return found.overview.open ? openLine(found) : closedLine(found)
  // Temporal forgets a closed run some day, and may not run; the record stays.
  const recorded = recordOf(context, wanted)
  if (recorded !== undefined) return resultLine(recorded)
  const session = server === undefined && hadRuns(context) ? undefined : sessionOf(context, wanted)
  if (session !== undefined) return { line: sessionLine(session), history: [] }
  const kept = isRemote(context) ? undefined : keptOf(context, wanted)
  if (kept !== undefined) return keptLine(kept)
  if (server === undefined) throw unavailable('NoServer', 'no server is running', 'this machine', `start it and follow the run with: ratchet watch ${wanted}`)
  throw await unknownRun(server, wanted)
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
    return { line: { id, kind, status: status.status, phase, iteration, passRate, waitingFor: waitingFor(id, status.waitingFor, pending, worker) }, history: status.history, questions }
  } catch (error) {
    if (!isUnanswered(error)) throw error
    // The server itself knows the rest.
    const { kind, phase = 'unknown', iteration = 0, passRate = null } = overview
    return { line: { id, kind, status: 'running', phase, iteration, passRate, waitingFor: waitingFor(id, `host: no workflow worker answers; start it with: ratchet watch ${id}`, pending, worker) }, history: [] }
  }
}

async function closedLine(found: FoundRun): Promise<Shown> {
  const end = await found.handle.result()
  const result = 'result' in end ? end.result : end.ended.kind === 'canceled' ? recordedResult(found.project, found.id) : undefined
  if (result !== undefined) return resultLine(result)
  const { message } = endedError(found.id, (end as { ended: Parameters<typeof endedError>[1] }).ended, found.kind)
  const { kind, iteration = 0, passRate = null } = found.overview
  return { line: { id: found.id, kind, status: 'failed', phase: found.overview.state.toLowerCase(), iteration, passRate, waitingFor: `${NOTHING}: ${message}` }, history: [] }
}

function resultLine({ id, kind, status, outcome, iterations, passRate, history }: RunResult): Shown {
  return { line: { id, kind, status, phase: outcome, iteration: iterations, passRate, waitingFor: NOTHING }, history }
}

// A session that was planned and not begun, or whose run is gone.
function sessionLine(session: ProjectSession): RunLine {
  const { runId, standing, status, dir, name } = session
  const problem = obstacle(session)
  const rests = standing === 'completed' || standing === 'failed' ? standing : session.workflowId === undefined ? 'created' : 'paused'
  return {
    id: runId, kind: 'test-fix', status: rests, phase: status === '' ? 'unknown' : status, iteration: iterationOf({ dir }), passRate: null,
    waitingFor: problem === undefined ? `person: no run has this session; go on with: ratchet resume ${name}` : `${NOTHING}: ${problem.message}`,
  }
}

// A cycle or loop that the server has forgotten, or that no run has.
function keptLine(kept: KeptRun): Shown {
  const { kind, id, result, standing, history, lines: recorded, damage } = kept
  if (result !== undefined) return { ...resultLine(result), recorded }
  const problem = keptObstacle(kept, true)
  return {
    line: {
      id, kind, status: standing === undefined ? 'failed' : standing.status === 'created' ? 'created' : 'paused', phase: standing?.phase ?? 'unknown',
      iteration: standing?.iteration ?? 0, passRate: standing?.passRate ?? null,
      waitingFor: problem === undefined ? `person: ${damage ?? `no run has this ${nounOf(kind)}`}; go on with: ratchet resume ${id}` : `${NOTHING}: ${problem.message}`,
    },
    history, recorded,
  }
}

function recordOf(context: Context, wanted: string): RunResult | undefined {
  if (isRemote(context)) return undefined
  return readSession(projectPath(context), wanted)?.result
}

function lines({ server, workers, runs }: StatusDocument, shown: readonly Shown[]): string[] {
  return [
    server === null ? 'server   not running' : `server   ${server.address}${server.uiUrl === null ? '' : `  ${server.uiUrl}`}${server.pid === null ? '' : `  process ${server.pid}`}  version ${server.version}`,
    ...workers.map((worker) => `worker   ${worker.kind}  ${worker.queue}  process ${worker.pid}`),
    ...shown.flatMap((one) => [runLine(one), ...askedLines(one)]),
    ...(runs.length === 0 ? ['no run is open'] : []),
  ]
}

function runLine({ line }: Shown): string {
  const waits = line.waitingFor === NOTHING ? [] : [inLocalTime(line.waitingFor, Date.now())]
  return `run      ${[line.id, line.status, line.phase, `iteration ${line.iteration}`, percent(line.passRate), ...waits].join('  ')}`
}

// What a person can answer, with the commands.
function askedLines({ line, questions = [] }: Shown): string[] {
  return questions.flatMap((question) => questionLines(line.id, question, questions.length)).map((text) => `${''.padEnd(9)}${text}`)
}
