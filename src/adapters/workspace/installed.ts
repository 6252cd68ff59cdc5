// What git does not see of a workspace is as it was prepared before anything is measured: installed packages,
// submodules, ignored files.
//
// A package that an agent edits, or an ignored file that it writes, makes tests pass that fail with the branch. All are
// noted with size and times, ctime too, which no program can set; contents are read only where one of these differs.
// What was copied and is still the same comes back from the user's own tree; the rest has a copy beside the note.
import { constants } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, readdir, readFile, readlink, rename, symlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Workspace } from '../../contract/workspace.js'
import { removeTree } from '../git/clean.js'
import { splitZ } from '../git/git.js'
import { VENV_MARK } from '../git/index-file.js'
import type { Repo } from '../git/repo.js'
import { inRepo, ownRepo } from '../git/repo.js'
import { replaceFile } from '../replace-file.js'
import type { Places } from './dependencies.js'
import { DEPENDENCY_DIRS, dependencyDirs } from './dependencies.js'

/** Written by tools while they run: no commit names them, no measurement finds them. */
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.nyc_output', '.hypothesis'])
const isCached = (file: string) => file.split('/').some((name) => CACHES.has(name) || name.endsWith('.pyc'))

/** Times in milliseconds. `kept`: the user's tree does not hold the same file. */
const Entry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('dir') }),
  z.object({ type: z.literal('link'), target: z.string() }),
  z.object({ type: z.literal('file'), size: z.number(), mtimeMs: z.number(), ctimeMs: z.number(), mode: z.number(), kept: z.boolean().optional() }),
  z.object({ type: z.literal('other') }),
])
type Entry = z.infer<typeof Entry>
type FileEntry = Extract<Entry, { type: 'file' }>

/**
 * `from`: top of the user's repository; `head`: the commit that was prepared. Paths are relative to the workspace's root:
 * `roots` of packages and submodules, `ignored` files and folders beside them, `made` by test runs.
 */
const Note = z.object({
  schema: z.literal(1), from: z.string(), head: z.string(), roots: z.array(z.string()), submodules: z.array(z.string()), ignored: z.array(z.string()), entries: z.record(z.string(), Entry),
})
type Note = z.infer<typeof Note>

const Restored = z.record(z.string(), z.array(z.string()))
/** Ignored paths that test runs have made. */
const Made = z.array(z.string())

/** Notes what git does not see in a workspace, and keeps a copy of every file that the user's tree does not hold the same. */
export async function noteInstalled({ from, to, folder, files, submodules }: Places, head: string): Promise<void> {
  const place = placeOf(to)
  await removeTree(place)
  await mkdir(place, { recursive: true, mode: 0o700 })
  const roots = await findRoots(to, [...submodules.keys(), ...(await dependencyDirs(to, { folder, files }))], files)
  const ignored = outside(await ignoredPaths(ownRepo(to)), roots)
  const entries = await keep({ root: to, from }, [...roots, ...ignored])
  await write(path.join(place, 'note.json'), { schema: 1, from, head, roots, submodules: [...submodules.keys()], ignored, entries: Object.fromEntries(entries) } satisfies Note)
}

/** Scans paths of a workspace, and keeps a copy of every file that the user's tree does not hold the same. */
async function keep({ root, from }: { root: string; from: string }, roots: readonly string[]): Promise<Map<string, Entry>> {
  const place = placeOf(root)
  const entries = await scan(root, roots)
  await inBatches([...entries], async ([file, entry]) => {
    if (entry.type !== 'file' || (await isSameInUsersTree(path.join(from, file), path.join(root, file), entry))) return
    entry.kept = true
    await mkdir(path.dirname(keptAt(place, file)), { recursive: true })
    await copyFile(path.join(root, file), keptAt(place, file), constants.COPYFILE_FICLONE)
  })
  return entries
}

