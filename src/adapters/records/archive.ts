// Moves the record of an ended run to `.workflow/archives/`.
//
// A journal is written first, then each part is renamed, then the manifest gets its entry, then the
// journal goes. Every step can be repeated, so a move that was interrupted is finished by the next
// one and loses nothing. Agents and repositories can put links into `.workflow`: none in place of a
// folder is followed. One process at a time archives in a project.
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import {
  ArchiveEntry,
  archiveEntry,
  lastNumber,
  type ArchiveFacts,
} from '../../core/records/archive-entry.js'
import { isoTime } from '../../core/text/iso-time.js'
import { failpoint } from '../failpoint.js'
import { acquireLock } from '../process/lock.js'
import { layout, projectKey, type Dirs } from '../state-dir.js'
import {
  beginMove,
  isEntryOf,
  journalFile,
  movesIn,
  placesOf,
  type Move,
} from './archive-journal.js'
import { readManifest } from './archive-manifest.js'
import { isOwnDir, ownDir } from './safe-files.js'
import { ARCHIVE } from './test-fix/session-paths.js'

/** Longest wait for another archive of the project: one takes milliseconds. */
const LOCK_MS = 60_000

/** An ended run and where its record lies. */
export type Archivable = ArchiveFacts & { project: string; dir: string }

/** Returns the directory of an archived cycle or loop, which holds its record as it lay. */
export function archivedPlace(project: string, name: string): string | undefined {
  const dir = path.join(project, ARCHIVE, name)
  return isOwnDir(dir, 2) && existsSync(path.join(dir, '.workflow')) ? dir : undefined
}

/** Names of the archived records, as directories of the archive, sorted; `x-10` is after `x-2`. */
export function archivedNames(project: string): string[] {
  const dir = path.join(project, ARCHIVE)
  if (!isOwnDir(dir, 1)) return []
  return readdirSync(dir, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort(new Intl.Collator('en', { numeric: true }).compare)
}

/**
 * Moves a record into the archive.
 *
 * @throws RefusalError `BadInput` for a link in place of a folder, or a manifest that is unreadable
 */
export async function archive(
  run: Archivable,
  at: { now: number; offset: string; dirs: Dirs },
): Promise<ArchiveEntry> {
  const { project } = run
  openArchive(project)
  return locked(project, at.dirs, async () => {
    const { moves } = movesIn(project)
    const mine = moves.find(({ entry }) => isEntryOf(run)(entry))
    if (mine !== undefined) {
      await finish(project, mine)
      return mine.entry
    }
    const from = partsOf(run)
    const { entries } = readManifest(project)
    if (from.length === 0) {
      const before = archivedEntry(project, run)
      if (before !== undefined) return before
      throw refused(run.dir, `there is no record of ${run.name}`, 'nothing to do')
    }
    const dest = freeName(project, run.name, entries)
    const entry = archiveEntry(run, {
      path: `${ARCHIVE}/${dest}`,
      time: isoTime(at.now, at.offset),
      next: lastNumber([...entries, ...moves.map((move) => move.entry)]) + 1,
    })
    const move = await beginMove(project, dest, { entry, from })
    failpoint('archive:begun')
    await finish(project, move)
    return entry
  })
}

/**
 * Finishes the moves that were interrupted; one that cannot be finished is a warning.
 *
 * @param wants which of them: a run that is open must not be moved
 */
export async function finishArchiving(
  project: string,
  { dirs, wants }: { dirs: Dirs; wants: (entry: ArchiveEntry) => boolean | Promise<boolean> },
): Promise<{ finished: ArchiveEntry[]; warnings: string[] }> {
  const before = movesIn(project)
  if (before.moves.length === 0) return { finished: [], warnings: before.warnings }
  return locked(project, dirs, async () => {
    const { moves, warnings } = movesIn(project)
    const finished: ArchiveEntry[] = []
    for (const move of moves)
      try {
        if (!(await wants(move.entry))) continue
        await finish(project, move)
        finished.push(move.entry)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        const where = error instanceof RefusalError ? ` (${error.where})` : ''
        warnings.push(
          `the archive of ${move.entry.session_id} is not finished: ${error.message}${where}`,
        )
      }
    return { finished, warnings }
  })
}

/** The newest entry of a run; also one whose move was interrupted. */
export function archivedEntry(
  project: string,
  run: Pick<ArchiveFacts, 'name' | 'workflowId' | 'kind'>,
): ArchiveEntry | undefined {
  if (!isOwnDir(path.join(project, ARCHIVE), 1)) return undefined
  return [...readManifest(project).entries, ...movesIn(project).moves.map(({ entry }) => entry)]
    .flatMap((one) => ArchiveEntry.safeParse(one).data ?? [])
    .filter(({ archive_path: place }) => path.posix.dirname(place) === ARCHIVE)
    .findLast(isEntryOf(run))
}

async function locked<T>(project: string, dirs: Dirs, work: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(LOCK_MS)
  const lock = path.join(layout.locks(dirs), `archive-${projectKey(project)}`)
  const release = await acquireLock(lock, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
    throw refused(lock, 'another archive of the project has not ended', 'try again later')
  })
  try {
    return await work()
  } finally {
    await release()
  }
}

