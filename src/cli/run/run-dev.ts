// ratchet dev: keeps the local server and workers up while it runs, or stops them.
import { setTimeout as delay } from 'node:timers/promises'
import { registerProject } from '../../adapters/config/registry.js'
import { userDirs } from '../../adapters/state-dir.js'
import { RefusalError } from '../../contract/failures.js'
import type { Context } from '../context.js'
import { EXIT, badInput } from '../output/errors.js'
import { preflight, projectDir } from '../start/project.js'
import { ensureWorker, isRemote, startServer, type Server } from '../start/server.js'

/** Interval at which it checks that the supervisor lives. */
const LOOK_MS = 1_000

export async function run(
  context: Context,
  _args: string[],
  options: { stop?: boolean; force?: boolean; durable?: boolean; private?: boolean },
): Promise<number> {
  const { out } = context
  if (isRemote(context.server))
    throw badInput(
      'dev runs the local server only',
      'ratchet dev',
      'remove --address and --profile, or use: ratchet worker',
    )
  if (options.stop === true) return stop(context, options.force === true)
  if (options.force === true)
    throw badInput(
      '--force has an effect only with --stop',
      'ratchet dev',
      'use: ratchet dev --stop --force',
    )

  const project = await workerHere(context)
  // Before the start: the workflow worker reads metrics settings from the projects' configurations.
  if (project !== undefined) await registerProject(userDirs(context.project.env), project)
  const server = await startServer(context, {
    project,
    foreground: true,
    durable: options.durable === true,
    private: options.private === true,
  })
  if (options.private === true && server.private !== true)
    throw badInput(
      'the server is not private, and cannot become so while runs are open',
      'ratchet dev --private',
      'stop the open runs, then run it again: ratchet stop <id>',
    )
  if (options.durable === true && server.durable !== true)
    out.warn(
      'warning: the server was started without --durable and has open runs, so it is not restarted\n  next   ratchet dev --stop --force, then again: ratchet dev --durable',
    )
  if (project !== undefined) await ensureWorker(context.server, server, project)
  const { localStatus } = await import('../../dev-server/index.js')
  const status = await localStatus(server.dirs)
  out.takesInterrupt()
  out.answer({ server: status.server ?? null, workers: status.workers }, [
    `server   ${server.address}`,
    server.private === true
      ? 'web ui   private; open it with: ratchet ui'
      : `web ui   ${server.uiUrl ?? ''}`,
    ...status.workers.map(
      (worker) => `worker   ${worker.kind}  ${worker.queue}  process ${worker.pid}`,
    ),
    'Ctrl-C ends this command; the processes stop 30 minutes after the last open run, or at once with: ratchet dev --stop',
  ])
  await keepUp(context, server, project, options.durable === true)
  return EXIT.interrupted
}

// Runs until Ctrl-C. A killed supervisor is replaced; a stopped one is not.
async function keepUp(
  context: Pick<Context, 'server' | 'out'>,
  server: Server,
  project: string | undefined,
  durable: boolean,
): Promise<void> {
  const { out } = context
  const [{ ensureRunning }, { supervisorWasKilled }] = await Promise.all([
    import('../../dev-server/index.js'),
    import('../../adapters/supervisor/supervisor-call.js'),
  ])
  const interruption = new Promise<void>((resolve) =>
    out.interrupted.addEventListener('abort', () => resolve(), { once: true }),
  )
  const back = async (): Promise<string> => {
    await ensureRunning(server.dirs, {
      env: context.server.env,
      foreground: true,
      durable,
      private: server.private === true,
    })
    if (project !== undefined) await ensureWorker(context.server, server, project)
    return 'the supervisor was killed; started another one'
  }
  for (let said = ''; !out.interrupted.aborted;) {
    await delay(LOOK_MS, undefined, { signal: out.interrupted }).catch(() => undefined)
    if (out.interrupted.aborted || !supervisorWasKilled(server.dirs)) continue
    // The cause, such as a full disk, may be gone at the next look.
    const now = await Promise.race([
      back().catch(
        (error: unknown) =>
          `the supervisor was killed, and another one cannot start yet: ${(error as Error).message}`,
      ),
      interruption,
    ])
    if (now !== undefined && now !== said) out.say(now)
    said = now ?? said
  }
}

// A directory without a usable repository gets no worker; the server starts all the same.
async function workerHere(context: Pick<Context, 'project' | 'out'>): Promise<string | undefined> {
  const project = projectDir(context.project)
  try {
    await preflight(project, undefined, context.project.env)
    return project
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    context.out.say(`no worker for ${project}: ${error.message}; ${error.next}`)
    return undefined
  }
}

async function stop(
  { server, out }: Pick<Context, 'server' | 'out'>,
  force: boolean,
): Promise<number> {
  const { stopLocal } = await import('../../dev-server/index.js')
  const end = await stopLocal(userDirs(server.env), { force })
  if (typeof end === 'object')
    throw badInput(
      `${end.openRuns.length} run${end.openRuns.length === 1 ? ' is' : 's are'} open`,
      end.openRuns.join(', '),
      'stop them with: ratchet stop <id>, or stop the server and continue them at its next start: ratchet dev --stop --force',
    )
  out.answer({ stopped: end === 'stopped' }, [end])
  return EXIT.done
}
