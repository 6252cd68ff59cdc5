// What all turns of one driver share.
import { GRACE_MS } from '../process/end.js'
import type { SpawnGroup } from '../process/spawn-group.js'
import type { Workspace } from '../../contract/workspace.js'
import type { Dirs } from '../state-dir.js'
import type { AgentPool } from './agent-pool.js'
import type { Ledger } from './turn/usage-ledger.js'
import type { SessionCounts } from './turn/session-counts.js'
import type { Clock } from './turn/turn-clock.js'

/** Waits of the driver, in milliseconds; tests shorten them. */
export const TIMING = {
  /**
   * For each answer before the prompt: initialize, session/new, … A first start may download the
   * agent, or its host be loaded.
   */
  startMs: 300_000,
  /** Between an interruption and the end of an agent that does not heed it. */
  cancelGraceMs: 10_000,
  /** Between TERM and KILL. */
  endGraceMs: GRACE_MS,
  /** For an agent that was asked to close. */
  closeMs: 3_000,
  /** For a command to end by itself after its last event: some write their session still. */
  lingerMs: 30_000,
  /** A process outlives its turn by no more. */
  keepMs: 60_000,
  /** Replayed history may come so late. */
  replayQuietMs: 300,
  /** For the next attempt to adopt a turn that the server gave up. */
  adoptMs: 5_000,
  /** Between two looks at a turn of another worker. */
  pollMs: 500,
  /** Between two looks for a call of a tool. */
  toolPollMs: 100,
  /** For another worker to let go of a workspace. */
  yieldMs: 30_000,
}
export type Timing = typeof TIMING

export type DriverShared = {
  dirs: Dirs
  clock: Clock
  /** Wall clock in epoch milliseconds: limits end at a time of day. */
  now: () => number
  spawn: SpawnGroup
  ledger: Ledger
  timing: Timing
  pool: AgentPool
  counts: SessionCounts
  changedFiles(workspace: Workspace): Promise<readonly string[]>
  /**
   * Lets a turn into its workspace after all that excludes it has ended. Gives up with the signal's
   * reason.
   */
  enterWorkspace(turn: Entering, signal: AbortSignal): Promise<void>
}

/** A turn at the door of its workspace. */
export type Entering = {
  key: string
  cwd: string
  group?: string | undefined
  sessionId?: string | undefined
}
