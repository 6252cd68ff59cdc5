// The workers of a user's projects, in one process: a Temporal Worker for each open project.
// Those of a supervisor open and close while the process runs.
import { createInterface } from 'node:readline'
import type { NativeConnection, Runtime } from '@temporalio/worker'
import {
  askedEnvironments,
  type AskedEnvironments,
} from '../adapters/environments/asked-environments.js'
import { projectKey, type Dirs } from '../adapters/state-dir.js'
import type { Meter } from '../adapters/telemetry/run-counts.js'
import { ProjectOrder, workerName } from '../contract/registry.js'
import type { WorkerConfig } from './config.js'
import { createProjectWorker } from './project-worker.js'
import { runtimeMeter } from './runtime.js'
import { openTelemetry, telemetrySettings } from './telemetry.js'
import { endPolling, type Running, type WorkerProcess } from './worker-parts.js'

/** Between two looks at the environments that the supervisor holds. */
const TAKES_MS = 5_000

type Project = { path: string; key: string }
type Open = Running & { close: () => Promise<void> }

export type ProjectWorkersOf = {
  dirs: Dirs
  /** With the page of the metrics, where there is one. */
  runtime: Runtime
  hasMetrics: boolean
  signingKey?: string | undefined
  say: (text: unknown) => void
}

export class ProjectWorkers implements WorkerProcess {
  readonly #open = new Map<string, Open>()
  /** Workers that run, also while they wind down. */
  readonly #running = new Set<Promise<void>>()
  readonly #environments: AskedEnvironments
  #meter: Meter | undefined
  #ends = false
  #end!: () => void
  #fail!: (error: unknown) => void
  readonly #ended = new Promise<void>((resolve, reject) => {
    this.#end = resolve
    this.#fail = reject
  })

  constructor(
    readonly connection: NativeConnection,
    readonly config: WorkerConfig & { role: 'projects' },
    readonly of: ProjectWorkersOf,
  ) {
    const { supervised } = config
    this.#environments = askedEnvironments(of.dirs, { own: process.env, supervised })
  }

  /**
   * Runs until `shutdown`, and hands over the environments then.
   *
   * @throws where a worker ends by itself, or a project of a process without a supervisor cannot be
   * opened
   */
  async run(): Promise<void> {
    const { say } = this.of
    for (const path of this.config.projects) void this.#begin({ path, key: projectKey(path) })
    if (this.config.supervised)
      createInterface({ input: process.stdin }).on('line', (line) => this.#follow(line))
    setInterval(() => void this.#environments.take().catch(say), TAKES_MS).unref()
    await this.#ended
    const handedOver = this.#environments.handOver().catch(say)
    await Promise.all([...this.#running, handedOver])
  }

  /** Takes no new work. */
  shutdown(): void {
    if (this.#ends) return
    this.#ends = true
    for (const { worker } of this.#open.values()) endPolling(worker)
    this.#end()
  }

  /** Ends agents now and keeps their work. */
  async interrupt(): Promise<void> {
    await Promise.all([...this.#open.values()].map((one) => one.interrupt()))
  }

  #follow(line: string): void {
    const order = ProjectOrder.parse(JSON.parse(line))
    if ('open' in order) void this.#begin(order.open)
    else this.#close(order.close)
  }

  // Says `ready <name>`, or `failed <name> <reason>`.
  async #begin(project: Project): Promise<void> {
    const name = workerName(project)
    let opened: Open
    try {
      opened = this.#open.get(project.key) ?? (await this.#create(project))
    } catch (error) {
      this.#environments.close(project.key)
      const [reason] = (error as Error).message.split('\n')
      console.log(`failed ${name} ${reason ?? ''}`)
      this.of.say(error)
      if (!this.config.supervised) this.#fail(error)
      return
    }
    if (this.#open.get(project.key) !== opened) this.#run(project, opened)
    if (!this.#ends) console.log(`ready ${name}`)
  }

  #run(project: Project, opened: Open): void {
    const { worker } = opened
    this.#open.set(project.key, opened)
    const over = worker.run().then(async () => {
      await opened.close()
      if (this.#open.get(project.key) !== opened || this.#ends) return
      throw new Error(`the worker of ${project.path} ended by itself`)
    })
    // Also one that was made while everything ends: the connection closes only after its worker.
    if (this.#ends) endPolling(worker)
    this.#running.add(over)
    over.then(() => this.#running.delete(over), this.#fail)
  }

  #close({ key }: Project): void {
    const opened = this.#open.get(key)
    if (opened === undefined) return
    this.#open.delete(key)
    this.#environments.close(key)
    endPolling(opened.worker)
    void opened.interrupt().catch(this.of.say)
  }

  async #create({ path, key }: Project): Promise<Open> {
    const { dirs, runtime, hasMetrics, signingKey, say } = this.of
    const environments = await this.#environments.open(key)
    const settings = await telemetrySettings(dirs, path, environments.ofProject())
    if (settings?.metrics !== undefined && !hasMetrics)
      say(
        `${path}: no metrics until the workers start again (ratchet dev --stop), as no project had asked for them`,
      )
    const telemetry =
      settings === undefined
        ? undefined
        : await openTelemetry(settings, () => (this.#meter ??= runtimeMeter(runtime)))
    const running = await createProjectWorker(
      this.connection,
      { ...this.config, project: path },
      telemetry,
      { environments, signingKey, log: (text) => say(`${path}: ${text}`) },
    )
    return { ...running, close: () => telemetry?.close() ?? Promise.resolve() }
  }
}
