// Connects a command to its server: the local one, started on demand, or one named on the command
// line. Loads the Temporal client and the local processes only when they are needed.
import { existsSync, readdirSync } from 'node:fs'
import { MAIN_QUEUE, NAMESPACE, projectQueue } from '../../contract/names.js'
import { keyOfProject } from '../../adapters/config/registry.js'
import { hostId, layout, userDirs, type Dirs } from '../../adapters/state-dir.js'
import { isServerUnavailable } from '../../core/grpc.js'
import type { Ratchet } from '../../client/connect.js'
import type { LocalStatus } from '../../dev-server/local-status.js'
import type { Context, ServerChoice } from '../context.js'
import { badInput, interrupted, unavailable } from '../output/errors.js'
import type { WorkerState } from '../../client/waiting.js'

export type Server = {
  ratchet: Ratchet
  dirs: Dirs
  address: string
  namespace: string
  /** Web UI, if it is known. */
  uiUrl: string | null
  /** Started, watched and stopped by Ratchet on this machine. */
  local: boolean
  /** For a local server that was just started or joined: every step is synced to disk. */
  durable?: boolean
  /** The same: it takes only what its user has signed. */
  private?: boolean
}

/** Returns the address of a run in the Web UI. */
export function runUrl(
  { uiUrl, namespace }: Pick<Server, 'uiUrl' | 'namespace'>,
  id: string,
): string | null {
  return uiUrl === null
    ? null
    : `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(id)}`
}

/** Returns whether the command line names a server of the user's own. */
export function isRemote({ address, profile, namespace }: ServerChoice): boolean {
  if (address === undefined && profile === undefined && namespace !== undefined)
    throw badInput(
      '--namespace needs --address or --profile',
      '--namespace',
      'name a server with --address or --profile; the local server has only one namespace',
    )
  return address !== undefined || profile !== undefined
}

/** Connects, and starts the local server and its workflow worker if they are not running. */
export async function startServer(
  context: Pick<Context, 'server' | 'out'>,
  options: StartOptions = {},
): Promise<Server> {
  if (isRemote(context.server)) return remoteServer(context.server)
  const dirs = userDirs(context.server.env)
  const { address, uiUrl, durable, private: isPrivate } = await ensureLocal(context, dirs, options)
  return {
    ratchet: await localRatchet(context.server, address),
    dirs,
    address,
    namespace: NAMESPACE,
    uiUrl,
    local: true,
    durable,
    private: isPrivate,
  }
}

type StartOptions = {
  /** A registered project: its worker starts at the same time. */
  project?: string | undefined
  foreground?: boolean
  durable?: boolean
  private?: boolean
  /**
   * Runs while the server program is downloaded or built; its lines are shown, and it is aborted
   * afterwards.
   */
  meanwhile?: (say: (line: string) => void, signal: AbortSignal) => Promise<void>
}

async function ensureLocal(
  { server, out }: Pick<Context, 'server' | 'out'>,
  dirs: Dirs,
  { meanwhile, project, ...options }: StartOptions,
): Promise<{ address: string; uiUrl: string; durable: boolean; private: boolean }> {
  const [{ ensureRunning, STARTING, wantsPrivate }, { startProgress }] = await Promise.all([
    import('../../dev-server/index.js'),
    import('../output/start-progress.js'),
  ])
  const bar = await out.bar?.()
  const progress = startProgress({ say: out.say, ...(bar !== undefined && { bar }) })
  const over = new AbortController()
  let waiting: Promise<void> | undefined
  const left = new Promise<never>((_, reject) => {
    const leave = (): void =>
      reject(
        interrupted(
          'getting the server',
          'run it again to continue; the build continues where it stopped',
        ),
      )
    if (out.interrupted.aborted) leave()
    out.interrupted.addEventListener('abort', leave, { once: true })
  })
  left.catch(() => undefined)
  try {
    const running = ensureRunning(dirs, {
      env: server.env,
      ...options,
      ...(project === undefined ? {} : { project }),
      onProgress: (text, measure) => {
        progress.tell(text, measure)
        if (text === STARTING) {
          over.abort()
          void import('../../client/index.js') // loaded while the server starts
        } else if (meanwhile !== undefined && waiting === undefined) {
          out.takesInterrupt() // the parallel work has child processes
          waiting = meanwhile(progress.say, over.signal)
          waiting.catch(() => undefined) // awaited below
        }
      },
    })
    const started = await Promise.race([running, left])
    if (!started.private && wantsPrivate({ env: server.env }))
      out.warn(
        'warning: the local server is not private yet, as runs are open\n  next   stop them, then: ratchet dev --private',
      )
    return started
  } finally {
    over.abort()
    progress.end()
    await waiting
  }
}

/**
 * Connects if a server is running; otherwise `undefined`. Starts nothing.
 *
 * @param known what runs locally, if it was just asked
 */
