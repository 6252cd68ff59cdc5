import { expect, test } from 'vitest'
import { publishBranch } from '../../../src/adapters/git/user-repository/publish.js'
import { commitStep, restoreTree, goBackStep } from '../../../src/adapters/git/steps.js'
import { testRunsDir } from '../../../src/adapters/test-runners/stored-run.js'
import { isInside } from '../../../src/adapters/workspace/environment.js'
import {
  AT,
  commitAll,
  filesOf,
  installFailingHooks,
  makeRepo,
  prepare,
  refs,
  RUN,
  runGit,
  SAMPLE,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'

const IN_PLACE = { workspaceConfig: { isolation: 'in-place' } }
const BRANCH = 'refs/heads/ratchet/WFS-test-login'

test('in-place works on its own branch in the tree of the user, and the original branch stays', async () => {
  const [project, dirs] = [
    makeRepo({ ...SAMPLE, 'package.json': '{ "workspaces": ["a"] }' }),
    tempDirs(),
  ]
  const main = runGit(project, 'rev-parse', 'main')
  const hooks = installFailingHooks(project)
  writeFiles(project, {
    '.env': 'SECRET=1',
    '.workflow/x.json': '{}',
    'node_modules/m.js': 'm',
    'py[3]/pyvenv.cfg': '',
    'py[3]/lib/m.py': 'm',
  })
  const { workspace, head } = await prepare(project, dirs, IN_PLACE)
  expect(workspace).toMatchObject({
    root: project,
    cwd: project,
    base: main,
    isolation: 'in-place',
  })
  expect(isInside(testRunsDir(workspace), dirs.state)).toBe(true)
  expect([head, runGit(project, 'symbolic-ref', 'HEAD')]).toEqual([main, BRANCH])
  writeFiles(project, {
    'src/add.js': 'fixed\n',
    'test/add.test.js': 'weaker\n',
    '.ratchet/x': 'x',
  })
  const fix = await commitStep(
    { workspace, run: RUN, step: 's', expectHead: head, at: AT, subject: 's' },
    (file) => file.startsWith('test/'),
  )
  expect(fix).toMatchObject({ files: ['src/add.js'], tampered: ['test/add.test.js'] })
  expect(await publishBranch(workspace)).toEqual({ head: fix.head })
  expect(await prepare(project, dirs, IN_PLACE)).toMatchObject({ workspace, head: fix.head })
  const back = await goBackStep({
    workspace,
    run: RUN,
    step: 'r',
    expectHead: fix.head,
    toTree: head,
    at: AT,
    subject: 'Revert s',
  })
  writeFiles(project, { 'debris.txt': 'x' })
  expect(await restoreTree(workspace, back.head)).toMatch(/^refs\/ratchet\//)
  expect(filesOf(project)).toMatchObject({
    'src/add.js': SAMPLE['src/add.js'],
    '.env': 'SECRET=1',
    '.ratchet/x': 'x',
    '.workflow/x.json': '{}',
    'node_modules/m.js': 'm',
    'py[3]/lib/m.py': 'm',
  })
  expect(filesOf(project)).not.toHaveProperty('debris.txt')
  expect([runGit(project, 'rev-parse', 'main'), refs(project)[BRANCH], hooks.ran()]).toEqual([
    main,
    back.head,
    false,
  ])
})

test.each([
  {
    why: 'an uncommitted change',
    act: (project: string) => writeFiles(project, { 'src/add.js': 'mine\n' }),
  },
  {
    why: 'an untracked file',
    act: (project: string) => writeFiles(project, { 'mine.txt': 'mine\n' }),
  },
  {
    why: 'a staged change that was undone in the file',
    act: (project: string) => {
      writeFiles(project, { 'src/add.js': 'mine\n' })
      runGit(project, 'add', '-A')
      writeFiles(project, { 'src/add.js': SAMPLE['src/add.js'] ?? null })
    },
  },
])('in-place refuses a tree with $why', async ({ act }) => {
  const project = makeRepo()
  act(project)
  await expect(prepare(project, tempDirs(), IN_PLACE)).rejects.toMatchObject({
    type: 'DirtyTree',
    next: expect.stringContaining('stash') as string,
  })
  expect(runGit(project, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
})

test('in-place refuses a base', async () => {
  await expect(
    prepare(makeRepo(), tempDirs(), { ...IN_PLACE, base: 'HEAD' }),
  ).rejects.toMatchObject({ type: 'BadInput' })
})

test('in-place an agent that detached HEAD and committed: its files are the step, its commit is kept', async () => {
  const project = makeRepo()
  const { workspace, head } = await prepare(project, tempDirs(), IN_PLACE)
  runGit(project, 'switch', '-q', '--detach')
  writeFiles(project, { 'src/add.js': 'fixed\n' })
  const agents = commitAll(project, 'agent: fix')
  const { files, snapshot = '' } = await commitStep(
    { workspace, run: RUN, step: 's', expectHead: head, at: AT, subject: 's' },
    () => false,
  )
  expect([
    files,
    runGit(project, 'symbolic-ref', 'HEAD'),
    runGit(project, 'rev-parse', `${snapshot}^`),
  ]).toEqual([['src/add.js'], BRANCH, agents])
})

test('in-place starts another run from the branch that is checked out', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  await prepare(project, dirs, IN_PLACE)
  const mine = commitAll(project, 'mine')
  const { workspace, head } = await prepare(project, dirs, { ...IN_PLACE, run: 'another-run' })
  expect([workspace.branch, head]).toEqual(['ratchet/WFS-test-login', mine])
})
