// The agent of one turn: its slot of the host, its start with a new or an earlier session, and its
// end, or its stay for the next turn.
import type { AgentDefinition } from '../../../contract/config/agent-config.js'
import { KNOWN_AGENTS } from '../../../contract/known-agents.js'
import type { TurnSpec } from '../../../contract/turn.js'
import type { Release } from '../../process/claims.js'
import { isAlive } from '../../process/identity.js'
import type { SpawnGroup } from '../../process/spawn-group.js'
import { acquireSlot } from '../../process/slots.js'
import { layout } from '../../state-dir.js'
import { AcpAgent } from '../acp/acp-client.js'
import { definitionToArgv } from '../agent-command.js'
import type { AgentListener, OpenAgent, StartOptions } from '../agent-port.js'
import type { DriverShared } from '../driver-shared.js'
import { ExecAgent } from '../exec/exec-agent.js'
import { endOutsiders, outsiders } from '../leftovers.js'
import { NO_TOOLS, sessionTools, toolArguments } from '../tools/session-tools.js'
import { removeToolFolder } from '../tools/tool-files.js'
import { earlierSession } from './continued-session.js'
import type { SideWrites } from './side-writes.js'
import type { Ticker } from './turn-clock.js'
import { saveClaim, type Claim } from './turn-store.js'

/** What a turn gives its agent. */
export type TurnOfAgent = {
  shared: DriverShared
  spec: TurnSpec
  claim: Claim
  definition: AgentDefinition
  env: Record<string, string>
  /** `env` without what names the folder of this turn. */
  lastingEnv: Record<string, string>
  /** Agents that may run at once on this host. */
  agentsPerHost: number
  spawn: SpawnGroup
  /** Its sessions get the tools of Ratchet. */
  offersTools: boolean
  listener: AgentListener
  side: SideWrites
  ticker: Ticker
  /** Aborts the waits and the start. */
  signal: AbortSignal
  save: (change: Partial<Claim>) => void
  onSlotWait: () => void
  onStart: () => void
}

export class AgentProcess {
  open: OpenAgent | undefined
  /** Processes outside of its group that the turn ended. */
  leftovers = 0
  /** Its process is ended, not asked to close, and not kept. */
  unusable = false
  /** The agent does not know the session to continue. */
  lostSession = false
  /** The earlier session that is open, or being resumed. */
  earlier: string | undefined
  /** Its process is new, and counts the cost from zero. */
  private isCostNew = false
  private release: Release | undefined

  constructor(private readonly turn: TurnOfAgent) {}

  /** Takes the process that was kept for a follow-up, with its slot, if there is one. */
  takeKept(): void {
    const { shared, spec, claim, definition, lastingEnv, listener, save } = this.turn
    const earlier = claim.attempts.length > 0 ? undefined : earlierSession(spec, claim)
    const kept =
      earlier === undefined
        ? undefined
        : shared.pool.take(spec.workspace.cwd, earlier, {
            name: spec.agent,
            definition,
            env: lastingEnv,
          })
    if (kept === undefined) return
    this.earlier = earlier
    this.release = kept.release
    this.open = kept.agent
    this.open.listener = listener
    save({ process: this.open.identity, marker: this.open.step })
  }

  /** Waits for a slot of the host; throws the signal's reason. */
  async takeSlot(): Promise<void> {
    this.release ??= await this.slot()
  }

  private slot(): Promise<Release> {
    const { shared, agentsPerHost, signal, onSlotWait } = this.turn
    return acquireSlot(layout.slots(shared.dirs), agentsPerHost, {
      signal,
      onWait: () => {
        onSlotWait()
        void shared.pool.closeAll() // a kept agent holds a slot that another turn needs
      },
    })
  }

  /** Starts a process and opens a session: a new one, the earlier one, or one instead of it. */
  async start(): Promise<'new' | 'same' | 'lost'> {
    const { spec, claim, shared, definition, env, listener, ticker, signal } = this.turn
    const { save, onStart } = this.turn
    this.unusable = false
    this.earlier = undefined
    const markers = { run: spec.header.run, step: claim.marker }
    const options: StartOptions = {
      argv: [
        ...definitionToArgv(definition, spec.workspace.project, env),
        ...(this.turn.offersTools ? toolArguments(definition) : []),
      ],
      cwd: spec.workspace.cwd,
      env,
      markers,
      tools: this.turn.offersTools
        ? sessionTools(definition.known, spec.workspace.cwd, markers)
        : NO_TOOLS,
      spawn: this.turn.spawn,
      listener,
      ticker,
      signal,
      timing: shared.timing,
      onProcess: (process) => save({ process }),
    }
    onStart()
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
    const agent = (this.open = await starting.catch(async (error: unknown) => {
      this.leftovers += await endOutsiders([], shared.timing.endGraceMs, claim.marker)
      throw error
    }))
    const known = definition.known && KNOWN_AGENTS[definition.known]
    this.isCostNew = known?.costByProcess === true
    const choice =
      definition.protocol === 'acp'
        ? {
            mode: definition.mode,
            model: definition.model,
            repeatsModel: known?.losesModel === true,
          }
        : {}
    const earlier = earlierSession(spec, claim)
    if (earlier !== undefined && !this.lostSession) {
      this.earlier = earlier
      if (await agent.resumeSession(earlier, choice)) return 'same'
      this.earlier = undefined
    }
    const sessionId = await agent.newSession(choice)
    if (definition.protocol === 'acp')
      shared.counts.set(spec.header.run, sessionId, { tokens: { input: 0, output: 0 } })
    return earlier === undefined ? 'new' : 'lost'
  }

  /** Returns whether the cost counts from zero, for the first prompt of a process. */
  takeCostNew(): boolean {
    const isNew = this.isCostNew
    this.isCostNew = false
    return isNew
  }

  /**
   * Closes or keeps the agent, ends processes that left its group, and releases the slot. Can be
   * repeated.
   */
  async leave(mayKeep: boolean): Promise<void> {
    const { shared, spec, claim, definition, lastingEnv, save } = this.turn
    const { open: agent, release } = this
    this.release = undefined
    // An agent without a process would hold its slot for nothing.
    if (
      mayKeep &&
      spec.followUp &&
      !this.unusable &&
      agent !== undefined &&
      release !== undefined &&
      isAlive(agent.identity)
    ) {
      this.open = undefined
      agent.listener = undefined
      this.leftovers += await endOutsiders(
        outsiders(agent.identity, agent.step),
        shared.timing.endGraceMs,
      )
      save({ kept: true })
      const onLeft = () => {
        this.removeTools(agent)
        saveClaim(shared.dirs, Object.assign(claim, { kept: false }))
      }
      shared.pool.put(
        {
          agent,
          name: spec.agent,
          definition,
          env: lastingEnv,
          run: claim.run,
          cwd: spec.workspace.cwd,
          group: spec.group,
          release,
          onLeft,
        },
        shared.timing.keepMs,
      )
      return
    }
    await this.close()
    await release?.()
  }

  /** Ends the process, and what left its group. */
  async close(): Promise<void> {
    const { shared } = this.turn
    const { open: agent } = this
    if (agent === undefined) return
    this.open = undefined
    const left = outsiders(agent.identity, agent.step)
    if (this.unusable) await agent.kill()
    else await agent.close()
    this.leftovers += await endOutsiders(left, shared.timing.endGraceMs, agent.step)
    this.removeTools(agent)
  }

  private removeTools({ step }: OpenAgent): void {
    const { side, spec, offersTools } = this.turn
    if (offersTools) side.try(() => removeToolFolder(spec.workspace.cwd, step))
  }
}