export async function joinServer(
  choice: ServerChoice,
  known?: LocalStatus,
): Promise<Server | undefined> {
  if (isRemote(choice)) return remoteServer(choice)
  const dirs = userDirs(choice.env)
  const { server } = known ?? (await statusNow(dirs))
  if (server === undefined) return undefined
  return {
    ratchet: await localRatchet(choice, server.address),
    dirs,
    address: server.address,
    namespace: NAMESPACE,
    uiUrl: server.uiUrl,
    local: true,
  }
}

/** Returns whether this user ever had a local server: without one there are no runs to look for. */
export function hadServer(dirs: Dirs): boolean {
  return (
    existsSync(layout.server(dirs)) &&
    readdirSync(layout.server(dirs)).some((name) => name.endsWith('.db'))
  )
}

/**
 * Ensures that a worker of the project is polling. Starts one for the local server only; elsewhere
 * the user runs it.
 *
 * @param run an open run, which gets the environment of this command
 */
export async function ensureWorker(
  choice: ServerChoice,
  server: Server,
  project: string,
  run?: string,
): Promise<void> {
  if (server.local) {
    if (!existsSync(project))
      throw unavailable(
        'NoWorker',
        'the project directory is gone',
        project,
        'restore the directory, or end the run for good with Terminate in the Web UI',
      )
    const { ensureProjectWorker } = await import('../../dev-server/index.js')
    const { address, uiUrl } = await ensureProjectWorker(server.dirs, project, {
      env: choice.env,
      run,
    })
    // The joined server may have ended meanwhile, and restarted at another address.
    if (address !== server.address)
      Object.assign(server, {
        ratchet: await localRatchet(choice, address),
        address,
        uiUrl,
      })
    return
  }
  const { pollers } = await import('../../client/overview.js')
  const key = keyOfProject(server.dirs, project)
  // A project that is not on this machine has its worker elsewhere, on an unknown queue.
  for (const queue of [
    MAIN_QUEUE,
    ...(key === undefined ? [] : [projectQueue(hostId(server.dirs), key)]),
  ])
    if ((await pollers(server.ratchet.client, queue)) === 0)
      throw unavailable(
        'NoWorker',
        `no worker polls the task queue ${queue}`,
        `${server.address}, namespace ${server.namespace}`,
        `start one in ${project}: ratchet worker ${serverFlags(choice)}`,
      )
}

/** Returns whether the worker of a project runs, as far as its files show. */
export async function workerState(
  server: Pick<Server, 'local' | 'dirs'>,
  project: string | undefined,
  known?: LocalStatus,
): Promise<WorkerState> {
  if (!server.local || project === undefined) return 'unknown'
  const key = keyOfProject(server.dirs, project)
  if (key === undefined) return 'missing'
  const queue = projectQueue(hostId(server.dirs), key)
  const { workers } = known ?? (await statusNow(server.dirs))
  return workers.some((worker) => worker.queue === queue) ? 'running' : 'missing'
}

async function statusNow(dirs: Dirs): Promise<LocalStatus> {
  const { localStatus } = await import('../../dev-server/index.js')
  return localStatus(dirs)
}

/** Returns the flags that name the server, for commands to copy. */
export function serverFlags({ address, namespace, profile }: ServerChoice): string {
  const flags = { '--address': address, '--namespace': namespace, '--profile': profile }
  return Object.entries(flags)
    .flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${value}`]))
    .join(' ')
}

/** Returns address and credentials of the server named on the command line. */
export async function namedServer(server: ServerChoice): Promise<Parameters<typeof connectTo>[0]> {
  const { profileOptions } = await import('../../client/profile.js')
  try {
    return profileOptions(server, server.env)
  } catch (error) {
    throw badInput(
      (error as Error).message,
      server.profile === undefined ? '--address' : `--profile ${server.profile}`,
      'correct the flag or the Temporal configuration file',
    )
  }
}

async function remoteServer(server: ServerChoice): Promise<Server> {
  const options = await namedServer(server)
  return {
    ratchet: await connectTo(
      options,
      'check the address, or remove --address and --profile to use the local server',
      server.env,
    ),
    dirs: userDirs(server.env),
    address: options.address,
    namespace: options.namespace,
    uiUrl: null,
    local: false,
  }
}

const localRatchet = ({ env }: ServerChoice, address: string): Promise<Ratchet> =>
  connectTo(
    { address, namespace: NAMESPACE },
    'try again, or find the cause with: ratchet doctor',
    env,
  )

async function connectTo(
  options: { address: string; namespace: string; apiKey?: string; tls?: boolean | object },
  next: string,
  env: NodeJS.ProcessEnv,
): Promise<Ratchet> {
  const { connect } = await import('../../client/index.js')
  try {
    return await connect(options, env)
  } catch (error) {
    if (!isServerUnavailable(error)) throw error
    throw unavailable('NoServer', (error as Error).message, options.address, next)
  }
}
