// Runs one turn: slot, start or resume, prompt, restart if the agent dies, and the end. What must
// survive this process is stored in the claim before anything relies on it.
import type { TurnResult, TurnSpec } from '../../../contract/turn.js'
import { at } from '../../../core/agents/agent-events.js'
import { endingOf, type Ending } from '../../../core/agents/agent-outcome.js'
import { offersTools } from '../../../core/agents/agent-tools.js'
import { CHARS_PER_TOKEN } from '../../../core/agents/agent-usage.js'
import { withHeader } from '../../../core/prompts/prompt-header.js'
import { lostSessionPrompt, resumePrompt } from '../../../core/prompts/prompt-resume.js'
import { CommandNotFoundError } from '../../process/spawn-group.js'
import type { OpenAgent } from '../agent-port.js'
import type { Attendance } from './turn-callers.js'
import type { DriverShared } from '../driver-shared.js'
import { layout } from '../../state-dir.js'
import {
  AgentGoneError,
  AgentRefusedError,
  NoAnswerError,
  NotAcpError,
  SessionLostError,
  TurnInterruptedError,
  type StopReason,
} from '../errors.js'
import { endClaimed, testMarker } from '../leftovers.js'
import { ToolServer } from '../tools/tool-server.js'
import { MessageTooLongError } from '../acp/stdio-stream.js'
import { earlierSession, hasBegun, mayStartOver, mayComeOfSession } from './continued-session.js'
import { hasMovedOn, sessionFacts } from './session-counts.js'
import { AgentProcess } from './agent-process.js'
import { TurnEndings, type Unfinished } from './turn-endings.js'
import { turnParts, type TurnParts } from './turn-parts.js'
import { limitReason, timedPrompt } from './timed-prompt.js'
import type { TurnHooks, TurnProgress } from './turn-hooks.js'
import { turnResult } from './turn-result.js'
import type { TurnSpending } from './turn-spending.js'
import { saveClaim, saveResult, takeStopRequest, type Claim } from './turn-store.js'
import { undoTests } from '../tools/undo-tests.js'

/** Restarts of an agent that dies in one turn before the turn fails. */
export const AGENT_RESTARTS = 2
/**
 * Deaths of the worker in one turn before the turn fails. Most come from outside, as one worker has
 * the turns of all projects; after so many the turn may be at fault, and a simplified one follows.
 * The supervisor gives a process up at the fifth that comes fast.
 */
export const DRIVER_DEATHS = 4
/** Ticks between two times that the spent time is stored. */
const SAVE_TICKS = 10

export class RunningTurn {
  readonly done: Promise<TurnResult>
  private readonly parts: TurnParts
  private readonly agent: AgentProcess
  private readonly endings: TurnEndings
  private state: TurnProgress['state'] = 'starting'
  private ticks = 0

  /** @param hooks of the call that starts it, which attends it */
  constructor(
    private readonly shared: DriverShared,
    private readonly spec: TurnSpec,
    private readonly claim: Claim,
    private readonly hooks: TurnHooks,
  ) {
    const save = (change: Partial<Claim>) => this.save(change)
    this.parts = turnParts({ shared, spec, claim, hooks, save })
    const { log, clock, ticker, attendance } = this.parts
    this.agent = new AgentProcess({
      ...this.parts,
      shared,
      spec,
      claim,
      agentsPerHost: hooks.config.limits.agentsPerHost,
      offersTools: this.offersTools,
      signal: attendance.signal,
      save,
      onSlotWait: () => this.state !== 'slot' && this.show('slot'),
      onStart: () => log.started(),
    })
    this.endings = new TurnEndings({
      ...this.parts,
      agent: claim.agent,
      insists: spec.insists === true,
      saveSpent: () => save({ spentMs: clock.spentMs }),
    })
    ticker.onTick(() => this.tick())
    takeStopRequest(shared.dirs, spec.key) // one for an earlier driver
    this.done = this.play()
    this.done.catch(() => undefined) // its callers get the error
  }

  get attendance(): Attendance {
    return this.parts.attendance
  }

  get run(): string {
    return this.claim.run
  }

  private get why(): StopReason | undefined {
    return this.attendance.why
  }

