// Directories that an agent or the user replaces by a symbolic link, and links by directories: the
// link is committed as a link, and nothing behind it is read, written or removed.
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withoutTraces } from '../../../src/adapters/git/agent-tree.js'
import {
  changedFiles,
  commitStep,
  measuringTree,
  restoreTree,
} from '../../../src/adapters/git/steps.js'
import { findRepo } from '../../../src/adapters/git/repo.js'
import { applyBranch } from '../../../src/adapters/git/user-repository/apply.js'
import { snapshotWorkTree } from '../../../src/adapters/git/user-repository/snapshot.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import {
  AT,
  commitAll,
  filesIn,
  filesOf,
  gitOf,
  makeRepo,
  makeWorkspace,
  prepare,
  RUN,
  runGit,
  tempDir,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'
import { guard, status, step } from '../../support/runs/step-play.js'

const SHOP = {
  'shop/__init__.py': 'shop\n',
  'shop/cart/total.py': 'total\n',
  current: { link: 'releases/1' },
  'releases/1/notes.txt': 'one\n',
  'tests/test_shop.py': 'def test_shop(): pass\n',
  'tests/unit/test_cart.py': 'def test_cart(): pass\n',
}
const TESTS = ['tests/test_shop.py', 'tests/unit/test_cart.py'] as const
const MOVED = {
  'core/__init__.py': 'shop\n',
  'core/cart/total.py': 'total\n',
  shop: 'core',
}

/** A directory outside of every work tree, with a file of each name that a step looks for. */
function outside(): string {
  const dir = tempDir()
  writeFiles(dir, {
    '.gitattributes': '* -text\n',
    '__init__.py': 'of another project\n',
    'test_shop.py': 'of another project\n',
    'unit/test_cart.py': 'of another project\n',
  })
  return dir
}

/** Moves a directory of a tree away, or removes it, and puts a link in its place. */
function link(root: string, dir: string, { to, moved }: { to: string; moved?: string }): void {
  const place = path.join(root, dir)
  if (moved === undefined) rmSync(place, { recursive: true })
  else renameSync(place, path.join(root, moved))
  symlinkSync(to, place)
}

const moveShop = (root: string) => link(root, 'shop', { to: 'core', moved: 'core' })

// Links of a commit by path, with what they lead to.
function linksIn(workspace: Workspace, commit: string): Record<string, string> {
  const files = filesIn(gitOf(workspace), commit)
  const listed = runGit(gitOf(workspace), 'ls-tree', '-r', commit).split('\n')
  return Object.fromEntries(
    listed.flatMap((line) => {
      const [, name] = /^120000 blob \S+\t(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, files[name] ?? '']]
    }),
  )
}

const without = (files: Record<string, string>, dir: string) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith(`${dir}/`)))

// Every object that Ratchet has stored for a workspace.
const stored = (workspace: Workspace): string =>
  runGit(gitOf(workspace), 'cat-file', '--batch-all-objects', '--batch')

test('a directory that became a link to another one of the tree is committed as a link', async () => {
  const { workspace } = await makeWorkspace(SHOP)
  const before = filesIn(gitOf(workspace), workspace.base)
  moveShop(workspace.root)
  expect(await changedFiles(workspace)).toEqual([
    'core/__init__.py',
    'core/cart/total.py',
    'shop',
    'shop/__init__.py',
    'shop/cart/total.py',
  ])
  const result = await commitStep(step(workspace), guard)
  expect(result.tampered).toEqual([])
  expect(filesIn(workspace.root, result.head)).toEqual({ ...without(before, 'shop'), ...MOVED })
  expect(status(workspace.root)).toBe('')
  expect(await commitStep(step(workspace), guard)).toEqual(result)
})

