// A random key in a file that only the user can read.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createFileSync } from './replace-file.js'

const KEY = /^[0-9a-f]{64}$/

/** The key in a file, 64 hex digits; `undefined` without the file. */
export function secretIn(file: string): string | undefined {
  try {
    return KEY.exec(readFileSync(file, 'utf8').trim())?.[0]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The same, made on first use. Two processes that make it at once agree.
 *
 * @throws where it cannot be written (ENOSPC and so on)
 */
export function madeSecret(file: string): string | undefined {
  const known = secretIn(file)
  if (known !== undefined) return known
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  createFileSync(file, randomBytes(32).toString('hex'), 0o600)
  return secretIn(file)
}
