// What the activities of a project's host are made from.
import type { Client } from '@temporalio/client'
import type { EnvFrom } from '../../contract/result.js'
import type { Lost } from '../../core/run/run-environment.js'
import type { AgentDriver } from '../../adapters/agents/driver.js'
import type { InFlight } from '../../adapters/activity-journal.js'
import type { RunEnvironment } from '../../adapters/environments/asked-environments.js'
import type { Dirs } from '../../adapters/state-dir.js'

/** Returns the argument as it is sent to a run. */
export type SignedUpdate = (
  run: string,
  update: { name: string; id: string },
  argument: unknown,
) => unknown

export type HostDeps = {
  dirs: Dirs
  /** Real path of the project this worker serves. */
  project: string
  projectKey: string
  /**
   * Environment of the run: of the command that started or last continued it. Tests and set-up get
   * all of it, agents what is named for them.
   */
  env: NodeJS.ProcessEnv
  /** Where `env` is from, and what differs from the one that the run has lost. */
  given?: { from: EnvFrom; lost: Lost }
  client: Client
  agents: AgentDriver
  inFlight: InFlight
  /** On a private server: signs the argument of an update. */
  signedUpdate?: SignedUpdate
  /** A line for the worker's log. */
  log?: (text: string) => void
}

/** `env` is that of the worker, for a run without one of its own. */
export type WorkerDeps = HostDeps & { envOf?: (run: string) => Promise<RunEnvironment> }
