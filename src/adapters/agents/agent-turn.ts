// One turn as it runs: slot, start or resume, prompt, the two clocks, interruption, and the end.
//
// Several calls may attend the same turn: after a long sleep of the laptop the next attempt of the
// activity begins beside the healthy agent, and takes it over. Source: architecture §3.
import { setTimeout as sleep } from 'node:timers/promises'
import { agentDefinition } from '../../contract/config.js'
import type { AgentDefinition, Config } from '../../contract/config.js'
import { RefusalError } from '../../contract/failures.js'
import type { TurnResult, TurnSpec } from '../../contract/turn.js'
import { at, eventLabel } from '../../core/agent-events.js'
import { endingOf, endingOfError } from '../../core/agent-outcome.js'
import type { Ending } from '../../core/agent-outcome.js'
import { costSince, promptUsage } from '../../core/agent-usage.js'
import { withHeader } from '../../core/prompt-header.js'
import { lostSessionPrompt, resumePrompt } from '../../core/prompt-resume.js'
import { redactor, secretsOf } from '../../core/redact.js'
import { acquireSlot } from '../process/slots.js'
import type { Release } from '../process/claims.js'
import { CommandNotFound } from '../process/spawn-group.js'
import { layout } from '../state-dir.js'
import { AcpAgent } from './acp-client.js'
import type { PermissionRequest } from './acp-client.js'
import { definitionToArgv } from './agent-command.js'
import { agentEnv } from './agent-env.js'
import type { DriverShared } from './driver-shared.js'
import { AgentGone, AgentRefused, NotAcp, TurnInterrupted } from './errors.js'
import type { StopReason } from './errors.js'
import { endClaimed, endOutsiders, outsiders } from './leftovers.js'
import { MessageTooLong } from './stdio-stream.js'
import { Ticker, TurnClock } from './turn-clock.js'
import { TurnLog } from './turn-log.js'
import { turnResult } from './turn-result.js'
import { saveClaim, saveResult, takeStopRequest, turnFiles } from './turn-store.js'
import type { Claim } from './turn-store.js'

/** What a turn is doing, for heartbeats; sent once a second and at each change. */
export type TurnProgress = {
  state: 'slot' | 'starting' | 'running' | 'ending' | 'other_worker'
  sessionId?: string
  lastEvent?: string
  /** Counted against the limit so far. */
  elapsedMs: number
  tokens?: number
}

/** The call that attends a turn. */
export type TurnHooks = {
  config: Config
  signal: AbortSignal
  /** Why the signal was aborted; default `stop`. */
  abortReason?: () => StopReason
  onProgress?: (progress: TurnProgress) => void
  /** Called before the agent gets its first prompt, when nobody else works in the workspace; not on a resume. */
  beforeStart?: () => Promise<void>
  /** Policy `ask`; without it the answer is no. */
  onPermission?: (request: PermissionRequest) => Promise<'allow' | 'deny'>
}

/** An agent's process may die so often in one turn before the turn has failed. */
export const AGENT_RESTARTS = 2
/** A worker that died so often in one turn probably died of it. */
export const DRIVER_RESTARTS = 5
/** The spent time is written down every so many ticks. */
const SAVE_TICKS = 10

export class RunningTurn {
  readonly done: Promise<TurnResult>
  private readonly attendants = new Set<TurnHooks>()
  private readonly stopping = new AbortController()
  private why: StopReason | undefined
  private readonly ticker: Ticker
  private readonly log: TurnLog
  private readonly definition: AgentDefinition
  private readonly env: Record<string, string>
  private agent: AcpAgent | undefined
  private clock: TurnClock | undefined
  private release: Release | undefined
  private leftovers = 0
  private unusable = false
  private state: TurnProgress['state'] = 'slot'
  private lastEvent: string | undefined
  private ticks = 0

  constructor(private readonly shared: DriverShared, private readonly spec: TurnSpec, private readonly claim: Claim, private readonly hooks: TurnHooks) {
    const definition = definitionOf(hooks.config, spec.agent)
    this.definition = definition
    this.env = agentEnv(spec.agent, definition, shared.env)
    this.log = new TurnLog(turnFiles(layout.turn(shared.dirs, spec.key)), redactor(secretsOf(definition.passEnv, shared.env)))
    this.ticker = new Ticker(shared.clock)
    this.ticker.onTick(() => this.tick())
    takeStopRequest(shared.dirs, spec.key) // one that was meant for the driver before
    this.attendants.add(hooks)
    this.done = this.play()
    this.done.catch(() => undefined) // whoever attends gets it
  }

  get run(): string {
    return this.claim.run
  }

