// What the CLI asks of the local processes: be there, run this project's worker, say what runs, stop.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { self } from '../adapters/process/identity.js'
import { hostId, layout } from '../adapters/state-dir.js'
import type { Dirs } from '../adapters/state-dir.js'
import { NAMESPACE } from '../contract/names.js'
import { livingChildren, recordChildren } from './children.js'
import { callSupervisor, recordedSupervisor, StopReply, SupervisorStatus } from './control.js'
import type { SupervisorRecord } from './control.js'
import { LocalStartFailed } from './failures.js'
import { logSize, logTail } from './log.js'
import { isAway, openRuns } from './namespace.js'
import { end, launch } from './processes.js'
import { registerProject } from '../adapters/registry.js'
import { recordedServer, stopServer } from './server.js'
import { findOrGetTemporal } from './temporal-binary.js'
import { VERSION } from './version.js'

export { LocalStartFailed, NoTemporalBinary, WrongTemporalBinary } from './failures.js'
export { registeredProject, registerProject } from '../adapters/registry.js'
export { findOrGetTemporal } from './temporal-binary.js'

export type LocalServer = { address: string; namespace: string; uiUrl: string; pid: number; version: string }

export type EnsureOptions = {
  env: NodeJS.ProcessEnv
  /** Told what takes long, in words for a person. */
  onProgress?: (text: string) => void
  /** This process holds on to them: no idle stop while it lives. */
  foreground?: boolean
  /** Counts at a start only: a running server keeps what it was started with. */
  durable?: boolean
  /** Entries of the processes, for tests. */
  entries?: { supervisor?: string; worker?: string }
}

export type LocalWorker = { pid: number; queue: string; host: string; kind: 'workflows' | 'project' }

export type LocalStatus = {
  server?: { address: string; uiUrl: string; pid: number; version: string }
  supervisor?: { pid: number }
  workers: LocalWorker[]
  /** What is not as it is meant to be, one sentence each. */
  problems: string[]
}

const READY_MS = 120_000
const STOP_MS = 60_000
const POLL_MS = 100
const WORKER_GRACE_MS = 30_000
const BUILT_SUPERVISOR = fileURLToPath(new URL('../../dist/local/supervisor-main.js', import.meta.url))

/**
 * Starts the user's server and workflow worker where they do not run, joins them where they do, and
 * returns when both are ready.
 *
 * @throws {LocalStartFailed} with the tail of the log of what does not come up
 * @throws {NoTemporalBinary} where there is no server to start
 */
export async function ensureRunning(dirs: Dirs, options: EnsureOptions): Promise<LocalServer> {
  let deadline = Date.now() + READY_MS
  await makeWay(dirs)
  const holder = options.foreground === true ? { holder: self() } : {}
  let asked: number | undefined // the supervisor that knows we need it
  for (;;) {
    let supervisor = recordedSupervisor(dirs)
    if (supervisor === undefined) {
      supervisor = await startSupervisor(dirs, options)
      deadline = Date.now() + READY_MS // building the server first may have taken minutes
    }
    const known = asked === supervisor.identity.pid
    const status = await (known ? statusFrom(supervisor, 'GET /status') : statusFrom(supervisor, 'POST /wanted', holder))
    // One that is stopping is waited for; its lock is free when it is gone.
    if (status !== undefined && !status.stopping) {
      asked = status.pid
      const { server } = status
      const worker = status.workers.find((w) => w.kind === 'workflows' && w.state !== 'draining')
      if (server.state === 'ready' && worker?.state === 'ready' && server.address !== undefined)
        return { address: server.address, namespace: NAMESPACE, uiUrl: server.uiUrl ?? '', pid: server.pid ?? 0, version: server.version ?? '' }
      if (server.state === 'given_up') throw notStarted('the Temporal server', server.problem, dirs)
      if (worker?.state === 'given_up') throw notStarted('the workflow worker', worker.problem, dirs)
    }
    if (Date.now() > deadline) throw notStarted('what runs locally', `not ready after ${READY_MS / 1_000} s: ${JSON.stringify(status?.server ?? 'no answer')}`, dirs)
    await delay(POLL_MS)
  }
}

