// Logs of the local processes: files that each process appends to by itself, so that it lives on
// when the supervisor is killed. (On a pipe it would die of its next line.)
//
// Rotation copies and truncates, as the processes keep their files open; a line written between the
// copy and the cut is lost.
import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import path from 'node:path'

/** How often logs are looked at. */
export const ROTATE_MS = 5_000
export const LOG_BYTES = 10 * 1024 * 1024
/** Log files kept per process, the current one included. */
export const LOG_FILES = 3

/** Opens a log for appending, readable by the user only. */
export function openLog(file: string): number {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  return openSync(file, 'a', 0o600)
}

/** Size in bytes; 0 for a log that is not there. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Moves a log that has outgrown `bytes` to `.1`, `.1` to `.2` and so on. Returns whether it did.
 *
 * @throws where there is no room for the copy (ENOSPC): then no log has been touched
 */
export function rotateLog(file: string, bytes = LOG_BYTES, files = LOG_FILES): boolean {
  if (logSize(file) <= bytes) return false
  const copy = `${file}.copy`
  try {
    copyFileSync(file, copy)
  } catch (error) {
    rmSync(copy, { force: true })
    throw error
  }
  rmSync(`${file}.${files - 1}`, { force: true })
  for (let n = files - 2; n >= 1; n--)
    if (logSize(`${file}.${n}`) > 0) renameSync(`${file}.${n}`, `${file}.${n + 1}`)
  renameSync(copy, `${file}.1`)
  truncateSync(file)
  return true
}

/**
 * What was written since the log had `from` bytes, at most the last `most` bytes; all of it after a
 * rotation.
 */
export function readLog(file: string, from = 0, most = 64 * 1024): string {
  if (logSize(file) === 0) return ''
  const fd = openSync(file, 'r')
  try {
    const size = fstatSync(fd).size
    const start = Math.max(from > size ? 0 : from, size - most)
    const buffer = Buffer.alloc(size - start)
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start)).toString('utf8')
  } finally {
    closeSync(fd)
  }
}

/** The last lines written since `from`, for an error message. */
export function logTail(file: string, from = 0, lines = 15): string {
  return readLog(file, from).trimEnd().split('\n').slice(-lines).join('\n')
}
