// What git does not see of a workspace is as it was prepared before anything is measured: installed
// packages, submodules, ignored files.
//
// A package that an agent edits, or an ignored file that it writes, makes tests pass that fail with
// the branch. All are noted with size and times, ctime too, which no program can set; contents are
// read only where one of these differs. What was copied and is still the same comes back from the
// user's own tree; the rest has a copy next to the note.
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Workspace } from '../../contract/workspace.js'
import { removeTree } from '../git/user-repository/clean.js'
import { splitZ } from '../git/git.js'
import { VENV_MARK } from '../git/index-file.js'
import { inRepo, ownRepo, type Repo } from '../git/repo.js'
import { statsOf } from '../files/stats-of.js'
import { DEPENDENCY_DIRS, dependencyDirs, type Places } from './dependencies.js'
import {
  keep,
  placeOf,
  read,
  readEntries,
  readNote,
  restore,
  write,
  writeNote,
} from './prepared-note.js'
import { noteOwnFolder } from './own-folder.js'
import { isBelow, makeReadable } from './tree-entries.js'

/** Written by tools while they run: no commit names them, no measurement finds them. */
const CACHES = new Set([
  '.cache',
  '.vite',
  '.vite-temp',
  '.vitest',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.nyc_output',
  '.hypothesis',
])
const isCached = (file: string) =>
  file.split('/').some((name) => CACHES.has(name) || name.endsWith('.pyc'))

/** Ignored paths that test runs have made. */
const Made = z.array(z.string())

/**
 * Notes what git does not see in a workspace, and keeps a copy of every file that the user's tree
 * does not hold the same.
 */
export async function noteInstalled(
  { from, to, folder, files, submodules }: Places,
  head: string,
): Promise<void> {
  const place = placeOf(to)
  await removeTree(place)
  await mkdir(place, { recursive: true, mode: 0o700 })
  const roots = await findRoots(
    to,
    [...submodules.keys(), ...(await dependencyDirs(to, { folder, files }))],
    files,
  )
  const ignored = outside(await ignoredPaths(ownRepo(to)), roots)
  const entries = await keep({ root: to, from }, [...roots, ...ignored])
  await writeNote(
    to,
    { schema: 1, from, head, roots, submodules: [...submodules.keys()], ignored },
    entries,
  )
}

/**
 * Undoes what was done to installed packages: changed and deleted files come back, added ones go. A
 * file that the user has changed meanwhile becomes what the user has. A repeated attempt of a step
 * answers the same.
 *
 * @param step names the attempt
 * @param tracked files in git, relative to the root; `submodules` looks at these alone, where
 * packages may be added
 * @returns paths relative to the workspace's root; of a folder that came or went, the folder alone
 */
export async function restoreInstalled(
  { root, isolation }: Workspace,
  step: string,
  tracked: readonly string[] | 'submodules',
): Promise<string[]> {
  const note = isolation === 'in-place' ? undefined : await readNote(root)
  if (note === undefined) return []
  if (tracked === 'submodules')
    return restore(root, note, step, {
      roots: note.submodules,
      added: [],
      isOurs: (file) => !isCached(file),
    })
  const added = (await findRoots(root, note.roots, tracked)).filter(
    (dir) => !note.roots.includes(dir),
  )
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
 * @returns paths that are left out of the measurement; without caches, and without what test runs
 * make
 */
export async function restoreIgnored(
  { root, isolation }: Workspace,
  { step, tracked, keepPackages }: RestoreIgnored,
): Promise<string[]> {
  const note = isolation === 'in-place' ? undefined : await readNote(root)
  if (note === undefined) return []
  const inGit = withFolders(tracked)
  const isKept = async (file: string): Promise<boolean> =>
    keepPackages && !note.ignored.includes(file) && (await isPackages(root, file))
  const added: string[] = []
  for (const file of outside(await ignoredPaths(ownRepo(root)), [...note.roots, ...note.ignored]))
    if (!(await isKept(file))) added.push(file)
  const roots = [...(keepPackages ? note.submodules : note.roots), ...note.ignored]
  noteOwnFolder(root, added)
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
  const made = [
    ...new Set([
      ...before,
      ...outside(await ignoredPaths(ownRepo(root)), [...note.roots, ...note.ignored]),
    ]),
  ].slice(0, MADE_KEPT)
  if (made.length > before.length) await write(file, made)
}

/**
 * Makes caches that the first run made, before any agent's turn, a part of what is prepared: a
 * build starts from them.
 *
 * Source: the Cache Directory Tagging Specification; cargo tags `target/`.
 */
export async function noteCaches({ root, isolation }: Workspace): Promise<void> {
  const note = isolation === 'in-place' ? undefined : await readNote(root)
  if (note === undefined) return
  const tagged: string[] = []
  for (const dir of outside(await ignoredPaths(ownRepo(root)), [...note.roots, ...note.ignored]))
    if ((await statsOf(path.join(root, dir, 'CACHEDIR.TAG'))) !== undefined) tagged.push(dir)
  if (tagged.length === 0) return
  const entries = await keep({ root, from: note.from }, tagged)
  await writeNote(
    root,
    { ...note, ignored: [...note.ignored, ...tagged] },
    new Map([...(await readEntries(root)), ...entries]),
  )
}

/** The commit that a workspace was prepared at; `undefined` in place. */
export async function preparedHead({ root, isolation }: Workspace): Promise<string | undefined> {
  return isolation === 'in-place' ? undefined : (await readNote(root))?.head
}

const MADE = 'made.json'
const MADE_KEPT = 10_000

/**
 * Paths that git ignores in a workspace: files, and folders as a whole where it tracks nothing in
 * them.
 */
async function ignoredPaths(repo: Repo): Promise<string[]> {
  const found = splitZ(
    await inRepo(
      repo,
      ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
      { bytes: true },
    ),
  )
  return found.map((file) => file.replace(/\/$/, ''))
}

function outside(files: readonly string[], roots: readonly string[]): string[] {
  const all = new Set(roots)
  return files.filter((file) => !all.has(file) && !roots.some((dir) => isBelow(file, dir)))
}

function withFolders(files: readonly string[]): Set<string> {
  const all = new Set<string>(files)
  for (const file of files)
    for (
      let dir = path.posix.dirname(file);
      dir !== '.' && !all.has(dir);
      dir = path.posix.dirname(dir)
    )
      all.add(dir)
  return all
}

async function isPackages(root: string, file: string): Promise<boolean> {
  return (
    DEPENDENCY_DIRS.includes(path.posix.basename(file)) ||
    (await statsOf(path.join(root, file, VENV_MARK))) !== undefined
  )
}

// Packages and environments in all folders, not only next to a manifest: a nearer node_modules
// wins.
async function findRoots(
  root: string,
  known: readonly string[],
  tracked: readonly string[],
): Promise<string[]> {
  const inGit = withFolders(tracked)
  const found = new Set(known)
  const visit = async (folder: string): Promise<void> => {
    await makeReadable(path.join(root, folder))
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const file = path.posix.join(folder, entry.name)
      if (found.has(file) || entry.name === '.git') continue
      const isRoot =
        entry.name === 'node_modules' ||
        (entry.isDirectory() && (await statsOf(path.join(root, file, VENV_MARK))) !== undefined)
      if (isRoot && !inGit.has(file)) found.add(file)
      else if (entry.isDirectory()) await visit(file)
    }
  }
  await visit('')
  return [...found].sort()
}
