import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findRepo } from '../../../../src/adapters/git/repo.js'
import { snapshotWorkTree } from '../../../../src/adapters/git/user-repository/snapshot.js'
import {
  AT,
  commitAll,
  filesIn,
  filesOf,
  fingerprint,
  installFailingHooks,
  makeRepo,
  RUN,
  runGit,
  tempDir,
  writeFiles,
} from '../../../support/repositories/repos.js'
import { waitFor } from '../../../support/wait.js'

// Git renews the time of a shared index whenever it reads it.
const untimed = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, is]) => [
      name,
      name.startsWith('.git/sharedindex.') ? is.replace(/ \S+ /, ' ') : is,
    ]),
  )

const snapshot = async (dir: string) => snapshotWorkTree(await findRepo(dir), { run: RUN, at: AT })

function dirtyRepo(): string {
  const root = makeRepo({
    'staged.txt': 'old\n',
    'unstaged.txt': 'old\n',
    'both.txt': 'old\n',
    'deleted.txt': 'old\n',
    'deleted-staged.txt': 'old\n',
    'renamed.txt': 'a long enough text to be a rename\n',
    'mode.sh': '#!/bin/sh\n',
    'becomes-link': 'x\n',
    'becomes-dir': 'x\n',
    'dir/becomes-file/x': 'x\n',
    '.gitignore': 'ignored/\n*.log\n',
    'tracked.log': 'old\n',
    'same.txt': 'same\n',
  })
  runGit(root, 'add', '-f', 'tracked.log')
  runGit(root, 'commit', '-qm', 'force an ignored file in')
  writeFiles(root, { 'same.txt': 'stashed\n' })
  runGit(root, 'stash', 'push', '-q')
  writeFiles(root, { 'staged.txt': 'new\n', 'both.txt': 'staged\n', 'deleted-staged.txt': null })
  renameSync(path.join(root, 'renamed.txt'), path.join(root, 'moved.txt'))
  runGit(root, 'add', '-A')
  writeFiles(root, {
    'unstaged.txt': 'new\n',
    'both.txt': 'unstaged\n',
    'deleted.txt': null,
    'mode.sh': { script: '#!/bin/sh\n' },
    'tracked.log': 'new\n',
    'untracked/a b.txt': 'blank\n',
    'untracked/line\nbreak.txt': 'newline\n',
    'untracked/grüße-日本.txt': 'unicode\n',
    'untracked/-x': 'dash\n',
    'untracked/"q\\': 'quotes\n',
    'ignored/x': 'no\n',
    'debug.log': 'no\n',
    'node_modules/m/index.js': 'no\n',
    'sub/node_modules/m/index.js': 'no\n',
    '.workflow/x.json': '{}',
    '.ratchet/x': 'no',
    'lib/__pycache__/a.pyc': 'no',
    'intent.txt': 'intent\n',
    link: { link: 'same.txt' },
    dangling: { link: '/nowhere' },
  })
  writeFiles(root, { 'becomes-link': null, 'becomes-dir': null, 'dir/becomes-file': null })
  writeFiles(root, {
    'becomes-link': { link: 'same.txt' },
    'becomes-dir/x': 'x\n',
    'dir/becomes-file': 'x\n',
  })
  runGit(root, 'add', '-N', 'intent.txt')
  mkdirSync(path.join(root, 'empty/inner'), { recursive: true })
  return root
}

test('a snapshot holds staged, unstaged, untracked, deleted, renamed, mode, link and oddly named files, and nothing ignored', async () => {
  const root = dirtyRepo()
  const { commit, nested } = await snapshot(root)
  const expected = Object.fromEntries(
    Object.entries(
      filesOf(root, [
        'node_modules',
        '.workflow',
        '.ratchet',
        '__pycache__',
        'ignored',
        'debug.log',
        'empty',
        'lib',
        'sub',
      ]),
    ).map(([name, content]) => [name, content.replace(/^(\* |-> )/, '')]),
  )
  expect(filesIn(root, commit)).toEqual(expected)
  expect(runGit(root, 'ls-tree', commit, 'mode.sh', 'link')).toMatch(
    /^120000 .*\n?100755 |^120000[^]*100755/,
  )
  expect(nested).toEqual([])
})

test('a snapshot touches nothing of the user: files, times, index, HEAD, refs, stash, logs', async () => {
  const root = dirtyRepo()
  runGit(root, 'pack-refs', '--all')
  runGit(root, 'tag', 'v1')
  const hooks = installFailingHooks(root)
  const before = fingerprint(root)
  await snapshot(root)
  expect(fingerprint(root)).toEqual(before)
  expect(hooks.ran()).toBe(false)
})

