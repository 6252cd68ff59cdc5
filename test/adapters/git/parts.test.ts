// The causes of one fix: a commit each, made at once, and the tree without some of them.
import { expect, test } from 'vitest'
import { openWorkspace } from '../../../src/adapters/git/open-workspace.js'
import { filesOfPart, treeWithout } from '../../../src/adapters/git/parts.js'
import { commitStep, commitTreeStep } from '../../../src/adapters/git/steps.js'
import type { FixCause } from '../../../src/contract/test-fix/task.js'
import type { CommitInput, Workspace } from '../../../src/contract/workspace.js'
import { splitByCause } from '../../../src/core/test-fix/causes/split-by-cause.js'
import { allOf } from '../../support/repositories/killed-git.js'
import { expectSamePlay } from '../../support/repositories/killed-steps.js'
import {
  AT,
  filesOf,
  gitOf,
  makeWorkspace,
  refs,
  RUN,
  runGit,
  SAMPLE,
  writeFiles,
} from '../../support/repositories/repos.js'

const FILES = {
  ...SAMPLE,
  'src/a.js': 'wrong\n',
  'src/b.js': 'wrong\n',
  'src/c.js': 'wrong\n',
  'src/old.js': 'old\n',
}
/** What a turn leaves: each cause in its file, a new file, and one that moved from one to another. */
const TURN = {
  'src/a.js': 'right\n',
  'src/b.js': 'right\n',
  'src/c.js': null,
  'src/c.js/index.js': 'right\n',
  'src/old.js': null,
  'notes.txt': 'of no cause\n',
}
const CAUSES: FixCause[] = ['a', 'b', 'c'].map((name, n) => ({
  task: `IMPL-fix-2.${n + 1}`,
  cause: name,
  files: name === 'c' ? ['src/c.js', 'src/c.js/index.js', 'src/old.js'] : [`src/${name}.js`],
}))

const input = (workspace: Workspace): CommitInput => ({
  workspace,
  run: RUN,
  step: 'iteration-2/commit',
  expectHead: workspace.base,
  at: AT,
  subject: 'test fix, iteration 2',
})
const commit = (workspace: Workspace) =>
  commitStep(input(workspace), () => false, { split: (files) => splitByCause(files, CAUSES) })

async function begun(): Promise<Workspace> {
  const { workspace } = await makeWorkspace(FILES)
  writeFiles(workspace.root, TURN)
  return workspace
}
const treeAt = (workspace: Workspace, at: string): string =>
  runGit(gitOf(workspace), 'rev-parse', `${at}^{tree}`)

test('each cause is a commit of its own files under its task, in one step, and the tree is that of the turn', async () => {
  const workspace = await begun()
  const result = await commit(workspace)
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
  expect(await commit(workspace), 'a repeated step').toEqual(result)
})

test.each([
  [
    ['IMPL-fix-2.1'],
    { 'src/b.js': 'right\n', 'src/c.js': null, 'src/c.js/index.js': 'right\n', 'src/old.js': null },
  ],
  [['IMPL-fix-2.2'], { ...TURN, 'src/b.js': 'wrong\n' }],
  [['IMPL-fix-2.1', 'IMPL-fix-2.3'], { 'src/b.js': 'right\n' }],
])('the tree without %s has the files of the others alone', async (out, left) => {
  const workspace = await begun()
  const { parts = [], head } = await commit(workspace)
  const repo = await openWorkspace(workspace)
  const step = {
    ...input(workspace),
    step: 'iteration-2/without-1',
    expectHead: head,
    subject: 'Without',
  }
  const taken = await commitTreeStep(step, await treeWithout(repo, parts, out))
  const expected = Object.entries({ ...FILES, ...left }).filter(([, text]) => text !== null)
  expect(filesOf(workspace.root)).toEqual(Object.fromEntries(expected))
  expect(runGit(gitOf(workspace), 'rev-parse', `${taken.head}^`)).toBe(head)
  // Nothing of it depends on the tree that is left behind
  expect(await treeWithout(repo, parts, [])).toBe(treeAt(workspace, head))
})

test('a turn that changed the files of one cause makes one commit, and one that changed none makes none', async () => {
  const { workspace } = await makeWorkspace(FILES)
  expect(await commit(workspace)).toMatchObject({ commit: null, head: workspace.base })
  writeFiles(workspace.root, { 'src/b.js': 'right\n' })
  const { parts, commit: made } = await commit(workspace)
  expect(parts).toEqual([{ task: 'IMPL-fix-2.2', commit: made }])
})

test('names that are not UTF-8 stay what they are', async () => {
  const { workspace } = await makeWorkspace(FILES)
  const blob = runGit(workspace.root, 'hash-object', '-w', 'src/a.js')
  const name = Buffer.concat([Buffer.from('src/'), Buffer.from([0xff, 0xfe])])
  const { writeFileSync } = await import('node:fs')
  writeFileSync(Buffer.concat([Buffer.from(`${workspace.root}/`), name]), 'wrong\n')
  writeFiles(workspace.root, { 'src/b.js': 'right\n' })
  const { parts = [], head } = await commit(workspace)
  expect(parts).toHaveLength(2)
  const repo = await openWorkspace(workspace)
  const tree = await treeWithout(repo, parts, ['IMPL-fix-2.2'])
  expect(runGit(gitOf(workspace), 'ls-tree', '-r', tree)).toContain(`${blob}\t"src/\\377\\376"`)
  expect(runGit(gitOf(workspace), 'diff', '--name-only', tree, head)).toBe('src/b.js')
})

test('killed before any of its commands and repeated, it ends the same: all of its commits or none', async () => {
  await expectSamePlay(await begun(), commit, allOf)
})

test('so does a fix without one of its causes', async () => {
  const workspace = await begun()
  const { parts = [], head } = await commit(workspace)
  await expectSamePlay(
    workspace,
    async (one) => {
      const repo = await openWorkspace(one)
      const tree = await treeWithout(repo, parts, ['IMPL-fix-2.2'])
      return commitTreeStep(
        { ...input(one), step: 'iteration-2/without-1', expectHead: head },
        tree,
      )
    },
    allOf,
  )
  expect(Object.keys(refs(gitOf(workspace))).length).toBeGreaterThan(0)
})
