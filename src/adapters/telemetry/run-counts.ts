// What the metrics count, from the results of activities. Labels are names of the configuration and
// words of the contract, so there are few of them; no path, id or text is one.
//
// A turn that continues under its key reports its whole usage each time it ends: only what is new
// counts.
import type { RunResult, IterationSummary } from '../../contract/result.js'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import type { TestRun } from '../../contract/test-run.js'
import type { TurnResult } from '../../contract/turn.js'
import { Recent } from '../../core/recent.js'

export type Labels = Record<string, string>

/** Where counts go. */
export type Meter = {
  /** Adds whole numbers to a counter. */
  count: (name: string, by: number, labels: Labels) => void
  /** Adds an amount with fractions. */
  sum: (name: string, by: number, labels: Labels) => void
  observe: (name: string, value: number, labels: Labels) => void
}

/**
 * Turns and runs that are remembered, the newest: a turn is asked for again within its run, if at
 * all.
 */
const REMEMBERED = 1_000

type Counted = {
  inputTokens: number
  outputTokens: number
  costUsd: number
  durationMs: number
  answer: string
}
type CountedTurn = Pick<AgentTurnInput, 'key' | 'role' | 'agent'> &
  Partial<Pick<AgentTurnInput, 'run' | 'budget'>>

export class RunCounts {
  readonly #turns = new Recent<Counted>(REMEMBERED)
  readonly #iterations = new Recent<number>(REMEMBERED)
  readonly #budgets = new Recent<{ limit: number; parked: boolean }>(REMEMBERED)

  /**
   * @param since epoch milliseconds; iterations that ended before were counted by another process
   */
  constructor(
    private readonly meter: Meter,
    private readonly since: number,
  ) {}

  /**
   * Counts an ended turn with any outcome. One that was done before, and is reported again, counts
   * once.
   */
  turn(
    { key, role, run = key, budget }: CountedTurn,
    { agent, outcome, usage, durationMs, attempts, answer }: TurnResult,
  ): void {
    const limit = Object.values(budget?.limit ?? {}).reduce<number>(
      (sum, part = 0) => sum + part,
      0,
    )
    const known = this.#budgets.get(run)
    if (known !== undefined && limit > known.limit && !known.parked)
      this.meter.count('ratchet_budget_parked_total', 1, {})
    if (budget !== undefined) this.#budgets.set(run, { limit, parked: outcome === 'over_budget' })

    const before = this.#turns.get(key) ?? {
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      durationMs: 0,
      answer: '',
    }
    const now = {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      costUsd: usage.costUsd ?? 0,
      durationMs,
      answer: `${outcome} ${attempts} ${answer.sha256}`,
    }
    if (attempts === 0 || now.answer === before.answer) return
    this.#turns.set(key, now)
    const { meter } = this
    meter.count('ratchet_turns_total', 1, { agent, role, outcome })
    const estimated = String(usage.estimated)
    meter.count('ratchet_tokens_total', more(now.inputTokens, before.inputTokens), {
      agent,
      direction: 'input',
      estimated,
    })
    meter.count('ratchet_tokens_total', more(now.outputTokens, before.outputTokens), {
      agent,
      direction: 'output',
      estimated,
    })
    if (usage.costUsd !== undefined)
      meter.sum('ratchet_cost_usd_total', more(now.costUsd, before.costUsd), { agent })
    meter.observe('ratchet_turn_seconds', more(durationMs, before.durationMs) / 1_000, {
      agent,
      role,
    })
    if (outcome === 'rate_limited') meter.count('ratchet_rate_limited_total', 1, { agent })
    if (outcome === 'unavailable') meter.count('ratchet_unavailable_total', 1, { agent })
    if (outcome === 'over_budget') meter.count('ratchet_budget_parked_total', 1, {})
  }

  tests(run: TestRun): void {
    this.meter.count('ratchet_test_runs_total', 1, { result: run.kind })
  }

  /** A record that was written: iterations that are new in it, and the end of the run. */
  recorded(
    run: string,
    history: readonly IterationSummary[],
    result: Pick<RunResult, 'kind' | 'outcome'> | undefined,
  ): void {
    const known =
      this.#iterations.get(run) ??
      history.filter(({ completedAt }) => (completedAt ?? 0) < this.since).length
    for (const { result: verdict } of history.slice(known))
      this.meter.count('ratchet_verdicts_total', 1, { verdict })
    this.#iterations.set(run, Math.max(known, history.length))
    if (result !== undefined)
      this.meter.count('ratchet_runs_total', 1, { kind: result.kind, outcome: result.outcome })
  }
}

// Durations and usage start over if an agent could not continue its session.
const more = (now: number, before: number): number => (now >= before ? now - before : now)
