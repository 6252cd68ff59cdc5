// Collects the data of a report from the server if one runs, the record, the agents' turns and git.
// Starts nothing: a report can be read when no server knows the run any more.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileName } from '../../contract/ids.js'
import type { Kind } from '../../contract/names.js'
import type { IterationSummary, RunResult } from '../../contract/result.js'
import type { StoredRun } from '../../contract/test-run.js'
import { patchBetween, reposOf } from '../../adapters/git/user-repository/patches.js'
import { turnsOfRun } from '../../adapters/agents/run-turns.js'
import { cycleFiles } from '../../adapters/records/dev-cycle/cycle-paths.js'
import { loopFiles } from '../../adapters/records/dev-loop/loop-paths.js'
import {
  cycleFacts,
  filesIn,
  iterationLinks,
  loopFacts,
  sessionFacts,
} from '../../adapters/records/report-facts.js'
import { keyOfProject } from '../../adapters/config/registry.js'
import { measuredIn } from '../../adapters/test-runners/stored-run.js'
import { layout, userDirs } from '../../adapters/state-dir.js'
import type { Patch } from '../../core/report/model.js'
import type { LiveFacts, ReportSource } from '../../core/report/source.js'
import type { Context, ProjectChoice } from '../context.js'
import { badInput, describeError, EXIT, isUnanswered } from '../output/errors.js'
import { endedError } from '../output/ending.js'
import { lookUp, unknownRun, type FoundRun } from '../find/find-run.js'
import { keptOf, type KeptRun } from '../find/run-record.js'
import { readRecord } from '../find/session-record.js'
import { recordedRun } from './write-reports.js'
import { isRemote, joinServer, type Server } from '../start/server.js'
import { sessionOf } from '../find/sessions.js'

const ANSWER_MS = 5_000

type Place = Pick<
  ReportSource,
  | 'id'
  | 'kind'
  | 'name'
  | 'project'
  | 'facts'
  | 'result'
  | 'branch'
  | 'base'
  | 'recordDir'
  | 'records'
  | 'lastRun'
  | 'links'
> & { notes: string[] }

/**
 * Finds a run and reads all its data.
 *
 * @throws RefusalError `BadInput` for an id that neither a server nor a record knows
 */
export async function reportSource(
  context: Context,
  wanted: string,
  at: number,
): Promise<ReportSource> {
  const server = await serverIfAny(context)
  const found = server === undefined ? undefined : await lookUp(context.project, server, wanted)
  const place =
    fromRecord(context.project, wanted, found, at) ??
    (found === undefined ? undefined : bare(found))
  if (place === undefined)
    throw server === undefined
      ? badInput(
          `no record of the run ${wanted} here, and no server is running`,
          context.project.cwd,
          'name the project with --project, or start the server with: ratchet dev',
        )
      : await unknownRun(server, wanted)
  const open = found?.overview.open === true
  const { notes } = place
  const live = open ? await liveFacts(found, notes) : undefined
  const result = open
    ? undefined
    : ((found === undefined ? undefined : await resultOf(found, notes)) ?? place.result)
  const dirs = userDirs(context.project.env)
  const began =
    place.facts?.kind === 'test-fix'
      ? place.facts.createdAt
      : Date.parse(place.facts?.record.created_at ?? '')
  const source: ReportSource = {
    ...place,
    lastRun: place.lastRun ?? inWorkspace(context.project.env, place, live, result),
    at,
    open,
    result,
    live,
    // The record is written a moment after its first turn may have begun.
    turns: turnsOfRun(
      dirs,
      place.id,
      began === undefined || Number.isNaN(began) ? 0 : began - 60_000,
    ),
    patches: new Map(),
  }
  return { ...source, patches: await patchesOf(context.project.env, source) }
}

async function serverIfAny({
  server,
  out,
}: Pick<Context, 'server' | 'out'>): Promise<Server | undefined> {
  try {
    return await joinServer(server)
  } catch (error) {
    if (describeError(error).exitCode !== EXIT.unavailable || isRemote(server)) throw error
    out.warn(
      `warning: the server does not answer, so the record is used: ${(error as Error).message}`,
    )
    return undefined
  }
}

function fromRecord(
  choice: ProjectChoice,
  wanted: string,
  found: FoundRun | undefined,
  at: number,
): Place | undefined {
  const id = found?.id ?? wanted
  const kept =
    found?.kind === 'test-fix'
      ? undefined
      : (keptOf(choice, id, found?.project) ??
        (found === undefined ? undefined : keptOf(choice, wanted)))
  if (kept !== undefined) return fromKept(kept, found?.id)
  if (found !== undefined && (found.kind !== 'test-fix' || found.project === undefined))
    return undefined
  const session = sessionOf(choice, id, found?.project)
  if (session === undefined) return undefined
  const { name, dir, project, runId, problem } = session
  const record = readRecord(project, name)
  const records = filesIn(dir)
  return {
    id: found?.id ?? runId,
    kind: 'test-fix',
    name,
    project,
    facts: sessionFacts(dir, at),
    result: record?.result === undefined ? undefined : { ...record.result, recordDir: dir },
    branch: record?.branch,
    base: record?.base,
    recordDir: dir,
    records,
    lastRun: recordedRun(dir),
    links: iterationLinks(records),
    notes: problem === undefined ? [] : [`The record: ${problem}.`],
  }
}

