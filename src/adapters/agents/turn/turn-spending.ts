// What one turn uses, written to the ledger as it goes, and whether the run's budget still allows
// it.
import type { BudgetPart } from '../../../contract/budget.js'
import type { AgentDefinition } from '../../../contract/config/agent-config.js'
import type { TurnSpec, Usage } from '../../../contract/turn.js'
import {
  addUsage,
  answeredTokens,
  costSince,
  countsOverSession,
  NO_USAGE,
  promptUsage,
  type PromptUsage,
} from '../../../core/agents/agent-usage.js'
import type { Tokens } from '../../../core/agents/tokens.js'
import { budgetText, overBudget } from '../../../core/agents/budget.js'
import { addSpent, spentIn, type Ledger, type LedgerEntry } from './usage-ledger.js'
import type { SessionCounts } from './session-counts.js'
import type { SideWrites } from './side-writes.js'
import type { TurnClock } from './turn-clock.js'
import type { TurnLog } from './turn-log.js'
import type { Claim } from './turn-store.js'

/** The budget is looked at, and the ledger written, so often at most. */
const EVERY_MS = 1_000
/** Time stamps of files lag behind the clock by a tick of the kernel. */
const STAMP_SLACK_MS = 50

type Turn = {
  ledger: Ledger
  counts: SessionCounts
  spec: TurnSpec
  definition: AgentDefinition
  claim: Claim
  clock: TurnClock
  log: TurnLog
  side: SideWrites
}

/** A prompt, and what its agent had counted of the session before it. */
type RunningPrompt = {
  sessionId: string
  chars: number
  counted: number
  tokens: Tokens | undefined
}

export class TurnSpending {
  private readonly since = Date.now() - STAMP_SLACK_MS
  private lookedAt = -Infinity
  private writtenAt = -Infinity
  private written = ''
  /** The prompt that runs. */
  private prompt: RunningPrompt | undefined

  /** Where the driver before was killed, its last prompt counts as what the ledger has of it. */
  constructor(private readonly turn: Turn) {
    const { ledger, spec, claim } = turn
    const last = claim.attempts.at(-1)
    if (last === undefined || last.usage !== undefined) return
    const kept = ledger.read(spec.header.run, spec.key)
    if (kept?.attempts === claim.attempts.length) last.usage = { ...kept.live, estimated: true }
  }

  /** What the turn has used, over all its prompts. */
  get usage(): Usage {
    return this.turn.claim.attempts
      .flatMap((attempt) => attempt.usage ?? [])
      .reduce(addUsage, this.live())
  }

  /**
   * A prompt is sent.
   *
   * @param costAnew the agent counts cost by process, and its process is new
   */
  begin(sessionId: string, chars: number, costAnew: boolean): void {
    const { counts, spec } = this.turn
    if (costAnew) counts.set(spec.header.run, sessionId, { costUsd: 0 })
    const { costUsd = 0, tokens } = counts.of(spec.header.run, sessionId)
    this.prompt = { sessionId, chars, counted: costUsd, tokens }
    this.write(true)
  }

  /**
   * What the prompt has used, after its end.
   *
   * @param refused the provider refused it, which costs nothing where nothing was done before
   */
  end(response: unknown, refused: boolean): Usage {
    const { log } = this.turn
    const { saidChars, chunkTokens, costUsd } = log
    const usage =
      refused && saidChars === 0 && chunkTokens === undefined && costUsd === undefined
        ? NO_USAGE
        : this.live(response)
    if (this.prompt !== undefined) this.count(this.prompt, response)
    this.prompt = undefined
    return usage
  }