  /** Waits for the end of the turn, as one of those who look after it. */
  attend(hooks: TurnHooks): Promise<TurnResult> {
    this.attendants.add(hooks)
    return new Promise((resolve, reject) => {
      const aborted = () => void this.abandonedBy(hooks).then((left) => left && reject(new TurnInterrupted('abandoned')), reject)
      const leave = () => {
        hooks.signal.removeEventListener('abort', aborted)
        this.attendants.delete(hooks)
      }
      this.done.then(resolve, reject).finally(leave)
      if (hooks.signal.aborted) aborted()
      else hooks.signal.addEventListener('abort', aborted, { once: true })
    })
  }

  /** Interrupts the turn, whoever attends it. */
  stop(reason: StopReason): void {
    if (this.why !== undefined) return
    this.why = reason
    this.stopping.abort(new TurnInterrupted(reason))
  }

  // Returns true where the turn goes on in other hands.
  private async abandonedBy(hooks: TurnHooks): Promise<boolean> {
    const reason = hooks.abortReason?.() ?? 'stop'
    if (reason !== 'abandoned') {
      this.stop(reason)
      return false
    }
    this.attendants.delete(hooks)
    // The server gave the attempt up, as after a long sleep: the next one may be here in a moment and adopt the agent.
    if (this.attendants.size === 0) await Promise.race([sleep(this.shared.timing.adoptMs, undefined, { ref: false }), this.done.catch(() => undefined)])
    if (this.attendants.size > 0) return true
    this.stop('abandoned')
    return false
  }

  private async play(): Promise<TurnResult> {
    let over = false
    try {
      const ending = this.claim.ended ?? (await this.work())
      if (this.why !== undefined && this.why !== 'stop' && ending.outcome === 'stopped') return await this.letGo(this.why)
      const result = await this.conclude(ending)
      over = true
      return result
    } finally {
      await this.leave(false)
      this.log.close()
      this.ticker.stop()
      if (!over) this.save({ released: true })
    }
  }

  private async work(): Promise<Ending> {
    const { shared, spec, claim } = this
    if (claim.driverDeaths > DRIVER_RESTARTS) return { outcome: 'failed', reason: `the worker that ran this turn died ${claim.driverDeaths} times in it` }
    const kept = spec.sessionId === undefined || claim.attempts.length > 0 ? undefined : shared.pool.take(spec.sessionId, spec.agent)
    this.release = kept?.release
    this.agent = kept?.agent
    await shared.enterWorkspace(spec.workspace.cwd, spec.key)
    await endClaimed(claim, shared.timing.endGraceMs)
    try {
      this.release ??= await this.slot()
    } catch (error) {
      if (this.why === undefined) throw error
      return this.stopped()
    }
    if (claim.attempts.length === 0) await this.hooks.beforeStart?.()
    if (this.agent !== undefined) {
      this.agent.listener = this.listener()
      this.save({ process: this.agent.identity, marker: this.agent.step })
    }
    for (;;) {
      const ending = await this.attempt()
      if (ending !== 'again') return ending
    }
  }

  private async slot(): Promise<Release> {
    const { dirs, pool } = this.shared
    this.show('slot')
    return acquireSlot(layout.slots(dirs), this.hooks.config.limits.agentsPerHost, {
      signal: this.stopping.signal,
      onWait: () => void pool.closeAll(), // a kept agent holds a slot that somebody needs
    })
  }

  private async attempt(): Promise<Ending | 'again'> {
    const { claim } = this
    try {
      return await this.prompt(await this.open())
    } catch (error) {
      if (this.why !== undefined) return this.stopped()
      if (error instanceof AgentRefused) return endingOfError(error.error)
      if (error instanceof NotAcp || error instanceof MessageTooLong) return this.broken(error.message)
      if (error instanceof CommandNotFound) return { outcome: 'failed', reason: `agent "${claim.agent}" cannot be started: ${error.message}; install it, or correct agents.${claim.agent} in the config` }
      if (!(error instanceof AgentGone)) throw error
      return this.died(error)
    }
  }

  // An agent that dies before its first prompt would do so again.
  private async died(error: AgentGone): Promise<Ending | 'again'> {
    const { claim } = this
    const first = claim.attempts.length === 0
    const deaths = claim.agentDeaths + (first ? 0 : 1)
    this.log.mark('died', { deaths, reason: error.message })
    this.save({ agentDeaths: deaths })
    this.unusable = true
    await this.closeAgent()
    if (first) return { outcome: 'failed', reason: `${error.message} (before it took a prompt)` }
    if (deaths > AGENT_RESTARTS) return { outcome: 'failed', reason: `${error.message}; it died ${deaths} times in this turn` }
    return this.why === undefined ? 'again' : this.stopped()
  }

  private broken(reason: string): Ending {
    this.unusable = true
    return { outcome: 'failed', reason }
  }

