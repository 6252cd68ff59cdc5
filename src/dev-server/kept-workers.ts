// The workers that a supervisor keeps up: the workflow worker and one for each project.
import type { Dirs } from '../adapters/state-dir.js'
import type { ProcessIdentity, RegisteredProject } from '../contract/registry.js'
import { livingChildren, type Child } from './children.js'
import type { WorkerStatus } from './control.js'
import { Keeper } from './process-monitor.js'
import { signal } from './processes.js'
import {
  saysReady,
  startWorker,
  type WorkerEnv,
  workerLog,
  workerName,
  workerQueue,
  type WorkerProcess,
  type WorkerRole,
} from './worker-process.js'

type KeptWorker = { role: WorkerRole; keeper: Keeper<WorkerProcess> }

export type WorkersOf = {
  dirs: Dirs
  workerEntry: string
  /** The environment for a worker that starts; the runs have their own. */
  envOf: (role: WorkerRole) => WorkerEnv
  /** Address of the server, once there was one. */
  address: () => string | undefined
  /** Whether the server takes only what its user has signed. */
  isPrivate: () => boolean
  isServerReady: () => boolean
  /** Resolves when a worker may start. */
  serverReady: () => Promise<void>
  onChange: (text: string) => void
  inBackground: (work: Promise<unknown>) => void
}

export class KeptWorkers {
  readonly #kept = new Map<string, KeptWorker>()
  /** Workers that end and take no new work. */
  #draining: { name: string; role: WorkerRole; process: WorkerProcess }[] = []

  constructor(readonly supervisor: WorkersOf) {}

  keep(role: WorkerRole): void {
    const name = workerName(role)
    const { dirs, workerEntry, address, isPrivate, envOf, isServerReady, serverReady, onChange } =
      this.supervisor
    const kept: KeptWorker = {
      role,
      keeper: new Keeper<WorkerProcess>({
        name,
        start: () =>
          startWorker(dirs, role, {
            entry: workerEntry,
            address: address() ?? '',
            private: isPrivate(),
            ...envOf(role),
          }),
        ready: saysReady,
        needs: serverReady,
        excused: () => !isServerReady(),
        onChange,
      }),
    }
    this.#kept.set(name, kept)
    this.supervisor.inBackground(kept.keeper.run())
  }

  /** Starts the workflow worker again if it was given up. */
  reviveWorkflows(): void {
    this.#kept.get(workerName({ kind: 'workflows' }))?.keeper.revive('person')
  }

  /** Ensures that a project has a worker, for a command or for one of its open runs. */
  runFor(project: RegisteredProject, askedBy: 'person' | 'run'): void {
    const role: WorkerRole = { kind: 'project', project }
    const kept = this.#kept.get(workerName(role))
    if (kept === undefined) this.keep(role)
    else kept.keeper.revive(askedBy)
  }

  /** Replaces all workers: their server has another address. */
  replaceAll(): void {
    for (const kept of this.#kept.values()) this.#replace(kept)
  }

  /** Starts no worker again, and returns the processes that are left to end. */
  stop(): (ProcessIdentity | undefined)[] {
    const last = [...this.#kept.values()].map(({ keeper }) => keeper.stop())
    return [...last, ...this.#draining.map(({ process }) => process)].map(
      (worker) => worker?.process.identity,
    )
  }

  status(): WorkerStatus[] {
    return [
      ...[...this.#kept.values()].map(({ role, keeper }) =>
        this.#statusOf(role, keeper.state, keeper.current, keeper.problem),
      ),
      ...this.#draining.map(({ role, process }) => this.#statusOf(role, 'draining', process)),
    ]
  }

  logs(): string[] {
    return [...this.#kept.values()].map(({ role }) => workerLog(this.supervisor.dirs, role))
  }

  /**
   * Returns all worker processes, also those of a dead supervisor while they wind down: this
   * supervisor may be killed too.
   */
  children(): Child[] {
    const running = [
      ...[...this.#kept.values()].map(({ role, keeper }) => ({
        role,
        identity: keeper.current?.process.identity,
      })),
      ...this.#draining.map(({ role, process }) => ({ role, identity: process.process.identity })),
    ]
    const own = running.flatMap(({ role, identity }) =>
      identity === undefined
        ? []
        : [
            {
              name: workerName(role),
              kind: role.kind,
              identity,
              ...(role.kind === 'project' ? { key: role.project.key } : {}),
            },
          ],
    )
    return [
      ...own,
      ...livingChildren(this.supervisor.dirs).filter(
        (old) => !own.some((o) => o.identity.pid === old.identity.pid),
      ),
    ]
  }

  #replace(kept: KeptWorker): void {
    const { onChange, inBackground } = this.supervisor
    const old = kept.keeper.letGo()
    if (old === undefined) return
    const entry = { name: workerName(kept.role), role: kept.role, process: old }
    this.#draining.push(entry)
    signal(old.process.identity, 'SIGTERM')
    inBackground(
      old.process.ended.then((how) => {
        this.#draining = this.#draining.filter((d) => d !== entry)
        onChange(
          `${entry.name} (process ${old.process.identity?.pid ?? '?'}), replaced, ended: ${how}`,
        )
      }),
    )
  }

  #statusOf(
    role: WorkerRole,
    state: WorkerStatus['state'],
    worker: WorkerProcess | undefined,
    problem?: string,
  ): WorkerStatus {
    const { dirs } = this.supervisor
    return {
      name: workerName(role),
      kind: role.kind,
      state,
      queue: workerQueue(dirs, role),
      log: workerLog(dirs, role),
      pid: worker?.process.identity?.pid,
      ...(role.kind === 'project' ? { key: role.project.key } : {}),
      problem,
    }
  }
}