async function finish(project: string, { file, entry, parts }: Move): Promise<void> {
  for (const { from, to } of parts) {
    const [source, target] = [path.join(project, from), path.join(project, to)]
    if (lstatSync(source, { throwIfNoEntry: false }) === undefined) continue // moved before
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined)
      throw refused(target, 'something is in the way of the archive', 'move it away')
    refuseLinks(project, from)
    ownDir(path.join(project, '.workflow'), path.dirname(to).split('/').slice(1), 'refused')
    renameSync(source, target)
    failpoint('archive:moved')
  }
  const { entries, write } = readManifest(project)
  const isListed = entries.some((one) => {
    const listed = ArchiveEntry.safeParse(one).data
    return listed?.archive_path === entry.archive_path && listed.workflow_id === entry.workflow_id
  })
  if (!isListed) await write([...entries, entry])
  failpoint('archive:listed')
  rmSync(file, { force: true })
}

function openArchive(project: string): void {
  if (!isOwnDir(path.join(project, '.workflow'), 0) || !existsSync(path.join(project, '.workflow')))
    throw refused(project, 'there is no .workflow here', 'nothing to do')
  try {
    ownDir(path.join(project, '.workflow'), ['archives'], 'refused')
  } catch {
    throw refused(
      path.join(project, ARCHIVE),
      'a link or a file is in the place of the archive',
      'move it away',
    )
  }
}

/** The parts of a record that are there. */
function partsOf({ project, kind, name, dir }: Archivable): string[] {
  const parts = (
    kind === 'test-fix'
      ? [path.relative(project, dir).split(path.sep).join('/')]
      : placesOf(kind, name)
  ).filter((part) => lstatSync(path.join(project, part), { throwIfNoEntry: false }) !== undefined)
  for (const part of parts) refuseLinks(project, part)
  return parts
}

// Everything between `.workflow` and the part must be a folder of its own; the part too, or a file.
function refuseLinks(project: string, part: string): void {
  const names = part.split('/')
  names.slice(1).forEach((_name, n) => {
    const at = path.join(project, ...names.slice(0, n + 2))
    const stat = lstatSync(at, { throwIfNoEntry: false })
    const isLast = n === names.length - 2
    if (stat?.isDirectory() === true || (isLast && stat?.isFile() === true)) return
    throw refused(at, 'a link or a file is in the place of a folder', 'move it away')
  })
}

/** A name that no record, no journal and no entry has. */
function freeName(project: string, name: string, entries: readonly unknown[]): string {
  const listed = new Set(entries.map((one) => ArchiveEntry.safeParse(one).data?.archive_path ?? ''))
  const isTaken = (dest: string): boolean =>
    listed.has(`${ARCHIVE}/${dest}`) ||
    [path.join(project, ARCHIVE, dest), journalFile(project, dest)].some(
      (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined,
    )
  if (!isTaken(name)) return name
  for (let n = 2; ; n++) if (!isTaken(`${name}-${n}`)) return `${name}-${n}`
}

function refused(where: string, message: string, next: string): RefusalError {
  return new RefusalError(BAD_INPUT, message, where, next)
}
