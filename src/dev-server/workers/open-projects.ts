// The projects that the worker of the projects has open, as its supervisor knows them. The
// supervisor names them on the worker's standard input, and the worker answers in its log.
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '../../adapters/process/identity.js'
import { stopwatch } from '../../adapters/stopwatch.js'
import { logSize, readLog } from '../rotating-log.js'
import { type ProjectOrder, type RegisteredProject, workerName } from '../../contract/registry.js'
import type { WorkerProcess } from './worker-process.js'

/** `waiting`: for a worker process. */
type OpenState = 'waiting' | 'starting' | 'ready' | 'failed'

export type OpenProject = {
  project: RegisteredProject
  state: OpenState
  /** Why it cannot be opened. */
  problem?: string
  /** How long no one has needed it. */
  unused: () => number
}

/** A project without an open run is closed after this time. */
const UNUSED_MS = 10 * 60_000
const LOOK_MS = 20
/** Then the order is repeated: a line of the log is lost in a rotation, or on a full disk. */
const REPEATS_MS = 10_000

export class OpenProjects {
  readonly #open = new Map<string, OpenProject>()
  #worker: WorkerProcess | undefined

  /**
   * @param onChange called when one is opened or closed
   * @param inBackground watches what nothing waits for
   */
  constructor(
    readonly onChange: (text: string) => void,
    readonly inBackground: (work: Promise<unknown>) => void,
  ) {}

  list(): OpenProject[] {
    return [...this.#open.values()]
  }

  /** Opens a project that is not open. One that failed is tried again. */
  need(project: RegisteredProject): void {
    const known = this.#open.get(project.key)
    if (known !== undefined && known.state !== 'failed') known.unused = stopwatch()
    else {
      const entry: OpenProject = { project, state: 'waiting', unused: stopwatch() }
      this.#open.set(project.key, entry)
      this.#send(entry)
      this.onChange(`opens ${project.path}`)
    }
  }

  /** Closes those that no one has needed for a while. */
  closeUnused(): void {
    for (const [key, { project, unused }] of this.#open)
      if (unused() > UNUSED_MS) {
        this.#open.delete(key)
        this.#order({ close: project })
        this.onChange(`closes ${project.path}, which no one uses`)
      }
  }

  /** Opens all of them in a process that has just learned its server. */
  joined(worker: WorkerProcess): void {
    this.#worker = worker
    for (const entry of this.#open.values()) this.#send(entry)
  }

  /** They wait for the next process. */
  left(): void {
    this.#worker = undefined
    for (const entry of this.#open.values()) if (entry.state !== 'failed') entry.state = 'waiting'
  }

  #order(order: ProjectOrder): void {
    this.#worker?.process.write?.(`${JSON.stringify(order)}\n`)
  }

  #send(entry: OpenProject): void {
    const worker = this.#worker
    if (worker === undefined || !isHere(worker)) return
    const from = logSize(worker.process.log)
    entry.state = 'starting'
    delete entry.problem
    this.#order({ open: entry.project })
    this.inBackground(this.#answer(entry, worker, from))
  }

  async #answer(entry: OpenProject, worker: WorkerProcess, from: number): Promise<void> {
    const answer = new RegExp(`^(ready|failed) ${workerName(entry.project)}(?: (.*))?$`, 'm')
    let sent = stopwatch()
    for (;;) {
      const isLast = !isHere(worker)
      const [, what, problem] = answer.exec(readLog(worker.process.log, from)) ?? []
      if (this.#worker !== worker || this.#open.get(entry.project.key) !== entry) return
      if (what !== undefined) {
        entry.state = what === 'ready' ? 'ready' : 'failed'
        if (problem !== undefined) entry.problem = problem
        this.onChange(
          `${workerName(entry.project)} is ${entry.state}${problem === undefined ? '' : `: ${problem}`}`,
        )
        return
      }
      if (isLast) {
        entry.state = 'waiting'
        return
      }
      if (sent() > REPEATS_MS) {
        sent = stopwatch()
        this.#order({ open: entry.project })
      }
      await delay(LOOK_MS)
    }
  }
}

function isHere({ process: { identity } }: WorkerProcess): boolean {
  return identity !== undefined && isAlive(identity)
}