test('a link that became a directory is committed as one', async () => {
  const { workspace } = await makeWorkspace(SHOP)
  rmSync(path.join(workspace.root, 'current'))
  renameSync(path.join(workspace.root, 'releases/1'), path.join(workspace.root, 'current'))
  const { head } = await commitStep(step(workspace), guard)
  const files = filesIn(workspace.root, head)
  expect(files['current/notes.txt']).toBe('one\n')
  expect(Object.keys(files)).not.toContain('current')
  expect(status(workspace.root)).toBe('')
})

test('a link in a deep directory, and a file in the place of one, are committed too', async () => {
  const { workspace } = await makeWorkspace(SHOP)
  link(workspace.root, 'shop/cart', { to: '../releases' })
  rmSync(path.join(workspace.root, 'releases'), { recursive: true })
  writeFiles(workspace.root, { releases: 'none\n' })
  const { head } = await commitStep(step(workspace), guard)
  expect(filesIn(workspace.root, head)).toMatchObject({
    'shop/cart': '../releases',
    'shop/__init__.py': 'shop\n',
    releases: 'none\n',
  })
})

test('a link that leads outside is committed, and nothing behind it is read, written or removed', async () => {
  const { workspace } = await makeWorkspace(SHOP)
  const other = outside()
  const before = filesOf(other)
  link(workspace.root, 'shop', { to: other })
  const { head, tampered } = await commitStep(step(workspace), guard)
  expect(tampered).toEqual([])
  expect(linksIn(workspace, head)).toEqual({ current: 'releases/1', shop: other })
  expect(status(workspace.root)).toBe('')
  expect(filesOf(other)).toEqual(before)
  expect(stored(workspace)).not.toContain('of another project')
})

test('nor where every file is guarded, attributes among them', async () => {
  const { workspace } = await makeWorkspace({ ...SHOP, 'shop/.gitattributes': '*.py text\n' })
  const other = outside()
  const before = filesOf(other)
  for (const dir of ['shop', 'releases', 'tests']) link(workspace.root, dir, { to: other })
  const files = filesIn(gitOf(workspace), workspace.base)
  const result = await commitStep(step(workspace), () => true)
  expect(result.commit).toBeNull()
  expect(result.tampered).toEqual(
    expect.arrayContaining(['releases', 'shop', 'shop/.gitattributes', 'tests']),
  )
  expect(linksIn(workspace, result.snapshot ?? '')).toMatchObject({ shop: other, tests: other })
  expect(filesIn(workspace.root, result.head)).toEqual(files)
  expect(filesOf(workspace.root)).toMatchObject({ 'shop/.gitattributes': '*.py text\n' })
  expect(status(workspace.root)).toBe('')
  expect(filesOf(other)).toEqual(before)
  expect(stored(workspace)).not.toContain('of another project')
  expect(await commitStep(step(workspace), () => true)).toEqual(result)
})

test.each(['restoreTree', 'measuringTree'] as const)(
  '%s makes it a directory again, and leaves what the link led to',
  async (how) => {
    const { workspace } = await makeWorkspace(SHOP)
    const other = outside()
    const before = filesOf(other)
    const files = filesIn(gitOf(workspace), workspace.base)
    link(workspace.root, 'shop', { to: other })
    link(workspace.root, 'tests', { to: '../shop', moved: 'kept' })
    await { restoreTree, measuringTree }[how](workspace, workspace.base)
    expect(filesIn(workspace.root, workspace.base)).toEqual(files)
    expect(filesOf(workspace.root)).toMatchObject({
      'shop/__init__.py': 'shop\n',
      'tests/unit/test_cart.py': 'def test_cart(): pass\n',
    })
    expect(status(workspace.root)).toBe('')
    expect(filesOf(other)).toEqual(before)
    const [kept = ''] = runGit(
      gitOf(workspace),
      'for-each-ref',
      '--format=%(refname)',
      'refs/ratchet/snapshots',
    ).split('\n')
    expect(linksIn(workspace, kept)).toMatchObject({ shop: other, tests: '../shop' })
    expect(filesIn(gitOf(workspace), kept)).toMatchObject({
      'kept/test_shop.py': 'def test_shop(): pass\n',
    })
  },
)

