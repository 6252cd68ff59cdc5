// Finds the processes of a run, even after their worker died and no pid is known.
//
// Three ways, because each has a hole: a process can leave its group (setsid), lose its parent
// (double fork) or clear its environment (env -i), but hardly all three.
import type { ProcessIdentity } from '../../contract/registry.js'
import { currentBootId, identify } from './identity.js'
import { pidsWithEnv, processTable, type TableEntry } from './table.js'

/** Living processes, this one excepted, whose environment at their start held `name=value`. */
export function findMarked(name: string, value: string): ProcessIdentity[] {
  return findMarkedAll({ [name]: value })
}

/**
 * Living processes, this one excepted, that carry all of the markers. A step's name is unique only
 * within its run.
 */
export function findMarkedAll(markers: Readonly<Record<string, string>>): ProcessIdentity[] {
  return pidsWithEnv(markers)
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) => identify(pid) ?? [])
}

/** Living members of the group that this process led at its start, the leader included. */
export function groupMembers(leader: ProcessIdentity): ProcessIdentity[] {
  if (leader.bootId !== currentBootId()) return []
  const table = processTable()
  // The pid belongs to another process, so the group had ended.
  if (table.some((entry) => entry.pid === leader.pid && entry.startTime !== leader.startTime))
    return []
  return table.filter((entry) => entry.group === leader.pid).map(identity)
}

/**
 * Living children, their children, and so on. Those whose parent died belong to init and are not
 * among them.
 */
export function descendants(ancestor: ProcessIdentity): ProcessIdentity[] {
  const table = processTable()
  if (!table.some((entry) => entry.pid === ancestor.pid && entry.startTime === ancestor.startTime))
    return []
  const found: TableEntry[] = []
  const parents = new Set([ancestor.pid])
  for (let before = -1; before !== found.length;) {
    before = found.length
    for (const entry of table) {
      if (!parents.has(entry.parent) || parents.has(entry.pid)) continue
      parents.add(entry.pid)
      found.push(entry)
    }
  }
  return found.map(identity)
}

function identity({ pid, startTime }: TableEntry): ProcessIdentity {
  return { pid, startTime, bootId: currentBootId() }
}