/**
 * Undoes what was done to installed packages: changed and deleted files come back, added ones go. A file that the
 * user has changed meanwhile becomes what the user has. A repeated attempt of a step answers the same.
 *
 * @param step names the attempt
 * @param tracked files in git, relative to the root; `submodules` looks at these alone, where packages may be added
 * @returns paths relative to the workspace's root; of a folder that came or went, the folder alone
 */
export async function restoreInstalled({ root, isolation }: Workspace, step: string, tracked: readonly string[] | 'submodules'): Promise<string[]> {
  const note = isolation === 'in-place' ? undefined : await readNote(root)
  if (note === undefined) return []
  if (tracked === 'submodules') return restore(root, note, step, { roots: note.submodules, added: [], isOurs: (file) => !isCached(file) })
  const added = (await findRoots(root, note.roots, tracked)).filter((dir) => !note.roots.includes(dir))
  return restore(root, note, step, { roots: note.roots, added, isOurs: (file) => !isCached(file) })
}

export type RestoreIgnored = {
  /** Names the attempt. */
  step: string
  /** Files of the commit that is measured, relative to the root. */
  tracked: readonly string[]
  /** Installed packages stay as a developer left them, who may add some. */
  keepPackages: boolean
}

/**
 * Makes everything that git ignores what it was when the workspace was prepared, caches too.
 *
 * @returns paths that are left out of the measurement; without caches, and without what test runs make
 */
export async function restoreIgnored({ root, isolation }: Workspace, { step, tracked, keepPackages }: RestoreIgnored): Promise<string[]> {
  const note = isolation === 'in-place' ? undefined : await readNote(root)
  if (note === undefined) return []
  const inGit = withFolders(tracked)
  const isKept = async (file: string): Promise<boolean> => keepPackages && !note.ignored.includes(file) && (await isPackages(root, file))
  const added: string[] = []
  for (const file of outside(await ignoredPaths(ownRepo(root)), [...note.roots, ...note.ignored])) if (!(await isKept(file))) added.push(file)
  const roots = [...(keepPackages ? note.submodules : note.roots), ...note.ignored]
  const all = await restore(root, note, step, { roots, added, isOurs: (file) => !inGit.has(file) })
  const made = new Set(await read(path.join(placeOf(root), MADE), Made))
  return all.filter((file) => !isCached(file) && !made.has(file))
}

/** Notes what a test run left behind in ignored places: the next one removes it without a word. */
export async function noteMade({ root, isolation }: Workspace): Promise<void> {
  const note = isolation === 'in-place' ? undefined : await readNote(root)
  if (note === undefined) return
  const file = path.join(placeOf(root), MADE)
  const before = (await read(file, Made)) ?? []
  const made = [...new Set([...before, ...outside(await ignoredPaths(ownRepo(root)), [...note.roots, ...note.ignored])])].slice(0, MADE_KEPT)
  if (made.length > before.length) await write(file, made)
}

/**
 * Makes caches that the first run made, before any agent's turn, a part of what is prepared: a build starts from them.
 *
 * Source: the Cache Directory Tagging Specification; cargo tags `target/`.
 */
export async function noteCaches({ root, isolation }: Workspace): Promise<void> {
  const note = isolation === 'in-place' ? undefined : await readNote(root)
  if (note === undefined) return
  const tagged: string[] = []
  for (const dir of outside(await ignoredPaths(ownRepo(root)), [...note.roots, ...note.ignored])) if ((await statsOf(path.join(root, dir, 'CACHEDIR.TAG'))) !== undefined) tagged.push(dir)
  if (tagged.length === 0) return
  const entries = await keep({ root, from: note.from }, tagged)
  await write(path.join(placeOf(root), 'note.json'), { ...note, ignored: [...note.ignored, ...tagged], entries: { ...note.entries, ...Object.fromEntries(entries) } } satisfies Note)
}

/** The commit that a workspace was prepared at; `undefined` in place. */
export async function preparedHead({ root, isolation }: Workspace): Promise<string | undefined> {
  return isolation === 'in-place' ? undefined : (await readNote(root))?.head
}

