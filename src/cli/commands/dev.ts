// ratchet dev: keeps the local processes up while it runs, or stops them.
import { registerProject } from '../../adapters/registry.js'
import { userDirs } from '../../adapters/state-dir.js'
import { RefusalError } from '../../contract/failures.js'
import type { Context } from '../context.js'
import { EXIT, badInput } from '../errors.js'
import { preflight, projectDir } from '../project.js'
import { ensureWorker, isRemote, startServer } from '../server.js'

export async function run(context: Context, _args: string[], options: { stop?: boolean; force?: boolean; durable?: boolean }): Promise<number> {
  if (isRemote(context)) throw badInput('dev is about the local server', 'ratchet dev', 'leave --address and --profile out, or use: ratchet worker')
  if (options.stop === true) return stop(context, options.force === true)
  if (options.force === true) throw badInput('--force belongs to --stop', 'ratchet dev', 'write: ratchet dev --stop --force')

  const project = await workerHere(context)
  // Before the start: the worker for workflows looks for metrics in the projects' configs.
  if (project !== undefined) await registerProject(userDirs(context.env), project)
  const server = await startServer(context, { foreground: true, durable: options.durable === true })
  if (project !== undefined) await ensureWorker(context, server, project)
  const { localStatus } = await import('../../local/index.js')
  const status = await localStatus(server.dirs)
  context.takesInterrupt()
  context.answer({ server: status.server ?? null, workers: status.workers }, [
    `server   ${server.address}`,
    `web ui   ${server.uiUrl ?? ''}`,
    ...status.workers.map((worker) => `worker   ${worker.kind}  ${worker.queue}  process ${worker.pid}`),
    'Ctrl-C ends this; the processes stop 30 minutes after the last open run, at once with: ratchet dev --stop',
  ])
  // The timer holds the process; waiting for a signal alone does not.
  const hold = setInterval(() => undefined, 60_000)
  await new Promise<void>((resolve) => {
    if (context.interrupted.aborted) resolve()
    context.interrupted.addEventListener('abort', () => resolve(), { once: true })
  })
  clearInterval(hold)
  return EXIT.interrupted
}

// A directory that could not be fixed gets no worker; that is no reason to refuse the server.
async function workerHere(context: Context): Promise<string | undefined> {
  const project = projectDir(context)
  try {
    await preflight(project, undefined, context.env)
    return project
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    context.say(`no worker for ${project}: ${error.message}`)
    return undefined
  }
}

async function stop(context: Context, force: boolean): Promise<number> {
  const { stopLocal } = await import('../../local/index.js')
  const end = await stopLocal(userDirs(context.env), { force })
  if (typeof end === 'object')
    throw badInput(`${end.openRuns.length} run${end.openRuns.length === 1 ? ' is' : 's are'} open`, end.openRuns.join(', '), 'stop them with: ratchet stop <id>, or leave them for the next start with: ratchet dev --stop --force')
  context.answer({ stopped: end === 'stopped' }, [end])
  return EXIT.done
}
