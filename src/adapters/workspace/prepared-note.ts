// Notes what git does not see in a workspace, as it was prepared, with copies of files that the
// user's tree does not hold, and restores it.
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rename, symlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { removeTree } from '../git/user-repository/clean.js'
import { inBatches } from '../files/in-batches.js'
import { replaceFile } from '../files/replace-file.js'
import { entryOf, Entry, isBelow, isSame, reachable, scan, type FileEntry } from './tree-entries.js'
import { statsOf } from '../files/stats-of.js'

/**
 * `from`: top of the user's repository; `head`: the commit that was prepared. Paths are relative to
 * the workspace's root: `roots` of packages and submodules, `ignored` files and folders
 * outside of them. Their content is in `Entries`.
 */
export const Note = z.object({
  schema: z.literal(1),
  from: z.string(),
  head: z.string(),
  roots: z.array(z.string()),
  submodules: z.array(z.string()),
  ignored: z.array(z.string()),
})
export type Note = z.infer<typeof Note>

const Entries = z.record(z.string(), Entry)

const Restored = z.record(z.string(), z.array(z.string()))

export const placeOf = (root: string) => path.join(path.dirname(root), 'installed')
const keptAt = (place: string, file: string) => path.join(place, 'files', file)

export const readNote = (root: string) => read(path.join(placeOf(root), 'note.json'), Note)

/** Writes the note after its entries: without it there is nothing to restore. */
export async function writeNote(
  root: string,
  note: Note,
  entries: ReadonlyMap<string, Entry>,
): Promise<void> {
  await writeEntries(root, entries)
  await write(path.join(placeOf(root), 'note.json'), note)
}

export async function readEntries(root: string): Promise<Map<string, Entry>> {
  return new Map(Object.entries((await read(entriesFile(root), Entries)) ?? {}))
}

const entriesFile = (root: string) => path.join(placeOf(root), 'entries.json')
const writeEntries = (root: string, entries: ReadonlyMap<string, Entry>) =>
  write(entriesFile(root), Object.fromEntries(entries) satisfies z.infer<typeof Entries>)

/**
 * Scans paths of a workspace, and keeps a copy of every file that the user's tree does not hold the
 * same.
 */
export async function keep(
  { root, from }: { root: string; from: string },
  roots: readonly string[],
): Promise<Map<string, Entry>> {
  const place = placeOf(root)
  const entries = await scan(root, roots)
  await inBatches([...entries], async ([file, entry]) => {
    if (
      entry.type !== 'file' ||
      (await isSameInUsersTree(path.join(from, file), path.join(root, file), entry))
    )
      return
    entry.kept = true
    await mkdir(path.dirname(keptAt(place, file)), { recursive: true })
    await copyFile(path.join(root, file), keptAt(place, file), constants.COPYFILE_FICLONE)
  })
  return entries
}

/** `added`: paths that go. `isOurs`: what is looked at. */
export type Restore = {
  roots: readonly string[]
  added: readonly string[]
  isOurs: (file: string) => boolean
}

/**
 * Restores what lies below `roots` to the note. A file that the user has changed meanwhile becomes
 * what the user has.
 *
 * @param step names the attempt: a repeated one answers the same
 * @returns paths that were changed or added; of a folder that came or went, the folder alone
 */
export async function restore(
  root: string,
  note: Note,
  step: string,
  { roots: all, added: found, isOurs }: Restore,
): Promise<string[]> {
  const place = placeOf(root)
  const noted = await readEntries(root)
  const roots = await reachable(root, all)
  const isReached = (file: string) => isOurs(file) && roots.some((dir) => isBelow(file, dir))
  const now = await scan(root, roots, { repair: true, isOurs })

  const added = [...[...now.keys()].filter((file) => !noted.has(file)), ...found].filter(isOurs)
  const changed: string[] = []
  let touched = false
  await inBatches(
    [...noted].filter(([file]) => isReached(file)),
    async ([file, entry]) => {
      const current = now.get(file)
      if (isSame(entry, current)) return
      touched = true
      const isOne =
        entry.type === 'file' &&
        current?.type === 'file' &&
        entry.size === current.size &&
        entry.mode === current.mode
      if (
        isOne &&
        (await hasContent(path.join(root, file), sourceOf(place, note.from, file, entry)))
      )
        noted.set(file, { ...current, kept: entry.kept })
      else changed.push(file)
    },
  )

  const journal = path.join(place, 'restored.json')
  const before = (await read(journal, Restored)) ?? {}
  const told = [...new Set([...(before[step] ?? []), ...topmost([...added, ...changed])])].sort()
  // First: an attempt that is killed below finds nothing more to tell the next time.
  if (told.length > (before[step]?.length ?? 0)) await write(journal, { ...before, [step]: told })

  for (const file of topmost(added)) await removeTree(path.join(root, file))
  for (const file of changed.sort()) await restoreFile(place, note.from, root, file, noted)
  if (touched) await writeEntries(root, noted)
  return told
}

async function restoreFile(
  place: string,
  from: string,
  root: string,
  file: string,
  noted: Map<string, Entry>,
): Promise<void> {
  const entry = noted.get(file)
  const target = path.join(root, file)
  await removeTree(target)
  await mkdir(path.dirname(target), { recursive: true })
  if (entry?.type === 'dir') await mkdir(target)
  if (entry?.type === 'link') await symlink(entry.target, target)
  if (entry?.type !== 'file') return
  const source = sourceOf(place, from, file, entry)
  const found = await entryOf(source)
  if (found?.type !== 'file') return void noted.delete(file) // the user has removed it
  const fresh = path.join(place, 'incoming')
  await removeTree(fresh)
  await copyFile(source, fresh, constants.COPYFILE_FICLONE)
  await chmod(fresh, source === keptAt(place, file) ? entry.mode : found.mode)
  await utimes(fresh, entry.mtimeMs / 1000, entry.mtimeMs / 1000)
  await rename(fresh, target)
  const settled = await entryOf(target)
  if (settled?.type === 'file') noted.set(file, { ...settled, kept: entry.kept })
}

function sourceOf(place: string, from: string, file: string, { kept }: FileEntry): string {
  return kept === true ? keptAt(place, file) : path.join(from, file)
}

// A hard link to a package manager's store is one file, which an agent changes in both places.
async function isSameInUsersTree(
  theirs: string,
  ours: string,
  { size, mtimeMs, mode }: FileEntry,
): Promise<boolean> {
  const [one, other] = [await statsOf(theirs), await statsOf(ours)]
  return (
    one?.isFile() === true &&
    one.size === size &&
    one.mtimeMs === mtimeMs &&
    (one.mode & 0o7777) === mode &&
    !(one.ino === other?.ino && one.dev === other.dev)
  )
}

async function hasContent(file: string, source: string): Promise<boolean> {
  return (
    (await statsOf(source))?.isFile() === true &&
    (await readFile(file)).equals(await readFile(source))
  )
}

function topmost(files: readonly string[]): string[] {
  const all = new Set(files)
  const hasParent = (file: string): boolean => {
    for (let dir = path.posix.dirname(file); dir !== '.'; dir = path.posix.dirname(dir))
      if (all.has(dir)) return true
    return false
  }
  return [...all].filter((file) => !hasParent(file))
}

export async function write(file: string, value: unknown): Promise<void> {
  await replaceFile(file, `${JSON.stringify(value)}\n`, { mode: 0o600 })
}

export async function read<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
