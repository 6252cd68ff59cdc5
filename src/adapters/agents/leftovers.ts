// Processes that an agent leaves: found by their group, their parents and the step marker, as each
// of the three has a hole.
import { MARKERS } from '../../contract/names.js'
import type { ProcessIdentity } from '../../contract/registry.js'
import { endAll, endGroup, endMarked } from '../process/end.js'
import { descendants, findMarked, groupMembers } from '../process/find.js'
import type { Claim } from './turn/turn-store.js'

/**
 * Step marker of the relay of an agent's process: some agents start it outside of their group, and
 * it lives as long as they do. `AcpAgent.kill` ends it.
 */
export function relayMarker(step: string): string {
  return `${step}-relay`
}

/** What an agent started and what has left its process group, but for its relay. */
export function outsiders(agent: ProcessIdentity, step: string): ProcessIdentity[] {
  const group = new Set(groupMembers(agent).map((one) => one.pid))
  const found = new Map(
    [...descendants(agent), ...findMarked(MARKERS.step, step)].map((one) => [one.pid, one]),
  )
  const relays = new Set(findMarked(MARKERS.step, relayMarker(step)).map((one) => one.pid))
  return [...found.values()].filter((one) => !group.has(one.pid) && !relays.has(one.pid))
}

/**
 * Ends them, and where a step is given everything that carries its marker by now; returns how many
 * there were.
 */
export async function endOutsiders(
  found: readonly ProcessIdentity[],
  graceMs: number,
  step?: string,
): Promise<number> {
  const ended = await endAll(found, { graceMs })
  return ended + (step === undefined ? 0 : await endMarked(MARKERS.step, step, { graceMs }))
}

/** Step marker of the test runs that the agent of a turn asks for. */
export function testMarker(marker: string): string {
  return `${marker}-tests`
}

/** Ends everything that the record of a turn knows of; returns how many processes that were. */
export async function endClaimed(claim: Claim, graceMs: number): Promise<number> {
  if (claim.process === undefined) return 0 // nothing was ever started
  return (
    (await endGroup(claim.process, { graceMs })) +
    (await endMarked(MARKERS.step, claim.marker, { graceMs })) +
    (await endMarked(MARKERS.step, testMarker(claim.marker), { graceMs })) +
    (await endMarked(MARKERS.step, relayMarker(claim.marker), { graceMs }))
  )
}