  private count(prompt: RunningPrompt, response: unknown): void {
    const { counts, spec, claim, definition, log } = this.turn
    const { sessionId } = prompt
    const { costUsd } = log
    if (costUsd !== undefined) counts.set(spec.header.run, sessionId, { costUsd })
    // A command counts by itself what its reports are of.
    const tokens = definition.protocol === 'acp' ? answeredTokens(response) : undefined
    if (tokens === undefined) return
    counts.set(spec.header.run, sessionId, { tokens })
    if (prompt.tokens === undefined || !countsOverSession(this.facts(prompt, response))) return
    // The report also has what prompts used whose answer was lost.
    for (const earlier of claim.attempts.slice(0, -1))
      if (earlier.sessionId === sessionId && earlier.usage?.estimated !== false)
        earlier.usage = { ...NO_USAGE, ...costOf(earlier.usage) }
  }

  // What the agent has counted of the session: a worker that takes over counts on from there.
  private session(): LedgerEntry['session'] {
    const {
      counts,
      spec,
      claim: { sessionId, from },
      log,
    } = this.turn
    if (sessionId === undefined) return undefined
    const { costUsd, tokens } = counts.of(spec.header.run, sessionId)
    return { id: sessionId, from, costUsd: (this.prompt && log.costUsd) ?? costUsd, tokens }
  }

  private live(response?: unknown): Usage {
    return this.prompt === undefined ? NO_USAGE : promptUsage(this.facts(this.prompt, response))
  }

  private facts({ chars, counted, tokens: before }: RunningPrompt, response: unknown): PromptUsage {
    const { definition, log } = this.turn
    const { chunkTokens, saidChars, costUsd } = log
    return {
      response,
      chunkTokens,
      promptChars: chars,
      answerChars: saidChars,
      costUsd: costUsd === undefined ? undefined : costSince(counted, costUsd),
      session:
        definition.protocol === 'acp'
          ? { before, isDeclared: definition.tokens === 'session' }
          : undefined,
    }
  }

  /**
   * The part of the budget that is spent, in whichever turn of the run; `undefined` where none is,
   * or there is no budget.
   */
  over(): { part: BudgetPart; reason: string } | undefined {
    const { ledger, spec, claim, clock } = this.turn
    if (spec.budget === undefined) return undefined
    const others = ledger.spentByOthers(spec.header.run, spec.key, spec.budget.spent, this.since)
    const spent = addSpent(others, {
      ...spentIn({ usage: this.usage, ms: clock.spentMs }),
      turns: 0,
    })
    // A turn that has begun is one already: it is not cut for the number of turns.
    const { turns, ...rest } = spec.budget.limit
    const limit = claim.attempts.length > 0 || turns === undefined ? rest : { turns, ...rest }
    const part = overBudget(limit, spent)
    return part && { part, reason: budgetText(part, limit, spent, this.usage.estimated) }
  }

  /** `over`, looked at once a second at most. */
  overNow(elapsedMs: number): ReturnType<TurnSpending['over']> {
    if (elapsedMs - this.lookedAt < EVERY_MS) return undefined
    this.lookedAt = elapsedMs
    return this.over()
  }

  /** Writes the ledger once a second at most, and where something changed. */
  tick(elapsedMs: number): void {
    if (elapsedMs - this.writtenAt < EVERY_MS) return
    this.writtenAt = elapsedMs
    this.write(true)
  }

  /** @param open whether the turn has no result yet */
  write(open: boolean): void {
    const { ledger, spec, claim, clock, side } = this.turn
    if (claim.attempts.length === 0) return
    const last = claim.attempts.at(-1)?.usage ?? this.live()
    const entry = {
      key: spec.key,
      agent: spec.agent,
      attempts: claim.attempts.length,
      live: last,
      usage: this.usage,
      ms: Math.round(clock.spentMs),
      open,
      session: this.session(),
    }
    const text = JSON.stringify(entry)
    if (text === this.written) return
    side.try(() => {
      ledger.write(spec.header.run, entry)
      this.written = text
    })
  }
}

function costOf(usage: Usage | undefined): Pick<Usage, 'costUsd'> {
  return usage?.costUsd === undefined ? {} : { costUsd: usage.costUsd }
}
