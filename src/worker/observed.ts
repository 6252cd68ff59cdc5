// What telemetry looks at in the input of an activity.
import type { ActivityExecuteInput } from '@temporalio/worker'
import type { HostActivities } from '../activities/index.js'
import type { IterationSummary, RunResult } from '../contract/result.js'
import type { SentTurn } from '../contract/turn-input.js'

/** Activities that write a record; the last one of a run has its result. */
export const RECORDS = ['recordRun', 'recordCycle', 'recordLoop']

export type Result<K extends keyof HostActivities> = Awaited<ReturnType<HostActivities[K]>>

/**
 * Parts that the inputs of activities share; `asTurn` is the input of a turn, which is for
 * `agentTurn` alone.
 */
export type Observed = {
  iteration?: number
  state?: { iteration: number; startedAt: number; history: IterationSummary[] }
  result?: RunResult
  turn?: SentTurn
  asTurn: SentTurn
}

/** Looks at an activity's input. */
export function observed({ args }: ActivityExecuteInput): Observed {
  const [input = {}] = args
  return { ...(input as Omit<Observed, 'asTurn'>), asTurn: input as SentTurn }
}
