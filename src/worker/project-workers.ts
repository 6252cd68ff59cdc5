// The workers of a user's projects, in one process: a Temporal Worker for each open project.
// Those of a supervisor open and close while the process runs.
import type { NativeConnection, Runtime } from '@temporalio/worker'
import {
  askedEnvironments,
  type AskedEnvironments,
} from '../adapters/environments/asked-environments.js'
import { projectKey, type Dirs } from '../adapters/state-dir.js'
import type { Meter } from '../adapters/telemetry/run-counts.js'
import { ProjectOrder, workerName } from '../contract/registry.js'
import { createProjectWorker } from './project-worker.js'
import { runtimeMeter } from './runtime.js'
import { openTelemetry, telemetrySettings } from './telemetry.js'
import { endPolling, type Running, type WorkerProcess } from './worker-parts.js'

/** Between two looks at the environments that the supervisor holds. */
const TAKES_MS = 5_000

type Project = { path: string; key: string }
type Open = Running & { close: () => Promise<void>; over: Promise<void> }

export type ProjectWorkersOf = {
  dirs: Dirs
  /** With the page of the metrics, where there is one. */
  runtime: Runtime
  hasMetrics: boolean
  signingKey?: string | undefined
  /** Directories of those that are open from the start. */
  projects: string[]
  /** Lines from a supervisor, which reads the answers in the log; nothing without one. */
  orders: AsyncIterable<string> | undefined
  answer: (line: string) => void
  say: (text: unknown) => void
}

export class ProjectWorkers implements WorkerProcess {
  readonly #open = new Map<string, Open>()
  /**
   * The last order of each project. They run one after the other: two workers of a project in one
   * process would take over each other's turns.
   */
  readonly #orders = new Map<string, Promise<void>>()
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
    readonly namespace: string,
    readonly of: ProjectWorkersOf,
  ) {
    this.#environments = askedEnvironments(of.dirs, {
      own: process.env,
      supervised: of.orders !== undefined,
    })
  }

  /**
   * Runs until `shutdown`, and hands over the environments then.
   *
   * @throws where a worker ends by itself, or a project of a process without a supervisor cannot be
   * opened
   */
  async run(): Promise<void> {
    const { say, orders } = this.of
    for (const path of this.of.projects) this.#order({ path, key: projectKey(path) }, true)
    if (orders !== undefined) void this.#followAll(orders)
    setInterval(() => void this.#environments.take().catch(say), TAKES_MS).unref()
    try {
      await this.#ended
    } catch (error) {
      // All continue in the next process, so nothing of them is waited for but their agents.
      this.shutdown()
      await Promise.all([this.interrupt().catch(say), this.#environments.handOver().catch(say)])
      throw error
    }
    const handedOver = this.#environments.handOver().catch(say)
    await Promise.all(this.#orders.values()) // one may just be opening
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

  async #followAll(orders: AsyncIterable<string>): Promise<void> {
    for await (const line of orders) this.#follow(line)
  }

  #follow(line: string): void {
    let order: ProjectOrder
    try {
      order = ProjectOrder.parse(JSON.parse(line))
    } catch (error) {
      this.of.say(`an order of the supervisor cannot be read: ${(error as Error).message}`)
      return
    }
    if ('open' in order) this.#order(order.open, true)
    else this.#order(order.close, false)
  }

  #order(project: Project, opens: boolean): void {
    const { key } = project
    const before = this.#orders.get(key) ?? Promise.resolve()
    const mine = before.then(() => (opens ? this.#begin(project) : this.#close(project)))
    this.#orders.set(key, mine)
    void mine.then(() => {
      if (this.#orders.get(key) === mine) this.#orders.delete(key)
    })
  }

  // Says `ready <name>`, or `failed <name> <reason>`.
  async #begin(project: Project): Promise<void> {
    if (this.#ends) return
    const name = workerName(project)
    try {
      if (!this.#open.has(project.key)) this.#run(project, await this.#create(project))
    } catch (error) {
      this.#environments.close(project.key)
      const [reason] = (error as Error).message.split('\n')
      this.of.answer(`failed ${name} ${reason ?? ''}`)
      this.of.say(error)
      if (this.of.orders === undefined) this.#fail(error)
      return
    }
    if (!this.#ends) this.of.answer(`ready ${name}`)
  }

  #run(project: Project, made: Omit<Open, 'over'>): void {
    const { worker } = made
    const over = worker.run().then(async () => {
      await made.close()
      if (this.#open.get(project.key)?.worker !== worker || this.#ends) return
      throw new Error(`the worker of ${project.path} ended by itself`)
    })
    this.#open.set(project.key, { ...made, over })
    // Also one that was made while everything ends: the connection closes only after its worker.
    if (this.#ends) endPolling(worker)
    this.#running.add(over)
    over.then(() => this.#running.delete(over), this.#fail)
  }

  // Returns when its worker has ended; tests that still run end first.
  async #close({ key }: Project): Promise<void> {
    const opened = this.#open.get(key)
    if (opened === undefined) return
    this.#open.delete(key)
    this.#environments.close(key)
    endPolling(opened.worker)
    await opened.interrupt().catch(this.of.say)
    await opened.over.catch(() => undefined) // `#fail` has it
  }

  async #create({ path, key }: Project): Promise<Omit<Open, 'over'>> {
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
      { namespace: this.namespace, project: path },
      telemetry,
      { environments, signingKey, log: (text) => say(`${path}: ${text}`) },
    )
    return { ...running, close: () => telemetry?.close() ?? Promise.resolve() }
  }
}
