// Saves and restores directories. Files that have not changed meanwhile keep their times and
// inodes.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type BigIntStats,
} from 'node:fs'
import path from 'node:path'

const aside = (dir: string): string => `${dir}.as-it-was`

/**
 * Copies a directory with times in nanoseconds. Synchronous, so no other code of this process runs.
 */
export function keep(dir: string): void {
  if (!existsSync(dir)) return
  const { status, stderr } = spawnSync('cp', ['-a', dir, aside(dir)], { encoding: 'utf8' })
  // Files that another process removes meanwhile count as absent.
  const problems = stderr
    .trim()
    .split('\n')
    .filter((line) => !line.includes('No such file'))
  if (status !== 0 && problems.length > 0)
    throw new Error(`cannot copy ${dir}: ${problems.join('\n')}`)
}

/** Restores a directory from its copy. */
export function bringBack(dir: string): void {
  if (existsSync(aside(dir))) back(aside(dir), dir)
  else rmSync(dir, { recursive: true, force: true })
  rmSync(aside(dir), { recursive: true, force: true })
}

function back(from: string, to: string): void {
  const before = stats(to)
  if (before !== undefined && !before.isDirectory()) rmSync(to)
  mkdirSync(to, { recursive: true, mode: Number(stats(from)?.mode ?? 0o700n) & 0o777 })
  const names = readdirSync(from)
  const kept = new Set(names)
  for (const name of readdirSync(to))
    if (!kept.has(name)) rmSync(path.join(to, name), { recursive: true, force: true })
  for (const name of names) {
    const [was, is] = [path.join(from, name), path.join(to, name)]
    if (stats(was)?.isDirectory() === true) back(was, is)
    else if (!alike(was, is)) {
      rmSync(is, { recursive: true, force: true })
      renameSync(was, is)
    }
  }
}

function alike(one: string, other: string): boolean {
  const [a, b] = [stats(one), stats(other)]
  if (
    a === undefined ||
    b === undefined ||
    a.mode !== b.mode ||
    a.size !== b.size ||
    a.mtimeNs !== b.mtimeNs
  )
    return false
  if (a.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other)
  // Two writes within one tick of the file system's clock have the same time.
  return !a.isFile() || readFileSync(one).equals(readFileSync(other))
}

const stats = (file: string): BigIntStats | undefined =>
  lstatSync(file, { bigint: true, throwIfNoEntry: false })
