// The server a command talks to: the local one, started on demand, or one named on the command
// line. The Temporal client and the local processes are loaded here, when they are needed.
import { existsSync, readdirSync } from 'node:fs'
import { MAIN_QUEUE, NAMESPACE, projectQueue } from '../../contract/names.js'
import { keyOfProject } from '../../adapters/config/registry.js'
import { hostId, layout, userDirs, type Dirs } from '../../adapters/state-dir.js'
import { isServerUnavailable } from '../../core/grpc.js'
import type { Ratchet } from '../../client/connect.js'
import type { Context } from '../context.js'
import { badInput, interrupted, unavailable } from '../output/errors.js'
import type { WorkerState } from '../../client/waiting.js'

export type Server = {
  ratchet: Ratchet
  dirs: Dirs
  address: string
  namespace: string
  /** Web UI, where it is known. */
  uiUrl: string | null
  /** Started, watched and stopped by ratchet on this machine. */
  local: boolean
  /**
   * Of a local server that was just started or joined: every step reaches the disk before it
   * counts.
   */
  durable?: boolean
}

/** Address of a run in the Web UI. */
export function runUrl(
  { uiUrl, namespace }: Pick<Server, 'uiUrl' | 'namespace'>,
  id: string,
): string | null {
  return uiUrl === null
    ? null
    : `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(id)}`
}

/** Whether the command line names a server of the user's own. */
export function isRemote({
  address,
  profile,
  namespace,
}: Pick<Context, 'address' | 'profile' | 'namespace'>): boolean {
  if (address === undefined && profile === undefined && namespace !== undefined)
    throw badInput(
      '--namespace needs a server',
      '--namespace',
      'name it with --address or --profile; the local server has one namespace',
    )
  return address !== undefined || profile !== undefined
}

/** Connects; the local server and its workflow worker are started where they do not run. */
export async function startServer(context: Context, options: StartOptions = {}): Promise<Server> {
  if (isRemote(context)) return remoteServer(context)
  const dirs = userDirs(context.env)
  const { address, uiUrl, durable } = await ensureLocal(context, dirs, options)
  return {
    ratchet: await connectTo({ address, namespace: NAMESPACE }),
    dirs,
    address,
    namespace: NAMESPACE,
    uiUrl,
    local: true,
    durable,
  }
}

type StartOptions = {
  foreground?: boolean
  durable?: boolean
  /**
   * Done while the server program has to be downloaded or built; what it says is shown, and it is
   * aborted when that is over.
   */
  meanwhile?: (say: (line: string) => void, signal: AbortSignal) => Promise<void>
}

async function ensureLocal(
  context: Context,
  dirs: Dirs,
  { meanwhile, ...options }: StartOptions,
): Promise<{ address: string; uiUrl: string; durable: boolean }> {
  const [{ ensureRunning, STARTING }, { startProgress }] = await Promise.all([
    import('../../dev-server/index.js'),
    import('../output/start-progress.js'),
  ])
  const bar = await context.bar?.()
  const progress = startProgress({ say: context.say, ...(bar !== undefined && { bar }) })
  const over = new AbortController()
  let beside: Promise<void> | undefined
  const left = new Promise<never>((_, reject) => {
    const leave = (): void =>
      reject(
        interrupted('getting the server', 'call it again to go on; what go has compiled is kept'),
      )
    if (context.interrupted.aborted) leave()
    context.interrupted.addEventListener('abort', leave, { once: true })
  })
  left.catch(() => undefined)
  try {
    const running = ensureRunning(dirs, {
      env: context.env,
      ...options,
      onProgress: (text, measure) => {
        progress.tell(text, measure)
        if (text === STARTING) over.abort()
        else if (meanwhile !== undefined && beside === undefined) {
          context.takesInterrupt() // what runs beside it has processes of its own
          beside = meanwhile(progress.say, over.signal)
          beside.catch(() => undefined) // looked at below
        }
      },
    })
    return await Promise.race([running, left])
  } finally {
    over.abort()
    progress.end()
    await beside
  }
}

/** Connects where a server runs already; `undefined` where none does. Starts nothing. */
export async function joinServer(context: Context): Promise<Server | undefined> {
  if (isRemote(context)) return remoteServer(context)
  const dirs = userDirs(context.env)
  const { localStatus } = await import('../../dev-server/index.js')
  const { server } = await localStatus(dirs)
  if (server === undefined) return undefined
  return {
    ratchet: await connectTo({ address: server.address, namespace: NAMESPACE }),
    dirs,
    address: server.address,
    namespace: NAMESPACE,
    uiUrl: server.uiUrl,
    local: true,
  }
}

