// A run in which several agents may work at the same time.
import { agentsAtWork } from '../../core/run/at-work.js'
import { isoTime } from '../../core/text/iso-time.js'
import { OpenRun, type Carried } from './open-run.js'

const AGENT = 'agent: '

export abstract class TeamRun<
  S extends Carried & { prepared: Carried['prepared'] & { timezone: string } },
  Outcome extends string,
> extends OpenRun<S, Outcome> {
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

  #agents(): string {
    return agentsAtWork([...this.#working])
  }
}
