// Which turn works in a workspace. The next one there looks, and ends what an unfinished one left:
// two agents in one tree would undo each other's work.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { ProcessIdentity } from '../../contract/registry.js'
import { self } from '../process/identity.js'
import type { Dirs } from '../state-dir.js'
import { digest, layout } from '../state-dir.js'

const Fence = z.object({ cwd: z.string(), key: z.string(), driver: ProcessIdentity })
export type Fence = z.infer<typeof Fence>

function fenceFile(dirs: Dirs, cwd: string): string {
  return path.join(layout.locks(dirs), `fence-${digest(cwd).slice(0, 24)}.json`)
}

/** The turn that was last let into this workspace. */
export function readFence(dirs: Dirs, cwd: string): Fence | undefined {
  try {
    return Fence.parse(JSON.parse(readFileSync(fenceFile(dirs, cwd), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Lets a turn of this process into the workspace. */
export function writeFence(dirs: Dirs, cwd: string, key: string): void {
  mkdirSync(layout.locks(dirs), { recursive: true, mode: 0o700 })
  const fence: Fence = { cwd, key, driver: self() }
  writeFileAtomic.sync(fenceFile(dirs, cwd), JSON.stringify(fence), { mode: 0o600 })
}
