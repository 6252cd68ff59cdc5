// An agent as a turn sees it, whichever way it is spoken to.
import type { PermissionFacts } from '../../core/agents/permission-text.js'
import type { ProcessIdentity } from '../../contract/registry.js'
import type { SpawnGroup } from '../process/spawn-group.js'
import type { SessionTools } from './tools/session-tools.js'
import type { Ticker } from './turn/turn-clock.js'

/** Stands for the process of an agent that has none yet: no living one is equal to it. */
export const NO_PROCESS: ProcessIdentity = { pid: 0, startTime: '', bootId: '' }

/** What an agent wants to do and needs leave for. */
export type PermissionRequest = PermissionFacts & { id: string }

/** Listeners of a prompt; called only while it runs, except `onStderr`. */
export type AgentListener = {
  /** An update in the shape of ACP's `session/update`. */
  onUpdate(update: unknown): void
  onPermission(request: PermissionRequest): Promise<'allow' | 'deny'>
  /** Standard error, and lines on standard output that are no messages. */
  onStderr(text: string): void
  /** The session's id, where the agent names it only while a prompt runs. */
  onSession?(id: string): void
}

export type StartOptions = {
  argv: readonly [string, ...string[]]
  cwd: string
  env: Record<string, string>
  markers: { run: string; step: string }
  spawn: SpawnGroup
  listener: AgentListener
  ticker: Ticker
  /** Ends the start; the process is ended too. */
  signal: AbortSignal
  timing: {
    startMs: number
    closeMs: number
    lingerMs: number
    endGraceMs: number
    replayQuietMs: number
  }
  /** Of every session that it opens. */
  tools: SessionTools
  maxMessageBytes?: number
  /** Called as soon as there is a process, so that it can be written down before anything else. */
  onProcess(identity: ProcessIdentity): void
}

/** Mode and model of a session. */
export type SessionChoice = {
  mode?: string | undefined
  model?: string | undefined
  /** A resumed session is given the model that the agent reports. */
  repeatsModel?: boolean
}

/**
 * An agent that was started. Its methods throw what `errors.ts` names: AgentGoneError where the
 * process died, AgentRefusedError where the agent answered with an error, NotAcpError where it does
 * not do what is needed, SessionLostError where a prompt shows that the session to continue is
 * not there.
 */
export interface OpenAgent {
  readonly sessionId: string
  /** Set for the duration of each turn: a kept one serves several. */
  listener: AgentListener | undefined
  /** Its process, or the last one; NO_PROCESS before the first. */
  readonly identity: ProcessIdentity
  /** Settles when it cannot serve another turn. */
  readonly exited: Promise<unknown>
  /** The step marker its processes carry. */
  readonly step: string
  /**
   * Opens a new session and returns its id; one of ours where the agent names it only while a
   * prompt runs.
   */
  newSession(choice: SessionChoice): Promise<string>
  /**
   * Continues a session of an earlier process; false where the agent cannot, or does not know
   * it.
   */
  resumeSession(id: string, choice: SessionChoice): Promise<boolean>
  /**
   * Sends a prompt and waits for its end; answers as ACP's `session/prompt` does: `stopReason`,
   * `usage`, `_meta`.
   */
  prompt(text: string): Promise<unknown>
  /** Asks the agent to stop the running prompt. */
  cancel(): void
  /** Lets it end by itself, and ends it where it does not. */
  close(): Promise<void>
  /** Ends its process group: TERM, grace, KILL. */
  kill(): Promise<void>
}
