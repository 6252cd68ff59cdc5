// When open questions end without an answer. The clock is absolute: it runs over iterations and
// stands still while the run is paused.
import type { QuestionClock } from '../../contract/question-limits.js'

/** Deadlines to carry over an iteration; those of older questions are dropped. */
const DEADLINES_KEPT = 20

export class QuestionDeadlines {
  readonly #at: Map<string, number>
  #pausedAt: number | undefined

  constructor(carried: QuestionClock | undefined) {
    this.#at = new Map(Object.entries(carried?.at ?? {}))
    this.#pausedAt = carried?.pausedAt
  }

  /** Sets the deadline of a question that has none yet. */
  begin(id: string, after: number): void {
    if (!this.#at.has(id)) this.#at.set(id, this.#now() + after)
  }

  end(id: string): void {
    this.#at.delete(id)
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined
  }

  pause(): void {
    this.#pausedAt ??= Date.now()
  }

  resume(): void {
    if (this.#pausedAt === undefined) return
    const paused = Date.now() - this.#pausedAt
    this.#pausedAt = undefined
    for (const [id, at] of this.#at) this.#at.set(id, at + paused)
  }

  /** Milliseconds that are left; `undefined` for a question that waits for ever. */
  left(id: string): number | undefined {
    const at = this.#at.get(id)
    return at === undefined ? undefined : at - this.#now()
  }

  /** The deadline as a question shows it. */
  shown(id: string): { deadline?: number; remainingMs?: number } {
    const at = this.#at.get(id)
    if (at === undefined) return {}
    return this.isPaused ? { remainingMs: Math.max(0, at - this.#now()) } : { deadline: at }
  }

  carried(): QuestionClock | undefined {
    const kept = [...this.#at].slice(-DEADLINES_KEPT)
    return kept.length === 0
      ? undefined
      : { at: Object.fromEntries(kept), pausedAt: this.#pausedAt }
  }

  #now(): number {
    return this.#pausedAt ?? Date.now()
  }
}
