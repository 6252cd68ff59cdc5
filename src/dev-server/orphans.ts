// Finds servers and workers without a file: the process that started them was killed, or had no
// disk space to record them. Two servers on one database destroy it, and an unknown worker keeps
// polling in an outdated environment.
import { findMarked } from '../adapters/process/find.js'
import { hostId, type Dirs } from '../adapters/state-dir.js'
import { LOCAL_MARK } from '../contract/names.js'
import type { ProcessIdentity } from '../contract/registry.js'
import { end } from './processes.js'

export type Part = 'server' | 'worker'

/** The mark of such a process: the id of its state directory, as one user may have several. */
export function markOf(dirs: Dirs, part: Part): string {
  return `${part}-${hostId(dirs)}`
}

/** Living processes of this state directory that carry the mark and are none of the `known`. */
export function strays(
  dirs: Dirs,
  part: Part,
  known: readonly (ProcessIdentity | undefined)[],
): ProcessIdentity[] {
  return findMarked(LOCAL_MARK, markOf(dirs, part)).filter(
    (one) => !known.some((k) => k?.pid === one.pid && k.startTime === one.startTime),
  )
}

/** Ends them and returns when they are gone. */
export async function endStrays(
  dirs: Dirs,
  part: Part,
  known: readonly (ProcessIdentity | undefined)[],
  graceMs: number,
  log?: (text: string) => void,
): Promise<void> {
  const found = strays(dirs, part, known)
  for (const { pid } of found) log?.(`a ${part} that no file names (process ${pid}) is ended`)
  await Promise.all(found.map((one) => end(one, graceMs)))
}
