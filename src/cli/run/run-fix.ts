// ratchet fix: checks the input and the project, finds the session, starts its run or joins it, and
// follows it.
import { testFixWorkflowId } from '../../contract/ids.js'
import { parseInput, TestsFor } from '../../contract/test-fix/test-fix-input.js'
import { RefusalError } from '../../contract/failures.js'
import type { Kind } from '../../contract/names.js'
import { projectKey, userDirs } from '../../adapters/state-dir.js'
import type { RunHandle } from '../../client/handle.js'
import { ciMode, followInCi, needReportsDir, quiet, type CiOptions } from '../follow/ci.js'
import type { Context, ServerChoice } from '../context.js'
import { badInput } from '../output/errors.js'
import { hadRuns } from '../find/find-run.js'
import { follow, showEnd, type Followed } from '../follow/follow.js'
import {
  begun,
  findResumable,
  serverFor,
  startSession,
  type StartOptions,
} from '../start/resume-run.js'
import { nounOf } from '../find/kept-kind.js'
import {
  answerStarted,
  askingMode,
  isAttended,
  raiseIterations,
  refuseSandbox,
  sandboxUse,
  wholeNumber,
  type ModeOptions,
  type SandboxOption,
} from '../options.js'
import { ownerOf } from '../find/record-owner.js'
import {
  checkedSession,
  preflight,
  projectDir,
  sessionNames,
  sessionTaken,
  type Ready,
} from '../start/project.js'
import { startServer, type Server } from '../start/server.js'
import { sessionsOf, severalSessions, unfinished, type ProjectSession } from '../find/sessions.js'
import { giveOwn, startWithOwn } from '../start/own-environment.js'
import { requireWorker, tryStartWorker } from '../start/start-worker.js'

type Options = CiOptions &
  ModeOptions &
  SandboxOption & {
    session?: string
    resumeSession?: string
    maxIterations?: string
    base?: string
    generateTests?: boolean | string
    from?: string
    followUp?: string
  }

export async function run(context: Context, _args: string[], given: Options): Promise<number> {
  const { out } = context
  const options = await withFollowUp(context, given)
  const maxIterations = wholeNumber(options.maxIterations, '--max-iterations')
  const mode = askingMode(options, 'ratchet fix')
  const named =
    options.session === undefined ? undefined : checkedSession(options.session, '--session')
  const ci = ciMode(context.project, options)
  const speaking = ci === undefined ? context : { ...context, out: quiet(out) }
  const requested: StartOptions = {
    maxIterations,
    sandbox: sandboxUse(options.sandbox),
    base: options.base,
    ...(await testsAsked(context, options)),
    ...(ci === undefined ? mode : { auto: true }), // an unattended session asks for no approval
    ...(ci === undefined && isAttended(out, options) ? { attended: true } : {}),
  }
  if (options.resumeSession !== undefined) refuseWithResume(options)
  const ready =
    options.resumeSession === undefined
      ? await preflight(
          projectDir(context.project),
          options.base,
          context.project.env,
          options.generateTests === undefined ? 'needed' : 'written first',
        )
      : undefined
  if (ready !== undefined && named !== undefined) await refuseTaken(ready, named)
  if (ci?.dir !== undefined) needReportsDir(ci.dir)

  const followed =
    ready === undefined
      ? await resumeSession(speaking, options, requested)
      : await freshOrUnfinished(speaking, ready, named, requested)
  if (options.detach === true) return answerStarted(out, followed)
  if (ci !== undefined) return followInCi(out, followed, ci.dir)
  const end = await follow(out, followed)
  const exitCode = showEnd(out, followed, end)
  if (options.interactive === true && 'result' in end)
    await (await import('../follow/offer-apply.js')).offerApply(context, end.result)
  return exitCode
}

/** With `--follow-up` the session that was planned for it is continued. */
async function withFollowUp(context: Context, options: Options): Promise<Options> {
  const { followUp, session, resumeSession, generateTests } = options
  if (followUp === undefined) return options
  if (session !== undefined || resumeSession !== undefined || generateTests !== undefined)
    throw badInput(
      '--follow-up names its own session and what it does',
      'ratchet fix',
      'leave out --session, --resume-session and --generate-tests',
    )
  const { followUpSession } = await import('../start/follow-up.js')
  return { ...options, resumeSession: await followUpSession(context, followUp) }
}

/** What `--generate-tests` and `--from` ask for, checked before anything starts. */
async function testsAsked(
  context: Context,
  { generateTests, from }: Options,
): Promise<Pick<StartOptions, 'generateTests' | 'testsFor'>> {
  if (generateTests === undefined && from !== undefined)
    throw badInput(
      '--from says what --generate-tests is about',
      'ratchet fix',
      'add --generate-tests',
    )
  if (generateTests === undefined || generateTests === false) return {}
  if (generateTests === true && from === undefined) return { generateTests: true }
  if (generateTests !== true && from !== undefined)
    throw badInput(
      '--from and the words behind --generate-tests cannot be used together',
      'ratchet fix',
      'use one of them',
    )
  const asked =
    generateTests === true
      ? { from }
      : generateTests.startsWith('@')
        ? { file: generateTests.slice(1) }
        : { text: generateTests }
  const testsFor = parseInput(TestsFor, asked)
  if (!testsFor.ok)
    throw badInput(
      `--generate-tests ${testsFor.problem}`,
      'ratchet fix',
      'say what to test, as in: ratchet fix --generate-tests "the parser"',
    )
  const { readRequest } = await import('../../adapters/test-gen/read-request.js')
  await readRequest(projectDir(context.project), testsFor.value)
  return { generateTests: true, testsFor: testsFor.value }
}

