// Continues a session, a cycle or a loop: follows its run if it is open, else starts it again under
// the same id. The record holds the progress, even if the server's database was lost.
import { namesAgents } from '../../contract/config/config.js'
import type { CycleInput } from '../../contract/dev-cycle/cycle-input.js'
import { registerProject } from '../../adapters/config/registry.js'
import { projectKey, userDirs } from '../../adapters/state-dir.js'
import { sessionProblem, testFixWorkflowId } from '../../contract/ids.js'
import type { SandboxUse } from '../../contract/sandbox.js'
import { plansTests } from '../../adapters/records/test-fix/supplement-task.js'
import type { TestFixInput } from '../../contract/test-fix/test-fix-input.js'
import type { LoopMode } from '../../contract/dev-loop/loop-input.js'
import { choiceText } from '../../core/agents/agent-choice.js'
import { joinNames } from '../../core/text/join-names.js'
import type { Context, Output } from '../context.js'
import { badInput } from '../output/errors.js'
import { checkedId, findRunIfAny, type FoundRun } from '../find/find-run.js'
import type { Followed } from '../follow/follow.js'
import {
  furtherIterations,
  keptIds,
  keptObstacle,
  keptOf,
  type KeptRun,
} from '../find/run-record.js'
import { nearest } from '../find/nearest.js'
import { refuseClosed, startCommand } from '../options.js'
import { cyclePreflight, loopPreflight, preflight, projectDir } from './project.js'
import { startWithOwn } from './own-environment.js'
import { ensureWorker, runUrl, startServer, type Server } from './server.js'
import { refusalOf, sessionOf, sessionsOf, type ProjectSession } from '../find/sessions.js'

/** Also accepts ids of runs that are open, closed or known only from their record. */
export type Resumable = { open: FoundRun } | { session: ProjectSession } | { kept: KeptRun }

/**
 * Finds what a user wants to continue.
 *
 * @param extended with a further task, a completed cycle or loop continues too
 * @throws RefusalError `BadInput` if nothing has that name, it is over, or its record is lost
 */
export async function findResumable(
  context: Context,
  typed: string | undefined,
  extended = false,
): Promise<Resumable> {
  const wanted = checkedId(typed)
  const found = await findResumableIfAny(context, wanted, extended)
  if (!('refusal' in found)) return found
  const project = projectDir(context.project)
  const known = {
    sessions: sessionsOf(project).map(({ name }) => name),
    cycles: keptIds(project, 'dev-cycle'),
    loops: keptIds(project, 'dev-loop'),
  }
  const near = nearest(wanted, Object.values(known).flat())
  const what = Object.entries(known).flatMap(([name, ids]) =>
    near.some((one) => ids.includes(one)) ? [name] : [],
  )
  throw near.length === 0
    ? found.refusal
    : badInput(
        found.refusal.message,
        project,
        `${joinNames(what)} of this project: ${near.join(', ')}`,
      )
}

/** The same, or the reason why nothing has that name. */
export async function findResumableIfAny(
  context: Context,
  wanted: string,
  extended: boolean,
): Promise<Resumable | { refusal: Error }> {
  const found = await findRunIfAny(context, wanted)
  if (!('refusal' in found) && found.overview.open) return { open: found }
  const session =
    ('refusal' in found ? undefined : sessionOf(context.project, found.id, found.project)) ??
    sessionOf(context.project, wanted)
  if (session !== undefined) {
    const problem = await refusalOf(session)
    if (problem !== undefined) throw problem
    return { session }
  }
  const kept =
    ('refusal' in found ? undefined : keptOf(context.project, found.id, found.project)) ??
    keptOf(context.project, wanted)
  if (kept !== undefined) {
    const problem = keptObstacle(kept, extended)
    if (problem !== undefined) throw problem
    return { kept }
  }
  if ('refusal' in found) return found
  if (found.kind === 'prep') refuseClosed(found, 'and a preparation is not continued')
  const next =
    found.kind !== 'test-fix'
      ? `rewrite it with: ratchet rebuild ${found.id}`
      : `start a new one with: ${startCommand(found.kind)}`
  throw badInput(
    `the run has ended (${found.overview.phase ?? found.overview.state.toLowerCase()}), and its record is gone`,
    found.id,
    next,
  )
}

/** What the user chose for this run with `--sandbox`. */
export type SandboxChosen = { sandbox?: SandboxUse | undefined }

export type StartOptions = Pick<
  TestFixInput,
  | 'maxIterations'
  | 'extend'
  | 'generateTests'
  | 'testsFor'
  | 'base'
  | 'auto'
  | 'interactive'
  | 'attended'
  | 'acceptTestChanges'
> &
  SandboxChosen

/**
 * Starts the run of a session, for the first time or again. Whether an iteration is left is decided
 * on the project's host: a planned fix, or one that waits for its retest, already has its
 * iteration.
 */
