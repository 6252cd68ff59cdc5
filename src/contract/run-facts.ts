// What a server and a run say about the run while it is open, however they were asked.
import { z } from 'zod'
import { Question } from './question.js'
import { StatusReply } from './result.js'
import type { Kind } from './names.js'

/** An activity that runs, or waits for a worker or its next attempt. */
export const PendingActivity = z.object({
  name: z.string(),
  attempt: z.number(),
  started: z.boolean(),
  /** A worker runs it; false while it waits for one, or for its next attempt. */
  running: z.boolean(),
  /** Start of this attempt by the server's clock; epoch milliseconds. */
  startedAt: z.number().optional(),
  /** Details of its last heartbeat. */
  progress: z.record(z.string(), z.unknown()).optional(),
  /** Message and type of the previous attempt's failure. */
  lastFailure: z.string().optional(),
  lastFailureType: z.string().optional(),
})
export type PendingActivity = z.infer<typeof PendingActivity>

/** An open run that has answered. */
export const RunFacts = z.object({
  id: z.string(),
  kind: z.enum(['test-fix', 'dev-cycle', 'dev-loop'] satisfies Kind[]),
  /** As the server has indexed it; a run that has just begun has none. */
  project: z.string().optional(),
  /** Start of its first iteration; ISO 8601. */
  startedAt: z.string(),
  pending: z.array(PendingActivity),
  status: StatusReply,
  /** Those that are not answered. */
  questions: z.array(Question),
  /** Its state, if the whole run was asked for. */
  state: z.unknown(),
})
export type RunFacts = z.infer<typeof RunFacts>

/** Which open runs: those that a visibility query finds, or the first open one of some ids. */
export const RunsRequest = z.union([
  z.object({ query: z.string(), limit: z.number().int().min(1).max(1_000) }),
  z.object({ ids: z.array(z.string()) }),
])
export type RunsRequest = z.infer<typeof RunsRequest>
