// Changes of an agent in submodules are undone and reported, and no commit of a run moves one.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { restoreInstalled } from '../../../src/adapters/workspace/installed.js'
import {
  AT,
  commitAll,
  filesOf,
  fingerprint,
  makeRepo,
  makeWorkspaceIn,
  prepare,
  runGit,
  RUN,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'
import { placeOf } from '../../support/repositories/templates.js'

const withSubmodules = () =>
  placeOf('with submodules', (dir) =>
    makeWorkspaceIn(dir, { 'a.txt': 'a\n' }, (project) => {
      for (const name of ['libs/inner', 'libs/empty'])
        runGit(
          project,
          '-c',
          'protocol.file.allow=always',
          'submodule',
          'add',
          '-q',
          makeRepo({ 'x.txt': 'x' }),
          name,
        )
      commitAll(project, 'with submodules')
      runGit(project, 'submodule', 'deinit', '-q', '-f', 'libs/empty')
    }),
  )

test.each<{ why: string; act: (root: string) => void; told: string[]; tampered?: string[] }>([
  {
    why: 'edits files',
    act: (root) => writeFiles(root, { 'libs/inner/x.txt': 'agent', 'libs/inner/new.txt': 'new' }),
    told: ['libs/inner/new.txt', 'libs/inner/x.txt'],
  },
  {
    why: 'removes both',
    act: (root) => writeFiles(root, { libs: null }),
    told: ['libs/empty', 'libs/inner'],
  },
  {
    why: 'replaces one by a file',
    act: (root) => {
      writeFiles(root, { 'libs/inner': null })
      writeFiles(root, { 'libs/inner': 'a file' })
    },
    told: ['libs/inner'],
  },
  {
    why: 'makes a repository of one, with a commit',
    told: ['libs/inner/.git', 'libs/inner/x.txt'],
    act: (root) => {
      writeFiles(root, { 'libs/inner/x.txt': 'agent' })
      runGit(path.join(root, 'libs/inner'), 'init', '-q')
      commitAll(path.join(root, 'libs/inner'), 'agent')
    },
  },
  {
    why: 'removes both, where packages may be added',
    act: (root) => {
      writeFiles(root, { libs: null, 'node_modules/new/index.js': 'new' })
    },
    told: ['libs/empty', 'libs/inner'],
  },
])(
  'an agent $why: its submodules are restored, the rest is the step',
  { timeout: 300_000 },
  async ({ act, told, why }) => {
    const { project, workspace } = await withSubmodules()
    const [before, theirs] = [filesOf(workspace.root, ['node_modules']), fingerprint(project)]

    writeFiles(workspace.root, { 'a.txt': 'agent\n' })
    act(workspace.root)
    const restored = await restoreInstalled(
      workspace,
      'fix',
      why.includes('packages')
        ? 'submodules'
        : ['a.txt', '.gitmodules', 'libs/inner', 'libs/empty'],
    )
    expect(restored).toEqual(told)
    const { files, tampered } = await commitStep(
      { workspace, run: RUN, step: 'fix', expectHead: workspace.base, at: AT, subject: 'fix' },
      () => false,
    )
    expect([files, tampered]).toEqual([['a.txt'], []])
    expect(filesOf(workspace.root, ['node_modules'])).toEqual({ ...before, 'a.txt': 'agent\n' })
    expect(fingerprint(project)).toEqual(theirs)
  },
)

test('a step keeps a missing submodule in the commit', async () => {
  const project = makeRepo({ 'a.txt': 'a\n' })
  runGit(
    project,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '-q',
    makeRepo({ 'x.txt': 'x' }),
    'inner',
  )
  commitAll(project, 'with a submodule')
  const { workspace } = await prepare(project, tempDirs())
  writeFiles(workspace.root, { inner: null, 'a.txt': 'agent\n' })
  mkdirSync(path.join(workspace.root, 'other'))
  const { head, files, tampered } = await commitStep(
    { workspace, run: RUN, step: 'fix', expectHead: workspace.base, at: AT, subject: 'fix' },
    () => false,
  )
  expect([files, tampered]).toEqual([['a.txt'], ['inner']])
  expect(runGit(workspace.root, 'ls-tree', head, 'inner')).toMatch(/^160000 commit /)
})

test('reports a base with another commit of a submodule than the one checked out', async () => {
  const [project, inner] = [makeRepo({ 'a.txt': 'a\n' }), makeRepo({ 'x.txt': 'x' })]
  runGit(project, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'inner')
  commitAll(project, 'with a submodule')
  const [before, after] = [
    runGit(inner, 'rev-parse', 'HEAD'),
    commitAll(path.join(project, 'inner'), 'moved on'),
  ]
  const { warnings } = await prepare(project, tempDirs(), { base: 'HEAD' })
  expect(warnings).toEqual([
    `the submodule inner is that of your working tree, ${after.slice(0, 10)}; this run starts from its earlier state ${before.slice(0, 10)}`,
  ])
  expect((await prepare(project, tempDirs())).warnings).toEqual([])
})
