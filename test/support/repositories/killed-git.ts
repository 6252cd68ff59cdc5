// Kills work before one of its git commands, and selects these commands: kills that leave the same
// files behind count once.
import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { gitHook } from '../../../src/adapters/git/git.js'

class Killed extends Error {}

/**
 * Runs `work`, killed before its nth git command, counted from 0. Returns whether it got that far.
 */
export async function killedBefore(n: number, work: () => Promise<unknown>): Promise<boolean> {
  let calls = 0
  const attempt = gitHook.run(() => {
    if (calls++ >= n) throw new Killed(`before command ${n}`)
  }, work)
  return attempt.then(
    () => false,
    (error: unknown) => {
      if (error instanceof Killed) return true
      throw error
    },
  )
}

/**
 * Where to kill `work`: before each command that finds other files in the directories than the one
 * before it, and never, as `Infinity`.
 */
export async function killPoints(
  dirs: readonly string[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const points: number[] = []
  let calls = 0
  let before: string | undefined
  await gitHook.run(() => {
    const now = dirs.map(stateOf).join('\n')
    if (now !== before) points.push(calls)
    before = now
    calls++
  }, work)
  return [...points, Infinity]
}

/**
 * The first place with an effect, one in the middle and the last. Used in every run; the nightly
 * run uses all places.
 */
export function fewOf(points: readonly number[]): number[] {
  const places = points.filter((point) => point > 0 && point < Infinity)
  return [0, Math.floor(places.length / 2), places.length - 1].map((at) => places[at] ?? Infinity)
}

/** All of them. */
export const allOf = (points: readonly number[]): readonly number[] => points

let seen = 0

function stateOf(dir: string): string {
  try {
    return readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const { mtimeNs, size, mode } = lstatSync(path.join(dir, name), { bigint: true })
        return `${name} ${mode} ${size} ${mtimeNs}`
      })
      .join('\n')
  } catch {
    return `changing ${++seen}` // a running command removed a file
  }
}