  /** Makes sure of a process with an open session, and returns what to say in it. */
  private async open(): Promise<string> {
    const { spec, claim, shared } = this
    const earlier = claim.sessionId ?? spec.sessionId
    let session: 'new' | 'same' | 'lost' = 'same'
    if (this.agent === undefined) {
      this.show('starting')
      this.unusable = false
      this.agent = await AcpAgent.start({
        argv: definitionToArgv(this.definition, spec.workspace.project),
        cwd: spec.workspace.cwd, env: this.env, markers: { run: spec.header.run, step: claim.marker }, listener: this.listener(),
        ticker: this.ticker, signal: this.stopping.signal, timing: shared.timing,
        onProcess: (process) => this.save({ process }),
      })
      const choice = this.definition.protocol === 'acp' ? { mode: this.definition.mode, model: this.definition.model } : {}
      if (earlier !== undefined && (await this.agent.resumeSession(earlier, choice))) session = 'same'
      else {
        session = earlier === undefined ? 'new' : 'lost'
        await this.agent.newSession(choice)
      }
    }
    if (claim.attempts.length > 0) return resumePrompt({ prompt: spec.prompt, sameSession: session === 'same' })
    return session === 'lost' ? lostSessionPrompt(spec.prompt) : spec.prompt
  }

  private async prompt(text: string): Promise<Ending> {
    const { spec, claim, shared } = this
    const agent = this.agent as AcpAgent
    const attempt = claim.attempts.length + 1
    const prompt = withHeader({ ...spec.header, attempt }, text)
    // Written down before it is sent: an attempt too many in the record is better than one too few.
    const entry: Claim['attempts'][number] = { attempt, at: new Date().toISOString(), sessionId: agent.sessionId }
    this.save({ sessionId: agent.sessionId, attempts: [...claim.attempts, entry] })
    this.log.prompt(attempt, prompt)
    const clock = (this.clock = new TurnClock(spec, claim.spentMs))
    this.show('running')

    let offTick = () => {}
    const limit = new Promise<'timed_out' | 'stalled'>((resolve) => {
      offTick = this.ticker.onTick((ms) => {
        const verdict = clock.tick(ms)
        claim.spentMs = clock.spentMs
        if (verdict !== undefined) resolve(verdict)
      })
    })
    const { signal } = this.stopping
    const asked = new Promise<'stopped'>((resolve) => (signal.aborted ? resolve('stopped') : signal.addEventListener('abort', () => resolve('stopped'), { once: true })))
    const answer = agent.prompt(prompt).then((response) => ({ response }), (error: unknown) => ({ error }))
    const first = await Promise.race([answer, limit, asked])
    offTick()

    const interrupted = typeof first === 'string' ? first : undefined
    const settled = typeof first === 'string' ? await this.interrupt(agent, answer) : first
    const { costUsd } = this.log
    entry.usage = promptUsage({
      response: settled !== undefined && 'response' in settled ? settled.response : undefined,
      chunkTokens: this.log.chunkTokens, promptChars: prompt.length, answerChars: this.log.saidChars,
      costUsd: costUsd === undefined ? undefined : costSince(shared.costs.get(agent.sessionId) ?? 0, costUsd),
    })
    if (costUsd !== undefined) shared.costs.set(agent.sessionId, costUsd)
    entry.ended = interrupted !== undefined ? 'interrupted' : settled !== undefined && 'response' in settled ? 'answered' : 'died'
    this.save({})

    if (interrupted === 'stopped') return this.stopped()
    if (interrupted !== undefined) return { outcome: interrupted, reason: limitReason(interrupted, spec, settled !== undefined) }
    if (settled !== undefined && 'error' in settled) throw settled.error
    return endingOf(at(settled?.response, 'stopReason'))
  }

  // Whatever an agent answers to an interruption, it is one. `undefined`: it did not answer.
  private async interrupt<T>(agent: AcpAgent, answer: Promise<T>): Promise<T | undefined> {
    this.show('ending')
    agent.cancel()
    const grace = this.ticker.delay(this.shared.timing.cancelGraceMs)
    const settled = await Promise.race([answer, grace.over.then(() => undefined)])
    grace.cancel()
    if (settled === undefined) {
      this.unusable = true
      await this.closeAgent()
    }
    return settled
  }

  private stopped(): Ending {
    return { outcome: 'stopped', reason: this.why === 'pause' ? 'paused' : 'stopped on request' }
  }

