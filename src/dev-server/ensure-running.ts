// Starts the server and the workers of this user for the CLI, or joins those that run.
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { given } from '../adapters/environments/given-variables.js'
import { packaged, VERSION } from '../adapters/package.js'
import { self } from '../adapters/process/identity.js'
import { userConfig } from '../adapters/config/user-config.js'
import { signingKey } from '../adapters/signing/signing-key.js'
import { layout, type Dirs } from '../adapters/state-dir.js'
import { stopwatch } from '../adapters/stopwatch.js'
import { NAMESPACE } from '../contract/names.js'
import {
  recordedSupervisor,
  type SupervisorRecord,
} from '../adapters/supervisor/supervisor-call.js'
import { type SupervisorStatus, statusFrom } from './control.js'
import { stopLocal } from './stop-local.js'
import { LocalStartError } from './failures.js'
import type { OnProgress } from './go-build.js'
import { logSize, logTail } from './rotating-log.js'
import { launch } from './processes.js'
import { registerProject } from '../adapters/config/registry.js'
import { needRoom } from './disk-space.js'

export type LocalServer = {
  address: string
  namespace: string
  uiUrl: string
  pid: number
  version: string
  durable: boolean
  private: boolean
}

export type EnsureOptions = {
  env: NodeJS.ProcessEnv
  /** Called with steps that take long, in words for a person. */
  onProgress?: OnProgress
  /** This process keeps them running: no idle stop while it lives. */
  foreground?: boolean
  /** A server that runs without it is restarted, unless it has open runs. */
  durable?: boolean
  /** A server that takes only what its user has signed; one without is restarted likewise. */
  private?: boolean
  /** Its worker starts at the same time as that of the workflows, and is not waited for. */
  project?: string
  /** Entries of the processes, for tests. */
  entries?: { supervisor?: string; worker?: string }
}

/** Shown when the server program is there and starts. */
export const STARTING = 'starting the Temporal server and the workers'
const READY_MS = 120_000
/** Supervisors that may end under a command that asks for a worker. */
const STARTS = 3
const POLL_MS = 25
const BUILT_SUPERVISOR = packaged('dist/dev-server/supervisor-main.js')

/**
 * Starts the user's server and workflow worker if they are not running, joins them otherwise, and
 * returns when both are ready.
 *
 * @throws {LocalStartError} with the tail of the log of the process that does not start
 * @throws {NoTemporalBinaryError} if there is no server to start
 */
export async function ensureRunning(dirs: Dirs, options: EnsureOptions): Promise<LocalServer> {
  let waited = stopwatch()
  await makeWay(dirs)
  const holder = options.foreground === true ? { holder: self() } : {}
  const project =
    options.project === undefined ? undefined : { path: options.project, env: given(options.env) }
  let asked: number | undefined // the supervisor that knows we need it
  let mayReplace = true
  for (;;) {
    let supervisor = recordedSupervisor(dirs)
    if (supervisor === undefined) {
      supervisor = await startSupervisor(dirs, options)
      waited = stopwatch() // building the server first may have taken minutes
    }
    const known = asked === supervisor.identity.pid
    const status = await (known
      ? statusFrom(supervisor, 'GET /status')
      : statusFrom(supervisor, 'POST /wanted', holder))
    if (!known && project !== undefined) await statusFrom(supervisor, 'POST /projects', project)
    // A stopping supervisor is waited for; its lock is free when it is gone.
    if (status !== undefined && !status.stopping) {
      asked = status.pid
      const { server } = status
      const worker = status.workers.find((w) => w.kind === 'workflows' && w.state !== 'draining')
      const ready = serverOf(status)
      if (ready !== undefined && mayReplace && isOther(status, options)) {
        mayReplace = false // with open runs it stays as it is
        if ((await stopLocal(dirs, { force: false })) === 'stopped') continue
      }
      if (ready !== undefined && worker?.state === 'ready') return ready
      if (server.state === 'waiting') needRoom(dirs)
      if (server.state === 'given_up') throw notStarted('the Temporal server', server.problem, dirs)
      if (worker?.state === 'given_up')
        throw notStarted('the workflow worker', worker.problem, dirs)
    }
    if (waited() > READY_MS)
      throw notStarted(
        'what runs locally',
        `not ready after ${READY_MS / 1_000} s: ${JSON.stringify(status?.server ?? 'no answer')}`,
        dirs,
      )
    await delay(POLL_MS)
  }
}

/**
 * Registers the project and ensures that its agent worker runs. Runs that are started elsewhere get
 * this environment. Returns when the worker is ready. A supervisor that ends meanwhile, or has
 * ended since `ensureRunning`, is replaced.
 *
 * @param options `run`: an open run, which gets the environment too
 * @returns the server it works for
 * @throws like `ensureRunning`
 */