/**
 * Registers the project and makes sure that its agent worker runs, in the given environment: a running
 * one in which a watched variable (or PATH) differs is replaced between turns. Returns when it is
 * ready. Needs `ensureRunning` before.
 */
export async function ensureProjectWorker(dirs: Dirs, project: string, { env, watch }: { env: NodeJS.ProcessEnv; watch: string[] }): Promise<void> {
  const registered = await registerProject(dirs, project)
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  const request = { path: registered.path, env: given, watch }
  const deadline = Date.now() + READY_MS
  for (let first = true; ; first = false) {
    const supervisor = recordedSupervisor(dirs)
    if (supervisor === undefined) throw notStarted('the supervisor', 'it has ended', dirs)
    const status = await (first ? statusFrom(supervisor, 'POST /projects', request) : statusFrom(supervisor, 'GET /status'))
    const worker = status?.workers.find((w) => w.key === registered.key && w.state !== 'draining')
    if (worker?.state === 'ready') return
    if (worker?.state === 'given_up') throw notStarted(`the agent worker of ${registered.path}`, worker.problem, dirs)
    if (Date.now() > deadline) throw notStarted(`the agent worker of ${registered.path}`, `not ready after ${READY_MS / 1_000} s`, dirs)
    await delay(POLL_MS)
  }
}

/** Says what runs, and starts nothing. */
export async function localStatus(dirs: Dirs): Promise<LocalStatus> {
  const supervisor = recordedSupervisor(dirs)
  const status = supervisor === undefined ? undefined : await statusFrom(supervisor, 'GET /status')
  if (status === undefined) return unsupervised(dirs)
  const { server } = status
  const host = hostId(dirs)
  const problems = [
    ...(server.state === 'ready' ? [] : [`the server is ${words(server.state)}${why(server.problem)}`]),
    ...status.workers.flatMap((w) => (w.state === 'ready' || w.state === 'draining' ? [] : [`the worker ${w.name} is ${words(w.state)}${why(w.problem)}`])),
    ...(status.stopping ? ['everything is about to stop'] : []),
    ...(supervisor === undefined || supervisor.version === VERSION ? [] : [`what runs is of version ${supervisor.version ?? 'unknown'}, this is ${VERSION}; it is replaced by the next command that needs it while no run is open`]),
  ]
  return {
    ...(server.address === undefined ? {} : { server: { address: server.address, uiUrl: server.uiUrl ?? '', pid: server.pid ?? 0, version: server.version ?? '' } }),
    supervisor: { pid: status.pid },
    workers: status.workers.flatMap(({ pid, queue, kind }) => (pid === undefined ? [] : [{ pid, queue, host, kind }])),
    problems,
  }
}

/**
 * Stops the workers and the server. Without `force` nothing is stopped while runs are open: their ids
 * are returned. They would go on at the next start.
 */
export async function stopLocal(dirs: Dirs, { force }: { force: boolean }): Promise<'stopped' | 'not running' | { openRuns: string[] }> {
  const supervisor = recordedSupervisor(dirs)
  if (supervisor === undefined) return stopUnsupervised(dirs, force)
  const reply = await callSupervisor(supervisor, 'POST /stop', { force })
  if (reply?.code === 409) return StopReply.parse(reply.body)
  const deadline = Date.now() + STOP_MS
  while (recordedSupervisor(dirs)?.identity.pid === supervisor.identity.pid) {
    if (Date.now() > deadline) {
      const next = `end the supervisor yourself: it is process ${supervisor.identity.pid}`
      throw new LocalStartFailed('the local processes did not stop', path.join(layout.logs(dirs), 'supervisor.log'), next)
    }
    await delay(POLL_MS)
  }
  return 'stopped'
}

