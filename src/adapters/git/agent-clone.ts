// The `.git` that agents see in a clone: their own to change, written by Ratchet and never read by
// git on its behalf.
//
// After each step it shows the run's branch at its head. Where an agent changed anything in it, it
// is made again from a template; object files that are as they were left are kept, as a large
// repository has gigabytes of them. Objects are copies (blocks are shared where the file system
// can), so no inode of the user's repository is in a clone.
import { constants } from 'node:fs'
import { copyFile, cp, lstat, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { jsonOf } from '../../core/text/json.js'
import { inBatches } from '../files/in-batches.js'
import { replaceFile } from '../files/replace-file.js'
import { textOf } from '../files/read-text.js'
import { removeTree } from './user-repository/clean.js'
import { copyIndex } from './index-file.js'
import { alternatesOf, type Repo } from './repo.js'

/** Directories of `.git` whose files never change: objects of git and of LFS. */
const STORES = ['objects', 'lfs/objects'] as const
/** Files of an object directory that are none of its objects. */
const NO_OBJECT = /^info\/|(^|\/)(tmp_|incoming-|\.tmp-)|\.(lock|keep)$/
const AT_ONCE = 32

/** Every file and directory of a `.git`, by path. The value changes with any write. */
type Seen = Record<string, string>
type Note = { head: string; exclude: string; seen: Seen }

/**
 * Where the template lies: what a fresh `.git` holds apart from HEAD, branch, index, excludes and
 * objects.
 */
export const cloneTemplate = (repo: Repo): string => path.join(repo.gitDir, 'clone')

/** Makes the `.git` of a clone show `head`, unless it is as it was left for that. */
export async function leaveClone(
  repo: Repo,
  { branch }: Pick<Workspace, 'branch'>,
  head: string,
): Promise<void> {
  const place = path.join(repo.root, '.git')
  const noteFile = path.join(repo.gitDir, 'clone.json')
  const note = await readNote(noteFile)
  const seen = await look(place)
  const exclude = (await textOf(path.join(repo.gitDir, 'info', 'exclude'))) ?? ''
  if (note?.head === head && note.exclude === exclude && isSame(note.seen, seen)) return

  const parked = path.join(repo.gitDir, 'clone-stores')
  const fresh = path.join(repo.gitDir, 'clone-next')
  for (const store of STORES) await park(place, store, parked)
  await removeTree(fresh)
  await removeTree(place) // a link or a file in its place goes as such
  await fill(fresh, repo, { branch, head, exclude })
  for (const store of STORES)
    await fillStore(repo, store, path.join(parked, store), note?.seen ?? {})
  await rename(fresh, place)
  for (const store of STORES) {
    await mkdir(path.dirname(path.join(place, store)), { recursive: true })
    await rename(path.join(parked, store), path.join(place, store))
  }
  await replaceFile(
    noteFile,
    JSON.stringify({ head, exclude, seen: await look(place) } satisfies Note),
    { mode: 0o600, fsync: false },
  )
}

// Out of the agent's reach, so that a killed attempt finds it again.
async function park(place: string, store: (typeof STORES)[number], parked: string): Promise<void> {
  const parts = store.split('/')
  const dirs = [place, ...parts.map((_, i) => path.join(place, ...parts.slice(0, i + 1)))]
  // A link on the way may lead to the user's
  if (!(await Promise.all(dirs.map(isDirectory))).every(Boolean)) return
  const to = path.join(parked, store)
  await removeTree(to)
  await mkdir(path.dirname(to), { recursive: true })
  await rename(path.join(place, store), to)
}

async function fill(
  fresh: string,
  repo: Repo,
  { branch, head, exclude }: { branch: string; head: string; exclude: string },
): Promise<void> {
  const ref = `refs/heads/${branch}`
  await cp(cloneTemplate(repo), fresh, { recursive: true })
  for (const dir of ['hooks', 'info', 'refs/tags', path.dirname(ref)])
    await mkdir(path.join(fresh, dir), { recursive: true })
  await writeFile(path.join(fresh, 'HEAD'), `ref: ${ref}\n`)
  await writeFile(path.join(fresh, ref), `${head}\n`)
  await writeFile(path.join(fresh, 'info', 'exclude'), exclude)
  await copyIndex(path.join(repo.gitDir, 'index'), path.join(fresh, 'index'))
}

// Keeps what is as it was left, removes the rest, and copies what is missing.
async function fillStore(
  repo: Repo,
  store: (typeof STORES)[number],
  dir: string,
  left: Seen,
): Promise<void> {
  await mkdir(dir, { recursive: true })
  const noted = Object.entries(left).flatMap(([name, value]) =>
    name.startsWith(`${store}/`) ? [[name.slice(store.length + 1), value] as const] : [],
  )
  const known = new Map(noted)
  const found = await look(dir)
  for (const [name, value] of Object.entries(found))
    if (known.get(name) !== value && !(isFolder(value) && isFolder(known.get(name) ?? '')))
      await removeTree(path.join(dir, name))
  const own = path.join(repo.gitDir, store)
  const isWhole =
    known.size > 0 &&
    noted.every(
      ([name, value]) => found[name] === value || (isFolder(value) && isFolder(found[name] ?? '')),
    )
  // New objects are Ratchet's; the user's are copied only where the store is not whole.
  const sources = store === 'objects' && !isWhole ? [own, ...(await storesBehind(own))] : [own]
  for (const source of sources) await copyObjects(source, dir)
  if (store === 'objects')
    for (const name of ['info', 'pack']) await mkdir(path.join(dir, name), { recursive: true })
}

async function storesBehind(objects: string, seen = new Set<string>()): Promise<string[]> {
  for (const one of await alternatesOf(objects)) {
    if (seen.has(one)) continue
    seen.add(one)
    await storesBehind(one, seen)
  }
  return [...seen]
}

/**
 * Attempts: a repack of the user's that runs meanwhile takes files away after it has written
 * others.
 */
const ATTEMPTS = 4

async function copyObjects(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const files = (await filesBelow(from)).filter((name) => !NO_OBJECT.test(name))
      for (const dir of new Set(files.map((name) => path.dirname(name))))
        await mkdir(path.join(to, dir), { recursive: true })
      await inBatches(
        files,
        (name) => copyOnce(path.join(from, name), path.join(to, name)),
        AT_ONCE,
      )
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error
    }
  }
}