export async function ensureProjectWorker(
  dirs: Dirs,
  project: string,
  { run, ...options }: EnsureOptions & { run?: string | undefined },
): Promise<LocalServer> {
  const { env } = options
  const registered = await registerProject(dirs, project)
  const request = { path: registered.path, env: given(env), run }
  let waited = stopwatch()
  let starts = 0
  let asked: number | undefined // the supervisor that knows in which environment
  for (;;) {
    const supervisor = recordedSupervisor(dirs)
    const known = supervisor !== undefined && asked === supervisor.identity.pid
    const status =
      supervisor === undefined
        ? undefined
        : await (known
            ? statusFrom(supervisor, 'GET /status')
            : statusFrom(supervisor, 'POST /projects', request))
    if (status === undefined || status.stopping) {
      if (starts++ >= STARTS)
        throw notStarted('the supervisor', `it ended ${STARTS} times during the start`, dirs)
      await ensureRunning(dirs, options)
      waited = stopwatch()
      continue
    }
    asked = status.pid
    const worker = status.workers.find((w) => w.key === registered.key && w.state !== 'draining')
    if (worker?.state === 'ready') {
      const now = serverOf(status)
      if (now !== undefined) return now
    }
    if (worker?.state === 'given_up' || worker?.state === 'failed')
      throw notStarted(`the agent worker of ${registered.path}`, worker.problem, dirs)
    if (waited() > READY_MS)
      throw notStarted(
        `the agent worker of ${registered.path}`,
        `not ready after ${READY_MS / 1_000} s`,
        dirs,
      )
    await delay(POLL_MS)
  }
}

// A supervisor of another version keeps its code and that of its workers. It is replaced unless
// runs are open; these continue with their code until a command finds none.
async function makeWay(dirs: Dirs): Promise<void> {
  const supervisor = recordedSupervisor(dirs)
  if (supervisor !== undefined && supervisor.version !== VERSION)
    await stopLocal(dirs, { force: false })
}

async function startSupervisor(dirs: Dirs, options: EnsureOptions): Promise<SupervisorRecord> {
  const { env, onProgress, durable = false, entries } = options
  const isPrivate = wantsPrivate(options)
  if (isPrivate) signingKey(dirs) // before anything needs it
  // With what runs programs, which no look needs
  const { findOrGetTemporal } = await import('./temporal-binary.js')
  const binary = await findOrGetTemporal(dirs, {
    env,
    onProgress,
  })
  onProgress?.(STARTING)
  needRoom(dirs)
  const log = path.join(layout.logs(dirs), 'supervisor.log')
  const from = logSize(log)
  const started = launch({
    command: process.execPath,
    args: [
      entries?.supervisor ?? BUILT_SUPERVISOR,
      '--state',
      dirs.state,
      '--cache',
      dirs.cache,
      '--temporal',
      binary.path,
      '--server-version',
      binary.version,
      ...(durable ? ['--durable'] : []),
      ...(isPrivate ? ['--private'] : []),
      ...(userConfig(env).local.keepEnvironment ? ['--keep-environment'] : []),
      ...(entries?.worker === undefined ? [] : ['--worker-entry', entries.worker]),
    ],
    env,
    cwd: dirs.state,
    log,
  })
  let how: string | undefined
  started.ended.then(
    (end) => (how = end),
    () => undefined,
  )
  const waited = stopwatch()
  for (;;) {
    // Either ours, or that of a process that started at the same moment.
    const supervisor = recordedSupervisor(dirs)
    if (supervisor !== undefined) return supervisor
    if (how === 'code 0') return startSupervisor(dirs, options) // another one was just stopping
    if (how !== undefined || waited() > READY_MS) {
      const what = `the supervisor did not start (${how ?? 'without a reason'})`
      throw new LocalStartError(
        what,
        `${log}\n${logTail(log, from)}`,
        'read the log above, then try again',
      )
    }
    await delay(POLL_MS)
  }
}

// Whether the server differs from one that would be started now.
function isOther({ server }: SupervisorStatus, options: EnsureOptions): boolean {
  return (
    (options.durable === true && server.durable === false) ||
    (wantsPrivate(options) && server.private !== true) ||
    (server.wantedVersion !== undefined && server.wantedVersion !== server.version)
  )
}

/** Whether the server is to be private: for this command, or always. */
export function wantsPrivate(options: Pick<EnsureOptions, 'env' | 'private'>): boolean {
  return options.private === true || userConfig(options.env).local.private
}

function serverOf({ server }: SupervisorStatus): LocalServer | undefined {
  if (server.state !== 'ready' || server.address === undefined) return undefined
  return {
    address: server.address,
    namespace: NAMESPACE,
    uiUrl: server.uiUrl ?? '',
    pid: server.pid ?? 0,
    version: server.version ?? '',
    durable: server.durable === true,
    private: server.private === true,
  }
}

function notStarted(what: string, problem: string | undefined, dirs: Dirs): LocalStartError {
  return new LocalStartError(
    `${what} does not start`,
    problem ?? layout.logs(dirs),
    `read the logs in ${layout.logs(dirs)}, or check this machine with: ratchet doctor`,
  )
}
