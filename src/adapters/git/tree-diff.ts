// Two trees compared path by path, without renames: what a step changed is a list of paths.
import { git, splitZ } from './git.js'
import { inRepo, type Repo } from './repo.js'

/** Modes of files in a tree. */
export const PLAIN_FILE = '100644'
export const EXECUTABLE = '100755'
export const LINK = '120000'
/** Mode of a submodule. */
export const GITLINK = '160000'

/** A file in a tree; `mode` as git writes it: 100644, 100755, 120000, 160000. */
export type Entry = { mode: string; sha: string }

/** A path that differs; a missing side is `undefined`. Paths are relative to the repository. */
export type Change = { path: string; before: Entry | undefined; after: Entry | undefined }

/**
 * `bytes`: paths are bytes, one character each, so that names that are not UTF-8 can be addressed.
 */
type PathOptions = { bytes?: boolean }

const HASHES = /^(?:(?:[0-9a-f]{40}|[0-9a-f]{64}) ?)+$/

/**
 * Keeps the last answers about objects that are named by whole hashes, which never change: so many
 * files of all together.
 */
function lately<T>(most: number, filesIn: (answer: T) => number) {
  const known = new Map<string, T>()
  return async (
    objects: string,
    { bytes = false }: PathOptions,
    ask: () => Promise<T>,
  ): Promise<T> => {
    const key = `${objects} ${bytes ? 'bytes' : ''}`
    const answer = known.get(key) ?? (await ask())
    known.delete(key)
    if (HASHES.test(objects)) known.set(key, answer)
    let files = [...known.values()].reduce((sum, one) => sum + filesIn(one), 0)
    for (const [oldest, one] of known) {
      if (files <= most && known.size <= MOST_ANSWERS) break
      files -= filesIn(one)
      known.delete(oldest)
    }
    return answer
  }
}

const MOST_ANSWERS = 100
const diffs = lately<readonly Change[]>(10_000, (changes) => changes.length)
const trees = lately<ReadonlyMap<string, Entry>>(200_000, (files) => files.size)

/** Paths that differ between two trees or commits, in git's order. */
export function diffTrees(
  repo: Repo,
  before: string,
  after: string,
  options: PathOptions = {},
): Promise<readonly Change[]> {
  return diffs(`${before} ${after}`, options, () => askForDiff(repo, before, after, options))
}

async function askForDiff(
  repo: Repo,
  before: string,
  after: string,
  options: PathOptions,
): Promise<Change[]> {
  const items = splitZ(
    await inRepo(
      repo,
      ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', before, after],
      options,
    ),
  )
  const changes: Change[] = []
  for (let i = 0; i + 1 < items.length; i += 2) {
    const [, modeBefore = '', modeAfter = '', shaBefore = '', shaAfter = ''] =
      /^:(\d+) (\d+) (\S+) (\S+) /.exec(items[i] ?? '') ?? []
    changes.push({
      path: items[i + 1] ?? '',
      before: entry(modeBefore, shaBefore),
      after: entry(modeAfter, shaAfter),
    })
  }
  return changes
}

function entry(mode: string, sha: string): Entry | undefined {
  return /^0+$/.test(mode) ? undefined : { mode, sha }
}

/** Every file of a tree by path. */
export function listTree(
  repo: Repo,
  tree: string,
  options: PathOptions = {},
): Promise<ReadonlyMap<string, Entry>> {
  return trees(tree, options, () => askForTree(repo, tree, options))
}

async function askForTree(
  repo: Repo,
  tree: string,
  options: PathOptions,
): Promise<Map<string, Entry>> {
  const files = new Map<string, Entry>()
  for (const item of splitZ(
    await inRepo(repo, ['ls-tree', '-r', '-z', '--full-tree', tree], options),
  )) {
    const [, mode, sha, name] = /^(\d+) \S+ (\S+)\t([^]*)$/.exec(item) ?? []
    if (mode !== undefined && sha !== undefined && name !== undefined)
      files.set(name, { mode, sha })
  }
  return files
}

/** Content of a blob as text. */
export async function readBlob(repo: Repo, sha: string): Promise<string> {
  return (await git(repo.root, ['cat-file', 'blob', sha], { env: repo.env, exact: true })).stdout
}

/** Whether an entry is a file, and neither a link nor a submodule. */
export function isPlain(entry: Entry | undefined): entry is Entry {
  return entry?.mode === PLAIN_FILE || entry?.mode === EXECUTABLE
}