async function copyOnce(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

// Through links: some keep their objects on another disk.
async function filesBelow(dir: string, folder = ''): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(path.join(dir, folder), { withFileTypes: true }).catch(
    noEntry,
  )) {
    const name = path.join(folder, entry.name)
    const isDir =
      entry.isDirectory() ||
      (entry.isSymbolicLink() && (await stat(path.join(dir, name))).isDirectory())
    if (isDir) found.push(...(await filesBelow(dir, name)))
    else found.push(name)
  }
  return found
}

function noEntry(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}

const isFolder = (value: string): boolean => value.startsWith('dir ')

// Never through a link. What cannot be read counts as changed.
async function look(dir: string): Promise<Seen> {
  const seen: Seen = {}
  const visit = async (folder: string): Promise<void> => {
    const names = await readdir(path.join(dir, folder)).catch(() => undefined)
    if (names === undefined) seen[`${folder}/`] = 'unreadable'
    await inBatches(
      names ?? [],
      async (name) => {
        const file = path.posix.join(folder, name)
        const stats = await lstat(path.join(dir, file), { bigint: true })
        seen[file] = stats.isDirectory()
          ? `dir ${stats.mode}`
          : `${stats.mode} ${stats.ino} ${stats.size} ${stats.ctimeNs}`
        if (stats.isDirectory()) await visit(file)
      },
      AT_ONCE,
    )
  }
  if (await isDirectory(dir)) await visit('')
  return seen
}

function isSame(a: Seen, b: Seen): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

async function isDirectory(file: string): Promise<boolean> {
  return lstat(file).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

async function readNote(file: string): Promise<Note | undefined> {
  const text = await textOf(file)
  return text === undefined ? undefined : (jsonOf(text) as Note | undefined)
}
