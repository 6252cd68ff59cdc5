// Moves the record of an ended run to `.workflow/archives/`.
//
// A journal is written first, then each part is renamed, then the manifest gets its entry, then the
// journal goes. Every step can be repeated, so a move that was interrupted is finished by the next
// one and loses nothing. Agents and repositories can put links into `.workflow`: none in place of a
// folder is followed.
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import {
  ArchiveEntry,
  archiveEntry,
  lastNumber,
  type ArchiveFacts,
} from '../../core/records/archive-entry.js'
import { isoTime } from '../../core/text/iso-time.js'
import { failpoint } from '../failpoint.js'
import { cycleFiles } from './dev-cycle/cycle-paths.js'
import { FOLDERS, loopFiles } from './dev-loop/loop-paths.js'
import { isOwnDir, ownDir, readOwn } from './safe-files.js'
import { ARCHIVE } from './test-fix/session-paths.js'
import { writeWhole } from './write-file.js'

const MANIFEST = 'manifest.json'
const MANIFEST_BYTES = 32 << 20
const JOURNAL = /^\.archiving-.+\.json$/

/** A journal: paths are relative to the project. */
const Journal = z.object({
  entry: ArchiveEntry,
  parts: z.array(z.object({ from: z.string(), to: z.string() })),
})
type Journal = z.infer<typeof Journal>

/** An ended run and where its record lies. */
export type Archivable = ArchiveFacts & { project: string; dir: string }

/** Returns the directory of an archived cycle or loop, which holds its record as it lay. */
export function archivedPlace(project: string, name: string): string | undefined {
  const dir = path.join(project, ARCHIVE, name)
  return isOwnDir(dir, 2) && existsSync(path.join(dir, '.workflow')) ? dir : undefined
}

/** Names of the archived records, as directories of the archive, sorted. */
export function archivedNames(project: string): string[] {
  const dir = path.join(project, ARCHIVE)
  if (!isOwnDir(dir, 1)) return []
  return readdirSync(dir, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort()
}

/**
 * Moves a record into the archive.
 *
 * @throws RefusalError `BadInput` for a link in place of a folder, or a manifest that is unreadable
 */
export async function archive(
  run: Archivable,
  at: { now: number; offset: string },
): Promise<ArchiveEntry> {
  const { project } = run
  openArchive(project)
  const finished = await finishArchiving(project)
  const mine = finished.find(({ session_id: name }) => name === run.name)
  if (mine !== undefined) return mine
  const parts = partsOf(run)
  const dest = freeName(project, run.name)
  const entry = archiveEntry(run, {
    path: `${ARCHIVE}/${dest}`,
    time: isoTime(at.now, at.offset),
    next: lastNumber(readManifest(project).entries) + 1,
  })
  const journal: Journal = {
    entry,
    parts: parts.map((from) => ({
      from,
      to: run.kind === 'test-fix' ? `${ARCHIVE}/${dest}` : `${ARCHIVE}/${dest}/${from}`,
    })),
  }
  const file = path.join(project, ARCHIVE, `.archiving-${dest}.json`)
  await writeWhole(file, `${JSON.stringify(journal, null, 2)}\n`)
  failpoint('archive:begun')
  await finish(project, file, journal)
  return entry
}

/** Finishes the moves that were interrupted; returns their entries. */
export async function finishArchiving(project: string): Promise<ArchiveEntry[]> {
  const dir = path.join(project, ARCHIVE)
  if (!isOwnDir(dir, 1)) return []
  const done: ArchiveEntry[] = []
  for (const name of readdirSync(dir).filter((one) => JOURNAL.test(one))) {
    const file = path.join(dir, name)
    const read = readOwn(file)
    const journal =
      read !== undefined && 'text' in read ? Journal.safeParse(jsonOf(read.text)).data : undefined
    // A journal decides which files move, so one that Ratchet could not have written is left.
    if (journal === undefined || !journal.parts.every(isPart)) continue
    await finish(project, file, journal)
    done.push(journal.entry)
  }
  return done
}

/** The newest entry of a run; also one whose move was interrupted, which is finished first. */
export function archivedEntry(
  project: string,
  { name, workflowId }: { name: string; workflowId: string },
): ArchiveEntry | undefined {
  const dir = path.join(project, ARCHIVE)
  if (!isOwnDir(dir, 1)) return undefined
  const journals = readdirSync(dir)
    .filter((one) => JOURNAL.test(one))
    .flatMap((one) => {
      const read = readOwn(path.join(dir, one))
      return read !== undefined && 'text' in read
        ? (Journal.safeParse(jsonOf(read.text)).data?.entry ?? [])
        : []
    })
  return [...readManifest(project).entries, ...journals]
    .flatMap((one) => ArchiveEntry.safeParse(one).data ?? [])
    .findLast((entry) => entry.session_id === name && entry.workflow_id === workflowId)
}

async function finish(project: string, file: string, { entry, parts }: Journal): Promise<void> {
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
  const isListed = entries.some(
    (one) => ArchiveEntry.safeParse(one).data?.archive_path === entry.archive_path,
  )
  if (!isListed) await write([...entries, entry])
  failpoint('archive:listed')
  rmSync(file)
}

/** The entries of the manifest as they stand, also of other tools, and what replaces them. */
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
    : (value as { archives?: unknown[] } | undefined)?.archives
  if (!Array.isArray(value) && !Array.isArray(inside))
    throw unreadable(file, 'is not a list of archived sessions')
  return {
    entries: inside ?? (value as unknown[]),
    write: (entries) =>
      writeWhole(
        file,
        `${JSON.stringify(inside === undefined ? entries : { ...(value as object), archives: entries }, null, 2)}\n`,
      ),
  }
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

/** Parts of a record, folders first: a cycle without its state file would count as damaged. */
function partsOf({ project, kind, name, dir }: Archivable): string[] {
  const relative = (file: string): string => path.relative(project, file).split(path.sep).join('/')
  const files =
    kind === 'test-fix'
      ? [dir]
      : kind === 'dev-cycle'
        ? [cycleFiles(project, name).progress, cycleFiles(project, name).master]
        : [
            ...Object.values(FOLDERS).map((ending) =>
              path.join(
                loopFiles(project).dir,
                `${path.basename(loopFiles(project, name).master, '.json')}${ending}`,
              ),
            ),
            loopFiles(project, name).master,
          ]
  const parts = files
    .filter((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined)
    .map(relative)
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

/** A path that a journal may name: below `.workflow`, without a way out. */
function isPart({ from, to }: { from: string; to: string }): boolean {
  const isBelow = (text: string): boolean =>
    text.startsWith('.workflow/') &&
    !path.isAbsolute(text) &&
    text.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  return isBelow(from) && isBelow(to) && to.startsWith(`${ARCHIVE}/`)
}

function freeName(project: string, name: string): string {
  const taken = new Set(archivedNames(project))
  if (!taken.has(name)) return name
  for (let n = 2; ; n++) if (!taken.has(`${name}-${n}`)) return `${name}-${n}`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function refused(where: string, message: string, next: string): RefusalError {
  return new RefusalError(BAD_INPUT, message, where, next)
}

function unreadable(file: string, problem: string): RefusalError {
  return refused(file, `the manifest of the archive ${problem}`, 'repair it, or move it away')
}
