// The two clocks of a turn: total, and idle. They count ticks, not the wall, so that the hours in
// which a laptop sleeps do not count: one tick counts at most twice its length.

/** Time as the driver sees it; tests pass their own. */
export type Clock = {
  /** Milliseconds; only differences are used. */
  now(): number
  /** Calls `fn` about every `ms`, until the returned function is called. */
  every(ms: number, fn: () => void): () => void
  /** Length of a tick, in milliseconds. */
  tickMs: number
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  every(ms, fn) {
    const timer = setInterval(fn, ms)
    return () => clearInterval(timer)
  },
  tickMs: 1_000,
}

/** Counts time in ticks. */
export class Ticker {
  /** Counted milliseconds since it was made. */
  elapsedMs = 0
  private last: number
  private readonly listeners = new Set<(countedMs: number) => void>()
  private readonly stopTicking: () => void

  constructor(private readonly clock: Clock) {
    this.last = clock.now()
    this.stopTicking = clock.every(clock.tickMs, () => this.tick())
  }

  onTick(listener: (countedMs: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Resolves after `ms` of counted time, never once the ticker was stopped. */
  delay(ms: number): { over: Promise<void>; cancel(): void } {
    const end = this.elapsedMs + ms
    let cancel = () => {}
    const over = new Promise<void>((resolve) => {
      cancel = this.onTick(() => {
        if (this.elapsedMs < end) return
        cancel()
        resolve()
      })
    })
    return { over, cancel: () => cancel() }
  }

  stop(): void {
    this.stopTicking()
    this.listeners.clear()
  }

  private tick(): void {
    const now = this.clock.now()
    const counted = Math.min(Math.max(0, now - this.last), 2 * this.clock.tickMs)
    this.last = now
    this.elapsedMs += counted
    for (const listener of [...this.listeners]) listener(counted)
  }
}

/** Decides when a turn has taken too long. Fed by ticks and by what the agent does. */
export class TurnClock {
  private idleMs = 0
  private readonly tools = new Set<string>()
  private asking = 0
  /** Counted when the prompt began. */
  private begunMs: number

  /** @param spentMs counted in earlier attempts of the same turn */
  constructor(
    private readonly limits: { limitMs: number; idleMs: number },
    public spentMs = 0,
  ) {
    this.begunMs = spentMs
  }

  /** A prompt begins: what ran before it is over. */
  begin(): void {
    this.begunMs = this.spentMs
    this.idleMs = 0
    this.tools.clear()
  }

  /** The agent did something. */
  event(): void {
    this.idleMs = 0
  }

  /** A tool call began or ended; while one runs, silence is not idle. */
  tool(id: string, running: boolean): void {
    if (running) this.tools.add(id)
    else this.tools.delete(id)
  }

  /**
   * The silence up to now was the agent trying in vain to reach its provider: it does not count as
   * time of the turn.
   *
   * @param whole nothing can be seen of this agent before its end: then nothing of the prompt
   * counts
   */
  forgive(whole: boolean): void {
    this.spentMs = whole ? this.begunMs : Math.max(this.begunMs, this.spentMs - this.idleMs)
    this.idleMs = 0
  }

  /**
   * A permission waits for a person: then neither clock counts. Returns the function that ends it.
   */
  ask(): () => void {
    this.asking++
    return () => void this.asking--
  }

  tick(countedMs: number): 'timed_out' | 'stalled' | undefined {
    if (this.asking > 0) return undefined
    this.spentMs += countedMs
    this.idleMs = this.tools.size > 0 ? 0 : this.idleMs + countedMs
    if (this.spentMs >= this.limits.limitMs) return 'timed_out'
    return this.idleMs >= this.limits.idleMs ? 'stalled' : undefined
  }
}
