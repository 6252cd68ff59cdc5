// Keeps the local processes of one user up: the server, and its workers (workers/kept-workers.ts).
//
// Its knowledge is in files and in the processes themselves, so killing it loses nothing: the next
// supervisor joins the server and replaces the workers. Environments of runs are only in memory,
// here and in the workers: they hold secrets.
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Variables } from '../adapters/environments/environment-messages.js'
import { knownSigningKey } from '../adapters/signing/signing-key.js'
import { layout, type Dirs } from '../adapters/state-dir.js'
import { stopwatch } from '../adapters/stopwatch.js'
import { isNoRoom } from '../adapters/files/write-obstacle.js'
import { isAlive } from '../adapters/process/identity.js'
import { NAMESPACE } from '../contract/names.js'
import type { ProcessIdentity, RegisteredProject } from '../contract/registry.js'
import type { RunFacts } from '../contract/result.js'
import type { RunsRequest, SupervisorStatus } from './control.js'
import { isServerUnavailable } from '../core/grpc.js'
import { staysUpFor } from '../core/supervise.js'
import { forgetChildren, livingChildren, recordChildren } from './children.js'
import { HeldEnvironments } from './environments/held-environments.js'
import { keptEnvironments } from './environments/kept-environments.js'
import { KeptWorkers } from './workers/kept-workers.js'
import { Keeper } from './process-monitor.js'
import { ROTATE_MS, rotateLog } from './rotating-log.js'
import { activity, openRuns } from './api/namespace.js'
import { end } from './processes.js'
import { projectByKey } from '../adapters/config/registry.js'
import { endAbandoned, projectsInUse } from './recovery.js'
import {
  leaves,
  serverLog,
  startServer,
  stopServer,
  type Leaving,
  type RunningServer,
} from './server.js'
import { recordedServer } from './server-record.js'
import { endStrays } from './orphans.js'
import { KeptAnswers } from './api/kept-answers.js'
import { runFacts } from './api/run-facts.js'
import { openUi, type UiGateway } from './ui/ui-gateway.js'
import { UiSession } from './ui/ui-session.js'

/** Workers get this long to wind down their turns. */
const WORKER_GRACE_MS = 30_000
const WANTED_MS = 1_000
const IDLE_LOOK_MS = 30_000
/** Between two looks for open runs whose project has no worker. */
const OPEN_RUNS_MS = 60_000

export type SupervisorOptions = {
  binary: { path: string; version: string }
  durable: boolean
  private: boolean
  /** The environments of open runs are kept in files. */
  keepEnvironment: boolean
  workerEntry: string
  idleStopMs: number
  /** The supervisor's own environment, for workers without one. */
  env: NodeJS.ProcessEnv
  log: (text: string) => void
}

export class Supervisor {
  /** Resolves when everything it started has ended. */
  readonly done: Promise<void>

  #finish!: () => void
  #stopping = false
  /** How long nothing has been needed. */
  #quiet = stopwatch()
  #holders: ProcessIdentity[] = []
  #address: string | undefined
  #upFor: string | undefined
  /**
   * Settles when nothing is left of steps whose worker had died: a new worker may begin the same
   * ones.
   */
  #cleared: Promise<void> = Promise.resolve()
  readonly #server: Keeper<RunningServer>
  /** Settles when the server is no longer kept. */
  #serverKept: Promise<void> = Promise.resolve()
  readonly #workers: KeptWorkers
  readonly #kept = new KeptAnswers()
  readonly environments: HeldEnvironments
  #ui: UiGateway | undefined
  readonly #session = new UiSession()

