// What the activities of a project's host are made from.
import type { Client } from '@temporalio/client'
import type { AgentDriver } from '../../adapters/agents/driver.js'
import type { InFlight } from '../../adapters/activity-journal.js'
import type { Dirs } from '../../adapters/state-dir.js'

export type HostDeps = {
  dirs: Dirs
  /** Real path of the project this worker serves. */
  project: string
  projectKey: string
  /**
   * Environment of the user's shell; tests and set-up get all of it, agents what is named for them.
   */
  env: NodeJS.ProcessEnv
  client: Client
  agents: AgentDriver
  inFlight: InFlight
  /** A line for the worker's log. */
  log?: (text: string) => void
}
