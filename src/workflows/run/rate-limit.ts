// Waits for an agent during a rate limit or an outage of its provider: on a durable timer, without
// spending an iteration or an attempt.
import { condition } from '@temporalio/workflow'
import type { RunOutage, TurnOutage } from '../../contract/outage.js'
import type { TurnResult } from '../../contract/turn.js'
import { outageText } from '../../core/agents/agent-outcome.js'
import { isoTime } from '../../core/text/iso-time.js'
import {
  gaveUpReason,
  outageAt,
  outageDeadline,
  outageLimit,
} from '../../core/agents/outage-wait.js'
import type { Control } from './control.js'

type WaitingRun = {
  readonly control: Control
  enter: (phase: string, waitingFor: string) => void
  readonly ready: {
    prepared: { timezone?: string; spending?: { unavailableMs?: number | undefined } | undefined }
    /** Current outages, by agent. */
    outages?: Record<string, RunOutage> | undefined
  }
}

/** A turn whose agent is rate limited or away: the same key continues later. */
export type NotServed = TurnResult & { limitedUntil: number }

/** Returns whether a turn waits for its agent's provider. */
export function isNotServed(result: TurnResult): result is NotServed {
  return (
    (result.outcome === 'rate_limited' || result.outcome === 'unavailable') &&
    result.limitedUntil !== undefined
  )
}

/** Keeps how long an agent has been unavailable; any other end of a turn ends its outage. */
export function noteOutage(
  { ready: state }: WaitingRun,
  agent: string,
  { outcome, limitedUntil }: TurnResult,
): void {
  if (outcome === 'unavailable')
    state.outages = {
      ...state.outages,
      [agent]: outageAt(state.outages?.[agent], Date.now(), limitedUntil),
    }
  else if (
    state.outages?.[agent] !== undefined &&
    ['completed', 'failed', 'rate_limited', 'over_budget'].includes(outcome)
  ) {
    const { [agent]: _, ...others } = state.outages
    state.outages = others
  }
}

/**
 * Waits until the agent may be tried again; a pause meanwhile holds, and does not count.
 *
 * @returns `over`: why it is not tried again, if the run has waited for long enough; `last`: the
 * next try is the last one, and earlier than announced
 */
export async function untilServed(
  run: WaitingRun,
  phase: string,
  agent: string,
  { limitedUntil, outage }: NotServed,
): Promise<{ over?: string; last?: true }> {
  const { control, ready: state } = run
  for (let first = true; ; first = false) {
    await heldOver(run, agent)
    const { until, deadline } =
      outage === undefined
        ? { until: limitedUntil }
        : outageEnd(run, agent, { limitedUntil, outage })
    if (first && outage !== undefined && deadline !== undefined && deadline <= Date.now())
      return {
        over: gaveUpReason(
          agent,
          outage,
          outageLimit(outage, state.prepared.spending?.unavailableMs),
        ),
      }
    const left = until - Date.now()
    if (left <= 0) return until < limitedUntil ? { last: true } : {}
    const time = (at: number): string => isoTime(at, state.prepared.timezone ?? '+00:00')
    run.enter(
      phase,
      outage === undefined || deadline === undefined
        ? `rate limit: ${agent} may be used again at ${time(until)}, and the run then continues by itself`
        : `outage: ${agent} is unavailable, ${outageText(outage)}; tried again at ${time(until)}, given up at ${time(deadline)}`,
    )
    await condition(() => control.stop !== undefined || control.pause !== undefined, left)
  }
}

function outageEnd(
  { ready: { outages, prepared } }: WaitingRun,
  agent: string,
  { limitedUntil, outage }: { limitedUntil: number; outage: TurnOutage },
): { until: number; deadline: number } {
  const now = Date.now()
  const deadline = outageDeadline(
    outageAt(outages?.[agent], now),
    outageLimit(outage, prepared.spending?.unavailableMs),
  )
  return { until: Math.min(limitedUntil, deadline), deadline }
}

async function heldOver({ control, ready: state }: WaitingRun, agent: string): Promise<void> {
  const before = state.outages?.[agent]
  if (control.pause === undefined || before === undefined) return control.safePoint()
  state.outages = { ...state.outages, [agent]: outageAt(before, Date.now()) }
  await control.safePoint()
  const after = state.outages[agent]
  if (after !== undefined)
    state.outages = { ...state.outages, [agent]: { ...after, at: Date.now() } }
}
