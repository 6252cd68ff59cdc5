// Journals of the archive: which files a move renames. Agents can write into the archive, so only a
// journal that Ratchet could have written is believed.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ArchiveEntry, type ArchiveFacts } from '../../core/records/archive-entry.js'
import { jsonOf } from './archive-manifest.js'
import { cycleFiles } from './dev-cycle/cycle-paths.js'
import { loopFiles } from './dev-loop/loop-paths.js'
import { isOwnDir, readOwn } from './safe-files.js'
import { ARCHIVE, SESSION_PLACES } from './test-fix/session-paths.js'
import { writeJson } from './write-file.js'

const JOURNAL = /^\.archiving-(.+)\.json$/

type Part = { from: string; to: string }

/** A journal: paths are relative to the project. */
const Journal = z.object({
  entry: ArchiveEntry,
  parts: z.array(z.object({ from: z.string(), to: z.string() })),
})

/** A move that has begun. */
export type Move = z.infer<typeof Journal> & { file: string }

/** Whether an entry is the one of a run. */
export function isEntryOf({
  name,
  workflowId,
  kind,
}: Pick<ArchiveFacts, 'name' | 'workflowId' | 'kind'>): (entry: ArchiveEntry) => boolean {
  return (entry) =>
    entry.session_id === name && entry.workflow_id === workflowId && entry.kind === kind
}

/** The moves that have begun; a warning for each journal that is not believed. */
export function movesIn(project: string): { moves: Move[]; warnings: string[] } {
  const dir = path.join(project, ARCHIVE)
  const [moves, warnings]: [Move[], string[]] = [[], []]
  if (!isOwnDir(dir, 1)) return { moves, warnings }
  for (const name of readdirSync(dir)) {
    const dest = JOURNAL.exec(name)?.[1]
    if (dest === undefined) continue
    const file = path.join(dir, name)
    const move = moveIn(project, dest)
    if (move === undefined)
      warnings.push(`${file} is ignored: it is no journal of an archive that was interrupted`)
    else moves.push({ ...move, file })
  }
  return { moves, warnings }
}

/** Writes the journal of a move to `dest`, a name in the archive. */
export async function beginMove(
  project: string,
  dest: string,
  { entry, from }: { entry: ArchiveEntry; from: readonly string[] },
): Promise<Move> {
  const file = journalFile(project, dest)
  const parts = from.map((one) => partTo(dest, entry.kind, one))
  await writeJson(file, { entry, parts })
  return { file, entry, parts }
}

/** Path of the journal of a move. */
export function journalFile(project: string, dest: string): string {
  return path.join(project, ARCHIVE, `.archiving-${dest}.json`)
}

/**
 * Where the parts of a record lie, relative to the project. Folders are first: a cycle without its
 * state file would count as damaged.
 *
 * @throws RefusalError `BadInput` for a name that no record can have
 */
export function placesOf(kind: string, name: string): string[] {
  if (kind === 'dev-cycle') {
    const { progress, master } = cycleFiles('', name)
    return [progress, master].map(posix)
  }
  if (kind === 'dev-loop') {
    const { workers, progress, master } = loopFiles('', name)
    return [workers, progress, master].map(posix)
  }
  return kind === 'test-fix' ? SESSION_PLACES.map((place) => `${place}/${name}`) : []
}

function moveIn(project: string, dest: string): z.infer<typeof Journal> | undefined {
  try {
    const read = readOwn(journalFile(project, dest))
    const journal =
      read !== undefined && 'text' in read ? Journal.safeParse(jsonOf(read.text)).data : undefined
    return journal !== undefined && isOwnMove(dest, journal) ? journal : undefined
  } catch {
    return undefined // its name, or its file, is none of Ratchet
  }
}

/** Whether `archive` could have written the journal. */
function isOwnMove(dest: string, { entry, parts }: z.infer<typeof Journal>): boolean {
  const { session_id: name, kind = '', workflow_id: id, archive_path: place } = entry
  if (id === undefined || place !== `${ARCHIVE}/${dest}` || !isName(name)) return false
  if (dest !== name && !(dest.startsWith(name) && /^-\d+$/.test(dest.slice(name.length))))
    return false
  const possible = placesOf(kind, name).map((from) => partTo(dest, kind, from))
  return parts.every(({ from, to }) => possible.some((one) => one.from === from && one.to === to))
}

function partTo(dest: string, kind: string | undefined, from: string): Part {
  return {
    from,
    to: kind === 'test-fix' ? `${ARCHIVE}/${dest}` : `${ARCHIVE}/${dest}/${from}`,
  }
}

/** One name of a path that is neither hidden nor a place of records. */
function isName(name: string): boolean {
  return /^[^./\\\0][^/\\\0]*$/.test(name) && name !== 'active' && name !== 'archives'
}

function posix(file: string): string {
  return file.split(path.sep).join('/')
}