  private async play(): Promise<TurnResult> {
    let finished = false
    try {
      await Promise.resolve() // its creator attends it before it begins
      const ending = this.claim.ended ?? (await this.work())
      const { unfinished } = this.endings
      if (unfinished !== undefined) return await this.interrupted(ending, unfinished)
      if (this.why !== undefined && this.why !== 'stop' && ending.outcome === 'stopped')
        return await this.letGo(this.why)
      const result = await this.conclude(ending)
      finished = true
      return result
    } finally {
      await this.agent.leave(false)
      this.parts.log.close()
      this.parts.ticker.stop()
      if (!finished) this.save({ released: true })
    }
  }

  private async work(): Promise<Ending> {
    const { shared, spec, claim } = this
    await endClaimed(claim, shared.timing.endGraceMs)
    await undoTests(shared.dirs, claim)
    if (claim.driverDeaths >= DRIVER_DEATHS)
      return {
        outcome: 'failed',
        reason: `the worker that ran this turn died ${claim.driverDeaths} times in it`,
      }
    const held = this.endings.held()
    if (held !== undefined) return held
    this.agent.takeKept()
    try {
      await shared.enterWorkspace(
        {
          key: spec.key,
          cwd: spec.workspace.cwd,
          group: spec.group,
          sessionId: earlierSession(spec, claim),
        },
        this.attendance.signal,
      )
      this.show('starting')
      await this.agent.takeSlot()
    } catch (error) {
      if (this.why === undefined) throw error
      return this.stopped()
    }
    const late = this.endings.held() // what came during the wait
    if (late !== undefined) return late
    // In the tree of a group, the work of others stays as it is.
    if (claim.attempts.length === 0 && spec.group === undefined && spec.keepTree !== true)
      await this.hooks.beforeStart?.()
    for (;;) {
      const ending = await this.attempt()
      if (ending !== 'again') return ending
    }
  }

  private async attempt(): Promise<Ending | 'again'> {
    const { claim } = this
    try {
      return await this.prompt(await this.open())
    } catch (error) {
      if (this.why !== undefined) return this.stopped()
      if (this.mayStartOver && mayComeOfSession(error, this.endings)) {
        this.agent.unusable = !(error instanceof AgentRefusedError)
        return this.startOver(error.message)
      }
      if (error instanceof AgentRefusedError) return this.endings.refused(error)
      if (error instanceof SessionLostError) return this.lost(error)
      if (error instanceof NotAcpError || error instanceof MessageTooLongError) {
        this.agent.unusable = true
        return { outcome: 'failed', reason: error.message }
      }
      if (error instanceof NoAnswerError)
        return { outcome: 'failed', reason: `${error.message}; ${this.lastWords()}` }
      if (error instanceof CommandNotFoundError)
        return {
          outcome: 'failed',
          reason: `agent "${claim.agent}" cannot be started: ${error.message}; install it, or correct agents.${claim.agent} in the config`,
        }
      if (!(error instanceof AgentGoneError)) throw error
      const outage = this.endings.judged(error)
      if (outage === undefined) return this.died(error)
      this.agent.unusable = true
      return this.endings.away(outage)
    }
  }

  // The lost session holds no work: a new one gets the task. A new session cannot be lost, so this
  // happens once.
  private async lost(error: SessionLostError): Promise<'again'> {
    this.agent.lostSession = true
    this.parts.log.mark('lost', { reason: error.message })
    await this.agent.close()
    return 'again'
  }

  private get mayStartOver(): boolean {
    return !this.parts.limit.standing && mayStartOver(this.spec, this.claim, this.agent.earlier)
  }

  // The agent has done nothing in the session that it was to continue: time in vain does not count.
  private async startOver(reason: string): Promise<Ending | 'again'> {
    const { claim, parts } = this
    parts.clock.forgive(true)
    this.save({
      inVain: claim.attempts.length,
      sessionId: undefined,
      context: undefined,
      spentMs: parts.clock.spentMs,
    })
    parts.log.mark('lost', { reason })
    await this.agent.close()
    if (this.why !== undefined) return this.stopped()
    return 'again'
  }

  private lastWords(): string {
    const words = this.parts.log.lastWords()
    return words === '' ? 'it wrote nothing to standard error' : `it had written: ${words}`
  }

  private async died(error: AgentGoneError): Promise<Ending | 'again'> {
    const { claim } = this
    const deaths = claim.agentDeaths + 1
    this.save({ agentDeaths: deaths })
    this.agent.unusable = true
    await this.agent.close()
    const last = this.lastWords()
    this.parts.log.mark('died', { deaths, reason: `${error.message}; ${last}` })
    const before = claim.attempts.length === 0 ? ' before it took a prompt' : ''
    if (deaths > AGENT_RESTARTS)
      return {
        outcome: 'failed',
        reason: `${error.message}${before}; it died ${deaths} times in this turn; ${last}`,
      }
    return this.why === undefined ? 'again' : this.stopped()
  }

