// Mutual exclusion between processes of one host, by claims in a directory. Lamport's bakery: every
// claim takes a number above all it sees, and waits for the living claims below its own.
//
// A claim's file name says whose it is (pid, start time, boot) and is never used twice, so a dead
// owner's claim can be removed by anybody at any time: with one lock file for all, two that remove
// the same stale file can both win. Claims are served in the order they came.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessIdentity } from '../../contract/registry.js'
import { isAlive, self } from './identity.js'

/** Between two looks, in milliseconds. */
const POLL_MS = 100
/**
 * Poll interval far back in the queue: a hundred waiting processes would otherwise keep a core
 * busy.
 */
const FAR_POLL_MS = 1_000
/** Poll interval while a claim chooses its number, which takes two writes. */
const CHOOSING_POLL_MS = 5

/** Whom a claim waits for: the owners before it, first come first. */
export type ClaimWait = { ahead: ProcessIdentity[]; waitedMs: number }

export type ClaimOptions = {
  /** Gives up and rejects with the signal's reason. */
  signal?: AbortSignal
  /**
   * Called at every look, ten times a second for the next in line, once a second far behind, while
   * the claim waits.
   */
  onWait?: (wait: ClaimWait) => void
}

/** Gives a claim back. A second call does nothing. */
export type Release = () => Promise<void>

/**
 * Waits until fewer than `count` living claims are before the own one. At most `count` hold at
 * once.
 */
export async function acquireClaim(
  dir: string,
  count: number,
  { signal, onWait }: ClaimOptions = {},
): Promise<Release> {
  const since = Date.now()
  let mine = takeNumber(dir)
  let taken = performance.now()
  let everyMs = 0
  const queue = joined(dir)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { choosing, claims } = queue.look(taken, everyMs / 2)
      const ahead = claims.filter(({ name }) => name < mine)
      if (!claims.some((claim) => claim.name === mine)) {
        mine = takeNumber(dir) // the directory was cleaned
        taken = performance.now()
      } else if (!choosing && ahead.length < count) break
      else onWait?.({ ahead: ahead.map((claim) => claim.owner), waitedMs: Date.now() - since })
      const further = Math.max(1, ahead.length - count + 1)
      everyMs = choosing ? CHOOSING_POLL_MS : Math.min(POLL_MS * further, FAR_POLL_MS)
      await sleep(everyMs, undefined, signal && { signal })
    }
  } catch (error) {
    remove(dir, mine)
    throw signal?.aborted === true ? signal.reason : error
  } finally {
    queue.leave()
  }
  return () => {
    remove(dir, mine)
    return Promise.resolve()
  }
}

/** The claims of a directory with a number, as they are served. `choosing`: some have none yet. */
type Look = { at: number; choosing: boolean; claims: readonly Claim[] }

/**
 * The claims of this process that wait at a directory. They share their looks: otherwise two
 * hundred of them read two hundred names each, every second.
 */
class Queue {
  #look: Look | undefined
  #waiting = 0

  constructor(readonly dir: string) {}

  join(): this {
    this.#waiting++
    return this
  }

  leave(): void {
    if (--this.#waiting === 0) queues.delete(this.dir)
  }

  /**
   * Returns a look that is at most this old. A look after a claim took its number stays true of it:
   * later claims take higher numbers, so those before it only become fewer.
   *
   * @param taken when the claim took its number, by `performance.now()`
   */
  look(taken: number, ageMs: number): Look {
    const known = this.#look
    if (known !== undefined && known.at > taken && performance.now() - known.at < ageMs)
      return known
    const at = performance.now()
    // Two readings, in this order: who chooses a number during one reading may be missed by it.
    const lives = aliveOnce()
    const choosing = livingClaims(this.dir, lives).some(({ number }) => number === undefined)
    const claims = livingClaims(this.dir, lives).filter(({ number }) => number !== undefined)
    return (this.#look = { at, choosing, claims })
  }
}

const queues = new Map<string, Queue>()

function joined(dir: string): Queue {
  const queue = queues.get(dir) ?? new Queue(dir)
  queues.set(dir, queue)
  return queue.join()
}

// Without a pause in between: a process that stops while it chooses holds up all others.
function takeNumber(dir: string): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const owner = nameOf(self())
  const choosing = `choosing,${owner}`
  writeFileSync(path.join(dir, choosing), '', { flag: 'wx', mode: 0o600 })
  const highest = Math.max(0, ...readdirSync(dir).map((name) => readName(name)?.number ?? 0))
  const mine = `${String(highest + 1).padStart(12, '0')},${owner}`
  writeFileSync(path.join(dir, mine), '', { flag: 'wx', mode: 0o600 })
  remove(dir, choosing)
  return mine
}

type Claim = { name: string; number: number | undefined; owner: ProcessIdentity }

/**
 * Returns claims in a directory whose owners have died. They block nothing, and the next claim
 * there removes them.
 */
export function deadClaims(dir: string): string[] {
  const names = readdirSync(dir).map((name) => ({ name, owner: readName(name)?.owner }))
  return names.flatMap(({ name, owner }) =>
    owner === undefined || isAlive(owner) ? [] : [path.join(dir, name)],
  )
}

// Asks for each process once: most claims of a directory are of one worker.
function aliveOnce(): (owner: ProcessIdentity) => boolean {
  const known = new Map<string, boolean>()
  return (owner) => {
    const key = `${owner.pid} ${owner.startTime} ${owner.bootId}`
    const alive = known.get(key) ?? isAlive(owner)
    known.set(key, alive)
    return alive
  }
}

// In the order they are served. The dead ones are removed on the way.
function livingClaims(dir: string, lives: (owner: ProcessIdentity) => boolean): Claim[] {
  let names: string[]
  try {
    names = readdirSync(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const claims = names.flatMap((name) => readName(name) ?? [])
  return claims
    .filter(({ name, owner }) => lives(owner) || remove(dir, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function nameOf({ pid, startTime, bootId }: ProcessIdentity): string {
  return [pid, encodeURIComponent(startTime), bootId, randomBytes(6).toString('hex')].join(',')
}

function readName(name: string): Claim | undefined {
  const [number, pid, startTime, bootId, nonce] = name.split(',')
  if (
    number === undefined ||
    pid === undefined ||
    startTime === undefined ||
    bootId === undefined ||
    nonce === undefined
  )
    return undefined
  return {
    name,
    number: number === 'choosing' ? undefined : Number(number),
    owner: { pid: Number(pid), startTime: decodeURIComponent(startTime), bootId },
  }
}

// Always false: it is gone.
function remove(dir: string, name: string): false {
  try {
    unlinkSync(path.join(dir, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return false
}
