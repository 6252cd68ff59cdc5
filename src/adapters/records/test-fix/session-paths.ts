// Where the record of a session lies: several generations of tools put it into several directories.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readOwn } from '../safe-files.js'
import { PRIVATE } from '../write-file.js'

const SESSION_FILE = 'workflow-session.json'

/**
 * Directories that hold sessions, relative to the project, in the order they are looked through.
 */
export const SESSION_PLACES = ['.workflow', '.workflow/active'] as const
/** Where tools archive ended sessions. Nothing in it is ever resumed. */
export const ARCHIVE = '.workflow/archives'

/** Directory of a session's record: where it is, else where a new one is made. */
export function recordDir(project: string, name: string): string {
  const dirs = SESSION_PLACES.map((place) => path.join(project, place, name))
  return (
    dirs.find((dir) => existsSync(path.join(dir, SESSION_FILE))) ??
    dirs.find((dir) => existsSync(dir)) ??
    (dirs[0] as string)
  )
}

/** Directories that hold a session of this name: one, or two where the places disagree. */
export function sessionDirs(project: string, name: string): string[] {
  return SESSION_PLACES.map((place) => path.join(project, place, name)).filter((dir) =>
    existsSync(path.join(dir, SESSION_FILE)),
  )
}

/**
 * Directory of the newest archived session of a name, `undefined` where there is none. `x-2` is the
 * second one of `x`, unless its file says that it is a session of that name.
 */
export function archivedDir(project: string, name: string): string | undefined {
  const archive = path.join(project, ARCHIVE)
  const later = directoriesIn(archive)
    .flatMap((one) => {
      const n = one.startsWith(`${name}-`) ? one.slice(name.length + 1) : ''
      return /^[1-9]\d{0,8}$/.test(n) ? { dir: path.join(archive, one), n: Number(n) } : []
    })
    .sort((a, b) => b.n - a.n)
    .find(({ dir }) => sessionIn(dir) === name)
  const first = path.join(archive, name)
  return later?.dir ?? (existsSync(first) ? first : undefined)
}

/** The name that a session's file gives. */
function sessionIn(dir: string): unknown {
  try {
    const read = readOwn(path.join(dir, SESSION_FILE))
    const text = read !== undefined && 'text' in read ? read.text : ''
    return (JSON.parse(text) as { session_id?: unknown } | null)?.session_id
  } catch {
    return undefined
  }
}

/** Names of everything that may be a record, the places that hold them left out. */
export function recordNames(project: string): string[] {
  const names = SESSION_PLACES.flatMap((place) => directoriesIn(path.join(project, place)))
  return [...new Set(names)].filter((name) => name !== 'active' && name !== 'archives').sort()
}

/** Makes the directory of a record; `.workflow/` is hidden from git by its own ignore file. */
export function openRecord(project: string, name: string): string {
  const dir = recordDir(project, name)
  mkdirSync(path.join(dir, '.process'), { recursive: true, mode: PRIVATE.dir })
  const ignore = path.join(project, '.workflow', '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { mode: PRIVATE.file })
  return dir
}

function directoriesIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
