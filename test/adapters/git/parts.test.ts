// The causes of one fix: a commit each, made at once, and the tree without some of them.
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openWorkspace } from '../../../src/adapters/git/open-workspace.js'
import { filesOfPart, treeWithout } from '../../../src/adapters/git/parts.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import {
  commitCauses,
  expectSameParts,
  expectSameRest,
  FILES,
  takeOut,
  TURN,
  turnOfCauses,
} from '../../support/repositories/fix-of-causes.js'
import { fewOf } from '../../support/repositories/killed-git.js'
import {
  filesOf,
  gitOf,
  makeWorkspace,
  runGit,
  writeFiles,
} from '../../support/repositories/repos.js'

const treeAt = (workspace: Workspace, at: string): string =>
  runGit(gitOf(workspace), 'rev-parse', `${at}^{tree}`)

test('each cause is a commit of its own files under its task, in one step, and the tree is that of the turn', async () => {
  const workspace = await turnOfCauses()
  const result = await commitCauses(workspace)
  expect(result.parts?.map(({ task }) => task)).toEqual([
    'IMPL-fix-2.1',
    'IMPL-fix-2.2',
    'IMPL-fix-2.3',
  ])
  expect(result.parts?.at(-1)?.commit).toBe(result.commit)
  const git = gitOf(workspace)
  const log = runGit(
    git,
    'log',
    '--reverse',
    '--name-only',
    '--format=# %s',
    `${workspace.base}..${result.head}`,
  )
  expect(log.split('\n').filter((line) => line !== '')).toEqual([
    '# IMPL-fix-2.1: test fix, iteration 2',
    'notes.txt',
    'src/a.js',
    '# IMPL-fix-2.2: test fix, iteration 2',
    'src/b.js',
    '# IMPL-fix-2.3: test fix, iteration 2',
    'src/c.js',
    'src/c.js/index.js',
    'src/old.js',
  ])
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
  const repo = await openWorkspace(workspace)
  expect(await filesOfPart(repo, result.parts?.[1] as never)).toEqual(['src/b.js'])
  expect(await commitCauses(workspace), 'a repeated step').toEqual(result)
})

test.each([
  [
    ['IMPL-fix-2.1'],
    { 'src/b.js': 'right\n', 'src/c.js': null, 'src/c.js/index.js': 'right\n', 'src/old.js': null },
  ],
  [['IMPL-fix-2.2'], { ...TURN, 'src/b.js': 'wrong\n' }],
  [['IMPL-fix-2.1', 'IMPL-fix-2.3'], { 'src/b.js': 'right\n' }],
])('the tree without %s has the files of the others alone', async (out, left) => {
  const workspace = await turnOfCauses()
  const { parts = [], head } = await commitCauses(workspace)
  const repo = await openWorkspace(workspace)
  const taken = await takeOut(workspace, { parts, head }, out)
  const expected = Object.entries({ ...FILES, ...left }).filter(([, text]) => text !== null)
  expect(filesOf(workspace.root)).toEqual(Object.fromEntries(expected))
  expect(runGit(gitOf(workspace), 'rev-parse', `${taken.head}^`)).toBe(head)
  // Nothing of it depends on the tree that is left behind
  expect(await treeWithout(repo, parts, [])).toBe(treeAt(workspace, head))
})

test('a turn that changed the files of one cause makes one commit, and one that changed none makes none', async () => {
  const { workspace } = await makeWorkspace(FILES)
  expect(await commitCauses(workspace)).toMatchObject({ commit: null, head: workspace.base })
  writeFiles(workspace.root, { 'src/b.js': 'right\n' })
  const { parts, commit: made } = await commitCauses(workspace)
  expect(parts).toEqual([{ task: 'IMPL-fix-2.2', commit: made }])
})

test('names that are not UTF-8 stay what they are', async () => {
  const { workspace } = await makeWorkspace(FILES)
  const blob = runGit(workspace.root, 'hash-object', '-w', 'src/a.js')
  const name = Buffer.concat([Buffer.from('src/'), Buffer.from([0xff, 0xfe])])
  writeFileSync(Buffer.concat([Buffer.from(`${workspace.root}/`), name]), 'wrong\n')
  writeFiles(workspace.root, { 'src/b.js': 'right\n' })
  const { parts = [], head } = await commitCauses(workspace)
  expect(parts).toHaveLength(2)
  const repo = await openWorkspace(workspace)
  const tree = await treeWithout(repo, parts, ['IMPL-fix-2.2'])
  expect(runGit(gitOf(workspace), 'ls-tree', '-r', tree)).toContain(`${blob}\t"src/\\377\\376"`)
  expect(runGit(gitOf(workspace), 'diff', '--name-only', tree, head)).toBe('src/b.js')
})

test('killed before any of its commands and repeated, it ends the same: all of its commits or none', () =>
  expectSameParts(fewOf))

test('so does a fix without one of its causes', () => expectSameRest(fewOf))
