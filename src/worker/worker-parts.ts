// What both kinds of worker are made of.
import type { ActivityInterceptorsFactory, Worker, WorkerOptions } from '@temporalio/worker'
import type { RunEnvironments } from '../adapters/environments/asked-environments.js'
import type { SpawnGroup } from '../adapters/process/spawn-group.js'

export type Running = {
  worker: Worker
  queue: string
  /**
   * Ends agents now and keeps their work; their next attempts resume. Other activities run until
   * the worker is ended.
   */
  interrupt: () => Promise<void>
}

/**
 * The parts of a worker besides its server and project; a test that hosts several workers in its
 * own process gives each its own.
 */
export type WorkerParts = {
  env?: NodeJS.ProcessEnv
  workflowBundle?: WorkerOptions['workflowBundle']
  /** Those of the runs; without it all have that of the worker. */
  environments?: Pick<RunEnvironments, 'of'>
  /** Starts the process of an agent that speaks ACP. */
  spawn?: SpawnGroup
  /** Of a private server: what is not signed with it is refused. */
  signingKey?: string | undefined
  interceptors?: ActivityInterceptorsFactory[]
  log?: (text: string) => void
}
