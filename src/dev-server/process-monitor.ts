// Keeps one process up: starts it, watches it, starts it again when it dies, gives up on a crash
// loop. The rules are in src/core/supervise.ts.
import { setTimeout as delay } from 'node:timers/promises'
import { stopwatch } from '../adapters/stopwatch.js'
import { isNoRoom, writeObstacle } from '../adapters/files/write-obstacle.js'
import { afterDeath, mayRevive, NO_DEATHS, NO_ROOM_MS } from '../core/supervise.js'
import { logTail } from './rotating-log.js'
import type { Started } from './processes.js'

/** `waiting` = not started yet, or before the next try. */
export type KeeperState = 'waiting' | 'starting' | 'ready' | 'given_up' | 'stopped'

/** How a kept process is started; `S` is what its owner wants to know about it. */
export type Kept<S extends { process: Started }> = {
  name: string
  /** Starts it. Throws where it does not start; that counts as a death. */
  start: () => S | Promise<S>
  /** Whether it can work: resolves when it can, or with `false` when it has ended before. */
  ready: (started: S) => Promise<boolean>
  /** Whether what it needs is there now: a death without it does not count. */
  excused: () => boolean
  /** Told of every change, to be recorded and logged. */
  onChange: (text: string) => void
}

export class Keeper<S extends { process: Started }> {
  state: KeeperState = 'waiting'
  current: S | undefined
  /** Why it is not there, with the last lines of its log. */
  problem: string | undefined

  #deaths = NO_DEATHS
  /** How long ago it was given up. */
  #givenUp = stopwatch()
  #wake = new AbortController()
  #release: (() => void) | undefined
  #stopping = false
  /** The last start failed for want of room on the disk. */
  #noRoom = false

  constructor(readonly kept: Kept<S>) {}

  /** Runs until `stop`. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      const lived = stopwatch()
      const how = await this.#live()
      this.current = undefined
      if (this.#stopping) break
      if (how === undefined) continue // let go: its replacement starts at once
      this.#set('waiting', `${this.kept.name} ended: ${how}`)
      if (this.#noRoom) {
        await this.#sleep(NO_ROOM_MS)
        continue
      }
      const next = afterDeath(this.#deaths, lived(), this.kept.excused())
      this.#deaths = next.deaths
      if (next.step === 'restart') {
        await this.#sleep(next.afterMs)
        continue
      }
      this.#givenUp = stopwatch()
      this.#set('given_up', `${this.kept.name} was given up after ${next.deaths.fast} fast deaths`)
      await this.#woken()
    }
    this.#set('stopped', `${this.kept.name} is no longer kept`)
  }

  /** Tries again at once what was given up, or waits for its next try. */
  revive(askedBy: 'person' | 'run'): void {
    const asleep =
      this.state === 'given_up'
        ? mayRevive(this.#givenUp(), askedBy)
        : this.state === 'waiting' && askedBy === 'person'
    if (!asleep) return
    this.#deaths = NO_DEATHS
    if (this.state === 'given_up') this.state = 'waiting'
    this.#wakeUp()
  }

  /** Releases the running process, which continues unwatched, and starts the next one. */
  letGo(): S | undefined {
    const old = this.current
    this.#deaths = NO_DEATHS
    // At once, so that the old process is not taken for its replacement.
    this.current = undefined
    this.state = 'waiting'
    this.#release?.()
    this.#wakeUp()
    return old
  }

  /** Starts nothing any more; the running process is the caller's to end. */
  stop(): S | undefined {
    this.#stopping = true
    const last = this.current
    this.#release?.()
    this.#wakeUp()
    return last
  }

  // One life. Returns how it ended, `undefined` where it was let go.
  async #live(): Promise<string | undefined> {
    this.#set('starting', `${this.kept.name} starts`)
    const released = new Promise<undefined>((resolve) => (this.#release = () => resolve(undefined)))
    let started: S
    this.#noRoom = false
    try {
      const begun = this.kept.start()
      // What is there at once is known at once: in a turn of the event loop in between, `letGo` and
      // `stop` would miss it.
      started = begun instanceof Promise ? await begun : begun
    } catch (error) {
      this.#noRoom = isNoRoom(error)
      const obstacle = writeObstacle(error)
      this.problem = `${obstacle === undefined ? '' : `${obstacle}: `}${(error as Error).message}`
      const { where } = error as { where?: string }
      if (where !== undefined) this.problem += `\n${where}`
      return this.problem
    }
    this.current = started
    this.kept.onChange(`${this.kept.name} is process ${started.process.identity?.pid ?? '?'}`)
    const ended = started.process.ended.then((how) => {
      if (this.current === started)
        this.problem = `${this.kept.name} ended: ${how}\n${logTail(started.process.log, started.process.logFrom)}`
      return how
    })
    const ready = this.kept.ready(started).then<true | string>((can) => can || ended)
    const first = await Promise.race([ready, ended, released])
    if (first !== true) return first
    this.problem = undefined
    this.#set('ready', `${this.kept.name} is ready`)
    return Promise.race([ended, released])
  }

  #set(state: KeeperState, text: string): void {
    this.state = state
    this.kept.onChange(text)
  }

  async #sleep(ms: number): Promise<void> {
    await Promise.race([
      delay(ms, undefined, { signal: this.#wake.signal }).catch(() => undefined),
      this.#woken(),
    ])
  }

  #woken(): Promise<void> {
    const { signal } = this.#wake
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
  }

  #wakeUp(): void {
    this.#wake.abort()
    this.#wake = new AbortController()
  }
}
