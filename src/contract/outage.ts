// An outage of a model provider, for a turn and for a run.
import { z } from 'zod'

/** Why the provider of an agent counts as away. */
export const TurnOutage = z.object({
  /** "HTTP 503", "connection refused". */
  error: z.string(),
  /** Host, and port if it is named. */
  address: z.string().optional(),
  /**
   * No connection was made, and this agent has never answered on this host, so its address may be
   * wrong.
   */
  unproven: z.boolean().optional(),
})
export type TurnOutage = z.infer<typeof TurnOutage>

/**
 * A run's wait for an outage: how long so far, when that was last counted, and when the agent is
 * tried next. Epoch milliseconds.
 */
export const RunOutage = z.object({ waitedMs: z.number(), at: z.number(), until: z.number() })
export type RunOutage = z.infer<typeof RunOutage>
