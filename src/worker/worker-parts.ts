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

/** What a process of workers runs. */
export type WorkerProcess = Pick<Running, 'interrupt'> & {
  run: () => Promise<void>
  /** Takes no new work; `run` ends with what is under way. */
  shutdown: () => void
}

/** A process of one worker. */
export function asProcess({ worker, interrupt }: Running): WorkerProcess {
  return { run: () => worker.run(), shutdown: () => endPolling(worker), interrupt }
}

export function endPolling(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown()
}

/**
 * The parts of a worker besides its server and project; a test that hosts several workers in its
 * own process gives each its own.
 */
export type WorkerParts = {
  env?: NodeJS.ProcessEnv
  workflowBundle?: WorkerOptions['workflowBundle']
  /** Those of the runs of its project; without it all have that of the worker. */
  environments?: Pick<RunEnvironments, 'of'>
  /** Starts the process of an agent that speaks ACP. */
  spawn?: SpawnGroup
  /** Of a private server: what is not signed with it is refused. */
  signingKey?: string | undefined
  interceptors?: ActivityInterceptorsFactory[]
  log?: (text: string) => void
}
