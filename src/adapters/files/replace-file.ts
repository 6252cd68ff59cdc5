// Writes files completely or not at all: to a temporary file that is flushed, then renamed or
// linked into place.
//
// write-file-atomic and atomically do not check how much was written: on a disk that fills up, a
// write takes what fits without an error, and the part would replace the file.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open, rename } from 'node:fs/promises'
import path from 'node:path'

/**
 * `mode`: permissions, else those of the file that is there; `fsync`: false where the file may be
 * lost with the power.
 */
export type ReplaceOptions = { mode?: number; fsync?: boolean }

type Place = {
  file: string
  part: string
  mode: number | undefined
  owner: { uid: number; gid: number } | undefined
}

/** Parts that are being written: a process that ends takes them along. */
const parts = new Set<string>()
/** What is asked for last stands there in the end. */
const tails = new Map<string, Promise<void>>()

/**
 * Writes a text file in place of the one that is there; where a link leads to one, in place of
 * that. After an error it is as it was.
 */
export function replaceFile(
  file: string,
  text: string,
  options: ReplaceOptions = {},
): Promise<void> {
  const name = path.resolve(file)
  const mine = (tails.get(name) ?? Promise.resolve()).then(() => replace(name, text, options))
  const tail = mine.catch(() => undefined)
  tails.set(name, tail)
  void tail.then(() => {
    if (tails.get(name) === tail) tails.delete(name)
  })
  return mine
}

async function replace(
  name: string,
  text: string,
  { mode: asked, fsync = true }: ReplaceOptions,
): Promise<void> {
  const { file, part, mode, owner } = begin(name, asked)
  try {
    const handle = await open(part, 'wx', mode)
    try {
      await handle.writeFile(text) // all of it, or an error
      // Who may not keeps it
      if (owner !== undefined) await handle.chown(owner.uid, owner.gid).catch(() => undefined)
      if (mode !== undefined) await handle.chmod(mode)
      if (fsync) await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, file)
  } finally {
    end(part)
  }
}

/** As `replaceFile`, before anything else happens. */
export function replaceFileSync(
  name: string,
  text: string,
  { mode: asked, fsync = true }: ReplaceOptions = {},
): void {
  const { file, part, mode, owner } = begin(name, asked)
  try {
    writePart(part, text, mode, fsync)
    if (owner !== undefined) keepOwner(part, owner)
    if (mode !== undefined) chmodSync(part, mode)
    renameSync(part, file)
  } finally {
    end(part)
  }
}

/**
 * Makes a text file, or returns false where it is there already. Open with "wx" alone shows others
 * an empty file for a moment, and for ever if we die in it.
 */
export function createFileSync(name: string, text: string, mode: number): boolean {
  const part = partOf(path.resolve(name))
  try {
    writePart(part, text, mode, true)
    return linked(part, name)
  } finally {
    end(part)
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

function writePart(part: string, text: string, mode: number | undefined, fsync: boolean): void {
  const fd = openSync(part, 'wx', mode)
  try {
    writeFileSync(fd, Buffer.from(text))
    if (fsync) fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function begin(name: string, asked: number | undefined): Place {
  const there = statSync(name, { throwIfNoEntry: false })
  const file = there === undefined ? path.resolve(name) : realpathSync(name)
  return {
    file,
    part: partOf(file),
    mode: asked ?? (there === undefined ? undefined : there.mode & 0o7777),
    owner: there && { uid: there.uid, gid: there.gid },
  }
}

/** What `partOf` adds to the name of a file: the pid of its writer, and chance. */
export const PART = /^\.(\d{1,10})\.[0-9a-f]{8}$/

// By chance too: after a restart a process may have the number of one that died in the middle.
function partOf(file: string): string {
  const part = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  if (parts.size === 0) process.on('exit', removeParts)
  parts.add(part)
  return part
}

// A part that took the place of its file is not there any more.
function end(part: string): void {
  rmSync(part, { force: true })
  parts.delete(part)
  if (parts.size === 0) process.off('exit', removeParts)
}

function removeParts(): void {
  for (const part of parts) rmSync(part, { force: true })
}

function keepOwner(file: string, { uid, gid }: { uid: number; gid: number }): void {
  try {
    chownSync(file, uid, gid)
  } catch {
    // Who may not give files away keeps it.
  }
}
