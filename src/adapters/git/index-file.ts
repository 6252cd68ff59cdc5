// Private index files: Ratchet reads and writes work trees without the index that people and agents
// use.
//
// So a user's staged work is never touched, and an agent cannot hide changes behind
// assume-unchanged, skip-worktree or a half-finished merge. A private index starts as a copy, for
// its knowledge of unchanged files.
import { copyFile, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { textOf } from '../files/read-text.js'
import { realParents } from '../files/real-parents.js'
import { identify } from '../process/identity.js'
import { treeOf } from './commits.js'
import { splitZ, joinZ } from './git.js'
import { inRepo, type Repo } from './repo.js'

/** Never part of a commit, in any folder, unless git already tracks them. */
export const NEVER_ADDED: readonly string[] = [
  'node_modules',
  '.workflow',
  '.ratchet',
  '__pycache__',
]

export type PrivateIndex = { file: string; env: Record<string, string> }

/**
 * Content of a work tree as a tree object, and the nested repositories and environments that were
 * left out, as `path/`.
 */
export type Staged = { tree: string; nested: string[]; environments: string[] }

/** Runs `use` with a copy of the user's index, outside the repository. */
export async function withCopiedIndex<T>(
  repo: Repo,
  use: (index: PrivateIndex) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'ratchet-index-'))
  try {
    const file = path.join(dir, 'index')
    const index = { file, env: { GIT_INDEX_FILE: file } }
    if (!(await copyIndex(path.join(repo.gitDir, 'index'), file)))
      await inRepo(repo, ['read-tree', 'HEAD'], { env: index.env })
    return await use(index)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Files of commands that are under way, inside the git directory. */
const PRIVATE = 'ratchet-index'
let count = 0

/** A path that no other command uses, removed by `sweepPrivate` once this process is gone. */
export function privatePath(repo: Repo): string {
  return path.join(repo.gitDir, `${PRIVATE}.${process.pid}.${++count}`)
}

/**
 * The index that private ones start from; in the user's repository a file that only Ratchet uses.
 */
function keptIndex({ gitDir, own }: Repo): { file: string; at: string } {
  const file = path.join(gitDir, own ? 'index' : PRIVATE)
  return { file, at: `${file}.at` }
}

/** Runs `use` with a private index of a workspace, set to `head`. It is kept by `keepIndex`. */
export async function withOwnIndex<T>(
  repo: Repo,
  head: string,
  use: (index: PrivateIndex) => Promise<T>,
): Promise<T> {
  const file = privatePath(repo)
  const index = { file, env: { GIT_INDEX_FILE: file } }
  try {
    const kept = keptIndex(repo)
    const at = await textOf(kept.at)
    const seeded = await copyIndex(kept.file, file)
    if (!seeded || !repo.own || at !== head)
      await inRepo(repo, ['read-tree', ...(seeded ? ['--reset'] : []), head], { env: index.env })
    return await use(index)
  } finally {
    await rm(file, { force: true })
    await rm(`${file}.lock`, { force: true })
  }
}

/**
 * Makes a private index, which is at `head`, the start of the next one; in the user's repository
 * also the user's.
 */
export async function keepIndex(repo: Repo, index: PrivateIndex, head: string): Promise<void> {
  const kept = keptIndex(repo)
  if (!repo.own) {
    const next = `${index.file}.next`
    await copyIndex(index.file, next)
    await rename(next, path.join(repo.gitDir, 'index'))
    return rename(index.file, kept.file)
  }
  // First: an index of another commit would be taken for this one
  await rm(kept.at, { force: true })
  await rename(index.file, kept.file)
  await writeFile(kept.at, head)
}

/** Removes what processes that died have left in the git directory. */
export async function sweepPrivate(repo: Repo): Promise<void> {
  for (const name of await readdir(repo.gitDir)) {
    const pid = new RegExp(`^${PRIVATE}\\.(\\d+)\\.`).exec(name)?.[1]
    if (pid !== undefined && identify(Number(pid)) === undefined)
      await rm(path.join(repo.gitDir, name), { recursive: true, force: true })
  }
}

/**
 * Writes the whole work tree into an index and as a tree object: tracked, untracked, deleted; not
 * ignored files, `NEVER_ADDED`, virtual environments and nested repositories. Conflicted files go
 * in as they lie there.
 *
 * @param head tree or commit that the index is at, where it is known: without a difference it is
 * the answer
 * @param beforeAdding sees the new files, before the content of any file is taken in
 */
export async function stage(
  repo: Repo,
  index: PrivateIndex,
  {
    head,
    beforeAdding,
  }: { head?: string; beforeAdding?: (files: readonly string[]) => Promise<void> } = {},
): Promise<Staged> {
  // The index is private: what git learns of unchanged files is kept in it
  const env = { ...index.env, GIT_OPTIONAL_LOCKS: '1' }
  let isAtHead = true
  for (let pass = 1; ; pass++) {
    const { changed, gone, others } = await differences(repo, env)
    const environments = environmentsIn(others)
    const found = others.filter((name) => !environments.some((dir) => name.startsWith(dir)))
    const nested = found.filter((name) => name.endsWith('/'))
    const files = found.filter((name) => !name.endsWith('/'))
    await beforeAdding?.(files)
    const paths = [...changed, ...files]
    isAtHead &&= paths.length === 0
    const { there, astray } = await byParents(repo, paths)
    // First: their directory may now be a link or a file, which takes their place
    await updateIndex(repo, env, ['--force-remove'], astray)
    // --remove: of what is tracked some is gone, and a file may vanish between the two commands.
    await updateIndex(repo, env, ['--add', '--remove'], there)
    // Where case does not count, a file is no new one as long as the index has it in another case.
    if (gone && pass === 1) continue
    const tree =
      isAtHead && head !== undefined
        ? await treeOf(repo, head)
        : await inRepo(repo, ['write-tree'], { env })
    return { tree, nested, environments }
  }
}

async function updateIndex(
  repo: Repo,
  env: Record<string, string>,
  how: readonly string[],
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  await inRepo(repo, ['update-index', ...how, '-z', '--stdin'], {
    env,
    input: joinZ(paths),
    bytes: true,
  })
}

// `astray`: tracked below what is no directory any more. Git refuses to look for a file behind a
// link.
async function byParents(
  repo: Repo,
  paths: readonly string[],
): Promise<{ there: string[]; astray: string[] }> {
  const hasParents = realParents(repo.root, { bytes: true })
  const there: string[] = []
  const astray: string[] = []
  for (const file of paths) ((await hasParents(file)) ? there : astray).push(file)
  return { there, astray }
}

// What differs between index and work tree. No command runs inside of submodules: their
// configuration is not Ratchet's.
async function differences(
  repo: Repo,
  env: Record<string, string>,
): Promise<{ changed: string[]; gone: boolean; others: string[] }> {
  const said = await inRepo(
    repo,
    [
      'status',
      '--porcelain=v2',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=dirty',
      '--no-renames',
      '--no-ahead-behind',
    ],
    { env, bytes: true },
  )
  const changed: string[] = []
  const others: string[] = []
  let gone = false
  for (const item of splitZ(said)) {
    const [, kind, inTree = '', rest = ''] = /^([12u]) .(.) ([^]*)$/.exec(item) ?? []
    if (
      item.startsWith('? ') &&
      !item
        .slice(2)
        .split('/')
        .some((part) => NEVER_ADDED.includes(part))
    )
      others.push(item.slice(2))
    // Fields before the path: 6 more, of a conflict 8.
    if (kind !== undefined && inTree !== '.')
      changed.push(
        rest
          .split(' ')
          .slice(kind === 'u' ? 8 : 6)
          .join(' '),
      )
    gone ||= inTree === 'D'
  }
  return { changed, gone, others }
}

/** A path from the top as a line in gitignore syntax. */
export function asIgnoreLine(name: string): string {
  return `/${name.replaceAll(/[\\*?[\]]/g, String.raw`\$&`).replace(/ $/, String.raw`\ `)}`
}

/** Marks a Python virtual environment, whose directory may have any name. */
export const VENV_MARK = 'pyvenv.cfg'

// Directories with a mark in them, as `path/`; never the whole work tree.
function environmentsIn(files: readonly string[]): string[] {
  return files
    .filter((file) => file.endsWith(`/${VENV_MARK}`))
    .map((file) => file.slice(0, -VENV_MARK.length))
}

/**
 * Copies an index file. Returns whether there was one.
 *
 * Git takes a file for unchanged when its times are older than the index; a copy that looks newer
 * than the original would hide edits made in the same second. Whole seconds, rounded down, are
 * always safe.
 */
export async function copyIndex(from: string, to: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(from)
    await copyFile(from, to)
    const seconds = Math.floor(mtimeMs / 1_000)
    await utimes(to, seconds, seconds)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