const MADE = 'made.json'
const MADE_KEPT = 10_000

const readNote = (root: string) => read(path.join(placeOf(root), 'note.json'), Note)

type Restore = { roots: readonly string[]; added: readonly string[]; isOurs: (file: string) => boolean }

async function restore(root: string, note: Note, step: string, { roots: all, added: found, isOurs }: Restore): Promise<string[]> {
  const place = placeOf(root)
  const noted = new Map(Object.entries(note.entries))
  const roots = await reachable(root, all)
  const isReached = (file: string) => isOurs(file) && roots.some((dir) => isBelow(file, dir))
  const now = await scan(root, roots, { mend: true, isOurs })

  const added = [...[...now.keys()].filter((file) => !noted.has(file)), ...found].filter(isOurs)
  const changed: string[] = []
  let touched = false
  await inBatches([...noted].filter(([file]) => isReached(file)), async ([file, entry]) => {
    const current = now.get(file)
    if (isSame(entry, current)) return
    touched = true
    const isOne = entry.type === 'file' && current?.type === 'file' && entry.size === current.size && entry.mode === current.mode
    if (isOne && (await hasContent(path.join(root, file), sourceOf(place, note.from, file, entry)))) noted.set(file, { ...current, kept: entry.kept })
    else changed.push(file)
  })

  const journal = path.join(place, 'restored.json')
  const before = (await read(journal, Restored)) ?? {}
  const told = [...new Set([...(before[step] ?? []), ...topmost([...added, ...changed])])].sort()
  // First: an attempt that is killed below finds nothing more to tell the next time.
  if (told.length > (before[step]?.length ?? 0)) await write(journal, { ...before, [step]: told })

  for (const file of topmost(added)) await removeTree(path.join(root, file))
  for (const file of changed.sort()) await putBack(place, note.from, root, file, noted)
  if (touched) await write(path.join(place, 'note.json'), { ...note, entries: Object.fromEntries(noted) } satisfies Note)
  return told
}

