// Answers of open runs, for as long as their histories do not grow: what a workflow says follows
// from its history alone. A list of 200 waiting runs then costs no query.
import type { RunFacts } from '../../contract/result.js'
import { Recent } from '../../core/recent.js'

/** What a run says of itself. */
export type Told = Pick<RunFacts, 'status' | 'questions'>

/** Of one run some 2 kB. */
const KEPT = 1_000

/** Keeps the last answer of each of the last 1,000 runs that were asked. */
export class KeptAnswers {
  readonly #answers = new Recent<{ historyLength: string; told: Told }>(KEPT)

  /**
   * Returns the answer that a run gave at this length of its history, or asks it.
   *
   * @param historyLength read before the run is asked: an answer may be newer than it, never older
   */
  async of(runId: string, historyLength: string, ask: () => Promise<Told>): Promise<Told> {
    const known = this.#answers.get(runId)
    const told = known?.historyLength === historyLength ? known.told : await ask()
    this.#answers.set(runId, { historyLength, told })
    return told
  }
}