function fromKept(
  { kind, name, project, id, damage, newer, result, branch, base, archived }: KeptRun,
  known: string | undefined,
): Place {
  const place = archived ?? project
  const files = kind === 'dev-cycle' ? cycleFiles(place, name) : loopFiles(place, name)
  const dirs =
    'workers' in files
      ? [files.master, files.progress, files.workers]
      : [files.master, files.progress]
  const facts = kind === 'dev-cycle' ? cycleFacts(place, name) : loopFacts(place, name)
  const problem =
    damage ??
    (newer === undefined
      ? undefined
      : `its state file was written by a later version (schema ${newer})`)
  return {
    id: known ?? id,
    kind,
    name,
    project,
    facts,
    result,
    branch,
    base,
    recordDir: existsSync(files.progress) ? files.progress : files.dir,
    records: filesIn(...dirs),
    lastRun: undefined,
    links: new Map(),
    notes: [
      ...(problem === undefined ? [] : [`The record: ${problem}.`]),
      ...(archived === undefined ? [] : [`The record is archived: ${archived}.`]),
    ],
  }
}

// Only the server knows the run: its project is on another machine, or was removed with the record.
function bare({ id, kind, project }: FoundRun): Place {
  if (kind === 'prep')
    throw badInput(
      `${id} is a preparation, which has no report`,
      'ratchet report',
      `see its package with: ratchet watch ${id}`,
    )
  return {
    id,
    kind,
    name: fileName(id),
    project: project ?? null,
    facts: undefined,
    result: undefined,
    branch: undefined,
    base: undefined,
    recordDir: null,
    records: [],
    lastRun: undefined,
    links: new Map(),
    notes: ['The run has no record here; this report shows what the server knows.'],
  }
}

// The record of a cycle or loop has no list of all tests; its workspace has one, until it is
// cleaned.
function inWorkspace(
  env: NodeJS.ProcessEnv,
  { kind, project, name, base, facts }: Place,
  live: LiveFacts | undefined,
  result: RunResult | undefined,
): StoredRun | undefined {
  const dirs = userDirs(env)
  const key = project === null ? undefined : keyOfProject(dirs, project)
  const rate = live?.passRate ?? result?.passRate ?? null
  if (kind === 'test-fix' || key === undefined || rate === null) return undefined
  const commits = [
    base ?? '',
    ...(result?.commits ?? []),
    ...(facts?.history ?? []).flatMap((one) => one.commit ?? []),
    ...(live?.history ?? []).flatMap((one) => one.commit ?? []),
  ]
  return measuredIn(layout.workspace(dirs, key, name), commits, rate)
}

async function liveFacts(
  { handle, server }: FoundRun,
  notes: string[],
): Promise<LiveFacts | undefined> {
  const { within } = await import('../../client/overview.js')
  try {
    const {
      status,
      phase,
      iteration,
      maxIterations,
      waitingFor,
      passRate,
      history,
      branch,
      proposedTestChanges,
      sandbox,
    } = await within(server.ratchet.client, ANSWER_MS, () => handle.status())
    const questions = await within(server.ratchet.client, ANSWER_MS, () => handle.questions())
    return {
      status,
      phase,
      iteration,
      maxIterations,
      waitingFor,
      passRate,
      history,
      branch,
      questions,
      proposedTestChanges,
      sandbox,
    }
  } catch (error) {
    if (!isUnanswered(error)) throw error
    notes.push('The run is open, but no worker answers; this report shows its record.')
    return undefined
  }
}

async function resultOf(
  { id, kind, handle }: FoundRun,
  notes: string[],
): Promise<RunResult | undefined> {
  const end = await handle.result()
  if ('result' in end) return end.result
  notes.push(`On the server: ${endedError(id, end.ended, kind).message}.`)
  return undefined
}

async function patchesOf(
  env: NodeJS.ProcessEnv,
  source: ReportSource,
): Promise<Map<number, Patch>> {
  const { facts, result, live, project, name, kind, base } = source
  const dirs = userDirs(env)
  const key = project === null ? undefined : keyOfProject(dirs, project)
  const repos = await reposOf(
    project,
    key === undefined ? undefined : path.join(layout.workspace(dirs, key, name), 'tree'),
  )
  const known = new Map(
    [...(facts?.history ?? []), ...(live?.history ?? []), ...(result?.history ?? [])].map((one) => [
      one.iteration,
      one,
    ]),
  )
  const patches = new Map<number, Patch>()
  let before = base
  for (const one of [...known.values()].sort((a, b) => a.iteration - b.iteration)) {
    if (one.commit === null || one.iteration === 0) continue
    // Only Ratchet commits between the iterations of a cycle or loop; an iteration may have several
    // commits.
    patches.set(one.iteration, await patchBetween(repos, fromOf(kind, one, before), one.commit))
    if (one.result !== 'rolled_back') before = one.commit
  }
  return patches
}

function fromOf(kind: Kind, { parts }: IterationSummary, before: string | undefined): string {
  const first = parts?.find(({ commit }) => commit !== null)?.commit
  if (typeof first === 'string') return `${first}^`
  return kind === 'test-fix' || before === undefined ? 'parent' : before
}
