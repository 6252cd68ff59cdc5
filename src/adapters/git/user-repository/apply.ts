// Brings a run's changes to the user's working tree, as uncommitted changes: all of them or none.
//
// Conflicts are looked for before anything is written. Only files change; index, branch and stash
// stay as they are. Each file is written elsewhere and moved to its place, so none is ever half
// written. Killed half-way, a second call does the rest: what is there already is no change.
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { statsOf } from '../../files/stats-of.js'
import { treeOf } from '../commits.js'
import { git, joinZ } from '../git.js'
import { privatePath, sweepPrivate, withCopiedIndex } from '../index-file.js'
import { mergeTrees } from '../merge/merge-trees.js'
import { keptRefs, nameOfBranch } from '../ratchet-refs.js'
import { findRepo, isAncestor, resolve, type Repo } from '../repo.js'
import { workTree } from './snapshot.js'
import { removeFile } from '../tamper.js'
import { listTree, type Entry } from '../tree-diff.js'

export type ApplyResult = {
  /** Files written or removed, relative to the repository. */
  applied: string[]
  /** Files that both sides changed; where there are any, nothing was applied. */
  conflicts: string[]
  /** Why nothing was applied, one sentence. */
  reason?: string
}

/**
 * Applies what a branch changed since `base` to the working tree around `project`.
 *
 * @param branch branch name, or any revision; of a branch that could not be published, what was
 * kept of it
 */
export async function applyBranch({
  project,
  base,
  branch,
}: {
  project: string
  base: string
  branch: string
}): Promise<ApplyResult> {
  const repo = await findRepo(project)
  const theirs = await headOf(repo, branch)
  const from = await resolve(repo, base)
  if (theirs === undefined || from === undefined)
    return nothing(`${theirs === undefined ? branch : base} is not in ${repo.root}`)
  const { tree: ours } = await workTree(repo)
  const { writes, conflicts } = await mergeTrees(repo, from, ours, theirs)
  const inTheWay = await occupied(repo, ours, writes)
  const all = [...new Set([...conflicts, ...inTheWay])].sort()
  if (all.length > 0)
    return {
      ...nothing(`${all.length} file${all.length === 1 ? '' : 's'} changed on both sides`),
      conflicts: all,
    }
  if (writes.size === 0)
    return nothing(
      (await treeOf(repo, theirs)) === (await treeOf(repo, from))
        ? 'the branch holds no changes'
        : 'every change of the branch is there already',
    )
  await write(repo, ours, writes)
  return { applied: [...writes.keys()].sort(), conflicts: [] }
}

// A separate head exists only while the branch could not be moved to it: the branch was
// checked out, or moved by the user. What the user has merged into the branch counts all the same.
async function headOf(repo: Repo, branch: string): Promise<string | undefined> {
  const tip = (await resolve(repo, `refs/heads/${branch}`)) ?? (await resolve(repo, branch))
  const name = nameOfBranch(branch)
  const kept = name === undefined ? undefined : await resolve(repo, keptRefs.head(name))
  if (kept === undefined || tip === undefined) return kept ?? tip
  return (await isAncestor(repo, kept, tip)) ? tip : kept
}

function nothing(reason: string): ApplyResult {
  return { applied: [], conflicts: [], reason }
}

// Ignored files, nested repositories and the like are not in the tree, but would be overwritten.
async function occupied(
  repo: Repo,
  ours: string,
  writes: ReadonlyMap<string, Entry | undefined>,
): Promise<string[]> {
  const mine = await listTree(repo, ours)
  const found: string[] = []
  for (const [file, entry] of writes) {
    if (entry === undefined || mine.has(file)) continue
    const parts = file.split('/')
    for (let length = 1; length <= parts.length; length++) {
      const place = parts.slice(0, length).join('/')
      if (await holdsUnknown(repo.root, place, mine, length === parts.length)) found.push(file)
    }
  }
  return found
}

// A directory on the way is fine; one in the place of a file only where git knows all that is in
// it.
async function holdsUnknown(
  root: string,
  place: string,
  mine: ReadonlyMap<string, Entry>,
  isLast: boolean,
): Promise<boolean> {
  const stats = await statsOf(path.join(root, place))
  if (stats === undefined) return false
  if (!stats.isDirectory()) return !mine.has(place)
  if (!isLast) return false
  const inside = await readdir(path.join(root, place), { recursive: true, withFileTypes: true })
  return inside.some(
    (one) =>
      !one.isDirectory() && !mine.has(path.relative(root, path.join(one.parentPath, one.name))),
  )
}

// Through git, so that line endings, filters, modes and symlinks come out as in a checkout.
async function write(
  repo: Repo,
  ours: string,
  writes: ReadonlyMap<string, Entry | undefined>,
): Promise<void> {
  await sweepPrivate(repo)
  const dir = privatePath(repo)
  const files = [...writes.keys()]
  const present = files.filter((file) => writes.get(file) !== undefined)
  await withCopiedIndex(repo, async (index) => {
    const env = { ...repo.env, ...index.env }
    const checkOut = async (some: readonly string[], ...where: string[]): Promise<void> => {
      if (some.length === 0) return
      const command = ['checkout-index', '--force', '-z', '--stdin', ...where]
      await git(repo.root, command, { env, input: joinZ(some) })
    }
    await git(repo.root, ['read-tree', '--reset', ours], { env })
    const lines = [...writes].map(([file, entry]) =>
      entry === undefined
        ? `0 ${'0'.repeat(ours.length)}\t${file}`
        : `${entry.mode} ${entry.sha}\t${file}`,
    )
    await git(repo.root, ['update-index', '-z', '--index-info'], { env, input: joinZ(lines) })
    const left: string[] = []
    try {
      await checkOut(present, `--prefix=${dir}/`)
      for (const file of files)
        if (writes.get(file) === undefined) await removeFile(repo.root, file)
      for (const file of present) if (!(await moved(dir, repo.root, file))) left.push(file)
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
    // Where a link, a file or a directory is in the way, which git knows
    await checkOut(left)
  })
}

/** Returns whether a file could be moved to its place. */
async function moved(from: string, root: string, file: string): Promise<boolean> {
  const parts = file.split('/')
  for (let length = 1; length < parts.length; length++) {
    const dir = path.join(root, ...parts.slice(0, length))
    const stats = await statsOf(dir)
    if (stats === undefined) await mkdir(dir)
    else if (!stats.isDirectory()) return false
  }
  return rename(path.join(from, file), path.join(root, file)).then(
    () => true,
    () => false,
  )
}
