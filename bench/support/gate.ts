// Turns of a stub host that last as long as a bench needs them.
import { Context } from '@temporalio/activity'

/** Turns at work, with a heartbeat every second; the others wait for a slot. */
const AT_WORK = 4

/** Holds turns until it opens, and counts those that wait; each sends heartbeats like an agent. */
export class Gate {
  waiting = 0
  #open = false
  #wake: (() => void)[] = []

  async passed(): Promise<void> {
    if (this.#open) return
    const context = Context.current()
    const everyMs = this.waiting++ < AT_WORK ? 1_000 : 10_000
    const beat = setInterval(() => context.heartbeat({ at: 'agent', tokens: 0 }), everyMs)
    await new Promise<void>((resolve) => this.#wake.push(resolve))
    clearInterval(beat)
  }

  open(): void {
    this.#open = true
    for (const wake of this.#wake.splice(0)) wake()
  }

  close(): void {
    this.#open = false
    this.waiting = 0
  }
}
