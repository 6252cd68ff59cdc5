// Ends processes and verifies it: TERM, a grace period, KILL, and a check that they are gone. The
// processes are listed again at every check, because one that is being ended may still fork.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessIdentity } from '../../contract/registry.js'
import { stopwatch } from '../stopwatch.js'
import { findMarkedAll, groupMembers } from './find.js'
import { isAlive } from './identity.js'

/** Between TERM and KILL. */
export const GRACE_MS = 10_000
const POLL_MS = 50
/**
 * After KILL a process is gone within milliseconds, unless it hangs in the kernel, where no signal
 * ends it.
 */
const KILL_ROUNDS = 100

export type EndOptions = { graceMs?: number }

/**
 * Ends a process group, also where its leader has died.
 *
 * @returns how many processes were ended
 * @throws EPERM where one belongs to another user; an error that names the pids where one survives
 * KILL
 */
export function endGroup(leader: ProcessIdentity, options: EndOptions = {}): Promise<number> {
  return endFound(() => groupMembers(leader), options)
}

/** Ends exactly these processes. Returns and throws as `endGroup`. */
export function endAll(
  identities: readonly ProcessIdentity[],
  options: EndOptions = {},
): Promise<number> {
  return endFound(() => identities.filter(isAlive), options)
}

/**
 * Ends every process with the marker but this one and those of `except`. Returns and throws as
 * `endGroup`.
 */
export function endMarked(
  name: string,
  value: string,
  options: EndOptions & { except?: readonly ProcessIdentity[] } = {},
): Promise<number> {
  return endMarkedAll({ [name]: value }, options)
}

/** Ends every process that carries all of the markers, as `endMarked`. */
export function endMarkedAll(
  markers: Readonly<Record<string, string>>,
  options: EndOptions & { except?: readonly ProcessIdentity[] } = {},
): Promise<number> {
  const spared = new Set(options.except?.map(key))
  return endFound(() => findMarkedAll(markers).filter((found) => !spared.has(key(found))), options)
}

/** Ends a group and every process that left it but carries all of the markers. */
export function endGroupAndMarked(
  leader: ProcessIdentity,
  markers: Readonly<Record<string, string>>,
  options: EndOptions = {},
): Promise<number> {
  return endFound(() => {
    const members = groupMembers(leader)
    const known = new Set(members.map(key))
    return [...members, ...findMarkedAll(markers).filter((found) => !known.has(key(found)))]
  }, options)
}

async function endFound(
  find: () => ProcessIdentity[],
  { graceMs = GRACE_MS }: EndOptions,
): Promise<number> {
  const asked = new Map<string, ProcessIdentity>()
  const waited = stopwatch()
  for (;;) {
    const living = findTwice(find)
    if (living.length === 0) return asked.size
    for (const one of living) {
      if (asked.has(key(one))) continue
      asked.set(key(one), one)
      signal(one, 'SIGTERM')
      signal(one, 'SIGCONT') // a stopped process receives its TERM only when it continues
    }
    if (waited() >= graceMs) break
    await sleep(Math.min(POLL_MS, Math.max(1, graceMs - waited())))
  }
  let living: ProcessIdentity[] = []
  for (let round = 0; round < KILL_ROUNDS; round++) {
    living = findTwice(find)
    if (living.length === 0) return asked.size
    // First all of them stop, so that none forks a new one while the others are killed.
    for (const one of living) signal(one, 'SIGSTOP')
    for (const one of living) {
      asked.set(key(one), one)
      signal(one, 'SIGKILL')
    }
    await sleep(Math.min(POLL_MS, round))
  }
  throw new Error(`processes survive SIGKILL: ${living.map((one) => one.pid).join(', ')}`)
}

// The environment of a process cannot be read for a moment while it executes another program.
function findTwice(find: () => ProcessIdentity[]): ProcessIdentity[] {
  const found = find()
  return found.length > 0 ? found : find()
}

function signal(one: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isAlive(one)) return
  try {
    process.kill(one.pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function key(one: ProcessIdentity): string {
  return `${one.pid} ${one.startTime} ${one.bootId}`
}
