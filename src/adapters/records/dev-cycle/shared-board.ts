// Synchronizes the discovery board between a workspace, where agents append, and the record. Lines
// are never lost: removed ones are restored.
import { lstatSync, rmSync } from 'node:fs'
import path from 'node:path'
import { mergeBoard } from '../../../core/dev-cycle/documents/board.js'
import {
  appendOwn,
  isOwnDir,
  LOG_BYTES,
  readLog,
  recordLog,
  writeNew,
  writeOwn,
} from '../safe-files.js'
import { COORDINATION } from './cycle-paths.js'

/**
 * Lines of a board: good ones, ones that were skipped, ones that had been deleted and are back;
 * what was done to it, in a sentence each.
 */
export type BoardCount = { entries: number; skipped: number; restored: number; warnings: string[] }

/**
 * Brings the workspace's board into the record, and lines that are missing there back into it.
 *
 * @param workspace the progress directory there; where it is gone, the record stays as it is
 */
export async function shareBoard(workspace: string, record: string): Promise<BoardCount> {
  const [seenIn, knownIn] = [
    path.join(workspace, COORDINATION.board),
    path.join(record, COORDINATION.board),
  ]
  const known = recordLog(knownIn)
  const isThere = isOwnDir(path.dirname(seenIn), 3)
  const size = isThere ? (lstatSync(seenIn, { throwIfNoEntry: false })?.size ?? 0) : 0
  const seen = isThere ? readLog(seenIn) : known
  const { text, ...count } = mergeBoard(known, seen)
  if (text !== known || lstatSync(knownIn, { throwIfNoEntry: false })?.isFile() !== true)
    await writeOwn(knownIn, text)
  if (size > LOG_BYTES) {
    // An unreadable board would hide everything after it.
    if (text.length <= LOG_BYTES) {
      rmSync(seenIn, { force: true })
      writeNew(seenIn, text)
    }
    return {
      ...count,
      restored: 0,
      warnings: [
        `${COORDINATION.board} was flooded: it had ${Math.ceil(size / 1024)} kB, of which the first ${LOG_BYTES / 1024} kB were read`,
      ],
    }
  }
  // Appended, never rewritten: an agent may be appending right now.
  const lost = isThere ? linesLost(known, seen) : []
  if (lost.length > 0)
    appendOwn(seenIn, `${seen === '' || seen.endsWith('\n') ? '' : '\n'}${lost.join('\n')}\n`)
  return {
    ...count,
    warnings:
      lost.length === 0
        ? []
        : [
            `${COORDINATION.board}: ${lost.length} ${lost.length === 1 ? 'line' : 'lines'} that had been removed ${lost.length === 1 ? 'was' : 'were'} restored`,
          ],
  }
}

/** Lines of `known` that `seen` lacks; a line that stands there twice must be seen twice. */
function linesLost(known: string, seen: string): string[] {
  const there = new Map<string, number>()
  for (const line of seen.split('\n')) there.set(line, (there.get(line) ?? 0) + 1)
  return known.split('\n').filter((line) => {
    if (line === '') return false
    const left = there.get(line) ?? 0
    there.set(line, left - 1)
    return left <= 0
  })
}
