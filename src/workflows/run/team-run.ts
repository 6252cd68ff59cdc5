// A dev cycle or a dev loop: several agents may work at once, and further tasks may arrive.
import type { AgentTurnInput } from '../../contract/turn-input.js'
import type { StatusReply } from '../../contract/result.js'
import { agentsAtWork } from '../../core/run/at-work.js'
import { isoTime } from '../../core/text/iso-time.js'
import { checkExtend, readExtend, type ExtendRequest } from './extend-request.js'
import { OpenRun, type Carried } from './open-run.js'

const AGENT = 'agent: '

export abstract class TeamRun<
  S extends Carried & { prepared: Carried['prepared'] & { timezone: string } },
  Outcome extends string,
> extends OpenRun<S, Outcome> {
  readonly refusesTasks = false
  /** Running turns. */
  readonly #working = new Set<string>()

  /** Now, as the record writes it. */
  now(): string {
    return isoTime(Date.now(), this.ready.prepared.timezone)
  }

  /** Names all running turns, as there may be several. */
  override enter(phase: string, waitingFor: string): void {
    if (!waitingFor.startsWith(AGENT)) return super.enter(phase, waitingFor)
    this.#working.add(waitingFor.slice(AGENT.length))
    super.enter(phase, this.#agents())
  }

  /** Withdraws its own questions, but not those of parallel turns. */
  turnEnded(summary: string, key: string): void {
    this.#working.delete(summary)
    if (this.#working.size > 0) this.waitingFor = this.#agents()
    this.questions.withdrawAll(
      ({ kind, turn }) => kind === 'permission' && (turn === key || this.#working.size === 0),
    )
    this.refresh()
  }

  turnFacts(): Pick<AgentTurnInput, 'kind' | 'iteration' | 'history' | 'recordDir'> {
    const { iteration, prepared } = this.ready
    return { kind: this.kind, iteration, history: [], recordDir: prepared.recordDir }
  }

  /** The status for the record. The state already has the history. */
  recordStatus(): StatusReply {
    const status = this.status()
    const isNew = this.ready.iteration === 0 && status.status === 'running'
    return { ...status, ...(isNew ? { status: 'created' as const } : {}), history: [] }
  }

  /** The refusal of an empty `extend`. */
  protected abstract readonly extendNothing: string

  /** Returns why a further task cannot be used. */
  protected abstract taskProblem(task: string): string | undefined

  /** Adds iterations and a further task; returns the task's id if it has one. */
  protected abstract add(request: ExtendRequest): string | undefined

  /** The answer of `extend`. */
  protected abstract extended(added: string | undefined): unknown

  checkExtend(raw: unknown): void {
    checkExtend(this, raw, {
      nothing: this.extendNothing,
      taskProblem: (task) => this.taskProblem(task),
    })
  }

  extend(raw: unknown): unknown {
    const request = readExtend(raw, this.extendNothing) as ExtendRequest
    return this.extended(this.once(request.requestId, () => this.add(request)))
  }

  #agents(): string {
    return agentsAtWork([...this.#working])
  }
}
