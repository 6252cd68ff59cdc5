// Large files of LFS travel between stores: the files that a commit names, and only with a
// matching hash.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { bringLfsOfTree, bringLfsSince } from '../../../src/adapters/git/lfs.js'
import { findRepo } from '../../../src/adapters/git/repo.js'
import { listTree } from '../../../src/adapters/git/tree-diff.js'
import {
  commitAll,
  makeRepo,
  runGit,
  tempDir,
  writeFiles,
} from '../../support/repositories/repos.js'

const ATTRIBUTES = '*.psd filter=lfs diff=lfs merge=lfs -text\n'
const oidOf = (content: string) => createHash('sha256').update(content).digest('hex')
const pointer = (content: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize ${content.length}\n`
const placeIn = (store: string, content: string) =>
  path.join(
    store,
    'objects',
    oidOf(content).slice(0, 2),
    oidOf(content).slice(2, 4),
    oidOf(content),
  )

function store(at: string, content: string, as = content): void {
  mkdirSync(path.dirname(placeIn(at, as)), { recursive: true })
  writeFileSync(placeIn(at, as), content)
}

/** A repository whose commit holds pointers, and whose store these contents. */
async function withStore(files: Record<string, string>, contents: readonly string[]) {
  const root = makeRepo({
    '.gitattributes': ATTRIBUTES,
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [name, pointer(content)])),
  })
  for (const content of contents) store(path.join(root, '.git/lfs'), content)
  return { root, repo: await findRepo(root) }
}

test('copies the LFS files of a tree, and nothing else', async () => {
  const from = await withStore(
    { 'a.psd': 'picture', 'sub/b.psd': 'missing in the store', 'no-attribute.txt': 'text' },
    ['picture', 'text', 'of another commit'],
  )
  const to = await withStore({}, [])
  await bringLfsOfTree(from.repo, to.repo, await listTree(from.repo, 'HEAD'))
  const target = path.join(to.root, '.git/lfs')
  expect(readFileSync(placeIn(target, 'picture'), 'utf8')).toBe('picture')
  for (const content of ['text', 'of another commit', 'missing in the store'])
    expect(existsSync(placeIn(target, content))).toBe(false)
})

test('copies every version of commits since a base; a file with a wrong hash stays behind', async () => {
  const from = await withStore({ 'a.psd': 'first' }, ['first', 'second', 'third'])
  const base = runGit(from.root, 'rev-parse', 'HEAD')
  for (const content of ['second', 'third', 'forged']) {
    writeFiles(from.root, { 'a.psd': pointer(content) })
    commitAll(from.root, content)
  }
  store(path.join(from.root, '.git/lfs'), 'something else', 'forged')
  const to = await withStore({}, [])
  for (let attempt = 0; attempt < 2; attempt++)
    await bringLfsSince(from.repo, to.repo, { base, head: runGit(from.root, 'rev-parse', 'HEAD') })
  const target = path.join(to.root, '.git/lfs')
  expect(
    ['first', 'second', 'third', 'forged'].filter((content) =>
      existsSync(placeIn(target, content)),
    ),
  ).toEqual(['second', 'third'])
})

test('uses a store elsewhere, and leaves a shared one alone', async () => {
  const shared = tempDir()
  store(shared, 'picture')
  const [from, to] = [await withStore({ 'a.psd': 'picture' }, []), await withStore({}, [])]
  runGit(from.root, 'config', 'lfs.storage', shared)
  await bringLfsOfTree(from.repo, to.repo, await listTree(from.repo, 'HEAD'))
  expect(existsSync(placeIn(path.join(to.root, '.git/lfs'), 'picture'))).toBe(true)
  runGit(to.root, 'config', 'lfs.storage', shared)
  await bringLfsOfTree(from.repo, to.repo, await listTree(from.repo, 'HEAD'))
  expect(existsSync(path.join(shared, 'tmp'))).toBe(false)
})
