// Files by which a work tree decides how git stages it and checks it out: attributes select
// filters, line ends and encodings of every other file. Where they are guarded they are restored
// before anything is staged.
import { lstat } from 'node:fs/promises'
import path from 'node:path'
import { realParents } from '../files/real-parents.js'
import type { PrivateIndex } from './index-file.js'
import type { Repo } from './repo.js'
import { changedBytes, storeRaw } from './tracked-bytes.js'
import { removeFile, type Guard, type Repair } from './tamper.js'
import { listTree } from './tree-diff.js'

const ATTRIBUTES = '.gitattributes'
/** Read by git and LFS at the top only. */
const AT_TOP: readonly string[] = ['.lfsconfig', '.gitmodules']

/**
 * Guarded ones that are not as in `head`: changed, deleted, and added next to tracked files,
 * ignored ones too.
 */
export async function changedAttributes(
  repo: Repo,
  index: PrivateIndex,
  head: string,
  guard: Guard,
): Promise<Repair[]> {
  const tracked = await listTree(repo, head)
  const repairs = await changedBytes(
    repo,
    index,
    head,
    (file) => decides(file) && guard(file, 'changed'),
  )
  // One whose directory is gone, or a link now, decides on nothing: it is restored with the files.
  const hasParents = realParents(repo.root)
  for (const [file, entry] of tracked)
    if (
      decides(file) &&
      guard(file, 'deleted') &&
      (await hasParents(file)) &&
      !(await isThere(repo, file))
    )
      repairs.push({ path: file, found: undefined, entry })
  // In place an ignored one is the user's.
  const added = repo.own ? await untracked(repo, placesNextTo([...tracked.keys()]), tracked) : []
  return [...repairs, ...(await asAdded(repo, added, guard))]
}

/** Guarded ones that came with new files, or with ignored files next to them. */
export async function newAttributes(
  repo: Repo,
  head: string,
  files: readonly string[],
  guard: Guard,
): Promise<Repair[]> {
  const places = repo.own ? placesNextTo(files) : files.filter(decides)
  return asAdded(repo, await untracked(repo, places, await listTree(repo, head)), guard)
}

/**
 * Removes what is not in a commit, so that nothing but its own attributes decides on a checkout of
 * it.
 */
export async function removeStrayAttributes(repo: Repo, commit: string): Promise<void> {
  const tracked = await listTree(repo, commit)
  for (const file of await untracked(repo, placesNextTo([...tracked.keys()]), tracked))
    await removeFile(repo.root, file)
}

/** Whether a file decides how others are staged. */
export function decides(file: string): boolean {
  return path.posix.basename(file) === ATTRIBUTES || AT_TOP.includes(file)
}

// Where one would have an effect on these files.
function placesNextTo(files: readonly string[]): string[] {
  const folders = new Set<string>([''])
  for (const file of files)
    for (
      let dir = path.posix.dirname(file);
      dir !== '.' && !folders.has(dir);
      dir = path.posix.dirname(dir)
    )
      folders.add(dir)
  return [...[...folders].map((dir) => path.posix.join(dir, ATTRIBUTES)), ...AT_TOP]
}

async function untracked(
  repo: Repo,
  places: readonly string[],
  tracked: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const hasParents = realParents(repo.root)
  const found: string[] = []
  for (const file of places)
    if (!tracked.has(file) && (await hasParents(file)) && (await isThere(repo, file)))
      found.push(file)
  return found
}

async function asAdded(repo: Repo, files: readonly string[], guard: Guard): Promise<Repair[]> {
  const guarded = files.filter((file) => guard(file, 'added'))
  return Promise.all(
    guarded.map(async (file) => ({
      path: file,
      entry: undefined,
      found: await storeRaw(repo, file),
    })),
  )
}

// A directory of the name has no effect.
async function isThere({ root }: Repo, file: string): Promise<boolean> {
  return lstat(path.join(root, file)).then(
    (stats) => !stats.isDirectory(),
    () => false,
  )
}
