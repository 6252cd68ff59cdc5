// Pause, resume and stop.
//
// Handlers only set state; the cycle acts on it at safe points, between steps. `pause now` and
// `stop` also cancel the steps that run: a cancelled turn keeps its session, so after a resume the
// same step goes on where it was. Several steps may run side by side, as the turns of a cycle's
// agents do; each goes on by itself, and one hold is shared by all that reach a safe point.
import {
  ActivityFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
} from '@temporalio/workflow'
import type { PauseRequest } from '../../contract/signals.js'

/** Thrown at a safe point after a stop; ends the run as `stopped`. */
export class StopRequestedError extends Error {
  override readonly name = 'StopRequested'
}

export class Control {
  stop: { reason: string } | undefined
  /** The run writes its last record: a stop has nothing else to end. */
  closing = false
  /**
   * True while a safe point holds the run; steps that were not interrupted may still be under way.
   */
  holding = false
  /** Run once when a hold has begun and nothing is under way any more. */
  beforeHold: (() => Promise<void>) | undefined
  /** Run once after a hold that ended with resume, before anything that it held goes on. */
  afterHold: () => Promise<void> = () => Promise.resolve()
  /** From the beginning of a hold to the end of what runs after it. */
  #hold: Promise<void> | undefined
  readonly #steps = new Set<CancellationScope>()
  /** Steps that a stop alone interrupts. */
  readonly #short = new Set<CancellationScope>()
  /** Steps that were cancelled here, not by a scope around them. */
  readonly #interrupted = new WeakSet<CancellationScope>()
  readonly #root = CancellationScope.current()

  /** @param onHold told when a pause begins to hold the run, and when it no longer does */
  constructor(
    public pause: PauseRequest | undefined,
    private readonly onHold: () => void,
  ) {}

  onPause(request: PauseRequest): void {
    this.pause = request
    if (request.mode === 'now') this.#interrupt()
  }

  onResume(): void {
    this.pause = undefined
  }

  onStop(reason: string): void {
    this.stop = { reason }
    this.#interrupt()
    for (const scope of this.#short) scope.cancel()
  }

  /** How many steps are under way. */
  get running(): number {
    return this.#steps.size
  }

  /** Holds while paused; throws after a stop or the cancellation of the workflow. */
  async safePoint(): Promise<void> {
    while (
      this.#hold !== undefined ||
      (this.pause !== undefined && this.stop === undefined && !this.#root.consideredCancelled)
    ) {
      // In the root scope: one of those that share it must not end it for the others.
      this.#hold ??= this.#root.run(() => this.#holdOnce()).finally(() => (this.#hold = undefined))
      await this.#hold
    }
    this.#throwIfEnding()
  }

  /** Whether the run was stopped or cancelled. */
  get isEnding(): boolean {
    return this.stop !== undefined || this.#root.consideredCancelled
  }

  #throwIfEnding(): void {
    if (this.#root.consideredCancelled) throw new CancelledFailure('the workflow was cancelled')
    if (this.stop !== undefined) throw new StopRequestedError(this.stop.reason)
  }

  /**
   * Runs a step of seconds that a pause lets end. A stop cancels it: an attempt that is under way
   * ends by itself, a step that waits for its next attempt ends at once.
   *
   * @param run gets whether the run was ending before: then the step has a few attempts, see
   * `files`
   */
  async short<T>(run: (isEnding: boolean) => Promise<T>): Promise<T> {
    if (this.isEnding) return run(true)
    const scope = new CancellationScope()
    this.#short.add(scope)
    try {
      return await scope.run(() => run(false))
    } catch (error) {
      if (!this.isEnding || !(isCancellation(error) || error instanceof ActivityFailure))
        throw error
      if (this.closing) return await run(true)
      this.#throwIfEnding()
      throw error
    } finally {
      this.#short.delete(scope)
    }
  }

  /**
   * Runs a step that pause and stop may interrupt, again after each resume.
   *
   * @param interrupted tells a partial result (a turn that was stopped) from a whole one
   */
  async step<T>(
    run: () => Promise<T>,
    interrupted: (result: T) => boolean = () => false,
  ): Promise<T> {
    for (;;) {
      await this.safePoint()
      const scope = new CancellationScope()
      this.#steps.add(scope)
      try {
        const result = await scope.run(run)
        if (!interrupted(result)) return result
        if (!this.#goesOn(scope)) return result // stopped from outside: nothing here asked for it
      } catch (error) {
        // A cancelled step whose worker is dead gets no second attempt: it fails, and is
        // interrupted all the same.
        if (!this.#goesOn(scope) || !(isCancellation(error) || error instanceof ActivityFailure))
          throw error
      } finally {
        this.#steps.delete(scope)
        if (this.holding) this.onHold() // one less to wait for
      }
      // An interruption that was taken back at once (pause, resume) must not run the step as
      // paused.
    }
  }

  // The safe point ahead says how: it holds, or throws.
  #goesOn(scope: CancellationScope): boolean {
    return this.#interrupted.has(scope) || this.#root.consideredCancelled
  }

  #interrupt(): void {
    for (const scope of this.#steps) {
      this.#interrupted.add(scope)
      scope.cancel()
    }
  }

  async #holdOnce(): Promise<void> {
    this.holding = true
    this.onHold()
    try {
      if (this.beforeHold !== undefined) {
        await condition(
          () => this.running === 0 || this.pause === undefined || this.stop !== undefined,
        )
        if (this.pause !== undefined && this.stop === undefined) await this.beforeHold()
      }
      await condition(() => this.pause === undefined || this.stop !== undefined)
    } finally {
      this.holding = false
      this.onHold()
    }
    if (this.stop === undefined) await this.afterHold()
  }
}
