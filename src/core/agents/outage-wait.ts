// How long a run waits for an agent whose provider is away.
//
// What counts are the waits and the tries between them, from the first failure on. The time of a
// pause does not count, and neither does a night in which the machine slept: who wakes up without a
// network has not waited for eight hours.
import type { RunOutage, TurnOutage } from '../../contract/outage.js'
import { outageText } from './agent-outcome.js'

const MINUTE_MS = 60_000
/** The longest wait of a run in one outage, where the configuration says nothing. */
export const UNAVAILABLE_MS = 6 * 60 * MINUTE_MS
/**
 * The same if no connection was made and the agent has never answered here: its address may be
 * wrong.
 */
export const UNPROVEN_MS = 15 * MINUTE_MS
/** A try may last so long beyond its wait: agents repeat a call by themselves for minutes. */
const TRY_MS = 10 * MINUTE_MS

/**
 * The outage at this moment.
 *
 * @param before as it was last looked at; `undefined` where it begins now
 * @param until when the agent is tried next, in epoch milliseconds
 */
export function outageAt(
  before: RunOutage | undefined,
  now: number,
  until = before?.until ?? now,
): RunOutage {
  if (before === undefined) return { waitedMs: 0, at: now, until }
  const planned = Math.max(0, before.until - before.at) + TRY_MS
  return {
    waitedMs: before.waitedMs + Math.min(Math.max(0, now - before.at), planned),
    at: Math.max(now, before.at),
    until,
  }
}

/** The longest wait for this outage, in milliseconds. */
export function outageLimit({ unproven }: TurnOutage, configured = UNAVAILABLE_MS): number {
  return unproven === true ? Math.min(UNPROVEN_MS, configured) : configured
}

/**
 * When the run gives up, in epoch milliseconds; a time that is over where it has waited long
 * enough.
 */
export function outageDeadline({ at, waitedMs }: RunOutage, limitMs: number): number {
  return at + limitMs - waitedMs
}

/** Why a run does not wait any longer, in one sentence. */
export function gaveUpReason(agent: string, outage: TurnOutage, limitMs: number): string {
  const { error, address, unproven } = outage
  if (unproven !== true)
    return `${agent} was unavailable for ${spanText(limitMs)}: ${outageText(outage)}; "limits.unavailable" says how long a run waits`
  return `${agent} could not reach ${address ?? 'its model provider'} for ${spanText(limitMs)} (${error}), and it has never answered on this machine: check its address and the network`
}

/** "6 h", "90 min", "20 s". */
function spanText(ms: number): string {
  if (ms % (60 * MINUTE_MS) === 0) return `${ms / (60 * MINUTE_MS)} h`
  return ms >= MINUTE_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.round(ms / 1_000)} s`
}
