// A disk that a test can fill without harm to others.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const DISK_MB = 64

/** Creates a directory and mounts a small disk there. Needs the right to mount. */
export function mountAt(dir: string): void {
  mkdirSync(dir, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dir])
}

/** Unmounts it, even with open files. */
export function unmount(dir: string): void {
  execFileSync('umount', ['--lazy', dir])
}

/** Whether this user may mount a disk. */
export function mayMount(): boolean {
  try {
    removeDisk(stateDisk())
    return true
  } catch {
    return false
  }
}

/** A directory that is a small disk. */
export function stateDisk(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-disk-'))
  mountAt(dir)
  return dir
}

export function removeDisk(dir: string): void {
  unmount(dir)
  rmdirSync(dir)
}

/**
 * Fills the disk of a directory while others write to it. Returns a function that makes room again.
 */
export function fill(dir: string): () => void {
  const { blocks, bsize } = statfsSync(dir)
  if (blocks * bsize > DISK_MB * 1_048_576) throw new Error(`${dir} is no disk of a test's own`)
  const filler = path.join(dir, 'filler')
  const file = openSync(filler, 'w')
  for (const size of [1_048_576, bsize]) writeAll(file, Buffer.alloc(size))
  closeSync(file)
  return () => rmSync(filler)
}

function writeAll(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
