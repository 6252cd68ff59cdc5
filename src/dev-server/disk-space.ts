// Whether there is room to start something. Where there is none the processes could not even say
// why they end.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Dirs } from '../adapters/state-dir.js'
import { writeObstacle } from '../adapters/files/write-obstacle.js'
import { LocalStartError } from './failures.js'

/** A new database takes about this much. */
const ROOM_BYTES = 512 * 1024

/** Tries it. @throws what the file system says: ENOSPC, EROFS, EACCES and so on */
export function tryRoom(dirs: Dirs): void {
  const probe = path.join(dirs.state, `room-${process.pid}`)
  try {
    writeFileSync(probe, ' '.repeat(ROOM_BYTES), { mode: 0o600 })
  } finally {
    rmSync(probe, { force: true })
  }
}

/** The same for a person. @throws {LocalStartError} that says what is in the way */
export function needRoom(dirs: Dirs): void {
  try {
    tryRoom(dirs)
  } catch (error) {
    const [what, next] = writeObstacle(error)?.split('; ') ?? []
    if (what === undefined) throw error
    throw new LocalStartError(
      `nothing can be started: ${what}`,
      dirs.state,
      `${next ?? ''}, then try again`,
    )
  }
}
