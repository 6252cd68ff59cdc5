// The common initial state of many tests of a file: created once, then copied, so that each test
// has its own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { SCRATCH } from '../scratch.js'

/** Copies a directory that is not there yet: times, modes, links and hard links too. */
export function copyTree(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true })
  execFileSync('cp', ['-a', from, to], { stdio: ['ignore', 'ignore', 'inherit'] })
}

let home: string | undefined

function homeDir(): string {
  home ??= realpathSync(mkdtempSync(path.join(process.env[SCRATCH] ?? os.tmpdir(), 'templates-')))
  return home
}

const trees = new Map<string, string>()

/**
 * Copies the result of `make`, called once per key, to `to`. Its files must not contain their own
 * path.
 */
export function copyOf(key: string, to: string, make: (dir: string) => void): void {
  const known = trees.get(key)
  const template = known ?? path.join(homeDir(), `tree-${trees.size}`)
  if (known === undefined) {
    mkdirSync(template)
    make(template)
    trees.set(key, template)
  }
  copyTree(template, to)
}

type Place<T> = { dir: string; template: string; value: T; isFree: boolean }
const places = new Map<string, Place<unknown>[]>()
let made = 0

/**
 * A directory with what `make` makes there, and what it returns. Further calls with the key get a
 * copy at the very same path, as what is in it may name its own place; while that is in use, one of
 * their own. Empty after the test.
 */
export async function placeOf<T>(key: string, make: (dir: string) => Promise<T> | T): Promise<T> {
  const all = (places.get(key) ?? []) as Place<T>[]
  places.set(key, all)
  const place = all.find(({ isFree }) => isFree) ?? (await newPlace(make))
  if (!all.includes(place)) all.push(place)
  place.isFree = false
  onTestFinished(() => {
    rmSync(place.dir, { recursive: true, force: true })
    place.isFree = true
  })
  copyTree(place.template, place.dir)
  return structuredClone(place.value)
}

async function newPlace<T>(make: (dir: string) => Promise<T> | T): Promise<Place<T>> {
  const dir = path.join(homeDir(), `place-${made++}`)
  mkdirSync(dir)
  const value = await make(dir)
  const template = `${dir}-template`
  renameSync(dir, template)
  return { dir, template, value, isFree: false }
}
