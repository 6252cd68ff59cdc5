// Processes that an agent leaves: found by their group, their parents and the step marker, as each
// of the three has a hole.
import { MARKERS } from '../../contract/names.js'
import type { ProcessIdentity } from '../../contract/registry.js'
import { endAll, endGroup, endMarked } from '../process/end.js'
import { descendants, findMarked, groupMembers } from '../process/find.js'
import type { Claim } from './turn/turn-store.js'

/** What an agent started and what has left its process group. */
export function outsiders(agent: ProcessIdentity, step: string): ProcessIdentity[] {
  const group = new Set(groupMembers(agent).map((one) => one.pid))
  const found = new Map(
    [...descendants(agent), ...findMarked(MARKERS.step, step)].map((one) => [one.pid, one]),
  )
  return [...found.values()].filter((one) => !group.has(one.pid))
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

/** Ends everything that the record of a turn knows of; returns how many processes that were. */
export async function endClaimed(claim: Claim, graceMs: number): Promise<number> {
  if (claim.process === undefined) return 0 // nothing was ever started
  return (
    (await endGroup(claim.process, { graceMs })) +
    (await endMarked(MARKERS.step, claim.marker, { graceMs }))
  )
}
