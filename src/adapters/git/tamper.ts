// Guarded files: finds agents' changes by comparing trees, and restores the files in the index and
// the work tree. The caller's rule decides which files are guarded.
import { readdir, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { realParents } from '../files/real-parents.js'
import { joinZ } from './git.js'
import type { PrivateIndex } from './index-file.js'
import { inRepo, type Repo } from './repo.js'
import {
  diffTrees,
  GITLINK,
  isPlain,
  PLAIN_FILE,
  readBlob,
  type Change,
  type Entry,
} from './tree-diff.js'

/** Returns whether a change to a file is fully reverted; `change` is its kind. */
export type Guard = (path: string, change: 'added' | 'changed' | 'deleted') => boolean

/**
 * Returns the text a shared file must get, or `undefined` where nothing guarded changed.
 *
 * `before` is empty for a new file, `after` for one that is gone or no longer a plain file; an
 * empty answer for a new file means that it must go.
 */
export type RestoreParts = (path: string, before: string, after: string) => string | undefined

/** A guarded file, what it is now, and what it must be; `undefined` = no file. */
export type Repair = { path: string; found: Entry | undefined; entry: Entry | undefined }

/** Larger files are not looked into for guarded parts. */
const MAX_SHARED_BYTES = 1 << 20

/** Guarded files in which a tree differs from a commit. */
export async function findTampering(
  repo: Repo,
  head: string,
  tree: string,
  guard: Guard,
  restore?: RestoreParts,
): Promise<Repair[]> {
  const repairs: Repair[] = []
  for (const change of await diffTrees(repo, head, tree)) {
    if (change.path.includes('\u{FFFD}')) continue // not UTF-8: cannot be addressed
    // No commit of a step's moves a submodule: its files are not in it.
    if (change.before?.mode === GITLINK || guard(change.path, kindOf(change)))
      repairs.push({ path: change.path, found: change.after, entry: change.before })
    else if (restore !== undefined) repairs.push(...(await partialRepair(repo, change, restore)))
  }
  return repairs
}

// A file that became a link is a file that is gone.
function kindOf({ before, after }: Change): Parameters<Guard>[1] {
  if (before === undefined) return 'added'
  return after === undefined || (isPlain(before) && !isPlain(after)) ? 'deleted' : 'changed'
}

async function partialRepair(
  repo: Repo,
  { path: file, before, after }: Change,
  restore: RestoreParts,
): Promise<Repair[]> {
  if (before !== undefined && !isPlain(before)) return []
  const texts = await Promise.all([before, after].map((entry) => textOf(repo, entry)))
  const [was, is] = texts
  if (was === undefined || is === undefined) return []
  const must = restore(file, was, is)
  if (must === undefined) return []
  if (before === undefined && must === '') return [{ path: file, found: after, entry: undefined }]
  const sha =
    must === was && before !== undefined
      ? before.sha
      : await inRepo(repo, ['hash-object', '-w', '--stdin', '--no-filters'], { input: must })
  const mode = isPlain(after) ? after.mode : (before?.mode ?? PLAIN_FILE)
  return [{ path: file, found: after, entry: { mode, sha } }]
}

async function textOf(repo: Repo, entry: Entry | undefined): Promise<string | undefined> {
  if (!isPlain(entry)) return ''
  if (Number(await inRepo(repo, ['cat-file', '-s', entry.sha])) > MAX_SHARED_BYTES) return undefined
  return readBlob(repo, entry.sha)
}

/** Restores guarded files in the index and the work tree, replacing anything in their place. */
export async function repairFiles(
  repo: Repo,
  index: PrivateIndex,
  repairs: readonly Repair[],
): Promise<void> {
  if (repairs.length === 0) return
  await writeEntries(
    repo,
    index,
    repairs,
    repairs.map(({ entry, found }) => (entry ?? found)?.sha ?? '').find((sha) => sha !== '') ?? '',
  )
  const back = repairs.filter((repair) => repair.entry !== undefined)
  for (const { path: file, entry } of repairs)
    if (entry === undefined) await removeFile(repo.root, file)
  if (back.length > 0)
    await inRepo(repo, ['checkout-index', '--force', '--index', '-z', '--stdin'], {
      env: index.env,
      input: joinZ(back.map((repair) => repair.path)),
    })
}

/**
 * Writes entries into an index as they are; `undefined` = no file. The work tree stays. `like` is
 * any object name of the repository.
 */
export async function writeEntries(
  repo: Repo,
  index: PrivateIndex,
  entries: readonly { path: string; entry: Entry | undefined }[],
  like: string,
  { bytes = false } = {},
): Promise<void> {
  if (entries.length === 0) return
  // Removals first, so that a file can come where a directory was.
  const lines = [
    ...entries.flatMap(({ path: file, entry }) =>
      entry === undefined ? [`0 ${'0'.repeat(like.length)}\t${file}`] : [],
    ),
    ...entries.flatMap(({ path: file, entry }) =>
      entry === undefined ? [] : [`${entry.mode} ${entry.sha}\t${file}`],
    ),
  ]
  await inRepo(repo, ['update-index', '-z', '--index-info'], {
    env: index.env,
    input: joinZ(lines),
    bytes,
  })
}

/**
 * Removes a file of a work tree and the directories that become empty by it. What lies behind a
 * link stays.
 */
export async function removeFile(root: string, file: string): Promise<void> {
  if (!(await realParents(root)(file))) return
  await rm(path.join(root, file), { force: true })
  for (let dir = path.dirname(file); dir !== '.'; dir = path.dirname(dir)) {
    if (!(await isEmpty(path.join(root, dir)))) return
    await rmdir(path.join(root, dir))
  }
}

async function isEmpty(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length === 0
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw error
  }
}