  /** Ensures a process with an open session, and returns the prompt. */
  private async open(): Promise<string> {
    const { spec, claim } = this
    let session: Awaited<ReturnType<AgentProcess['start']>> = 'same'
    if (this.agent.open === undefined) {
      this.show('starting')
      session = await this.agent.start()
    }
    if (session !== 'same') this.save({ from: undefined })
    else if (this.agent.earlier === spec.sessionId) this.save({ from: spec.sessionId })
    // Only the session that it continues knows what the shorter prompt leaves out.
    const prompt =
      spec.continued !== undefined && session === 'same' && this.sessionId === spec.sessionId
        ? spec.continued.prompt
        : spec.prompt
    if (hasBegun(claim)) return resumePrompt({ prompt, sameSession: session === 'same' })
    return session === 'lost' && spec.continued === undefined ? lostSessionPrompt(prompt) : prompt
  }

  private get sessionId(): string | undefined {
    return this.agent.open?.sessionId
  }

  private async prompt(text: string): Promise<Ending | 'again'> {
    const { spec, claim, shared } = this
    const { clock } = this.parts
    const agent = this.agent.open as OpenAgent
    const attempt = claim.attempts.length + 1
    const prompt = withHeader({ ...spec.header, attempt }, text)
    // Stored before it is sent: an attempt too many in the record is better than one too few.
    const entry: Claim['attempts'][number] = {
      attempt,
      at: new Date().toISOString(),
      sessionId: agent.sessionId,
    }
    this.save({ sessionId: agent.sessionId, attempts: [...claim.attempts, entry] })
    this.parts.log.prompt(attempt, prompt)
    this.parts.limit.begin()
    this.parts.spending.begin(agent.sessionId, prompt.length, this.agent.takeCostNew())
    clock.begin()
    this.show('running')
    let over: ReturnType<TurnSpending['over']>
    const tools = this.serveTools(agent)
    const { interrupted, answer } = await timedPrompt({
      agent,
      text: prompt,
      clock,
      ticker: this.parts.ticker,
      signal: this.attendance.signal,
      graceMs: shared.timing.cancelGraceMs,
      onInterrupt: () => {
        this.show('ending')
        void tools?.stop()
      },
      isOverBudget: () =>
        (over = this.parts.spending.overNow(this.parts.ticker.elapsedMs)) !== undefined,
    })
    await tools?.stop()
    await undoTests(shared.dirs, claim)
    const response = answer !== undefined && 'response' in answer ? answer.response : undefined
    const refusal =
      answer !== undefined && 'error' in answer
        ? this.endings.judged(answer.error)?.outcome
        : undefined
    entry.usage = this.parts.spending.end(
      response,
      refusal === 'rate_limited' || refusal === 'unavailable',
    )
    entry.ended =
      interrupted !== undefined ? 'interrupted' : response !== undefined ? 'answered' : 'died'
    const { context } = this.parts.log
    this.save({ spentMs: clock.spentMs, ...(context === undefined ? {} : { context }) })
    this.parts.spending.write(true)

    this.agent.unusable = answer === undefined
    if (interrupted === 'stopped') return this.stopped()
    if (interrupted === 'over_budget' && over !== undefined) return this.endings.overBudget(over)
    if (interrupted !== undefined && interrupted !== 'over_budget' && !this.parts.limit.standing) {
      const reason = limitReason(interrupted, spec, answer !== undefined)
      return interrupted === 'stalled' && this.mayStartOver
        ? this.startOver(reason)
        : { outcome: interrupted, reason }
    }
    if (answer !== undefined && 'error' in answer) throw answer.error
    return this.parts.limit.standing
      ? this.endings.limited(this.parts.limit.hit())
      : endingOf(at(response, 'stopReason'))
  }

  private get offersTools(): boolean {
    const { config, tools } = this.hooks
    const { role } = this.spec.header
    const { protocol } = this.parts.definition
    return tools !== undefined && offersTools(config, { role, agent: this.spec.agent, protocol })
  }

