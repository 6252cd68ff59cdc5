// The calls that attend one running turn, and which of them may stop it. After a long sleep of the
// laptop, the server gives an attempt up and starts the next one next to the healthy agent: the
// turn changes hands, and only the last caller to leave ends it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { TurnResult } from '../../../contract/turn.js'
import type { PermissionRequest } from '../agent-port.js'
import { TurnInterruptedError, type StopReason } from '../errors.js'
import type { TurnHooks, TurnProgress } from './turn-hooks.js'

export class Attendance {
  /** Set once, with the first interruption. */
  why: StopReason | undefined
  private readonly hooks = new Set<TurnHooks>()
  private readonly stopping = new AbortController()

  /** @param adoptMs how long an unattended turn continues, for the next attempt to come */
  constructor(private readonly adoptMs: number) {}

  /** Aborted when the turn is to be interrupted. */
  get signal(): AbortSignal {
    return this.stopping.signal
  }

  /** Interrupts the turn for every caller. */
  stop(reason: StopReason): void {
    if (this.why !== undefined) return
    this.why = reason
    this.stopping.abort(new TurnInterruptedError(reason))
  }

  /** Joins those who look after the turn, and waits for its end. */
  attend(hooks: TurnHooks, done: Promise<TurnResult>): Promise<TurnResult> {
    this.hooks.add(hooks)
    return new Promise((resolve, reject) => {
      const aborted = () =>
        void this.left(hooks, done).then(
          (adopted) => adopted && reject(new TurnInterruptedError('abandoned')),
          reject,
        )
      done.then(resolve, reject).finally(() => {
        hooks.signal.removeEventListener('abort', aborted)
        this.hooks.delete(hooks)
      })
      if (hooks.signal.aborted) aborted()
      else hooks.signal.addEventListener('abort', aborted, { once: true })
    })
  }

  show(progress: TurnProgress): void {
    for (const { onProgress } of this.hooks) onProgress?.(progress)
  }

  /** Asks through the newest call; without a call the answer is no. */
  async permission(request: PermissionRequest): Promise<'allow' | 'deny'> {
    return (await [...this.hooks].at(-1)?.onPermission?.(request)) ?? 'deny'
  }

  // Returns true if the turn continues with another caller.
  private async left(hooks: TurnHooks, done: Promise<TurnResult>): Promise<boolean> {
    const reason = hooks.abortReason?.() ?? 'stop'
    if (reason !== 'abandoned') {
      this.stop(reason)
      return false
    }
    this.hooks.delete(hooks)
    if (this.hooks.size === 0)
      await Promise.race([
        sleep(this.adoptMs, undefined, { ref: false }),
        done.catch(() => undefined),
      ])
    if (this.hooks.size > 0) return true
    this.stop('abandoned')
    return false
  }
}