test.each([
  { why: 'to another directory of the tree', to: () => 'other', moved: 'other' },
  { why: 'to outside', to: outside },
])('guarded tests come back as files of a directory after a link $why', async ({ to, moved }) => {
  const { workspace } = await makeWorkspace(SHOP)
  const target = to()
  link(workspace.root, 'tests', { to: target, ...(moved && { moved }) })
  writeFiles(workspace.root, { 'shop/__init__.py': 'fixed\n' })
  const behind = path.resolve(workspace.root, target)
  const before = filesOf(behind)
  const result = await commitStep(step(workspace), guard)
  expect(result.tampered).toEqual(expect.arrayContaining([...TESTS]))
  expect(result.files).toContain('shop/__init__.py')
  const files = filesOf(workspace.root)
  for (const name of TESTS) expect(files[name]).toBe(SHOP[name])
  expect(files['tests']).toBeUndefined()
  expect(linksIn(workspace, result.snapshot ?? '')['tests']).toBe(target)
  expect(status(workspace.root)).toBe('')
  if (moved === undefined) expect(filesOf(behind)).toEqual(before)
  expect(stored(workspace)).not.toContain('of another project')
  expect(await commitStep(step(workspace), guard)).toEqual(result)
})

test('a test run that replaces a directory by a link leaves no trace', async () => {
  const { workspace } = await makeWorkspace(SHOP)
  const other = outside()
  const before = filesOf(other)
  const files = filesOf(workspace.root)
  await withoutTraces(
    workspace,
    () => {
      link(workspace.root, 'shop', { to: other })
      return Promise.resolve()
    },
    () => undefined,
  )
  expect(without(filesOf(workspace.root), '.git')).toEqual(without(files, '.git'))
  expect(filesOf(other)).toEqual(before)
})

test("the user's uncommitted link is part of the snapshot and of the workspace", async () => {
  const project = makeRepo(SHOP)
  const base = filesIn(project, 'HEAD')
  moveShop(project)
  const wanted = { ...without(base, 'shop'), ...MOVED }
  const { commit } = await snapshotWorkTree(await findRepo(project), { run: RUN, at: AT })
  expect(filesIn(project, commit)).toEqual(wanted)
  const { workspace } = await prepare(project, tempDirs())
  expect(filesIn(gitOf(workspace), workspace.base)).toEqual(wanted)
  expect(filesOf(workspace.root)).toMatchObject({ ...MOVED, shop: '-> core' })
})

test('in place the user has the link after the step, and nothing to commit', async () => {
  const project = makeRepo(SHOP)
  const { workspace } = await prepare(project, tempDirs(), {
    workspaceConfig: { isolation: 'in-place' },
  })
  moveShop(project)
  const { head, tampered } = await commitStep(step(workspace), guard)
  expect(tampered).toEqual([])
  expect(filesIn(project, head)).toMatchObject(MOVED)
  expect(filesOf(project)).toMatchObject({ ...MOVED, shop: '-> core' })
  expect(status(project)).toBe('')
})

test('apply brings the link of a branch, and refuses files below a link of the user', async () => {
  const project = makeRepo(SHOP)
  const base = runGit(project, 'rev-parse', 'HEAD')
  runGit(project, 'checkout', '-q', '-b', 'linked')
  moveShop(project)
  commitAll(project, 'Move shop')
  runGit(project, 'checkout', '-q', '-b', 'more', base)
  writeFiles(project, { 'shop/new.py': 'new\n' })
  commitAll(project, 'Add to shop')
  runGit(project, 'checkout', '-q', 'main')

  const { applied } = await applyBranch({ project, base, branch: 'linked' })
  expect(applied).toContain('shop')
  expect(filesOf(project)).toMatchObject({ ...MOVED, shop: '-> core' })
  const before = filesOf(project)
  const { conflicts } = await applyBranch({ project, base, branch: 'more' })
  expect(conflicts).toEqual(['shop/new.py'])
  expect(filesOf(project)).toEqual(before)
})
