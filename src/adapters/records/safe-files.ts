// Reads and writes files that agents can reach, without following links that they may have put
// there. Protects against existing files, not against changes during the access.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { digest } from '../state-dir.js'
import { PRIVATE, RecordUnwritableError, unwritable, writeWhole } from './write-file.js'

/** Largest document that is read, in bytes. */
export const DOCUMENT_BYTES = 1024 * 1024
/** Most that is read of an agent's log, in bytes: 10,000 lines of some 800. */
export const LOG_BYTES = 8 * 1024 * 1024

export type OwnRead = { text: string } | { problem: string }

/**
 * Makes directories below a directory, one by one, none of them through a link; returns the last.
 *
 * @param inTheWay links and files in the way are removed (in a workspace) or refused (in the
 * record)
 */
export function ownDir(
  below: string,
  parts: readonly string[],
  inTheWay: 'removed' | 'refused',
): string {
  mkdirSync(below, { recursive: true, mode: PRIVATE.dir })
  return parts.reduce((dir, part) => {
    const own = path.join(dir, part)
    if (lstatSync(own, { throwIfNoEntry: false })?.isDirectory() === false) {
      if (inTheWay === 'refused')
        throw new RecordUnwritableError(
          `cannot write ${own}: a link or a file is in the place of a directory; move it away, and the run continues by itself`,
        )
      rmSync(own, { force: true })
    }
    mkdirSync(own, { recursive: true, mode: PRIVATE.dir })
    return own
  }, below)
}

/** Whether the last `depth` parts of a path are directories, none of them a link. */
export function isOwnDir(dir: string, depth: number): boolean {
  if (depth === 0) return true
  return (
    lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === true &&
    isOwnDir(path.dirname(dir), depth - 1)
  )
}

/**
 * Text of a file; what is wrong with it in words that go behind its name; `undefined` where there
 * is none.
 */
export function readOwn(file: string, most = DOCUMENT_BYTES): OwnRead | undefined {
  const read = readRaw(file, most)
  if (read === undefined || 'problem' in read) return read
  return read.bytes > most
    ? { problem: `has ${Math.ceil(read.bytes / 1024)} kB, more than ${most / 1024} kB` }
    : { text: read.text }
}

/**
 * The first whole lines of an agent's log; empty where there is none or what stands there is no
 * file.
 */
export function readLog(file: string, most = LOG_BYTES): string {
  const read = readRaw(file, most)
  if (read === undefined || 'problem' in read) return ''
  return read.bytes > most ? read.text.slice(0, read.text.lastIndexOf('\n') + 1) : read.text
}

/**
 * Text of a log of the record: all of it, as nothing of it may be lost when it is written again.
 */
export function recordLog(file: string): string {
  return readLog(file, Infinity)
}

function readRaw(
  file: string,
  most: number,
): { text: string; bytes: number } | { problem: string } | undefined {
  const read = readBytes(file, most)
  if (read === undefined || 'problem' in read) return read
  return { text: read.first.toString('utf8'), bytes: read.bytes }
}

/**
 * The first bytes of a file, and how many it has; what is wrong with it in words that go behind its
 * name; `undefined` where there is none.
 */
export function readBytes(
  file: string,
  most: number,
): { first: Buffer; bytes: number } | { problem: string } | undefined {
  let fd: number
  try {
    // A pipe must not hang it
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined
    if (['ELOOP', 'EMLINK'].includes(code)) return { problem: 'is a link, which is not followed' }
    if (['EACCES', 'EPERM', 'ENXIO'].includes(code)) return { problem: `cannot be read (${code})` }
    throw error
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile())
      return { problem: stat.isDirectory() ? 'is a directory' : 'is no regular file' }
    const bytes = Buffer.alloc(Math.min(stat.size, most))
    let read = 0
    while (read < bytes.length) {
      const got = readSync(fd, bytes, read, bytes.length - read, read)
      if (got === 0) break
      read += got
    }
    return { first: bytes.subarray(0, read), bytes: stat.size }
  } finally {
    closeSync(fd)
  }
}

/** Writes a whole file, replacing anything in its place. */
export async function writeOwn(file: string, text: string): Promise<void> {
  clear(file)
  await writeWhole(file, text)
}

/** As `writeOwn`, for a workspace: not flushed to the disk. */
export function writeOwnSync(file: string, text: string): void {
  rmSync(file, { recursive: true, force: true })
  writeFileSync(file, text, { flag: 'wx', mode: PRIVATE.file })
}

/** Writes a file that is not there; one that is stays, also where an agent was quicker. */
export function writeNew(file: string, text: string): void {
  clear(file)
  try {
    writeFileSync(file, text, { flag: 'wx', mode: PRIVATE.file })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Appends to a log that others append to: one write, never through a link. */
export function appendOwn(file: string, text: string): void {
  if (text === '') return
  clear(file)
  try {
    const fd = openSync(
      file,
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
      PRIVATE.file,
    )
    try {
      writeSync(fd, text)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw unwritable(file, error)
  }
}

/**
 * Removes what stands where a file is needed and is none; a directory too, which only an agent can
 * have made.
 */
export function clear(file: string): void {
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile()) rmSync(file, { recursive: true, force: true })
}

/** Digest of what stands somewhere, for telling whether it has changed. */
export function stateOf(file: string): string {
  const read = readOwn(file)
  return read === undefined ? 'missing' : 'text' in read ? digest(read.text) : read.problem
}
