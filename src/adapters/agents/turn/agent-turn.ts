// One turn as it runs: slot, start or resume, prompt, restart where the agent dies, and the end.
// Everything that must survive this process is in the claim before it is relied on.
import type { BudgetPart } from '../../../contract/budget.js'
import { agentDefinition } from '../../../contract/config/config.js'
import { KNOWN_AGENTS } from '../../../contract/known-agents.js'
import type { TurnResult, TurnSpec } from '../../../contract/turn.js'
import { at } from '../../../core/agents/agent-events.js'
import {
  endingOf,
  endingOfDeath,
  endingOfError,
  outageText,
  type Ending,
} from '../../../core/agents/agent-outcome.js'
import { CHARS_PER_TOKEN } from '../../../core/agents/agent-usage.js'
import { withHeader } from '../../../core/prompts/prompt-header.js'
import { lostSessionPrompt, resumePrompt } from '../../../core/prompts/prompt-resume.js'
import { redactor, secretsOf } from '../../../core/text/redact.js'
import type { Release } from '../../process/claims.js'
import { isAlive } from '../../process/identity.js'
import { acquireSlot } from '../../process/slots.js'
import { CommandNotFoundError } from '../../process/spawn-group.js'
import { layout } from '../../state-dir.js'
import { AcpAgent } from '../acp/acp-client.js'
import type { OpenAgent, StartOptions } from '../agent-port.js'
import { definitionOf, definitionToArgv } from '../agent-command.js'
import { envOf } from '../../workspace/environment.js'
import { writeSettings } from '../agent-settings.js'
import { agentEnv, secretNames } from '../agent-env.js'
import { limitFiles, TurnLimit, type Held } from '../agent-limits.js'
import { Attendance } from './turn-callers.js'
import type { DriverShared } from '../driver-shared.js'
import {
  AgentGoneError,
  AgentRefusedError,
  NoAnswerError,
  NotAcpError,
  SessionLostError,
  TurnInterruptedError,
  type StopReason,
} from '../errors.js'
import { ExecAgent } from '../exec/exec-agent.js'
import { endClaimed, endOutsiders, outsiders } from '../leftovers.js'
import { SideWrites } from './side-writes.js'
import { MessageTooLongError } from '../acp/stdio-stream.js'
import { limitReason, timedPrompt } from './timed-prompt.js'
import { Ticker, TurnClock } from './turn-clock.js'
import type { TurnHooks, TurnProgress } from './turn-hooks.js'
import { PersonWaits } from './person-waits.js'
import { TurnListener } from './turn-listener.js'
import { TurnLog } from './turn-log.js'
import { turnResult } from './turn-result.js'
import { TurnSpending } from './turn-spending.js'
import { saveClaim, saveResult, takeStopRequest, turnFiles, type Claim } from './turn-store.js'
import type { AgentDefinition } from '../../../contract/config/agent-config.js'

/** An agent's process may die so often in one turn before the turn has failed. */
export const AGENT_RESTARTS = 2
/**
 * A worker that died so often in one turn may have died of it: the turn has failed, a simplified
 * one follows.
 */
export const DRIVER_DEATHS = 2
/** The spent time is written down every so many ticks. */
const SAVE_TICKS = 10

/** A turn that has not ended: its key continues its session. */
type Unfinished = Pick<TurnResult, 'limitedUntil' | 'outage' | 'over'>

export class RunningTurn {
  readonly done: Promise<TurnResult>
  readonly attendance: Attendance
  private readonly ticker: Ticker
  private readonly clock: TurnClock
  private readonly log: TurnLog
  private readonly side = new SideWrites()
  private readonly definition: AgentDefinition
  private readonly env: Record<string, string>
  private readonly spending: TurnSpending
  private readonly limit: TurnLimit
  private readonly listener: TurnListener
  private agent: OpenAgent | undefined
  private unfinished: Unfinished | undefined
  private release: Release | undefined
  private leftovers = 0
  /** The agent's process is to be ended, not asked to close, and not to be kept. */
  private unusable = false
  /** Its process is new, and counts the cost from nothing. */
  private costAnew = false
  /** The agent does not know the session to continue. */
  private lostSession = false
  private state: TurnProgress['state'] = 'starting'
  private ticks = 0

