// Pause, resume and stop.
//
// Handlers only set state; the cycle acts on it at safe points, between steps. `pause now` and `stop`
// also cancel the step that runs: a cancelled turn keeps its session, so after a resume the same step
// goes on where it was. Source: architecture §2 "Signals".
import { ActivityFailure, CancellationScope, CancelledFailure, condition, isCancellation } from '@temporalio/workflow'
import type { PauseRequest } from '../../contract/signals.js'

/** Thrown at a safe point after a stop; ends the run as `stopped`. */
export class StopRequested extends Error {
  override readonly name = 'StopRequested'
}

export class Control {
  stop: { reason: string } | undefined
  /** True while a safe point holds the run. */
  holding = false
  /** Run after a hold that ended with resume, before anything goes on. */
  afterHold: () => Promise<void> = () => Promise.resolve()
  #step: CancellationScope | undefined
  readonly #root = CancellationScope.current()

  /** @param onHold told when a pause begins to hold the run, and when it no longer does */
  constructor(
    public pause: PauseRequest | undefined,
    private readonly onHold: () => void,
  ) {}

  onPause(request: PauseRequest): void {
    this.pause = request
    if (request.mode === 'now') this.#step?.cancel()
  }

  onResume(): void {
    this.pause = undefined
  }

  onStop(reason: string): void {
    this.stop = { reason }
    this.#step?.cancel()
  }

  /** Holds while paused; throws after a stop or the cancellation of the workflow. */
  async safePoint(): Promise<void> {
    while (this.pause !== undefined && this.stop === undefined && !this.#root.consideredCancelled) {
      this.holding = true
      this.onHold()
      try {
        await condition(() => this.pause === undefined || this.stop !== undefined)
      } finally {
        this.holding = false
        this.onHold()
      }
      if (this.stop === undefined) await this.afterHold()
    }
    if (this.#root.consideredCancelled) throw new CancelledFailure('the workflow was cancelled')
    if (this.stop !== undefined) throw new StopRequested(this.stop.reason)
  }

  /**
   * Runs a step that pause and stop may interrupt, again after each resume.
   *
   * @param interrupted tells a partial result (a turn that was stopped) from a whole one
   */
  async step<T>(run: () => Promise<T>, interrupted: (result: T) => boolean = () => false): Promise<T> {
    for (;;) {
      await this.safePoint()
      const scope = new CancellationScope()
      this.#step = scope
      try {
        const result = await scope.run(run)
        if (!interrupted(result)) return result
        if (!scope.consideredCancelled) return result // stopped from outside: nothing here asked for it
      } catch (error) {
        // A cancelled step whose worker is dead gets no second attempt: it fails, and is interrupted all the same.
        if (!scope.consideredCancelled || !(isCancellation(error) || error instanceof ActivityFailure)) throw error
      } finally {
        this.#step = undefined
      }
      // An interruption that was taken back at once (pause, resume) must not run the step as paused.
    }
  }
}