// One of another version keeps its own code and that of its workers. It makes way, unless runs are open:
// they go on with the code they have, until a command finds none.
async function makeWay(dirs: Dirs): Promise<void> {
  const supervisor = recordedSupervisor(dirs)
  if (supervisor !== undefined && supervisor.version !== VERSION) await stopLocal(dirs, { force: false })
}

async function startSupervisor(dirs: Dirs, options: EnsureOptions): Promise<SupervisorRecord> {
  const { env, onProgress, durable = false, entries } = options
  const binary = await findOrGetTemporal(dirs, { env, ...(onProgress === undefined ? {} : { onProgress }) })
  onProgress?.('starting the Temporal server and the workers')
  const log = path.join(layout.logs(dirs), 'supervisor.log')
  const from = logSize(log)
  const started = launch({
    command: process.execPath,
    args: [
      entries?.supervisor ?? BUILT_SUPERVISOR, '--state', dirs.state, '--cache', dirs.cache, '--temporal', binary.path, '--server-version', binary.version,
      ...(durable ? ['--durable'] : []), ...(entries?.worker === undefined ? [] : ['--worker-entry', entries.worker]),
    ],
    env,
    cwd: dirs.state,
    log,
  })
  let how: string | undefined
  started.ended.then((end) => (how = end), () => undefined)
  const deadline = Date.now() + READY_MS
  for (;;) {
    // Ours, or the one of somebody who started at the same moment.
    const supervisor = recordedSupervisor(dirs)
    if (supervisor !== undefined) return supervisor
    if (how === 'code 0') return startSupervisor(dirs, options) // another one was just stopping
    if (how !== undefined || Date.now() > deadline) {
      const what = `the supervisor did not start (${how ?? 'it says nothing'})`
      throw new LocalStartFailed(what, `${log}\n${logTail(log, from)}`, 'look at the log above, then try again')
    }
    await delay(POLL_MS)
  }
}

async function statusFrom(supervisor: SupervisorRecord, route: string, body?: unknown): Promise<SupervisorStatus | undefined> {
  const reply = await callSupervisor(supervisor, route, body)
  if (reply === undefined) return undefined
  if (reply.code !== 200) throw new Error(`the supervisor answered ${reply.code} to ${route}: ${JSON.stringify(reply.body)}`)
  return SupervisorStatus.parse(reply.body)
}

// A supervisor that was killed leaves the rest running; the next command starts another one.
function unsupervised(dirs: Dirs): LocalStatus {
  const server = recordedServer(dirs)
  const children = livingChildren(dirs)
  const problems = server === undefined && children.length === 0 ? [] : ['the supervisor is gone, what runs is not watched; any command that needs it starts another one']
  return {
    ...(server === undefined ? {} : { server: { address: server.address, uiUrl: `http://127.0.0.1:${server.uiPort}`, pid: server.identity.pid, version: server.version } }),
    workers: [],
    problems,
  }
}

async function stopUnsupervised(dirs: Dirs, force: boolean): Promise<'stopped' | 'not running' | { openRuns: string[] }> {
  const server = recordedServer(dirs)
  const children = livingChildren(dirs)
  if (server === undefined && children.length === 0) return 'not running'
  if (server !== undefined && !force) {
    const runs = await openRuns(server.address).catch((error: unknown) => {
      if (isAway(error)) return []
      throw error
    })
    if (runs.length > 0) return { openRuns: runs }
  }
  await Promise.all(children.map((child) => end(child.identity, WORKER_GRACE_MS)))
  if (server !== undefined) await stopServer(dirs, server)
  recordChildren(dirs, [])
  rmSync(layout.supervisor(dirs), { force: true })
  return 'stopped'
}

function notStarted(what: string, problem: string | undefined, dirs: Dirs): LocalStartFailed {
  return new LocalStartFailed(`${what} does not come up`, problem ?? layout.logs(dirs), `look at ${layout.logs(dirs)}, then try again; ratchet doctor checks this machine`)
}

function words(state: string): string {
  return state === 'given_up' ? 'given up after a crash loop' : state
}

function why(problem: string | undefined): string {
  return problem === undefined ? '' : `: ${problem}`
}