test('the same tree at the same time gives the same commit, on top of HEAD, with Ratchet as its author', async () => {
  const root = dirtyRepo()
  const { commit } = await snapshot(root)
  expect((await snapshot(root)).commit).toBe(commit)
  expect(
    runGit(
      root,
      'log',
      '-1',
      '--format=%P|%an <%ae>|%cn|%at|%(trailers:key=Ratchet-Run,valueonly)',
      commit,
    ).trim(),
  ).toBe(
    `${runGit(root, 'rev-parse', 'HEAD')}|Ratchet <ratchet@localhost>|Ratchet|${AT / 1_000}|${RUN}`,
  )
})

test('an edit in the same second and of the same size as what is staged is noticed, also in the next second', async () => {
  const root = makeRepo({ 'a.txt': 'aaaa\n' })
  const second = () => Math.floor(Date.now() / 1_000)
  const file = path.join(root, 'a.txt')
  // Seconds are what git compares; staging and editing take some 20 ms.
  const staged = await waitFor(
    () => {
      const now = second()
      writeFileSync(file, 'bbbb\n')
      runGit(root, 'add', 'a.txt')
      writeFileSync(file, 'cccc\n')
      return now === second() && now
    },
    { what: 'staging and editing within one second' },
  )
  await waitFor(() => second() > staged, { what: 'the next second' })
  expect(filesIn(root, (await snapshot(root)).commit)).toEqual({ 'a.txt': 'cccc\n' })
})

test('a merge conflict in progress is taken as it lies in the working tree', async () => {
  const root = makeRepo({ 'a.txt': 'base\n', 'gone.txt': 'base\n' })
  runGit(root, 'switch', '-qc', 'other')
  writeFiles(root, { 'a.txt': 'theirs\n', 'gone.txt': null })
  commitAll(root, 'theirs')
  runGit(root, 'switch', '-q', 'main')
  writeFiles(root, { 'a.txt': 'ours\n', 'gone.txt': 'ours\n' })
  commitAll(root, 'ours')
  expect(() => runGit(root, 'merge', 'other')).toThrow()
  writeFiles(root, { 'gone.txt': null })
  const before = fingerprint(root)
  const { commit } = await snapshot(root)
  const files = filesIn(root, commit)
  expect(Object.keys(files)).toEqual(['a.txt'])
  expect(files['a.txt']).toContain('<<<<<<< HEAD\nours\n')
  expect(fingerprint(root)).toEqual(before)
})

test('a file whose name is not UTF-8 is in the snapshot', async () => {
  const root = makeRepo()
  const name = Buffer.from([0x66, 0xff, 0x2e, 0x74])
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'bytes\n')
  const { commit } = await snapshot(root)
  const listed = execFileSync('git', ['ls-tree', '-z', '--name-only', commit], {
    cwd: root,
    encoding: 'latin1',
  })
  expect(listed.split('\0')).toContain(name.toString('latin1'))
})

test.each(
  // prettier-ignore
  [
  { why: 'CRLF files with autocrlf', config: ['core.autocrlf=true'], content: 'a\r\nb\r\n', stored: 'a\nb\n' },
  { why: 'mixed line ends with safecrlf', config: ['core.safecrlf=true', 'core.autocrlf=input'], content: 'a\r\nb\n', stored: 'a\nb\n' },
  { why: 'commit signing', config: ['commit.gpgSign=true'], content: 'a\n', stored: 'a\n' },
  { why: 'a split index', config: ['core.splitIndex=true'], content: 'a\n', stored: 'a\n' },
],
)('a snapshot is taken under $why', async ({ config, content, stored }) => {
  const root = makeRepo()
  for (const setting of config) runGit(root, 'config', ...setting.split('='))
  runGit(root, 'update-index', '--refresh')
  writeFiles(root, { 'text.txt': content })
  const before = untimed(fingerprint(root))
  expect(filesIn(root, (await snapshot(root)).commit)['text.txt']).toBe(stored)
  expect(untimed(fingerprint(root))).toEqual(before)
})

test('a nested repository is named and left out', async () => {
  const root = makeRepo()
  for (const name of ['with-commit', 'fresh']) {
    mkdirSync(path.join(root, name))
    runGit(path.join(root, name), 'init', '-q')
    writeFiles(path.join(root, name), { x: 'x' })
  }
  commitAll(path.join(root, 'with-commit'), 'inner')
  const { nested, commit } = await snapshot(root)
  expect(nested.sort()).toEqual(['fresh/', 'with-commit/'])
  expect(runGit(root, 'ls-tree', '-r', commit)).not.toContain('160000')
})

test('variables of a caller inside a git hook have no effect', async () => {
  const root = makeRepo()
  writeFiles(root, { 'new.txt': 'new\n' })
  const elsewhere = tempDir()
  for (const [name, value] of Object.entries({
    GIT_DIR: elsewhere,
    GIT_INDEX_FILE: path.join(elsewhere, 'index'),
    GIT_WORK_TREE: elsewhere,
  })) {
    process.env[name] = value
    try {
      expect(await findRepo(root)).toMatchObject({ root })
    } finally {
      delete process.env[name]
    }
  }
})
