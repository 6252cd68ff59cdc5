// The workers that a supervisor keeps up: that of the workflows, and that of all projects.
import { hostId, type Dirs } from '../../adapters/state-dir.js'
import { MAIN_QUEUE, NAMESPACE, projectQueue } from '../../contract/names.js'
import {
  type ProcessIdentity,
  type RegisteredProject,
  type WorkerServer,
  workerName,
} from '../../contract/registry.js'
import { livingChildren, type Child } from '../children.js'
import type { WorkerStatus } from '../control.js'
import { Keeper } from '../process-monitor.js'
import { signal } from '../processes.js'
import { OpenProjects } from './open-projects.js'
import {
  saysReady,
  startWorker,
  workerLog,
  type WorkerProcess,
  type WorkerRole,
} from './worker-process.js'

type KeptWorker = { role: WorkerRole; keeper: Keeper<WorkerProcess> }

/** A worker that ends and takes no new work. */
type Draining = { role: WorkerRole; process: WorkerProcess; projects: RegisteredProject[] }

export type WorkersOf = {
  dirs: Dirs
  workerEntry: string
  /** The environment of the workers; the runs have their own. */
  env: NodeJS.ProcessEnv
  /** Address of the server, once there was one. */
  address: () => string | undefined
  /** Whether the server takes only what its user has signed. */
  isPrivate: () => boolean
  isServerReady: () => boolean
  /** Resolves when a worker may take work. */
  serverReady: () => Promise<void>
  onChange: (text: string) => void
  inBackground: (work: Promise<unknown>) => void
}

export class KeptWorkers {
  readonly #kept = new Map<WorkerRole, KeptWorker>()
  readonly #projects: OpenProjects
  #draining: Draining[] = []

  constructor(readonly supervisor: WorkersOf) {
    this.#projects = new OpenProjects(supervisor.onChange, supervisor.inBackground)
  }

  /** Keeps the workflow worker up; starts it again if it was given up. */
  runWorkflows(): void {
    this.#runs('workflows', 'person')
  }

  /** Ensures that a project has a worker, for a command or for one of its open runs. */
  runFor(project: RegisteredProject, askedBy: 'person' | 'run'): void {
    this.#projects.need(project)
    this.#runs('projects', askedBy)
  }

  /** Ensures that projects with open runs have a worker, and closes those that no one uses. */
  runOnly(inUse: readonly RegisteredProject[]): void {
    for (const project of inUse) this.runFor(project, 'run')
    this.#projects.closeUnused()
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

  /** One for the workflows and one for each project; those of the projects share a process. */
  status(): WorkerStatus[] {
    return [
      ...[...this.#kept.values()].flatMap(({ role, keeper: { state, current, problem } }) =>
        role === 'workflows'
          ? [this.#statusOf(undefined, state, current, problem)]
          : this.#projects
              .list()
              .map((open) =>
                state === 'ready'
                  ? this.#statusOf(open.project, open.state, current, open.problem)
                  : this.#statusOf(open.project, state, current, problem),
              ),
      ),
      ...this.#draining.flatMap(({ role, process, projects }) =>
        (role === 'workflows' ? [undefined] : projects).map((project) =>
          this.#statusOf(project, 'draining', process),
        ),
      ),
    ]
  }

  logs(): string[] {
    return [...this.#kept.keys()].map((role) => workerLog(this.supervisor.dirs, role))
  }

  /**
   * Returns all worker processes, also those of a dead supervisor while they wind down: this
   * supervisor may be killed too.
   */
  children(): Child[] {
    const running = [
      ...[...this.#kept.values()].map(({ role, keeper }) => ({
        role,
        process: keeper.current,
        projects: role === 'projects' ? this.#projects.list().map(({ project }) => project) : [],
      })),
      ...this.#draining,
    ]
    const own = running.flatMap(({ role, process, projects }): Child[] => {
      const identity = process?.process.identity
      return identity === undefined
        ? []
        : [{ name: role, keys: projects.map(({ key }) => key), identity }]
    })
    return [
      ...own,
      ...livingChildren(this.supervisor.dirs).filter(
        (old) => !own.some((o) => o.identity.pid === old.identity.pid),
      ),
    ]
  }

  #runs(role: WorkerRole, askedBy: 'person' | 'run'): void {
    const kept = this.#kept.get(role)
    if (kept === undefined) this.#keep(role)
    else kept.keeper.revive(askedBy)
  }

  #keep(role: WorkerRole): void {
    const { dirs, workerEntry, env, isServerReady, onChange, inBackground } = this.supervisor
    const start = (): WorkerProcess => {
      const started = startWorker(dirs, role, { entry: workerEntry, env })
      inBackground(this.#begin(role, started))
      return started
    }
    const keeper = new Keeper<WorkerProcess>({
      name: role,
      start,
      ready: (started) => saysReady(started, role),
      excused: () => !isServerReady(),
      onChange,
    })
    this.#kept.set(role, { role, keeper })
    inBackground(keeper.run())
  }

  // Names the server to a worker: it has loaded what it needs while that was not ready.
  async #begin(role: WorkerRole, started: WorkerProcess): Promise<void> {
    const { address, isPrivate, serverReady } = this.supervisor
    await serverReady()
    const at = address()
    const isCurrent = this.#kept.get(role)?.keeper.current === started
    if (at === undefined || !isCurrent) return
    const server: WorkerServer = { address: at, namespace: NAMESPACE, private: isPrivate() }
    started.process.write?.(`${JSON.stringify(server)}\n`)
    if (role === 'projects') this.#projects.joined(started)
  }

  #replace({ role, keeper }: KeptWorker): void {
    const { onChange, inBackground } = this.supervisor
    const old = keeper.letGo()
    if (old === undefined) return
    const projects = this.#projects.list().map(({ project }) => project)
    const entry: Draining = { role, process: old, projects }
    this.#draining.push(entry)
    if (role === 'projects') this.#projects.left()
    signal(old.process.identity, 'SIGTERM')
    inBackground(
      old.process.ended.then((how) => {
        this.#draining = this.#draining.filter((d) => d !== entry)
        onChange(`${role} (process ${old.process.identity?.pid ?? '?'}), replaced, ended: ${how}`)
      }),
    )
  }

  #queueOf({ key }: RegisteredProject): string {
    return projectQueue(hostId(this.supervisor.dirs), key)
  }

  #statusOf(
    project: RegisteredProject | undefined,
    state: WorkerStatus['state'],
    worker: WorkerProcess | undefined,
    problem?: string,
  ): WorkerStatus {
    const { dirs } = this.supervisor
    return {
      name: project === undefined ? 'workflows' : workerName(project),
      kind: project === undefined ? 'workflows' : 'project',
      state,
      queue: project === undefined ? MAIN_QUEUE : this.#queueOf(project),
      log: workerLog(dirs, project === undefined ? 'workflows' : 'projects'),
      pid: worker?.process.identity?.pid,
      ...(project !== undefined && { key: project.key }),
      problem,
    }
  }
}