  constructor(
    readonly dirs: Dirs,
    readonly options: SupervisorOptions,
  ) {
    this.done = new Promise((resolve) => (this.#finish = resolve))
    this.#server = new Keeper<RunningServer>({
      name: 'server',
      start: () => startServer(dirs, options),
      ready: () => Promise.resolve(true),
      excused: () => false,
      onChange: (text) => this.#changed(text),
    })
    this.environments = new HeldEnvironments(options.env, keptEnvironments(dirs, options))
    this.#workers = new KeptWorkers({
      ...options,
      dirs,
      address: () => this.#address,
      isPrivate: () => this.#isPrivate(),
      isServerReady: () => this.#server.state === 'ready',
      serverReady: () => this.#serverReady(),
      onChange: (text) => this.#changed(text),
      inBackground: (work) => this.#inBackground(work),
    })
  }

  /** Starts everything that is to run; returns at once. */
  async start(): Promise<void> {
    await mkdir(path.join(this.dirs.state, 'wanted'), { recursive: true, mode: 0o700 })
    const orphans = livingChildren(this.dirs)
    this.environments.await(
      orphans.filter(({ name }) => name === 'projects').map(({ identity }) => identity),
    )
    for (const orphan of orphans) {
      this.options.log(
        `${orphan.name} (process ${orphan.identity.pid}) is left from an earlier supervisor and is replaced`,
      )
      this.#inBackground(end(orphan.identity, WORKER_GRACE_MS))
    }
    this.#inBackground(
      endStrays(
        this.dirs,
        'worker',
        orphans.map((orphan) => orphan.identity),
        WORKER_GRACE_MS,
        this.options.log,
      ),
    )
    this.#cleared = endAbandoned(this.dirs, this.options.log)
    this.#inBackground(this.#cleared)
    this.#ui = await openUi({
      uiPort: () => this.#server.current?.record.uiPort,
      privateUi: () =>
        this.#isPrivate() ? { session: this.#session, key: knownSigningKey(this.dirs) } : undefined,
    })
    this.#serverKept = this.#server.run()
    this.#inBackground(this.#serverKept)
    this.#workers.runWorkflows()
    for (const key of orphans.flatMap(({ keys }) => keys)) {
      const project = projectByKey(this.dirs, key)
      if (project !== undefined) this.#workers.runFor(project, 'run')
    }
    this.#every(ROTATE_MS, () => this.#rotate())
    this.#every(WANTED_MS, () => this.#startWanted())
    this.#inBackground(this.#followOpenRuns())
    this.#every(Math.max(100, Math.min(IDLE_LOOK_MS, this.options.idleStopMs / 4)), () =>
      this.#stopWhenIdle(),
    )
  }

  status(): SupervisorStatus {
    const server = this.#server.current?.record
    const problem = this.#server.problem
    return {
      pid: process.pid,
      stopping: this.#stopping,
      server: {
        state: this.#server.state,
        ...(server === undefined
          ? {}
          : {
              address: server.address,
              uiUrl: this.#uiUrl(server.uiPort),
              pid: server.identity.pid,
              version: server.version,
              durable: server.durable === true,
              private: server.private === true,
              wantedVersion: this.options.binary.version,
            }),
        problem,
      },
      workers: this.#workers.status(),
    }
  }

  /** Address for a browser: a one-time link where the server is private. */
  uiLink(): string | undefined {
    const server = this.#server.current?.record
    if (server === undefined) return undefined
    return this.#uiUrl(server.uiPort) + (this.#isPrivate() ? this.#session.link() : '')
  }

  #uiUrl(serversOwn: number): string {
    return `http://127.0.0.1:${this.#ui?.port ?? serversOwn}`
  }

  #isPrivate(): boolean {
    return this.#server.current?.record.private === true
  }

  /**
   * A command is about to use the local processes: nothing stops for being idle, and what was given
   * up is tried again.
   */
  wanted(holder?: ProcessIdentity): void {
    this.#quiet = stopwatch()
    if (holder !== undefined) this.#holders.push(holder)
    this.#server.revive('person')
    this.#workers.runWorkflows()
  }

  /**
   * Ensures that a project's worker runs, and holds the environment of the command for the project
   * and for the open run that it continues. Does nothing once everything is about to stop: the
   * caller sees that in the status, and calls the next supervisor.
   */
  project(project: RegisteredProject, env: Variables, run?: string): void {
    if (this.#stopping) return
    this.#quiet = stopwatch()
    this.environments.sent(project.key, env, run)
    this.#workers.runFor(project, 'person')
  }

  /** Returns what open runs say; `null` if they have to be asked in another way. */
  async runs(asked: RunsRequest): Promise<RunFacts[] | null> {
    if (this.#server.state !== 'ready') return null
    const api = this.#server.current?.record.api
    return runFacts({ api, namespace: NAMESPACE, kept: this.#kept }, asked).catch(() => null)
  }

  /** Returns the ids of open runs; empty if the server is away, as no run continues then. */
  async openRuns(): Promise<string[]> {
    const record = this.#server.current?.record
    if (record === undefined) return []
    return openRuns(record.api).catch((error: unknown) => {
      if (isServerUnavailable(error)) return []
      throw error
    })
  }

  /** Ends the workers, then the server. Open runs continue at the next start. */
  async stop(why: string): Promise<void> {
    if (this.#stopping) return this.done
    this.#stopping = true
    this.options.log(`stops: ${why}`)
    const workers = this.#workers.stop()
    await Promise.all(
      [...workers, ...livingChildren(this.dirs).map((c) => c.identity)].map((identity) =>
        end(identity, WORKER_GRACE_MS),
      ),
    )
    // Checked when no worker processes runs any longer: a new run is indexed by then.
    const record = this.#server.current?.record
    await this.#stopServer(record === undefined ? 'unknown' : await leaves(record))
    forgetChildren(this.dirs)
    this.#ui?.close()
    this.#finish()
  }

  // One that is just being started may have no record yet.
  async #stopServer(leaving: Leaving): Promise<void> {
    this.#server.stop()
    let kept = true
    const over = (): void => void (kept = false)
    this.#serverKept.then(over, over)
    do {
      const server = recordedServer(this.dirs)
      if (server !== undefined) await stopServer(this.dirs, server, leaving)
      await delay(20)
    } while (kept)
  }

  async #serverReady(): Promise<void> {
    await this.#cleared
    while (this.#server.state !== 'ready' && !this.#stopping) await delay(20)
  }

  // Runs after each change of any process.
  #changed(text: string): void {
    this.options.log(text)
    const address =
      this.#server.state === 'ready' ? this.#server.current?.record.address : undefined
    if (address !== undefined && address !== this.#address) {
      const moved = this.#address !== undefined
      this.#quiet = stopwatch() // a slow start is no idle time
      this.#address = address
      if (moved) this.#workers.replaceAll()
    }
    if (!this.#stopping)
      this.#tolerant('the workers could not be recorded', () =>
        recordChildren(this.dirs, this.#workers.children()),
      )
  }

  // A run that found no worker for its project has left the project's key here.
  #startWanted(): void {
    for (const key of readdirSync(path.dirname(layout.wanted(this.dirs, '-')))) {
      rmSync(layout.wanted(this.dirs, key), { force: true, recursive: true })
      const project = projectByKey(this.dirs, key)
      if (project === undefined) continue
      this.#quiet = stopwatch()
      this.#workers.runFor(project, 'run')
    }
  }

  // After a reboot or a forced stop, no command starts workers for the projects of open runs.
  async #followOpenRuns(): Promise<void> {
    while (!this.#stopping) {
      await this.#serverReady()
      const record = this.#server.current?.record
      const projects = record && (await projectsInUse(this.dirs, record.api))
      if (!this.#stopping && projects !== undefined) this.#workers.runOnly(projects)
      if (record !== undefined) await this.#dropEnvironments(record.api)
      await delay(OPEN_RUNS_MS)
    }
  }

  async #dropEnvironments(api: Parameters<typeof openRuns>[0]): Promise<void> {
    try {
      this.environments.keepOnly(await openRuns(api))
    } catch (error) {
      if (!isServerUnavailable(error)) throw error
    }
  }

  async #stopWhenIdle(): Promise<void> {
    this.#holders = this.#holders.filter(isAlive)
    const record = this.#server.state === 'ready' ? this.#server.current?.record : undefined
    if (record === undefined || this.#stopping) return
    try {
      const found = await activity(record.api)
      if (found.openRuns > 0) this.#quiet = stopwatch()
      const reason = staysUpFor(
        { ...found, held: this.#holders.length > 0, quietMs: this.#quiet() },
        this.options.idleStopMs,
      )
      if (reason === undefined) return await this.stop('nothing has run for a while')
      if (reason !== this.#upFor) this.options.log(`stays up for ${reason}`)
      this.#upFor = reason
    } catch (error) {
      if (!isServerUnavailable(error)) throw error
    }
  }

  #rotate(): void {
    const logs = [
      serverLog(this.dirs),
      path.join(layout.logs(this.dirs), 'supervisor.log'),
      ...this.#workers.logs(),
    ]
    for (const log of logs) this.#tolerant(`${log} could not be rotated`, () => rotateLog(log))
  }

  // With a full disk, running processes continue; what a file should have recorded is found in
  // another way, or later.
  #tolerant(what: string, act: () => void): void {
    try {
      act()
    } catch (error) {
      if (!isNoRoom(error)) throw error
      this.options.log(`${what}: ${(error as Error).message}`)
    }
  }

  #every(ms: number, act: () => void | Promise<void>): void {
    const loop = async (): Promise<void> => {
      while (!this.#stopping) {
        await delay(ms)
        if (!this.#stopping) await act()
      }
    }
    this.#inBackground(loop())
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.options.log(`internal error: ${(error as Error).stack ?? String(error)}`)
      this.#inBackground(this.stop('of an internal error'))
    })
  }
}

/** Appends to the supervisor's log with the time; on a full disk a line is lost. */
export function supervisorLog(dirs: Dirs): (text: string) => void {
  const file = path.join(layout.logs(dirs), 'supervisor.log')
  return (text) => {
    try {
      appendFileSync(file, `${new Date().toISOString()} ${text}\n`, { mode: 0o600 })
    } catch (error) {
      if (!isNoRoom(error)) throw error
    }
  }
}
