// Pause, resume and stop.
//
// Handlers only set state; the cycle acts on it at safe points, between steps. `pause now` and
// `stop` also cancel the running steps: a cancelled turn keeps its session, so after a resume the
// same step continues there. Steps may run in parallel, like the turns of a cycle's agents; each
// resumes by itself, and all that reach a safe point share one hold.
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

/**
 * No agent of a chain can be used: there is no login, or its provider stayed away for longer than a
 * run waits. Ends the run, which a person can resume.
 */
export class NoAgentError extends Error {
  override readonly name = 'NoAgentError'
}

export class Control {
  stop: { reason: string } | undefined
  /** The run writes its last record, so a stop has nothing else to end. */
  closing = false
  /**
   * True while a safe point holds the run; steps that were not interrupted may still be running.
   */
  holding = false
  /** Runs once when a hold has started and no step is running. */
  beforeHold: (() => Promise<void>) | undefined
  /** Runs once after a hold that ended with a resume, before the held steps continue. */
  afterHold: () => Promise<void> = () => Promise.resolve()
  /** From the start of a hold to the end of what runs after it. */
  #hold: Promise<void> | undefined
  readonly #steps = new Set<CancellationScope>()
  /** Steps that only a stop interrupts. */
  readonly #short = new Set<CancellationScope>()
  /** Steps that were cancelled here, not by a scope around them. */
  readonly #interrupted = new WeakSet<CancellationScope>()
  readonly #root = CancellationScope.current()

  /**
   * @param onHold called when a pause starts to hold the run, and when the hold ends
   * @param onInterrupt called when running steps are cancelled
   */
  constructor(
    public pause: PauseRequest | undefined,
    private readonly onHold: () => void,
    private readonly onInterrupt: () => void,
  ) {
    this.#root.cancelRequested.catch(() => this.running > 0 && this.onInterrupt())
  }

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

  /** Number of running steps. */
  get running(): number {
    return this.#steps.size
  }

  /** Holds while paused; throws after a stop or the cancellation of the workflow. */
  async safePoint(): Promise<void> {
    while (
      this.#hold !== undefined ||
      (this.pause !== undefined && this.stop === undefined && !this.#root.consideredCancelled)
    ) {
      // In the root scope, so that the end of one of the steps that share it does not end it for
      // the others.
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
   * Runs a step of seconds that a pause lets finish. A stop cancels it: a running attempt ends by
   * itself, a step between two attempts ends at once.
   *
   * @param run receives whether the run was already ending: the step then has a few attempts, see
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
   * @param interrupted distinguishes a partial result (a turn that was stopped) from a complete one
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
        if (!this.#goesOn(scope)) return result // cancelled from outside
      } catch (error) {
        // A cancelled step of a dead worker gets no second attempt: it fails, but counts as
        // interrupted.
        if (!this.#goesOn(scope) || !(isCancellation(error) || error instanceof ActivityFailure))
          throw error
      } finally {
        this.#steps.delete(scope)
        if (this.holding) this.onHold() // one step less to wait for
      }
      // An interruption that was undone at once (pause, resume) must not run the step as paused.
    }
  }

  // The next safe point decides: it holds or throws.
  #goesOn(scope: CancellationScope): boolean {
    return this.#interrupted.has(scope) || this.#root.consideredCancelled
  }

  #interrupt(): void {
    for (const scope of this.#steps) {
      this.#interrupted.add(scope)
      scope.cancel()
    }
    if (this.running > 0) this.onInterrupt()
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
