// What the caller of a turn gives and gets while it runs.
import type { Config } from '../../../contract/config/config.js'
import type { PermissionRequest } from '../agent-port.js'
import type { TurnTools } from '../tools/tool-server.js'
import type { StopReason } from '../errors.js'

/** What a turn is doing, for heartbeats; sent about once a second and at each change. */
export type TurnProgress = {
  state: 'slot' | 'starting' | 'running' | 'ending' | 'other_worker'
  sessionId?: string
  lastEvent?: string
  /** Counted against the limit so far. */
  elapsedMs: number
  /** Said so far in this prompt, estimated. */
  tokens?: number
}

/** The call that attends a turn. */
export type TurnHooks = {
  config: Config
  /** Environment of the run: agents get what is named for them. */
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  /** Why the signal was aborted; default `stop`. */
  abortReason?: () => StopReason
  onProgress?: (progress: TurnProgress) => void
  /**
   * Called before the agent gets its first prompt, when no other turn uses the workspace; not on
   * a resume, and not for one of several parallel turns.
   */
  beforeStart?: () => Promise<void>
  /** What the tools of Ratchet do; without it no session gets them. */
  tools?: TurnTools
  /** Policy `ask`; without it the answer is no. */
  onPermission?: (request: PermissionRequest) => Promise<'allow' | 'deny'>
}