/** Paths that git ignores in a workspace: files, and folders as a whole where it tracks nothing in them. */
async function ignoredPaths(repo: Repo): Promise<string[]> {
  const found = splitZ(await inRepo(repo, ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'], { bytes: true }))
  return found.map((file) => file.replace(/\/$/, ''))
}

function outside(files: readonly string[], roots: readonly string[]): string[] {
  const all = new Set(roots)
  return files.filter((file) => !all.has(file) && !roots.some((dir) => isBelow(file, dir)))
}

function withFolders(files: readonly string[]): Set<string> {
  const all = new Set<string>(files)
  for (const file of files) for (let dir = path.posix.dirname(file); dir !== '.' && !all.has(dir); dir = path.posix.dirname(dir)) all.add(dir)
  return all
}

async function isPackages(root: string, file: string): Promise<boolean> {
  return DEPENDENCY_DIRS.includes(path.posix.basename(file)) || (await statsOf(path.join(root, file, VENV_MARK))) !== undefined
}

async function putBack(place: string, from: string, root: string, file: string, noted: Map<string, Entry>): Promise<void> {
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

const placeOf = (root: string) => path.join(path.dirname(root), 'installed')
const keptAt = (place: string, file: string) => path.join(place, 'files', file)
const isBelow = (file: string, dir: string) => file === dir || file.startsWith(`${dir}/`)

// A hard link to a package manager's store is one file, which an agent changes in both places.
async function isSameInUsersTree(theirs: string, ours: string, { size, mtimeMs, mode }: FileEntry): Promise<boolean> {
  const [one, other] = [await statsOf(theirs), await statsOf(ours)]
  return one?.isFile() === true && one.size === size && one.mtimeMs === mtimeMs && (one.mode & 0o7777) === mode && !(one.ino === other?.ino && one.dev === other.dev)
}

function isSame(entry: Entry, now: Entry | undefined): boolean {
  if (entry.type === 'file' && now?.type === 'file') return entry.size === now.size && entry.mtimeMs === now.mtimeMs && entry.ctimeMs === now.ctimeMs && entry.mode === now.mode
  return entry.type === 'link' && now?.type === 'link' ? entry.target === now.target : entry.type === now?.type
}

async function hasContent(file: string, source: string): Promise<boolean> {
  return (await statsOf(source))?.isFile() === true && (await readFile(file)).equals(await readFile(source))
}

function topmost(files: readonly string[]): string[] {
  const all = new Set(files)
  const hasParent = (file: string): boolean => {
    for (let dir = path.posix.dirname(file); dir !== '.'; dir = path.posix.dirname(dir)) if (all.has(dir)) return true
    return false
  }
  return [...all].filter((file) => !hasParent(file))
}

// Not where a folder on the way was replaced by a link or a file: git sees that, and nothing is written through it.
async function reachable(root: string, roots: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const dir of roots) {
    const parts = path.posix.dirname(dir) === '.' ? [] : path.posix.dirname(dir).split('/')
    const above = await Promise.all(parts.map((_, i) => entryOf(path.join(root, ...parts.slice(0, i + 1)))))
    if (above.every((entry) => entry === undefined || entry.type === 'dir')) found.push(dir)
  }
  return found
}

// Packages and environments wherever they lie, not only where a manifest is: a nearer node_modules wins.
async function findRoots(root: string, known: readonly string[], tracked: readonly string[]): Promise<string[]> {
  const inGit = withFolders(tracked)
  const found = new Set(known)
  const visit = async (folder: string): Promise<void> => {
    await makeReadable(path.join(root, folder))
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const file = path.posix.join(folder, entry.name)
      if (found.has(file) || entry.name === '.git') continue
      const isRoot = entry.name === 'node_modules' || (entry.isDirectory() && (await statsOf(path.join(root, file, VENV_MARK))) !== undefined)
      if (isRoot && !inGit.has(file)) found.add(file)
      else if (entry.isDirectory()) await visit(file)
    }
  }
  await visit('')
  return [...found].sort()
}

async function scan(root: string, roots: readonly string[], { mend = false, isOurs = () => true }: { mend?: boolean; isOurs?: (file: string) => boolean } = {}): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>()
  let level = [...roots]
  while (level.length > 0) {
    const next: string[] = []
    await inBatches(level, async (file) => {
      const at = path.join(root, file)
      const entry = await entryOf(at)
      if (entry === undefined) return
      if (isOurs(file)) found.set(file, entry)
      if (entry.type !== 'dir') return
      if (mend) await makeReadable(at)
      next.push(...(await readdir(at)).map((name) => path.posix.join(file, name)))
    })
    level = next
  }
  return found
}

// An agent's folder without rights would hide what is in it, and be no place to put anything back.
async function makeReadable(dir: string): Promise<void> {
  const { mode } = await lstat(dir)
  if ((mode & 0o700) !== 0o700) await chmod(dir, (mode & 0o7777) | 0o700)
}

async function entryOf(file: string): Promise<Entry | undefined> {
  const stats = await statsOf(file)
  if (stats === undefined) return undefined
  if (stats.isDirectory()) return { type: 'dir' }
  if (stats.isSymbolicLink()) return { type: 'link', target: await readlink(file) }
  return stats.isFile() ? { type: 'file', size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, mode: stats.mode & 0o7777 } : { type: 'other' }
}

async function statsOf(file: string) {
  try {
    return await lstat(file)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

const AT_ONCE = 64

async function inBatches<T>(items: readonly T[], use: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += AT_ONCE) await Promise.all(items.slice(i, i + AT_ONCE).map(use))
}

async function write(file: string, value: unknown): Promise<void> {
  await replaceFile(file, `${JSON.stringify(value)}\n`, { mode: 0o600 })
}

async function read<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
