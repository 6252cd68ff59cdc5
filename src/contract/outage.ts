// A model provider that is away: as a turn meets it, and as a run waits for it.
import { z } from 'zod'

/** Why the provider of an agent counts as away. */
export const TurnOutage = z.object({
  /** "HTTP 503", "connection refused". */
  error: z.string(),
  /** Host, and port where it is named. */
  address: z.string().optional(),
  /**
   * Nobody was connected to, and this agent has never answered on this host: its address may be
   * wrong.
   */
  unproven: z.boolean().optional(),
})
export type TurnOutage = z.infer<typeof TurnOutage>

/**
 * An outage as a run waits for it: how long so far, when that was last counted, and when the agent
 * is tried next. Epoch milliseconds.
 */
export const RunOutage = z.object({ waitedMs: z.number(), at: z.number(), until: z.number() })
export type RunOutage = z.infer<typeof RunOutage>