/** Whether this user ever had a local server: without one there is no run to look for. */
export function hadServer(dirs: Dirs): boolean {
  return (
    existsSync(layout.server(dirs)) &&
    readdirSync(layout.server(dirs)).some((name) => name.endsWith('.db'))
  )
}

/**
 * Makes sure that a worker of the project takes work. Only for the local server one is started;
 * elsewhere it is the user's to run.
 */
export async function ensureWorker(
  context: Context,
  server: Server,
  project: string,
): Promise<void> {
  if (server.local) {
    if (!existsSync(project))
      throw unavailable(
        'NoWorker',
        'its directory is gone',
        project,
        'bring it back, or end the run for good with Terminate in the Web UI',
      )
    const { loadConfig, passedVariables } = await import('../../adapters/config/config.js')
    const { withFoundAgents } = await import('../../adapters/config/run-config.js')
    const { ensureProjectWorker } = await import('../../dev-server/index.js')
    const { address, uiUrl } = await ensureProjectWorker(server.dirs, project, {
      env: context.env,
      watch: passedVariables(
        withFoundAgents(loadConfig(project), { project, env: context.env }).config,
      ),
    })
    // What was joined may have ended meanwhile, and have come back elsewhere.
    if (address !== server.address)
      Object.assign(server, {
        ratchet: await connectTo({ address, namespace: NAMESPACE }),
        address,
        uiUrl,
      })
    return
  }
  const { pollers } = await import('../../client/overview.js')
  const key = keyOfProject(server.dirs, project)
  // A project that is not on this machine has its worker elsewhere, on a queue that nobody here
  // knows.
  for (const queue of [
    MAIN_QUEUE,
    ...(key === undefined ? [] : [projectQueue(hostId(server.dirs), key)]),
  ])
    if ((await pollers(server.ratchet.client, queue)) === 0)
      throw unavailable(
        'NoWorker',
        `no worker takes work from the queue ${queue}`,
        `${server.address}, namespace ${server.namespace}`,
        `start one in ${project}: ratchet worker ${serverFlags(context)}`,
      )
}

/** Whether the worker of a project runs, as far as can be told without asking it. */
export async function workerState(
  server: Server,
  project: string | undefined,
): Promise<WorkerState> {
  if (!server.local || project === undefined) return 'unknown'
  const { localStatus } = await import('../../dev-server/index.js')
  const key = keyOfProject(server.dirs, project)
  if (key === undefined) return 'missing'
  const queue = projectQueue(hostId(server.dirs), key)
  return (await localStatus(server.dirs)).workers.some((worker) => worker.queue === queue)
    ? 'running'
    : 'missing'
}

/** The flags that name the server, for commands to copy. */
export function serverFlags({
  address,
  namespace,
  profile,
}: Pick<Context, 'address' | 'namespace' | 'profile'>): string {
  const flags = { '--address': address, '--namespace': namespace, '--profile': profile }
  return Object.entries(flags)
    .flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${value}`]))
    .join(' ')
}

/** Address and credentials of the server named on the command line. */
export async function namedServer(context: Context): Promise<Parameters<typeof connectTo>[0]> {
  const { profileOptions } = await import('../../client/profile.js')
  try {
    return profileOptions(context, context.env)
  } catch (error) {
    throw badInput(
      (error as Error).message,
      context.profile === undefined ? '--address' : `--profile ${context.profile}`,
      'correct the flag or the Temporal configuration file',
    )
  }
}

async function remoteServer(context: Context): Promise<Server> {
  const options = await namedServer(context)
  return {
    ratchet: await connectTo(
      options,
      'check the address, or leave --address and --profile out to use the local server',
    ),
    dirs: userDirs(context.env),
    address: options.address,
    namespace: options.namespace,
    uiUrl: null,
    local: false,
  }
}

async function connectTo(
  options: { address: string; namespace: string; apiKey?: string; tls?: boolean | object },
  next = 'try again in a moment; what is wrong with the local server says: ratchet doctor',
): Promise<Ratchet> {
  const { connect } = await import('../../client/index.js')
  try {
    return await connect(options)
  } catch (error) {
    if (!isServerUnavailable(error)) throw error
    throw unavailable('NoServer', (error as Error).message, options.address, next)
  }
}
