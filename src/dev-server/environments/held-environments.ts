// The environments of runs, which the supervisor holds in memory: they have secrets. The worker
// of the projects holds them too, and hands them over when it ends, so either process may die. The
// user may have them kept in files as well.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type {
  EnvironmentQuestion,
  EnvironmentReply,
  EnvironmentsBack,
  HeldEnvironment,
  Variables,
} from '../../adapters/environments/environment-messages.js'
import { given } from '../../adapters/environments/given-variables.js'
import { isAlive } from '../../adapters/process/identity.js'
import { digest } from '../../adapters/state-dir.js'
import { stopwatch } from '../../adapters/stopwatch.js'
import type { EnvFrom } from '../../contract/result.js'
import type { ProcessIdentity } from '../../contract/registry.js'
import type { KeptEnvironments } from './kept-environments.js'

const LOOK_MS = 20
/** For a command to say whether it has started its run; a killed one never does. */
const DECIDES_MS = 15_000
/** For a worker that ends to hand over what it knows; one that hangs never does. */
const HANDS_OVER_MS = 10_000
/** An environment stays this long without an open run: its run may be about to start again. */
const KEPT_MS = 10 * 60_000

type Held = HeldEnvironment & { project: string; age: () => number }
type Offer = { project: string; run: string; env: Variables; age: () => number }

export class HeldEnvironments {
  readonly #runs = new Map<string, Held>()
  readonly #projects = new Map<string, Variables>()
  readonly #offers = new Map<string, Offer>()
  /** Runs whose environment was dropped. */
  readonly #over = new Set<string>()
  #awaited: ProcessIdentity[] = []
  #awaitedSince = stopwatch()

  /**
   * @param own environment of the supervisor
   * @param files where they are kept too, if the user wants that
   */
  constructor(
    readonly own: NodeJS.ProcessEnv,
    private readonly files?: KeptEnvironments,
  ) {
    for (const { run, ...held } of files?.all() ?? [])
      this.#runs.set(run, { ...held, age: stopwatch() })
  }

  /** The last command in a project, with the open run that it continues. */
  sent(project: string, env: Variables, run?: string): void {
    this.#projects.set(project, env)
    if (run !== undefined) this.#hold(project, run, { env, from: 'command' })
  }

  /** The environment of a project's last command, or that of the supervisor. */
  ofProject(project: string): { env: NodeJS.ProcessEnv; from: 'project' | 'supervisor' } {
    const env = this.#projects.get(project)
    return env === undefined ? { env: this.own, from: 'supervisor' } : { env, from: 'project' }
  }

  /** A command is about to start a run. Until it has decided, no worker gets an answer for it. */
  offer(project: string, run: string, env: Variables): string {
    const id = randomUUID()
    this.#offers.set(id, { project, run, env, age: stopwatch() })
    return id
  }

  /** Whether the run was started; if not, an open run of this id keeps its own. */
  decide(id: string, isTaken: boolean): boolean {
    const offer = this.#offers.get(id)
    if (offer === undefined) return false
    this.#offers.delete(id)
    if (isTaken) this.#hold(offer.project, offer.run, { env: offer.env, from: 'command' })
    return true
  }

  /** Before these have ended or handed over what they know, no worker gets an answer. */
  await(workers: readonly ProcessIdentity[]): void {
    this.#awaited = [...workers]
    this.#awaitedSince = stopwatch()
  }

  /** What a worker that ends knows. A command may have sent a newer one meanwhile. */
  back({ worker, runs, projects }: EnvironmentsBack): void {
    for (const { project, run, env, from } of runs)
      if (this.#runs.get(run)?.from !== 'command') this.#hold(project, run, { env, from })
    for (const { project, env } of projects)
      if (!this.#projects.has(project)) this.#projects.set(project, env)
    this.#awaited = this.#awaited.filter(({ pid }) => pid !== worker?.pid)
  }

  /** Answers a worker. A run that has to have an environment keeps what it gets now. */
  async of({ projects, run, known }: EnvironmentQuestion): Promise<EnvironmentReply> {
    while (run !== undefined && this.#isUndecided(run.id)) await delay(LOOK_MS)
    const over = Object.keys(known.runs).filter((one) => this.#over.has(one))
    if (run !== undefined && !this.#runs.has(run.id)) {
      const { env, from } = this.ofProject(run.project)
      this.#hold(run.project, run.id, { env: given(env), from })
    }
    const held = [...this.#runs].flatMap(([id, { project, env, from, version }]) =>
      !projects.includes(project) || (known.runs[id] === version && !over.includes(id))
        ? []
        : [{ run: id, project, env, from, version }],
    )
    const last = projects.flatMap((project) => {
      const env = this.#projects.get(project)
      const version = env === undefined ? '' : versionOf('project', env)
      return env === undefined || known.projects[project] === version
        ? []
        : [{ project, env, version }]
    })
    return { held, over, projects: last }
  }

  /** Drops those of runs that are no longer open. */
  keepOnly(open: readonly string[]): void {
    for (const [run, { age }] of this.#runs)
      if (!open.includes(run) && age() > KEPT_MS) {
        this.#runs.delete(run)
        this.#over.add(run)
        this.files?.forget(run)
      }
  }

  #hold(project: string, run: string, { env, from }: { env: Variables; from: EnvFrom }): void {
    this.#over.delete(run)
    const version = versionOf(from, env)
    this.#runs.set(run, { project, env, from, version, age: stopwatch() })
    this.files?.keep({ run, project, env, from, version })
  }

  #isUndecided(run: string): boolean {
    for (const [id, offer] of this.#offers)
      if (offer.age() > DECIDES_MS) this.decide(id, !this.#runs.has(offer.run))
    if (this.#awaitedSince() > HANDS_OVER_MS) this.#awaited = []
    this.#awaited = this.#awaited.filter(isAlive)
    return this.#awaited.length > 0 || [...this.#offers.values()].some((offer) => offer.run === run)
  }
}

function versionOf(from: EnvFrom, env: Variables): string {
  return digest(JSON.stringify([from, env]))
}
