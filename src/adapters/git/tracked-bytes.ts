// Tracked files, compared by bytes with what the user's filters make of a commit.
//
// Git compares through filters, line ends and times: a file can differ and count as unchanged. Most
// files are their blob byte by byte; of the others the digest of their smudged content is kept, as
// long as no attribute changes.
import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { mkdtemp, readlink, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import { inBatches } from '../files/in-batches.js'
import { jsonOf } from '../../core/text/json.js'
import { replaceFile } from '../files/replace-file.js'
import { statsOf } from '../files/stats-of.js'
import { textOf } from '../files/read-text.js'
import { placeOf, realParents } from '../files/real-parents.js'
import { decides } from './attributes.js'
import { git, joinZ } from './git.js'
import type { PrivateIndex } from './index-file.js'
import { inRepo, type Repo } from './repo.js'
import type { Repair } from './tamper.js'
import { EXECUTABLE, GITLINK, LINK, listTree, PLAIN_FILE, type Entry } from './tree-diff.js'

/**
 * Tracked files whose bytes are not those of the commit although they are there; what git sees
 * anyway is among them. `found` is stored as it lies there.
 *
 * @param index at `commit`
 */
export async function changedBytes(
  repo: Repo,
  index: PrivateIndex,
  commit: string,
  isLookedAt: (file: string) => boolean,
): Promise<Repair[]> {
  const files = [...(await listTree(repo, commit))].filter(
    ([file, entry]) => entry.mode !== GITLINK && entry.mode !== LINK && isLookedAt(file),
  )
  const differing = (await differingFiles(repo, index, commit, files)).filter((one) => one.isThere)
  return Promise.all(
    differing.map(async ({ file, entry }) => ({
      path: file,
      entry,
      found: await storeRaw(repo, file),
    })),
  )
}

/**
 * Restores every tracked file whose bytes, kind or mode are not those of the commit. Returns their
 * names.
 */
export async function restoreBytes(
  repo: Repo,
  index: PrivateIndex,
  commit: string,
): Promise<string[]> {
  // One character for each byte of a name: also those that are not UTF-8.
  const files = [...(await listTree(repo, commit, { bytes: true }))].filter(
    ([, entry]) => entry.mode !== GITLINK,
  )
  const differing = await differingFiles(repo, index, commit, files, { bytes: true })
  if (differing.length === 0) return []
  // Git would leave one whose times are those it knows
  for (const { file, isThere } of differing)
    if (isThere) await remove(placeOf(repo.root, file, true))
  await inRepo(repo, ['checkout-index', '--force', '--index', '-z', '--stdin'], {
    env: index.env,
    input: joinZ(differing.map(({ file }) => file)),
    bytes: true,
  })
  return differing.map(({ file }) => Buffer.from(file, 'latin1').toString('utf8'))
}

/**
 * Stores what lies at a path, without any filter; of a link its target. `undefined` where it is
 * neither file nor link.
 */
export async function storeRaw(repo: Repo, file: string): Promise<Entry | undefined> {
  const place = path.join(repo.root, file)
  const stats = await statsOf(place)
  if (stats?.isSymbolicLink() === true)
    return {
      mode: LINK,
      sha: await inRepo(repo, ['hash-object', '-w', '--no-filters', '--stdin'], {
        input: await readlink(place),
      }),
    }
  if (stats?.isFile() !== true) return undefined
  return {
    mode: (stats.mode & 0o100) === 0 ? PLAIN_FILE : EXECUTABLE,
    sha: await inRepo(repo, ['hash-object', '-w', '--no-filters', '--', place]),
  }
}

async function remove(place: string | Buffer): Promise<void> {
  await unlink(place).catch(async (error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EISDIR' || code === 'EPERM')
      return rm(place.toString(), { recursive: true, force: true })
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  })
}

type Differing = { file: string; entry: Entry; isThere: boolean }
type Options = { bytes?: boolean }

async function differingFiles(
  repo: Repo,
  index: PrivateIndex,
  commit: string,
  files: readonly (readonly [string, Entry])[],
  options: Options = {},
): Promise<Differing[]> {
  const hasParents = realParents(repo.root, options)
  const found = async (file: string, entry: Entry): Promise<string | undefined> =>
    (await hasParents(file)) ? asBlob(placeOf(repo.root, file, options.bytes), entry) : undefined
  const suspects: Differing[] = []
  await inBatches(files, async ([file, entry]) => {
    const digest = await found(file, entry)
    if (digest !== entry.sha) suspects.push({ file, entry, isThere: digest !== undefined })
  })
  if (suspects.length === 0) return []
  const expected = await smudged(repo, index, commit, suspects, options)
  const differing: Differing[] = []
  await inBatches(suspects, async (one) => {
    const must = expected.get(one.file)
    // What a sparse checkout leaves out is expected nowhere.
    if (must !== undefined && must !== (await found(one.file, one.entry))) differing.push(one)
  })
  return differing.sort((a, b) => (a.file < b.file ? -1 : 1))
}

type Known = { attributes: string; files: Record<string, { sha: string; digest: string }> }

// What the filters make of them, checked out in a place of their own that no agent reaches.
async function smudged(
  repo: Repo,
  index: PrivateIndex,
  commit: string,
  files: readonly Differing[],
  options: Options,
): Promise<Map<string, string>> {
  const place = path.join(repo.gitDir, 'ratchet-smudged.json')
  const attributes = [...(await listTree(repo, commit))]
    .flatMap(([file, { sha }]) => (decides(file) ? [`${file} ${sha}`] : []))
    .join('\n')
  const before = await readKnown(place)
  const known: Known = before?.attributes === attributes ? before : { attributes, files: {} }
  const missing = files.filter(({ file, entry }) => known.files[file]?.sha !== entry.sha)
  if (missing.length > 0) {
    const dir = await mkdtemp(path.join(repo.gitDir, 'ratchet-smudged-'))
    try {
      const input = joinZ(missing.map(({ file }) => file))
      await git(repo.root, ['checkout-index', `--prefix=${dir}/`, '-z', '--stdin'], {
        env: { ...repo.env, ...index.env },
        input,
        okCodes: [1],
        ...options,
      })
      await inBatches(missing, async ({ file, entry }) => {
        const digest = await asBlob(placeOf(dir, file, options.bytes), entry)
        if (digest !== undefined) known.files[file] = { sha: entry.sha, digest }
      })
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
    await replaceFile(place, JSON.stringify(known), { mode: 0o600, fsync: false })
  }
  return new Map(
    files.flatMap(({ file, entry }) => {
      const one = known.files[file]
      return one?.sha === entry.sha ? [[file, one.digest] as const] : []
    }),
  )
}

async function readKnown(place: string): Promise<Known | undefined> {
  return jsonOf((await textOf(place)) ?? '') as Known | undefined
}

/**
 * Name that git would give to a file's content; `undefined` where there is none, another text where
 * its kind or mode is another.
 */
async function asBlob(file: string | Buffer, { mode, sha }: Entry): Promise<string | undefined> {
  const stats = await statsOf(file)
  if (stats === undefined) return undefined
  if (mode === LINK)
    return stats.isSymbolicLink() ? hashOf(sha, await readlink(file, 'buffer')) : 'no link'
  if (!stats.isFile()) return 'no file'
  const isExecutable = (stats.mode & 0o100) !== 0
  return isExecutable === (mode === EXECUTABLE) ? hashFile(sha, file, stats) : `mode ${stats.mode}`
}

function hashOf(like: string, content: Buffer): string {
  return header(like, content.length).update(content).digest('hex')
}

async function hashFile(like: string, file: string | Buffer, { size }: Stats): Promise<string> {
  const hash = header(like, size)
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function header(like: string, size: number) {
  return createHash(like.length === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`)
}
