// ratchet fix: checks everything that can be checked, starts a test-fix run, follows it.
import { testFixWorkflowId } from '../../contract/ids.js'
import { RefusalError } from '../../contract/failures.js'
import { projectKey } from '../../adapters/state-dir.js'
import type { RunHandle } from '../../client/handle.js'
import type { Context } from '../context.js'
import { badInput } from '../errors.js'
import { findRun } from '../find-run.js'
import { followToEnd } from '../follow.js'
import { answerStarted, raiseIterations, wholeNumber } from '../options.js'
import { checkedSession, preflight, projectDir, sessionNames, sessionTaken } from '../project.js'
import type { Ready } from '../project.js'
import { ensureWorker, runUrl, startServer } from '../server.js'
import type { Server } from '../server.js'
import { needWorker, wishWorker } from '../wake.js'

type Options = { session?: string; resumeSession?: string; maxIterations?: string; base?: string; detach?: boolean }

export async function run(context: Context, _args: string[], options: Options): Promise<number> {
  const maxIterations = wholeNumber(options.maxIterations, '--max-iterations')
  const session = options.session === undefined ? undefined : checkedSession(options.session, '--session')
  if (options.resumeSession !== undefined) return resumeSession(context, options, maxIterations)

  const project = projectDir(context)
  const ready = await preflight(project, options.base, context.env)
  if (session !== undefined) await refuseTaken(ready, session)

  const server = await startServer(context)
  await register(server, project)
  await ensureWorker(context, server, project)
  const input = { project, ...(maxIterations === undefined ? {} : { maxIterations }), ...(options.base === undefined ? {} : { base: options.base }) }
  const handle = await start(server, ready, session, input)
  const started = { id: handle.id, handle, server, project, uiUrl: runUrl(server, handle.id) }
  if (options.detach === true) return answerStarted(context, started)
  context.say(`${handle.id}  fixes ${project} with: ${ready.testCommand}`)
  if (started.uiUrl !== null) context.say(`             ${started.uiUrl}`)
  return followToEnd(context, started)
}

async function resumeSession(context: Context, options: Options, maxIterations: number | undefined): Promise<number> {
  const session = checkedSession(options.resumeSession as string, '--resume-session')
  if (options.session !== undefined) throw badInput('--session and --resume-session exclude each other', 'ratchet fix', 'leave one of them out')
  const found = await findRun(context, session)
  if (!found.overview.open) throw badInput(`the session ${session} has ended`, found.id, 'resuming a closed session is not there yet; start a new one with: ratchet fix')
  if (maxIterations !== undefined) await raiseIterations(found, maxIterations)
  if (options.detach === true) {
    await wishWorker(context, found)
    return answerStarted(context, found)
  }
  await needWorker(context, found, '')
  return followToEnd(context, found)
}

async function refuseTaken(ready: Ready, session: string): Promise<void> {
  const where = await sessionTaken(ready, session)
  if (where !== undefined) throw badInput(`the session ${session} is there already`, where, `follow it with: ratchet watch ${session}, or choose another name`)
}

async function register(server: Server, project: string): Promise<void> {
  const { registerProject } = await import('../../adapters/registry.js')
  await registerProject(server.dirs, project)
}

type Input = { project: string; maxIterations?: number; base?: string }

// Without a name of the user's the first free one; another start may take it at the same moment.
async function start({ ratchet }: Server, ready: Ready, session: string | undefined, input: Input): Promise<RunHandle> {
  const key = projectKey(ready.project)
  if (session !== undefined) return ratchet.startTestFix({ ...input, session }, key)
  for (const name of sessionNames(ready.project)) {
    if ((await sessionTaken(ready, name)) !== undefined || (await ratchet.find(testFixWorkflowId(name, key))) !== undefined) continue
    try {
      return await ratchet.startTestFix({ ...input, session: name }, key)
    } catch (error) {
      if (!(error instanceof RefusalError) || (await ratchet.find(testFixWorkflowId(name, key))) !== 'open') throw error
    }
  }
  throw new Error('unreachable: there is always another name')
}