function refuseWithResume({ session, base }: Options): void {
  if (session !== undefined)
    throw badInput(
      '--session and --resume-session cannot be used together',
      'ratchet fix',
      'use one of them',
    )
  if (base !== undefined)
    throw badInput(
      '--base is for a new session, --resume-session continues an existing one',
      'ratchet fix',
      'use one of them',
    )
}

async function resumeSession(
  context: Context,
  options: Options,
  requested: StartOptions,
): Promise<Followed> {
  const found = await findResumable(context, options.resumeSession)
  if ('kept' in found) throw refuseOther(found.kept)
  if ('open' in found) {
    const { open } = found
    if (open.kind !== 'test-fix') throw refuseOther({ id: open.id, kind: open.kind })
    refuseSandbox(open.id, options.sandbox)
    await giveOwn(context.server, open)
    if (requested.maxIterations !== undefined) await raiseIterations(open, requested.maxIterations)
    if (options.detach === true) await tryStartWorker(context, open)
    else await requireWorker(context, open, '')
    return open
  }
  return startSession(context, found.session, requested)
}

function refuseOther({ id, kind }: { id: string; kind: Exclude<Kind, 'test-fix'> }): Error {
  return badInput(
    `${id} is not a test session but ${kind === 'prep' ? 'a preparation' : `a dev ${nounOf(kind)}`}`,
    '--resume-session',
    `continue it with: ratchet resume ${id}`,
  )
}

async function freshOrUnfinished(
  context: Context,
  ready: Ready,
  named: string | undefined,
  requested: StartOptions,
): Promise<Followed> {
  const left = named === undefined ? await leftSessions(context, ready.project) : []
  if (left.length > 1) throw severalSessions(context, left)
  const [session] = left
  if (session !== undefined) {
    if (requested.base !== undefined && session.workflowId !== undefined)
      throw badInput(
        `--base is for a new session, and ${session.name} is unfinished`,
        session.dir,
        'name a new session with --session, or remove --base',
      )
    context.out.say(
      `the session ${session.name} is unfinished (${session.status}) and continues; --session <name> starts a new one`,
    )
    return startSession(context, session, requested)
  }
  const { project } = ready
  const server = await serverFor(context, project)
  const handle = await start(server, ready, named, { project, ...requested }, context.server)
  return begun(
    context.out,
    { handle, kind: 'test-fix', server, project },
    `fixes ${project} with: ${ready.testCommand}`,
  )
}

/** Returns unfinished sessions of a project that no open run has. */
async function leftSessions(
  context: Pick<Context, 'server' | 'out'>,
  project: string,
): Promise<ProjectSession[]> {
  const sessions = unfinished(sessionsOf(project))
  if (sessions.length === 0 || !hadRuns(context.server)) return sessions
  const { ratchet } = await startServer(context)
  const dirs = userDirs(context.server.env)
  const left: ProjectSession[] = []
  for (const session of sessions) {
    const owners = [session.runId, ownerOf(dirs, projectKey(project), session.name)].filter(
      (id) => id !== undefined,
    )
    const states = await Promise.all(owners.map((id) => ratchet.find(id)))
    if (!states.includes('open')) left.push(session)
  }
  return left
}

async function refuseTaken(ready: Ready, session: string): Promise<void> {
  const where = await sessionTaken(ready, session)
  if (where !== undefined)
    throw badInput(
      `the session ${session} already exists`,
      where,
      `continue it with: ratchet fix --resume-session ${session}, or choose another name`,
    )
}

type Input = StartOptions & { project: string }

// Without a given name it uses the first free one; another start may take that name first.
async function start(
  server: Server,
  ready: Ready,
  session: string | undefined,
  { sandbox, ...input }: Input,
  choice: ServerChoice,
): Promise<RunHandle> {
  const { ratchet } = server
  const key = projectKey(ready.project)
  const begin = (name: string): Promise<RunHandle> =>
    startWithOwn(
      choice,
      server,
      { project: ready.project, run: testFixWorkflowId(name, key), sandbox },
      () => ratchet.startTestFix({ ...input, session: name }, key),
    )
  if (session !== undefined) return begin(session)
  for (const name of sessionNames(ready.project)) {
    if (
      (await sessionTaken(ready, name)) !== undefined ||
      (await ratchet.find(testFixWorkflowId(name, key))) !== undefined
    )
      continue
    try {
      return await begin(name)
    } catch (error) {
      if (
        !(error instanceof RefusalError) ||
        (await ratchet.find(testFixWorkflowId(name, key))) !== 'open'
      )
        throw error
    }
  }
  throw new Error('unreachable: there is always another name')
}
