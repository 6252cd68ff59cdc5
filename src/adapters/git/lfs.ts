// Git LFS: commits name large files by their SHA-256, the files are in a store next to the objects.
// A clone has no remote to fetch them from, so what a commit names is brought from one store to the
// other.
//
// Stores are copied, never shared: an agent that prunes or edits its own leaves the user's as it
// is. What is in no store stays a pointer in the clone. git-lfs itself is not needed here, only
// where files are checked out.
import { createHash, randomBytes } from 'node:crypto'
import { constants, createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { git, joinZ, splitZ } from './git.js'
import { inRepo, type Repo } from './repo.js'
import { readBlob, type Entry } from './tree-diff.js'

/** Pointers are shorter; in bytes. Source: the specification of Git LFS. */
const MAX_POINTER = 1_024
const POINTER = /^version https?:\/\/[^\n]*\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n/

/** Brings the large files of a tree. Files that the tree does not have in LFS cost nothing. */
export async function bringLfsOfTree(
  from: Repo,
  to: Repo,
  files: ReadonlyMap<string, Entry>,
): Promise<void> {
  if (!existsSync(await storeOf(from))) return
  const paths = await lfsFiles(from, files)
  await bring(
    from,
    to,
    paths.flatMap((file) => files.get(file)?.sha ?? []),
  )
}

/** Brings the large files that commits after `base` have added. */
export async function bringLfsSince(
  from: Repo,
  to: Repo,
  { base, head }: { base: string; head: string },
): Promise<void> {
  if (base === head || !existsSync(await storeOf(from))) return
  const listed = await inRepo(from, [
    'rev-list',
    '--objects',
    '--no-object-names',
    head,
    `^${base}`,
  ])
  await bring(
    from,
    to,
    listed.split('\n').filter((sha) => sha !== ''),
  )
}

/** Files of a tree whose contents are in LFS, by the attributes in the work tree of `repo`. */
export async function lfsFiles(repo: Repo, files: ReadonlyMap<string, Entry>): Promise<string[]> {
  const attributes = [...files].filter(([file]) => path.posix.basename(file) === '.gitattributes')
  const texts = await Promise.all(attributes.map(([, entry]) => readBlob(repo, entry.sha)))
  if (!texts.some((text) => /^[^#\n]*\bfilter=lfs\b/m.test(text))) return []
  const answers = splitZ(
    (
      await git(repo.root, ['check-attr', '-z', '--stdin', 'filter'], {
        env: repo.env,
        input: joinZ([...files.keys()]),
      })
    ).stdout,
  )
  return answers.filter((_, i) => i % 3 === 0 && answers[i + 2] === 'lfs')
}

async function bring(from: Repo, to: Repo, shas: readonly string[]): Promise<void> {
  const [source, target] = [await storeOf(from), await storeOf(to)]
  if (source === target) return
  for (const oid of await oidsIn(from, shas)) {
    const place = path.join('objects', oid.slice(0, 2), oid.slice(2, 4), oid)
    if (existsSync(path.join(target, place)) || !existsSync(path.join(source, place))) continue
    const fresh = path.join(target, 'tmp', `ratchet-${randomBytes(4).toString('hex')}`)
    await mkdir(path.dirname(fresh), { recursive: true })
    await mkdir(path.dirname(path.join(target, place)), { recursive: true })
    await copyFile(path.join(source, place), fresh, constants.COPYFILE_FICLONE)
    // An agent could have left anything under that name.
    if ((await sha256(fresh)) === oid) await rename(fresh, path.join(target, place))
    else await rm(fresh)
  }
}

async function oidsIn(repo: Repo, shas: readonly string[]): Promise<Set<string>> {
  if (shas.length === 0) return new Set()
  const sizes = await inRepo(
    repo,
    ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'],
    { input: shas.map((sha) => `${sha}\n`).join('') },
  )
  const small = sizes
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, type, size]) => type === 'blob' && Number(size) < MAX_POINTER)
  const oids = new Set<string>()
  if (small.length === 0) return oids
  const contents = await inRepo(repo, ['cat-file', '--batch=%(objectsize)'], {
    input: small.map(([sha]) => `${sha}\n`).join(''),
    bytes: true,
  })
  for (let at = 0; at < contents.length;) {
    const begin = contents.indexOf('\n', at) + 1
    const end = begin + Number(contents.slice(at, begin - 1))
    const oid = POINTER.exec(contents.slice(begin, end))?.[1]
    if (oid !== undefined) oids.add(oid)
    at = end + 1
  }
  return oids
}

async function storeOf(repo: Repo): Promise<string> {
  if (repo.own) return path.join(repo.commonDir, 'lfs')
  const { stdout } = await git(repo.root, ['config', '--type=path', 'lfs.storage'], {
    env: repo.env,
    okCodes: [1],
  })
  return path.resolve(repo.commonDir, stdout === '' ? 'lfs' : stdout)
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
