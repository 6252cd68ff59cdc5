// Decides what keeps a turn from starting, and what an error means that came instead of an answer.
// A turn that has to wait is unfinished: its key continues its session.
import type { AgentDefinition } from '../../../contract/config/agent-config.js'
import type { TurnResult } from '../../../contract/turn.js'
import {
  endingOfDeath,
  endingOfError,
  outageText,
  type Ending,
} from '../../../core/agents/agent-outcome.js'
import type { Held, TurnLimit } from '../agent-limits.js'
import { AgentGoneError, AgentRefusedError } from '../errors.js'
import type { TurnClock } from './turn-clock.js'
import type { TurnListener } from './turn-listener.js'
import type { TurnLog } from './turn-log.js'
import type { TurnSpending } from './turn-spending.js'

export type Unfinished = Pick<TurnResult, 'limitedUntil' | 'outage' | 'over'>

type Over = NonNullable<ReturnType<TurnSpending['over']>>

export type JudgedTurn = {
  /** Name of the agent. */
  agent: string
  /** Starts also while the provider is unavailable. */
  insists: boolean
  definition: AgentDefinition
  log: TurnLog
  clock: TurnClock
  spending: TurnSpending
  limit: TurnLimit
  listener: TurnListener
  /** Stores the spent time. */
  saveSpent: () => void
}

export class TurnEndings {
  /** What the turn waits for. */
  unfinished: Unfinished | undefined

  constructor(private readonly turn: JudgedTurn) {}

  /** Returns why the turn may not start now: nothing is started and no attempt counts. */
  held(): Ending | undefined {
    const { agent: name, insists, spending, limit } = this.turn
    const over = spending.over()
    if (over !== undefined) return this.overBudget(over)
    const held = limit.inForce()
    if (held === undefined || (held.outage !== undefined && insists)) return undefined
    const { until, outage } = held
    const agent = `agent "${name}"`
    return this.notServed(
      held,
      outage === undefined
        ? `${agent} is limited by its model provider until ${new Date(until).toISOString()}`
        : `the model provider of ${agent} is unavailable, ${outageText(outage)}`,
    )
  }

  overBudget({ part, reason }: Over): Ending {
    this.unfinished = { over: part }
    return { outcome: 'over_budget', reason }
  }

  limited(until: number, reason = "the agent's model provider limits the rate"): Ending {
    return this.notServed({ until }, reason)
  }

  private notServed({ until, outage }: Held, reason: string | undefined): Ending {
    this.unfinished = { limitedUntil: until, outage }
    return { outcome: outage === undefined ? 'rate_limited' : 'unavailable', reason }
  }

  /** Returns what an error means that came instead of an answer; `undefined` for a mere death. */
  judged(error: unknown): Ending | undefined {
    const { log } = this.turn
    const stderr = log.wordsOfPrompt()
    if (error instanceof AgentRefusedError)
      // Redacted before it is cut to a length
      return endingOfError(log.redactAll(error.error), { exitCode: error.exitCode, stderr })
    return error instanceof AgentGoneError
      ? endingOfDeath({ exitCode: error.exitCode, stderr })
      : undefined
  }

  /** Returns the ending of a turn whose agent answered with an error. */
  refused(refusal: AgentRefusedError): Ending {
    const { limit } = this.turn
    const { error } = refusal
    const ending = this.judged(refusal) ?? endingOfError(error)
    if (ending.outcome === 'unavailable' && !limit.standing) return this.away(ending, error)
    if (ending.outcome !== 'rate_limited' && !limit.standing) return ending
    return this.limited(
      limit.hit(error),
      ending.outcome === 'rate_limited' ? ending.reason : undefined,
    )
  }

  /** Returns the ending if the provider is unavailable. Work counts; time in vain does not. */
  away(ending: Ending, error?: unknown): Ending {
    const { definition, clock, limit, listener, saveSpent } = this.turn
    const { outage } = ending
    if (outage === undefined) return ending
    // A command that is silent until its end gets a tool call from us, which proves nothing.
    const seesTools = definition.protocol !== 'exec' || definition.output === 'stream-json'
    clock.forgive(!seesTools)
    saveSpent()
    return this.notServed(
      limit.away(outage, { error, proven: seesTools && listener.usedTool }),
      ending.reason,
    )
  }
}
