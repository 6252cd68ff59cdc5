// Files whole or not at all: temporary file, fsync, rename.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'

/** Writes a text file atomically, its directories included. */
export async function writeWhole(file: string, text: string, mode = 0o644): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true })
  await writeFileAtomic(file, text, { mode, fsync: true })
}

/** Writes a value as indented JSON. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await writeWhole(file, `${JSON.stringify(value, null, 2)}\n`)
}
