// Files whole or not at all: temporary file, fsync, rename.
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { removeDeadParts } from '../files/dead-parts.js'
import { replaceFile } from '../files/replace-file.js'
import { writeObstacle } from '../files/write-obstacle.js'

/** What Ratchet makes in a record is the user's alone; what is there keeps its mode. */
export const PRIVATE = { dir: 0o700, file: 0o600 } as const

/**
 * A file of a record cannot be written. What was there before is whole; the step is tried again.
 */
export class RecordUnwritableError extends Error {
  override readonly name = 'RecordUnwritable'
}

/**
 * Writes a text file atomically, its directories included, and removes what a killed writer left of
 * it.
 *
 * @throws RecordUnwritableError which names the file and what to do
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writing(file, async () => {
    mkdirSync(path.dirname(file), { recursive: true, mode: PRIVATE.dir })
    removeDeadParts(file)
    await replaceFile(file, text, existsSync(file) ? {} : { mode: PRIVATE.file })
  })
}

/** Writes a value as indented JSON. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await writeWhole(file, jsonText(value))
}

/** The text that stands for a value in a record. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Turns a failure to write into one that says what to do. */
export async function writing<T>(file: string, write: () => Promise<T> | T): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw unwritable(file, error)
  }
}

/**
 * The error that says what to do, where the disk or the permissions are the cause; any other as it
 * is.
 */
export function unwritable(file: string, error: unknown): unknown {
  const reason = writeObstacle(error)
  return reason === undefined
    ? error
    : new RecordUnwritableError(
        `cannot write ${file} (${(error as NodeJS.ErrnoException).code ?? ''}): ${reason}, and the run continues by itself`,
        { cause: error },
      )
}
