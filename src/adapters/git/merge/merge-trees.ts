// A three-way merge, path by path: what a branch changed, brought to a tree that has changed too.
// Only texts that both sides changed are merged by line; everything else is taken whole or refused.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { git } from '../git.js'
import type { Repo } from '../repo.js'
import { diffTrees, isPlain, listTree, type Change, type Entry } from '../tree-diff.js'

/** What must be written to bring a branch's changes to a tree; `undefined` = the file goes. */
export type MergePlan = { writes: Map<string, Entry | undefined>; conflicts: string[] }

/** Merges the changes from `base` to `theirs` into `ours`, in memory and the object store. */
export async function mergeTrees(
  repo: Repo,
  base: string,
  ours: string,
  theirs: string,
): Promise<MergePlan> {
  const mine = await listTree(repo, ours)
  const writes: MergePlan['writes'] = new Map()
  const conflicts = new Set<string>()
  for (const change of await diffTrees(repo, base, theirs)) {
    // A name that is not UTF-8 cannot be addressed.
    const merged = change.path.includes('\u{FFFD}')
      ? 'conflict'
      : await mergeFile(repo, change, mine.get(change.path))
    if (merged === 'conflict') conflicts.add(change.path)
    else if (merged !== 'same') writes.set(change.path, merged.entry)
  }
  for (const file of withoutPlace(writes, mine)) conflicts.add(file)
  return { writes, conflicts: [...conflicts].sort() }
}

/** `same`: nothing is to be done. */
export type Merged = 'same' | 'conflict' | { entry: Entry | undefined }

/** Brings one path's change to what the path is in `ours`. */
export async function mergeFile(
  repo: Repo,
  { before, after }: Change,
  ours: Entry | undefined,
): Promise<Merged> {
  if (equal(ours, after)) return 'same'
  if (equal(ours, before)) return { entry: after }
  if (!isPlain(before) || !isPlain(ours) || !isPlain(after)) return 'conflict'
  const mode = ours.mode === before.mode ? after.mode : ours.mode
  const sha = await mergeTexts(repo, { ours: ours.sha, base: before.sha, theirs: after.sha })
  return sha === undefined ? 'conflict' : { entry: { mode, sha } }
}

/** Exit codes of git merge-file: the number of conflicts, or 255 for binary files. */
const CONFLICTS = [...Array.from({ length: 127 }, (_, i) => i + 1), 255]

async function mergeTexts(
  repo: Repo,
  { ours, base, theirs }: { ours: string; base: string; theirs: string },
): Promise<string | undefined> {
  if (theirs === base || theirs === ours) return ours
  if (ours === base) return theirs
  const dir = await mkdtemp(path.join(os.tmpdir(), 'ratchet-merge-'))
  try {
    const files: string[] = []
    for (const [name, sha] of Object.entries({ ours, base, theirs })) {
      const content = await git(repo.root, ['cat-file', 'blob', sha], {
        env: repo.env,
        exact: true,
        bytes: true,
      })
      files.push(path.join(dir, name))
      await writeFile(path.join(dir, name), Buffer.from(content.stdout, 'latin1'))
    }
    const merged = await git(repo.root, ['merge-file', '-p', '-q', ...files], {
      env: repo.env,
      okCodes: CONFLICTS,
      exact: true,
      bytes: true,
    })
    if (merged.code !== 0) return undefined
    return (
      await git(repo.root, ['hash-object', '-w', '--stdin', '--no-filters'], {
        env: repo.env,
        input: merged.stdout,
        bytes: true,
      })
    ).stdout
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

// Files to be written where a directory is, or below what is a file.
function withoutPlace(writes: MergePlan['writes'], mine: ReadonlyMap<string, Entry>): string[] {
  const goes = (file: string) => writes.has(file) && writes.get(file) === undefined
  const written = [...writes].flatMap(([file, entry]) => (entry === undefined ? [] : [file]))
  const wanted = new Set(written)
  const belowFile = written.filter((file) =>
    parents(file).some((parent) => mine.has(parent) && !goes(parent)),
  )
  const overDirectory = [...mine.keys()]
    .filter((file) => !goes(file))
    .flatMap((file) => parents(file).filter((parent) => wanted.has(parent)))
  return [...belowFile, ...overDirectory]
}

/** Directories that a path lies in, the outermost first. */
export function parents(file: string): string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}

function equal(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.mode === b?.mode && a?.sha === b?.sha
}
