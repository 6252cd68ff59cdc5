// Which turns work in a workspace. The next one there looks, and ends what unfinished ones left:
// two agents in one tree would undo each other's work. Turns of one group share it, as the four
// agents of a cycle do. Who reads and writes this holds `fenceLock`.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ProcessIdentity } from '../../../contract/registry.js'
import type { Release } from '../../process/claims.js'
import { self } from '../../process/identity.js'
import { acquireLock } from '../../process/lock.js'
import { replaceFileSync } from '../../files/replace-file.js'
import { digest, layout, type Dirs } from '../../state-dir.js'

/** `keys`: the turns that were let in. Without `group` it is one that works alone. */
const Fence = z.object({
  cwd: z.string(),
  keys: z.array(z.string()),
  group: z.string().optional(),
  driver: ProcessIdentity,
})
export type Fence = z.infer<typeof Fence>

/** As it was written before turns could share a workspace. */
const LoneFence = z
  .object({ cwd: z.string(), key: z.string(), driver: ProcessIdentity })
  .transform(({ key, ...rest }): Fence => ({ ...rest, keys: [key] }))

function fencePath(dirs: Dirs, cwd: string): string {
  return path.join(layout.locks(dirs), `fence-${digest(cwd).slice(0, 24)}`)
}

/** The turns that were last let into this workspace. */
export function readFence(dirs: Dirs, cwd: string): Fence | undefined {
  try {
    return z
      .union([Fence, LoneFence])
      .parse(JSON.parse(readFileSync(`${fencePath(dirs, cwd)}.json`, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Lets turns of this process into the workspace; the ones that are not named are out. */
export function writeFence(
  dirs: Dirs,
  cwd: string,
  { keys, group }: { keys: readonly string[]; group?: string | undefined },
): void {
  mkdirSync(layout.locks(dirs), { recursive: true, mode: 0o700 })
  const fence: Fence = {
    cwd,
    keys: [...keys],
    group,
    driver: self(),
  }
  replaceFileSync(`${fencePath(dirs, cwd)}.json`, JSON.stringify(fence), { mode: 0o600 })
}

/**
 * Waits until no other process enters or clears this workspace; gives up with the signal's reason.
 */
export function fenceLock(dirs: Dirs, cwd: string, signal?: AbortSignal): Promise<Release> {
  return acquireLock(`${fencePath(dirs, cwd)}.lock`, signal && { signal })
}
