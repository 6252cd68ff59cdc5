// Private index files: Ratchet reads and writes work trees without the index that people and agents use.
//
// So a user's staged work is never touched, and an agent cannot hide changes behind assume-unchanged
// or a half-finished merge. A private index starts as a copy, for its knowledge of unchanged files.
import { copyFile, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { splitZ, joinZ } from './git.js'
import type { Repo } from './repo.js'
import { inRepo } from './repo.js'

/** Never part of a commit, in whatever folder, unless git already tracks them. */
export const NEVER_ADDED: readonly string[] = ['node_modules', '.workflow', '.ratchet', '__pycache__']

export type PrivateIndex = { file: string; env: Record<string, string> }

/** Content of a work tree as a tree object, and the nested repositories and environments that were left out, as `path/`. */
export type Staged = { tree: string; nested: string[]; environments: string[] }

/** Runs `use` with a copy of the user's index, outside the repository. */
export async function withCopiedIndex<T>(repo: Repo, use: (index: PrivateIndex) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'ratchet-index-'))
  try {
    const file = path.join(dir, 'index')
    const index = { file, env: { GIT_INDEX_FILE: file } }
    if (!(await copyIndex(path.join(repo.gitDir, 'index'), file))) await inRepo(repo, ['read-tree', 'HEAD'], { env: index.env })
    return await use(index)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const KEPT_INDEX = 'ratchet-index'
let count = 0

/** Runs `use` with Ratchet's own index of a workspace, set to `head`. It is kept by `keepIndex`. */
export async function withOwnIndex<T>(repo: Repo, head: string, use: (index: PrivateIndex) => Promise<T>): Promise<T> {
  const file = path.join(repo.gitDir, `${KEPT_INDEX}.${process.pid}.${++count}`)
  const index = { file, env: { GIT_INDEX_FILE: file } }
  try {
    // Never from the workspace's index: an agent may have marked files in it as unchanged.
    const seeded = await copyIndex(path.join(repo.gitDir, KEPT_INDEX), file)
    await inRepo(repo, ['read-tree', ...(seeded ? ['--reset'] : []), head], { env: index.env })
    return await use(index)
  } finally {
    await rm(file, { force: true })
    await rm(`${file}.lock`, { force: true })
  }
}

/** Makes the index of a fresh checkout the start of the own ones. */
export async function adoptIndex(repo: Repo): Promise<void> {
  await copyIndex(path.join(repo.gitDir, 'index'), path.join(repo.gitDir, KEPT_INDEX))
}

/** Makes an own index the one of the workspace, and the start of the next own one. */
export async function keepIndex(repo: Repo, index: PrivateIndex): Promise<void> {
  const next = `${index.file}.next`
  await copyIndex(index.file, next)
  await rename(next, path.join(repo.gitDir, 'index'))
  await rename(index.file, path.join(repo.gitDir, KEPT_INDEX))
}

/** Removes private index files of processes that died. */
export async function sweepIndexes(repo: Repo, isGone: (pid: number) => boolean): Promise<void> {
  for (const name of await readdir(repo.gitDir)) {
    const pid = new RegExp(`^${KEPT_INDEX}\\.(\\d+)\\.`).exec(name)?.[1]
    if (pid !== undefined && isGone(Number(pid))) await rm(path.join(repo.gitDir, name), { force: true })
  }
}

/**
 * Writes the whole work tree into an index and as a tree object: tracked, untracked, deleted; not
 * ignored files, `NEVER_ADDED`, virtual environments and nested repositories. Conflicted files go in as they lie there.
 */
export async function stage(repo: Repo, index: PrivateIndex): Promise<Staged> {
  const { env } = index
  await inRepo(repo, ['add', '--update'], { env })
  const excludes = NEVER_ADDED.map((name) => `--exclude=${name}`)
  const others = splitZ(await inRepo(repo, ['ls-files', '-z', '--others', '--exclude-standard', ...excludes], { env, bytes: true }))
  const environments = environmentsIn(others)
  const found = others.filter((name) => !environments.some((dir) => name.startsWith(dir)))
  const nested = found.filter((name) => name.endsWith('/'))
  const files = found.filter((name) => !name.endsWith('/'))
  // --remove: a file may vanish between the two commands.
  if (files.length > 0) await inRepo(repo, ['update-index', '--add', '--remove', '-z', '--stdin'], { env, input: joinZ(files), bytes: true })
  return { tree: await inRepo(repo, ['write-tree'], { env }), nested, environments }
}

/** A path from the top as a line in gitignore syntax. */
export function asIgnoreLine(name: string): string {
  return `/${name.replaceAll(/[\\*?[\]]/g, String.raw`\$&`).replace(/ $/, String.raw`\ `)}`
}

/** Marks a virtual environment of Python's, whatever its directory is called. */
export const VENV_MARK = 'pyvenv.cfg'

// Directories with a mark in them, as `path/`; never the whole work tree.
function environmentsIn(files: readonly string[]): string[] {
  return files.filter((file) => file.endsWith(`/${VENV_MARK}`)).map((file) => file.slice(0, -VENV_MARK.length))
}

// Git takes a file for unchanged when its times are older than the index; a copy that looks newer than
// the original would hide edits made in the same second. Whole seconds, rounded down, are always safe.
async function copyIndex(from: string, to: string): Promise<boolean> {
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
