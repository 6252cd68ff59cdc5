// The manifest of the archive: a list of entries, which other tools write too.
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { readOwn } from './safe-files.js'
import { ARCHIVE } from './test-fix/session-paths.js'
import { writeWhole } from './write-file.js'

const MANIFEST = 'manifest.json'
const MANIFEST_BYTES = 32 << 20
/** Most lists and objects inside each other: deeper ones cannot be written again. */
const LEVELS = 64

/**
 * The entries of the manifest as they stand, also of other tools, and what replaces them.
 *
 * @throws RefusalError `BadInput` for a manifest that is damaged, too large or too deep
 */
export function readManifest(project: string): {
  entries: unknown[]
  write: (entries: readonly unknown[]) => Promise<void>
} {
  const file = path.join(project, ARCHIVE, MANIFEST)
  const read = readOwn(file, MANIFEST_BYTES)
  if (read !== undefined && 'problem' in read) throw unreadable(file, read.problem)
  const value = read === undefined ? [] : jsonOf(read.text)
  const inside = Array.isArray(value)
    ? undefined
    : (value as { archives?: unknown[] } | null | undefined)?.archives
  if (!Array.isArray(value) && !Array.isArray(inside))
    throw unreadable(file, 'is not a list of archived sessions')
  if (isDeeper(value, LEVELS)) throw unreadable(file, `is nested deeper than ${LEVELS} levels`)
  return {
    entries: inside ?? (value as unknown[]),
    write: (entries) =>
      writeWhole(
        file,
        `${JSON.stringify(inside === undefined ? entries : { ...(value as object), archives: entries }, null, 2)}\n`,
      ),
  }
}

/** The value of a JSON text; `undefined` for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

function unreadable(file: string, problem: string): RefusalError {
  return new RefusalError(
    BAD_INPUT,
    `the manifest of the archive ${problem}`,
    file,
    'repair it, or move it away',
  )
}