  private serveTools(agent: OpenAgent): ToolServer | undefined {
    const { tools, config } = this.hooks
    if (tools === undefined || !this.offersTools) return undefined
    const { log, clock, side } = this.parts
    const { shared, spec, claim } = this
    return side.try(
      () =>
        new ToolServer({
          tools,
          cwd: spec.workspace.cwd,
          marker: agent.step,
          step: testMarker(claim.marker),
          folder: layout.turn(shared.dirs, spec.key),
          most: config.limits.agentTestRuns,
          counts: () => claim.tests ?? { runs: 0, ms: 0 },
          save: (tests) => this.save({ tests, spentMs: clock.spentMs }),
          noteTree: (tree) => {
            if (tree === claim.testing?.tree) return
            const { workspace } = spec
            this.save({ testing: tree === undefined ? undefined : { workspace, tree } })
          },
          holdClocks: () => clock.ask(),
          redact: (text) => log.redact(text),
          note: (fields) => log.mark('tool', log.redactAll(fields)),
          pollMs: shared.timing.toolPollMs,
          graceMs: shared.timing.endGraceMs,
        }),
    )
  }

  private stopped(): Ending {
    return { outcome: 'stopped', reason: this.why === 'pause' ? 'paused' : 'stopped on request' }
  }

  private async conclude(ending: Ending): Promise<TurnResult> {
    const { shared, spec } = this
    const ended = this.endOf(ending)
    this.show('ending')
    this.parts.log.mark('ended', ended)
    // From here on the answer is safe: a later attempt only finishes.
    this.save({ ended })
    await this.agent.leave(['completed', 'timed_out', 'stalled'].includes(ending.outcome))
    const result = await this.result(this.claim)
    this.parts.spending.write(false)
    saveResult(shared.dirs, spec.key, result)
    if (ending.outcome === 'completed') this.parts.limit.clear()
    return result
  }

  private endOf({ outcome, reason, cause }: Ending): NonNullable<Claim['ended']> {
    return {
      outcome,
      ...(reason !== undefined && { reason: this.parts.log.redact(reason) }),
      ...(cause !== undefined && { cause }),
    }
  }

  // Leaves the turn unfinished; its key stays in use.
  private async letGo(why: StopReason): Promise<TurnResult> {
    this.parts.log.mark('interrupted', { why })
    await this.agent.leave(false)
    if (why !== 'pause') throw new TurnInterruptedError(why)
    return this.result({ ...this.claim, ended: { outcome: 'stopped', reason: 'paused' } })
  }

  // As `letGo`, but the caller learns what to wait for.
  private async interrupted(ending: Ending, unfinished: Unfinished): Promise<TurnResult> {
    const ended = this.endOf(ending)
    this.parts.log.mark('interrupted', { why: ending.outcome, ...unfinished })
    await this.agent.leave(false)
    return this.result({ ...this.claim, ended }, unfinished)
  }

  private async result(claim: Claim, unfinished?: Unfinished): Promise<TurnResult> {
    // In a tree that others change too, git knows neither whose a change is nor what is whole.
    const changedFiles =
      this.spec.group === undefined ? await this.shared.changedFiles(this.spec.workspace) : []
    return turnResult(this.shared.dirs, claim, this.parts.log.finish(), {
      changedFiles: changedFiles.map((file) => this.parts.log.redact(file)),
      leftovers: this.agent.leftovers,
      promptChars: this.spec.prompt.length,
      session: sessionFacts(this.shared, claim, hasMovedOn(this.spec)),
      denied: this.parts.listener.denied,
      ...(unfinished && { unfinished }),
    })
  }

  private tick(): void {
    const asked = this.parts.side.try(() => takeStopRequest(this.shared.dirs, this.spec.key))
    if (asked !== undefined) this.attendance.stop(asked)
    this.parts.log.tick()
    if (++this.ticks % SAVE_TICKS === 0 && this.state === 'running')
      this.parts.side.try(() => this.save({ spentMs: this.parts.clock.spentMs }))
    if (this.state === 'running') this.parts.spending.tick(this.parts.ticker.elapsedMs)
    this.show(this.state)
  }

  private show(state: TurnProgress['state']): void {
    this.state = state
    const { sessionId } = this
    const lastEvent = this.parts.side.trouble ?? this.parts.listener.lastEvent
    this.attendance.show({
      state,
      elapsedMs: Math.round(this.parts.clock.spentMs),
      ...(sessionId ? { sessionId } : {}),
      lastEvent,
      ...(this.parts.log.saidChars > 0
        ? { tokens: Math.ceil(this.parts.log.saidChars / CHARS_PER_TOKEN) }
        : {}),
    })
  }

  private save(change: Partial<Claim>): void {
    saveClaim(this.shared.dirs, Object.assign(this.claim, change))
  }
}
