// A lock between processes that outlives none of its holders: it names its holder's identity, so
// the lock of a process that was killed is free.
//
// The lock is a directory of numbered files; the highest number is the holder. Taking over a dead
// holder's lock means making the next number, which only one process can. (With a single file two
// takers can both find the holder dead, and the slower one removes the lock the faster one just
// made.)
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isAlive, self } from '../adapters/process/identity.js'
import { stopwatch } from '../adapters/stopwatch.js'
import { storedJson } from '../adapters/files/stored-json.js'
import { ProcessIdentity } from '../contract/registry.js'

export type Lock = { release: () => void }

/** Takes the lock kept in the directory `dir`, or returns the living process that has it. */
export function tryLock(dir: string): { lock: Lock } | { holder: ProcessIdentity } {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const own = self()
  const draft = path.join(dir, `draft-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 })
    for (;;) {
      const highest = latest(dir)
      const holder = highest === 0 ? undefined : readHolder(path.join(dir, String(highest)))
      if (holder !== undefined && isAlive(holder)) return { holder }
      const mine = highest + 1
      if (!link(draft, path.join(dir, String(mine)))) continue // another taker was faster
      // A taker that slept here may make a number that later holders have already passed and
      // removed.
      if (latest(dir) > mine) {
        rmSync(path.join(dir, String(mine)), { force: true })
        continue
      }
      for (const number of numbers(dir))
        if (number < mine) rmSync(path.join(dir, String(number)), { force: true })
      return { lock: { release: () => markFree(dir, mine) } }
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Takes the lock as soon as it is free; `onWait` is called once with its holder. */
export async function lockWhenFree(
  dir: string,
  onWait: (holder: ProcessIdentity) => void,
  deadlineMs: number,
): Promise<Lock> {
  const waited = stopwatch()
  for (let told = false; ; told = true) {
    const taken = tryLock(dir)
    if ('lock' in taken) return taken.lock
    if (!told) onWait(taken.holder)
    if (waited() > deadlineMs)
      throw new Error(
        `process ${taken.holder.pid} has held ${dir} for ${deadlineMs / 60_000} minutes`,
      )
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

// The file stays: numbers only ever grow, or a taker that slept could make one that was held and
// left.
function markFree(dir: string, number: number): void {
  const draft = path.join(dir, `draft-free-${process.pid}-${number}`)
  writeFileSync(draft, 'null', { mode: 0o600 })
  renameSync(draft, path.join(dir, String(number)))
}

function numbers(dir: string): number[] {
  return readdirSync(dir)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function latest(dir: string): number {
  return Math.max(0, ...numbers(dir))
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

// `undefined` where the lock was released, or removed by the next holder in between. Every file is
// whole before it has its name, so one that cannot be read was damaged by a power loss, and who
// wrote it is gone.
function readHolder(file: string): ProcessIdentity | undefined {
  return storedJson(file, ProcessIdentity.nullable()) ?? undefined
}