export async function startSession(
  context: Context,
  session: ProjectSession,
  { sandbox, ...requested }: StartOptions,
): Promise<Followed> {
  const { project, name, runId } = session
  const { testCommand } = await preflight(
    project,
    requested.base,
    context.server.env,
    requested.generateTests === true || plansTests(session.dir) ? 'written first' : 'needed',
  )
  const server = await serverFor(context, project)
  const named = sessionProblem(name) === undefined ? { session: name } : {}
  const key = projectKey(project)
  const handle = await startWithOwn(
    context.server,
    server,
    { project, run: runId ?? testFixWorkflowId(name, key), sandbox },
    () => server.ratchet.startTestFix({ project, ...named, ...requested }, key, runId),
  )
  return begun(
    context.out,
    { handle, kind: 'test-fix', server, project },
    `continues in ${project} with: ${testCommand}`,
  )
}

export type CycleOptions = Pick<
  CycleInput,
  'extend' | 'maxIterations' | 'auto' | 'interactive' | 'scheduling' | 'parallel'
> &
  SandboxChosen
export type LoopOptions = SandboxChosen & {
  extend?: string
  maxIterations?: number
  mode?: LoopMode
  interactive?: true
}

/**
 * Starts a cycle that has ended again, under its id.
 *
 * @param requested `maxIterations` are those for the further task; without one they are the total
 */
export async function startCycleAgain(
  context: Context,
  cycle: KeptRun,
  { sandbox, ...requested }: CycleOptions,
): Promise<Followed> {
  const { project, id } = cycle
  const again = withFurther(cycle, requested)
  await cyclePreflight(project, undefined, context.server.env)
  const server = await serverFor(context, project)
  const handle = await startWithOwn(context.server, server, { project, run: id, sandbox }, () =>
    server.ratchet.startCycle({ project, cycleId: id, ...again }),
  )
  return begun(
    context.out,
    { handle, kind: 'dev-cycle', server, project },
    `continues in ${project}`,
  )
}

/** The same for a loop. */
export async function startLoopAgain(
  context: Context,
  loop: KeptRun,
  { sandbox, ...requested }: LoopOptions,
): Promise<Followed> {
  const { project, id } = loop
  const again = withFurther(loop, requested)
  await loopPreflight(project, undefined, context.server.env)
  const server = await serverFor(context, project)
  const handle = await startWithOwn(context.server, server, { project, run: id, sandbox }, () =>
    server.ratchet.startLoop({ project, loopId: id, ...again }),
  )
  return begun(
    context.out,
    { handle, kind: 'dev-loop', server, project },
    `continues in ${project}`,
  )
}

function withFurther<W extends { extend?: string | undefined; maxIterations?: number | undefined }>(
  kept: KeptRun,
  requested: W,
): W {
  const { maxIterations, extend } = requested
  return maxIterations === undefined || extend !== undefined
    ? requested
    : { ...requested, maxIterations: furtherIterations(kept, maxIterations) }
}

/**
 * Returns the server with a worker for this project, which it registers. Reports which agents were
 * found if the configuration names none.
 */
export async function serverFor(context: Context, project: string): Promise<Server> {
  await (await import('./ask-trust.js')).askTrust(context.project, context.out, project)
  await sayFound(context, project)
  // Before the workers start, as they only accept registered projects, and the workflow worker
  // reads metrics settings from the configurations.
  await registerProject(userDirs(context.server.env), project)
  const server = await startServer(context, {
    project,
    meanwhile: async (say, signal) =>
      (await import('./preflight.js')).lookMeanwhile(context.server.env, project, say, signal),
  })
  await ensureWorker(context.server, server, project)
  return server
}

/** Reports that a run was started, and prepares to follow it. */
export function begun(
  out: Output,
  run: Pick<Followed, 'handle' | 'kind' | 'server' | 'project'>,
  doing: string,
): Followed {
  const { id } = run.handle
  const uiUrl = runUrl(run.server, id)
  out.say(`${id}  ${doing}`)
  if (uiUrl !== null) out.say(`             ${uiUrl}`)
  return { id, uiUrl, ...run }
}

async function sayFound(
  { server, out }: Pick<Context, 'server' | 'out'>,
  project: string,
): Promise<void> {
  const [{ loadConfig }, { withFoundAgents }] = await Promise.all([
    import('../../adapters/config/config.js'),
    import('../../adapters/config/run-config.js'),
  ])
  const { config, chosen } = withFoundAgents(loadConfig(project), { project, env: server.env })
  if (chosen !== undefined)
    out.say(`agents found here: ${choiceText(chosen)}; ratchet init saves this choice`)
  else if (!namesAgents(config)) {
    const { nextWithoutAgent } = await import('../agents/agents-list.js')
    // The run itself says more if it ends for lack of an agent; it may not need one.
    const next = nextWithoutAgent(
      { project, env: server.env },
      'ratchet doctor shows how to get one',
    )
    out.warn(`warning: no agent is configured, and no usable one was found; ${next}`)
  }
}