  private async conclude(ending: Ending): Promise<TurnResult> {
    const { shared, spec, claim } = this
    const reason = ending.reason === undefined ? {} : { reason: this.log.redact(ending.reason) }
    this.show('ending')
    this.log.mark('ended', { outcome: ending.outcome, ...reason })
    // From here on the answer is safe: whoever takes over only finishes.
    this.save({ ended: { outcome: ending.outcome, ...reason } })
    await this.leave(['completed', 'timed_out', 'stalled'].includes(ending.outcome))
    const changedFiles = await shared.changedFiles(spec.workspace)
    const result = turnResult(shared.dirs, claim, this.log.finish(), { changedFiles, leftovers: this.leftovers, promptChars: spec.prompt.length })
    saveResult(shared.dirs, spec.key, result)
    return result
  }

  // The turn is unfinished, and its key goes on.
  private async letGo(why: StopReason): Promise<TurnResult> {
    await this.leave(false)
    this.log.mark('interrupted', { why })
    if (why !== 'pause') throw new TurnInterrupted(why)
    const { shared, spec, claim } = this
    const paused = { ...claim, ended: { outcome: 'stopped' as const, reason: 'paused' } }
    const changedFiles = await shared.changedFiles(spec.workspace)
    return turnResult(shared.dirs, paused, this.log.finish(), { changedFiles, leftovers: this.leftovers, promptChars: spec.prompt.length })
  }

  /** Closes or keeps the agent, ends what left its group, gives the slot back. Doing it twice is harmless. */
  private async leave(mayKeep: boolean): Promise<void> {
    const { shared, spec, claim, agent, release } = this
    if (mayKeep && spec.followUp && !this.unusable && agent !== undefined && release !== undefined) {
      this.leftovers += await endOutsiders(outsiders(agent.identity, agent.step), shared.timing.endGraceMs)
      agent.listener = undefined
      this.agent = undefined
      this.release = undefined
      this.save({ kept: true })
      const onClosed = () => saveClaim(shared.dirs, { ...claim, kept: false })
      shared.pool.put({ agent, name: spec.agent, run: claim.run, cwd: spec.workspace.cwd, release, onClosed }, shared.timing.keepMs)
      return
    }
    await this.closeAgent()
    this.release = undefined
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

  private listener() {
    return {
      onUpdate: (raw: unknown) => {
        const event = this.log.update(raw)
        this.clock?.event()
        if (event.kind === 'tool') this.clock?.tool(event.id, event.running)
        this.lastEvent = eventLabel(event)
      },
      onStderr: (text: string) => this.log.stderr(text),
      onPermission: (request: PermissionRequest) => this.permission(request),
    }
  }

  private async permission(request: PermissionRequest): Promise<'allow' | 'deny'> {
    const policy = this.hooks.config.permissions
    const ask = [...this.attendants].at(-1)?.onPermission
    const asked = policy === 'ask' ? this.clock?.ask() : undefined
    const verdict = policy !== 'ask' ? policy : ask === undefined ? 'deny' : await ask(request).finally(asked)
    this.log.mark('permission', { ...request, verdict })
    this.clock?.event()
    return verdict
  }

  private tick(): void {
    const asked = takeStopRequest(this.shared.dirs, this.spec.key)
    if (asked !== undefined) this.stop(asked)
    this.log.tick()
    if (++this.ticks % SAVE_TICKS === 0 && this.state === 'running') this.save({})
    this.show(this.state)
  }

  private show(state: TurnProgress['state']): void {
    this.state = state
    const sessionId = this.agent?.sessionId
    const progress: TurnProgress = {
      state, elapsedMs: Math.round(this.claim.spentMs),
      ...(sessionId ? { sessionId } : {}), ...(this.lastEvent === undefined ? {} : { lastEvent: this.lastEvent }),
      ...(this.log.saidChars > 0 ? { tokens: Math.ceil(this.log.saidChars / 4) } : {}),
    }
    for (const { onProgress } of this.attendants) onProgress?.(progress)
  }

  private save(change: Partial<Claim>): void {
    saveClaim(this.shared.dirs, Object.assign(this.claim, change))
  }
}

/** The definition of an agent. Throws RefusalError where the config has none of this name. */
export function definitionOf(config: Config, name: string): AgentDefinition {
  const definition = agentDefinition(config, name)
  if (definition === undefined) throw new RefusalError('BadConfig', `no agent is called ${JSON.stringify(name)}`, 'agents in ratchet.config.json', `define agents.${name}, or name another agent under roles`)
  return definition
}

function limitReason(which: 'timed_out' | 'stalled', { limitMs, idleMs }: TurnSpec, answered: boolean): string {
  const what = which === 'timed_out' ? `the limit of ${shown(limitMs)} was reached` : `the agent did nothing for ${shown(idleMs)}`
  return `${what}; it ${answered ? 'stopped when it was asked to' : 'did not stop when it was asked to and was ended'}`
}

function shown(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`
}