  /** @param hooks of the call that starts it, which attends it too */
  constructor(
    private readonly shared: DriverShared,
    private readonly spec: TurnSpec,
    private readonly claim: Claim,
    private readonly hooks: TurnHooks,
  ) {
    this.definition = definitionOf(hooks.config, spec.agent)
    const env = agentEnv(spec.agent, this.definition, envOf(spec.workspace, shared.env))
    this.env = {
      ...env,
      ...writeSettings(this.definition.known, env, layout.turn(shared.dirs, spec.key)),
    }
    this.log = new TurnLog(
      turnFiles(layout.turn(shared.dirs, spec.key)),
      redactor(secretsOf(secretNames(this.definition, shared.env), shared.env)),
      this.side,
    )
    this.attendance = new Attendance(shared.timing.adoptMs)
    this.clock = new TurnClock(spec, claim.spentMs)
    this.spending = new TurnSpending({
      ...shared,
      spec,
      claim,
      clock: this.clock,
      log: this.log,
      side: this.side,
    })
    this.limit = new TurnLimit(
      limitFiles(
        shared.dirs,
        agentDefinition(hooks.config, spec.agent) ?? this.definition,
        spec.workspace.project,
        shared.env,
      ),
      spec.agent,
      shared.now,
      this.side,
    )
    this.listener = new TurnListener({
      log: this.log,
      clock: this.clock,
      limit: this.limit,
      attendance: this.attendance,
      waits: new PersonWaits(turnFiles(layout.turn(shared.dirs, spec.key)).waits, this.side),
      policy: hooks.config.permissions,
      onSession: (sessionId) => this.save({ sessionId }),
    })
    this.ticker = new Ticker(shared.clock)
    this.ticker.onTick(() => this.tick())
    takeStopRequest(shared.dirs, spec.key) // one that was meant for the driver before
    this.done = this.play()
    this.done.catch(() => undefined) // its callers get the error
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
      if (this.unfinished !== undefined) return await this.interrupted(ending, this.unfinished)
      if (this.why !== undefined && this.why !== 'stop' && ending.outcome === 'stopped')
        return await this.letGo(this.why)
      const result = await this.conclude(ending)
      finished = true
      return result
    } finally {
      await this.leave(false)
      this.log.close()
      this.ticker.stop()
      if (!finished) this.save({ released: true })
    }
  }

  private async work(): Promise<Ending> {
    const { shared, spec, claim } = this
    await endClaimed(claim, shared.timing.endGraceMs)
    if (claim.driverDeaths >= DRIVER_DEATHS)
      return {
        outcome: 'failed',
        reason: `the worker that ran this turn died ${claim.driverDeaths} times in it`,
      }
    const held = this.held()
    if (held !== undefined) return held
    this.takeKept()
    try {
      await shared.enterWorkspace(
        {
          key: spec.key,
          cwd: spec.workspace.cwd,
          group: spec.beside,
          sessionId: claim.sessionId ?? spec.sessionId,
        },
        this.attendance.signal,
      )
      this.release ??= await this.slot()
    } catch (error) {
      if (this.why === undefined) throw error
      return this.stopped()
    }
    const late = this.held() // what came while it waited
    if (late !== undefined) return late
    // Others work in the tree of a group, or have left their work in it: nothing is done to it
    // first.
    if (claim.attempts.length === 0 && spec.beside === undefined && spec.keepTree !== true)
      await this.hooks.beforeStart?.()
    for (;;) {
      const ending = await this.attempt()
      if (ending !== 'again') return ending
    }
  }

  /** Why the turn may not begin now: then nothing is started and no attempt is counted. */
  private held(): Ending | undefined {
    const over = this.spending.over()
    if (over !== undefined) return this.overBudget(over)
    const held = this.limit.inForce()
    if (held === undefined || (held.outage !== undefined && this.spec.insists === true))
      return undefined
    const { until, outage } = held
    const agent = `agent "${this.claim.agent}"`
    return this.notServed(
      held,
      outage === undefined
        ? `${agent} is limited by its model provider until ${new Date(until).toISOString()}`
        : `the model provider of ${agent} is unavailable, ${outageText(outage)}`,
    )
  }

  private overBudget({ part, reason }: { part: BudgetPart; reason: string }): Ending {
    this.unfinished = { over: part }
    return { outcome: 'over_budget', reason }
  }

  private limited(until: number, reason = "the agent's model provider limits the rate"): Ending {
    return this.notServed({ until }, reason)
  }

  private notServed({ until, outage }: Held, reason: string | undefined): Ending {
    this.unfinished = { limitedUntil: until, outage }
    return { outcome: outage === undefined ? 'rate_limited' : 'unavailable', reason }
  }

  // What the agent did counts, its vain tries do not.
  private away(ending: Ending, error?: unknown): Ending {
    const { definition } = this
    const { outage } = ending
    if (outage === undefined) return ending
    // A command that is silent until its end gets a tool call from us, which proves nothing.
    const seesTools = definition.protocol !== 'exec' || definition.output === 'stream-json'
    this.clock.forgive(!seesTools)
    this.save({ spentMs: this.clock.spentMs })
    return this.notServed(
      this.limit.away(outage, { error, proven: seesTools && this.listener.usedTool }),
      ending.reason,
    )
  }

  /**
   * What an error that came instead of an answer means; `undefined` where only a death is known.
   */
  private judged(error: unknown): Ending | undefined {
    const stderr = this.log.wordsOfPrompt()
    if (error instanceof AgentRefusedError)
      // Redacted before it is cut to a length
      return endingOfError(this.log.redactAll(error.error), { exitCode: error.exitCode, stderr })
    return error instanceof AgentGoneError
      ? endingOfDeath({ exitCode: error.exitCode, stderr })
      : undefined
  }

  private takeKept(): void {
    const { shared, spec, claim } = this
    const kept =
      spec.sessionId === undefined || claim.attempts.length > 0
        ? undefined
        : shared.pool.take(spec.sessionId, spec.agent)
    if (kept === undefined) return
    this.release = kept.release
    this.agent = kept.agent
    this.agent.listener = this.listener
    this.save({ process: this.agent.identity, marker: this.agent.step })
  }

  private slot(): Promise<Release> {
    const { dirs, pool } = this.shared
    this.show('starting')
    return acquireSlot(layout.slots(dirs), this.hooks.config.limits.agentsPerHost, {
      signal: this.attendance.signal,
      onWait: () => {
        if (this.state !== 'slot') this.show('slot')
        void pool.closeAll() // a kept agent holds a slot that another turn needs
      },
    })
  }

  private async attempt(): Promise<Ending | 'again'> {
    const { claim } = this
    try {
      return await this.prompt(await this.open())
    } catch (error) {
      if (this.why !== undefined) return this.stopped()
      if (error instanceof AgentRefusedError)
        return this.refused(error, this.judged(error) ?? endingOfError(error.error))
      if (error instanceof SessionLostError) return this.lost(error)
      if (error instanceof NotAcpError || error instanceof MessageTooLongError) {
        this.unusable = true
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
      const outage = this.judged(error)
      if (outage === undefined) return this.died(error)
      this.unusable = true
      return this.away(outage)
    }
  }

  // Nothing was done in it: a new one gets the task. A new session cannot be lost, so this happens
  // once.
  private async lost(error: SessionLostError): Promise<'again'> {
    this.lostSession = true
    this.log.mark('lost', { reason: error.message })
    await this.closeAgent()
    return 'again'
  }

  private refused({ error }: AgentRefusedError, ending: Ending): Ending {
    if (ending.outcome === 'unavailable' && !this.limit.standing) return this.away(ending, error)
    if (ending.outcome !== 'rate_limited' && !this.limit.standing) return ending
    return this.limited(
      this.limit.hit(error),
      ending.outcome === 'rate_limited' ? ending.reason : undefined,
    )
  }

  private lastWords(): string {
    const words = this.log.lastWords()
    return words === '' ? 'it wrote nothing to standard error' : `it had written: ${words}`
  }

  private async died(error: AgentGoneError): Promise<Ending | 'again'> {
    const { claim } = this
    const deaths = claim.agentDeaths + 1
    this.save({ agentDeaths: deaths })
    this.unusable = true
    await this.closeAgent()
    const last = this.lastWords()
    this.log.mark('died', { deaths, reason: `${error.message}; ${last}` })
    const before = claim.attempts.length === 0 ? ' before it took a prompt' : ''
    if (deaths > AGENT_RESTARTS)
      return {
        outcome: 'failed',
        reason: `${error.message}${before}; it died ${deaths} times in this turn; ${last}`,
      }
    return this.why === undefined ? 'again' : this.stopped()
  }

  /** Makes sure of a process with an open session, and returns what to say in it. */
  private async open(): Promise<string> {
    const { spec, claim } = this
    const session = this.agent === undefined ? await this.start() : 'same'
    if (claim.attempts.length > 0)
      return resumePrompt({ prompt: spec.prompt, sameSession: session === 'same' })
    return session === 'lost' ? lostSessionPrompt(spec.prompt) : spec.prompt
  }

  private async start(): Promise<'new' | 'same' | 'lost'> {
    const { spec, claim, shared } = this
    this.show('starting')
    this.unusable = false
    const options: StartOptions = {
      argv: definitionToArgv(this.definition, spec.workspace.project, this.env),
      cwd: spec.workspace.cwd,
      env: this.env,
      markers: { run: spec.header.run, step: claim.marker },
      spawn: shared.spawn,
      listener: this.listener,
      ticker: this.ticker,
      signal: this.attendance.signal,
      timing: shared.timing,
      onProcess: (process) => this.save({ process }),
    }
    this.log.started()
    const { definition } = this
    const starting: Promise<OpenAgent> =
      definition.protocol === 'exec'
        ? ExecAgent.start({
            ...options,
            definition,
            project: spec.workspace.project,
            folder: layout.turn(shared.dirs, spec.key),
            counts: shared.counts,
          })
        : AcpAgent.start(options)
    const agent = (this.agent = await starting.catch(async (error: unknown) => {
      this.leftovers += await endOutsiders([], shared.timing.endGraceMs, claim.marker)
      throw error
    }))
    this.costAnew =
      definition.known !== undefined && KNOWN_AGENTS[definition.known].costByProcess === true
    const choice =
      this.definition.protocol === 'acp'
        ? { mode: this.definition.mode, model: this.definition.model }
        : {}
    const earlier = claim.sessionId ?? spec.sessionId
    if (earlier !== undefined && !this.lostSession && (await agent.resumeSession(earlier, choice)))
      return 'same'
    await agent.newSession(choice)
    return earlier === undefined ? 'new' : 'lost'
  }

  private async prompt(text: string): Promise<Ending> {
    const { spec, claim, shared, clock } = this
    const agent = this.agent as OpenAgent
    const attempt = claim.attempts.length + 1
    const prompt = withHeader({ ...spec.header, attempt }, text)
    // Written down before it is sent: an attempt too many in the record is better than one too few.
    const entry: Claim['attempts'][number] = {
      attempt,
      at: new Date().toISOString(),
      sessionId: agent.sessionId,
    }
    this.save({ sessionId: agent.sessionId, attempts: [...claim.attempts, entry] })
    this.log.prompt(attempt, prompt)
    this.limit.begin()
    this.spending.begin(agent.sessionId, prompt.length, this.costAnew)
    this.costAnew = false
    clock.begin()
    this.show('running')
    let over: ReturnType<TurnSpending['over']>
    const { interrupted, answer } = await timedPrompt({
      agent,
      text: prompt,
      clock,
      ticker: this.ticker,
      signal: this.attendance.signal,
      graceMs: shared.timing.cancelGraceMs,
      onInterrupt: () => this.show('ending'),
      isOverBudget: () => (over = this.spending.overNow(this.ticker.elapsedMs)) !== undefined,
    })
    const response = answer !== undefined && 'response' in answer ? answer.response : undefined
    const refusal =
      answer !== undefined && 'error' in answer ? this.judged(answer.error)?.outcome : undefined
    entry.usage = this.spending.end(
      response,
      refusal === 'rate_limited' || refusal === 'unavailable',
    )
    entry.ended =
      interrupted !== undefined ? 'interrupted' : response !== undefined ? 'answered' : 'died'
    this.save({ spentMs: clock.spentMs })
    this.spending.write(true)

    this.unusable = answer === undefined
    if (interrupted === 'stopped') return this.stopped()
    if (interrupted === 'over_budget' && over !== undefined) return this.overBudget(over)
    if (interrupted !== undefined && interrupted !== 'over_budget' && !this.limit.standing)
      return { outcome: interrupted, reason: limitReason(interrupted, spec, answer !== undefined) }
    if (answer !== undefined && 'error' in answer) throw answer.error
    return this.limit.standing
      ? this.limited(this.limit.hit())
      : endingOf(at(response, 'stopReason'))
  }

  private stopped(): Ending {
    return { outcome: 'stopped', reason: this.why === 'pause' ? 'paused' : 'stopped on request' }
  }

  private async conclude(ending: Ending): Promise<TurnResult> {
    const { shared, spec } = this
    const ended = this.endOf(ending)
    this.show('ending')
    this.log.mark('ended', ended)
    // From here on the answer is safe: a later attempt only finishes.
    this.save({ ended })
    await this.leave(['completed', 'timed_out', 'stalled'].includes(ending.outcome))
    const result = await this.result(this.claim)
    this.spending.write(false)
    saveResult(shared.dirs, spec.key, result)
    if (ending.outcome === 'completed') this.limit.clear()
    return result
  }

  private endOf({ outcome, reason, cause }: Ending): NonNullable<Claim['ended']> {
    return {
      outcome,
      ...(reason !== undefined && { reason: this.log.redact(reason) }),
      ...(cause !== undefined && { cause }),
    }
  }

  // The turn is unfinished, and its key stays in use.
  private async letGo(why: StopReason): Promise<TurnResult> {
    this.log.mark('interrupted', { why })
    await this.leave(false)
    if (why !== 'pause') throw new TurnInterruptedError(why)
    return this.result({ ...this.claim, ended: { outcome: 'stopped', reason: 'paused' } })
  }

  // As `letGo`, but the caller learns what to wait for.
  private async interrupted(ending: Ending, unfinished: Unfinished): Promise<TurnResult> {
    const ended = this.endOf(ending)
    this.log.mark('interrupted', { why: ending.outcome, ...unfinished })
    await this.leave(false)
    return this.result({ ...this.claim, ended }, unfinished)
  }

  private async result(claim: Claim, unfinished?: Unfinished): Promise<TurnResult> {
    // Of a tree that others change at the same time git can tell neither whose a change is, nor
    // what is whole.
    const changedFiles =
      this.spec.beside === undefined ? await this.shared.changedFiles(this.spec.workspace) : []
    return turnResult(this.shared.dirs, claim, this.log.finish(), {
      changedFiles: changedFiles.map((file) => this.log.redact(file)),
      leftovers: this.leftovers,
      promptChars: this.spec.prompt.length,
      denied: this.listener.denied,
      ...(unfinished && { unfinished }),
    })
  }

  /**
   * Closes or keeps the agent, ends what left its group, gives the slot back. Doing it twice is
   * harmless.
   */
  private async leave(mayKeep: boolean): Promise<void> {
    const { shared, spec, claim, agent, release } = this
    this.release = undefined
    // One without a process would hold its slot for nothing.
    if (
      mayKeep &&
      spec.followUp &&
      !this.unusable &&
      agent !== undefined &&
      release !== undefined &&
      isAlive(agent.identity)
    ) {
      this.agent = undefined
      agent.listener = undefined
      this.leftovers += await endOutsiders(
        outsiders(agent.identity, agent.step),
        shared.timing.endGraceMs,
      )
      this.save({ kept: true })
      const onLeft = () => saveClaim(shared.dirs, Object.assign(claim, { kept: false }))
      shared.pool.put(
        {
          agent,
          name: spec.agent,
          run: claim.run,
          cwd: spec.workspace.cwd,
          group: spec.beside,
          release,
          onLeft,
        },
        shared.timing.keepMs,
      )
      return
    }
    await this.closeAgent()
    await release?.()
  }

  private async closeAgent(): Promise<void> {
    const { agent, shared } = this
    if (agent === undefined) return
    this.agent = undefined
    const left = outsiders(agent.identity, agent.step)
    if (this.unusable) await agent.kill()
    else await agent.close()
    this.leftovers += await endOutsiders(left, shared.timing.endGraceMs, agent.step)
  }

  private tick(): void {
    const asked = this.side.try(() => takeStopRequest(this.shared.dirs, this.spec.key))
    if (asked !== undefined) this.attendance.stop(asked)
    this.log.tick()
    if (++this.ticks % SAVE_TICKS === 0 && this.state === 'running')
      this.side.try(() => this.save({ spentMs: this.clock.spentMs }))
    if (this.state === 'running') this.spending.tick(this.ticker.elapsedMs)
    this.show(this.state)
  }

  private show(state: TurnProgress['state']): void {
    this.state = state
    const sessionId = this.agent?.sessionId
    const lastEvent = this.side.trouble ?? this.listener.lastEvent
    this.attendance.show({
      state,
      elapsedMs: Math.round(this.clock.spentMs),
      ...(sessionId ? { sessionId } : {}),
      lastEvent,
      ...(this.log.saidChars > 0
        ? { tokens: Math.ceil(this.log.saidChars / CHARS_PER_TOKEN) }
        : {}),
    })
  }

  private save(change: Partial<Claim>): void {
    saveClaim(this.shared.dirs, Object.assign(this.claim, change))
  }
}
