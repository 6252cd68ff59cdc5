import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { GitError, gitHook } from '../../../src/adapters/git/git.js'
import { publishBranch } from '../../../src/adapters/git/user-repository/publish.js'
import {
  changedFiles,
  commitStep,
  restoreTree,
  goBackStep,
  snapshotUncommitted,
} from '../../../src/adapters/git/steps.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { restoreGuardedParts } from '../../../src/core/guard/test-guard.js'
import {
  AT,
  commitAll,
  filesIn,
  filesOf,
  gitOf,
  makeWorkspace,
  refs,
  RUN,
  runGit,
  SAMPLE,
  writeFiles,
} from '../../support/repositories/repos.js'
import {
  expectOwnStep,
  expectPutBack,
  expectTestStep,
  FIXED,
  guard,
  status,
  step,
  type AgentGit,
  type Tampering,
  type TestStep,
} from '../../support/runs/step-play.js'

const headOf = (dir: string) => runGit(dir, 'rev-parse', 'HEAD')

test('a step commits changed, new and deleted files with its time, identity and trailers, and leaves the tree clean', async () => {
  const { workspace } = await makeWorkspace({ ...SAMPLE, 'old.js': 'old\n' })
  writeFiles(workspace.root, {
    'src/add.js': FIXED,
    'src/new.js': 'new\n',
    'old.js': null,
    '.ratchet/notes.md': 'mine',
    'node_modules/m.js': 'x',
  })
  const result = await commitStep(step(workspace), guard)
  expect(result).toEqual({
    head: headOf(workspace.root),
    commit: headOf(workspace.root),
    files: ['old.js', 'src/add.js', 'src/new.js'],
    filesTotal: 3,
    tampered: [],
    tamperedTotal: 0,
  })
  expect(runGit(workspace.root, 'log', '-1', '--format=%s|%P|%cn <%ce>|%at %ct')).toBe(
    `Fix add|${workspace.base}|Ratchet <ratchet@localhost>|${AT / 1_000} ${AT / 1_000}`,
  )
  expect(runGit(workspace.root, 'log', '-1', '--format=%B').trim()).toBe(
    `Fix add\n\nStrategy: conservative\n\nRatchet-Run: ${RUN}\nRatchet-Step: IMPL-fix-1`,
  )
  expect(status(workspace.root)).toBe('')
  expect(filesOf(workspace.root)['.ratchet/notes.md']).toBe('mine')
})

test('a repeated step returns the same commit and the same answer', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': FIXED, 'test/add.test.js': 'weaker\n' })
  const first = await commitStep(step(workspace), guard)
  expect(await commitStep(step(workspace), guard)).toEqual(first)
  expect(first.tampered).toEqual(['test/add.test.js'])
})

test('a step of the same name on another head is another commit', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  const other = await commitStep(step(workspace, { step: 'IMPL-fix-0' }), guard)
  const first = await commitStep(step(workspace), guard)
  const second = await commitStep(step(workspace, { expectHead: other.head }), guard)
  expect(second.head).toBe(other.head) // the same files: nothing to commit
  expect(
    [first.snapshot, second.snapshot].map((ref) =>
      ref === undefined ? '' : runGit(gitOf(workspace), 'rev-parse', `${ref}^`),
    ),
  ).toEqual([other.head, first.head])
})

test('a branch that moves during the commit of a step is not overwritten; the next attempt keeps its new tip', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  let other = ''
  await expect(
    gitHook.run(
      (args) => {
        if (args[0] !== 'update-ref' || !args.includes('ratchet: IMPL-fix-1')) return
        other = runGit(
          gitOf(workspace),
          'commit-tree',
          'HEAD^{tree}',
          '-p',
          'HEAD',
          '-m',
          'meanwhile',
        )
        runGit(gitOf(workspace), 'update-ref', `refs/heads/${workspace.branch}`, other)
      },
      () => commitStep(step(workspace), guard),
    ),
  ).rejects.toThrow(GitError)
  expect(headOf(gitOf(workspace))).toBe(other)
  const { head, snapshot = '' } = await commitStep(step(workspace), guard)
  expect([
    runGit(gitOf(workspace), 'rev-parse', `${head}^`),
    runGit(gitOf(workspace), 'rev-parse', `${snapshot}^`),
  ]).toEqual([workspace.base, other])
})

test('a step whose head is not in the workspace commits nothing', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  const before = refs(workspace.root)
  await expect(commitStep(step(workspace, { expectHead: '1'.repeat(40) }), guard)).rejects.toThrow(
    `commit ${'1'.repeat(40)} is not in ${workspace.root}`,
  )
  expect([refs(workspace.root), filesOf(workspace.root)['src/add.js']]).toEqual([before, FIXED])
})

test('a step without changes makes no commit, also when repeated', async () => {
  const { workspace } = await makeWorkspace()
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await commitStep(step(workspace), guard)).toEqual({
      head: workspace.base,
      commit: null,
      files: [],
      filesTotal: 0,
      tampered: [],
      tamperedTotal: 0,
    })
})

test('a result names the first 50 files and counts all', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(
    workspace.root,
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`src/f${i}.js`, 'x'])),
  )
  const { files, filesTotal } = await commitStep(step(workspace), guard)
  expect([files.length, filesTotal]).toEqual([50, 60])
})

test('a result names the first 20 guarded files that were changed and counts all', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(
    workspace.root,
    Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`test/t${String(i).padStart(2, '0')}.test.js`, 'x']),
    ),
  )
  const { tampered, tamperedTotal } = await commitStep(step(workspace), guard)
  expect([tampered.length, tampered[19], tamperedTotal]).toEqual([20, 'test/t19.test.js', 30])
})

const acts: [string, (workspace: Workspace) => Promise<unknown>][] = [
  ['changedFiles', (workspace) => changedFiles(workspace)],
  ['restoreTree', (workspace) => restoreTree(workspace, workspace.base)],
  ['snapshotUncommitted', (workspace) => snapshotUncommitted(workspace, 'x')],
  ['publishBranch', publishBranch],
]

test.each(acts)(
  '%s in a workspace without its tree, or without what git needs of it, says so',
  async (_what, act) => {
    const { workspace } = await makeWorkspace()
    for (const name of ['refs', 'HEAD']) {
      rmSync(path.join(gitOf(workspace), name), { recursive: true })
      await expect(act(workspace)).rejects.toMatchObject({
        name: 'PlaceGone',
        place: gitOf(workspace),
        how: 'broken',
      })
    }
    rmSync(gitOf(workspace), { recursive: true })
    await expect(act(workspace)).rejects.toMatchObject({
      name: 'PlaceGone',
      place: gitOf(workspace),
      how: 'gone',
    })
    rmSync(workspace.root, { recursive: true })
    await expect(act(workspace)).rejects.toMatchObject({ name: 'PlaceGone', place: workspace.root })
  },
)

test.each(acts)(
  '%s where the user has removed the project, whose objects are needed, says so',
  async (_what, act) => {
    const { project, workspace } = await makeWorkspace()
    rmSync(project, { recursive: true })
    await expect(act(workspace)).rejects.toMatchObject({ name: 'PlaceGone', place: project })
  },
)

test('a virtual environment of any name without .gitignore is no part of a step', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, {
    'tools/env 3/pyvenv.cfg': 'home = /usr/bin\n',
    'tools/env 3/lib/x.py': 'x',
    'tools/x.py': 'x',
  })
  expect((await commitStep(step(workspace), guard)).files).toEqual(['tools/x.py'])
})

test.each<AgentGit>([
  {
    why: 'committed twice and edited on',
    act: (root) => {
      commitAll(root, 'agent: fix')
      writeFiles(root, { 'src/b.js': 'b\n' })
      commitAll(root, 'agent: more')
      writeFiles(root, { 'src/c.js': 'c\n' })
    },
    files: { 'src/b.js': 'b\n', 'src/c.js': 'c\n' },
  },
  {
    why: 'detached HEAD and committed',
    act: (root) => {
      runGit(root, 'switch', '-q', '--detach')
      commitAll(root, 'agent: fix')
    },
  },
  {
    why: 'deleted the branch',
    act: (root, branch) => {
      runGit(root, 'switch', '-q', '--detach')
      runGit(root, 'branch', '-qD', branch)
    },
  },
  {
    why: 'left a merge in progress',
    act: (root, branch) => {
      runGit(root, 'stash', '-q')
      runGit(root, 'switch', '-qc', 'side')
      writeFiles(root, { 'side.js': 'side\n' })
      commitAll(root, 'side')
      runGit(root, 'switch', '-q', branch)
      runGit(root, 'merge', '-q', '--no-ff', '--no-commit', 'side')
      runGit(root, 'stash', 'list')
      writeFiles(root, { 'src/add.js': FIXED })
    },
    files: { 'side.js': 'side\n' },
  },
  {
    why: 'hid the file from git',
    act: (root) => void runGit(root, 'update-index', '--assume-unchanged', 'src/add.js'),
  },
  {
    why: 'installed a failing hook',
    act: (root) =>
      writeFiles(root, {
        '.git/hooks/reference-transaction': { script: '#!/bin/sh\nexit 1\n' },
        '.git/hooks/pre-commit': { script: '#!/bin/sh\nexit 1\n' },
      }),
  },
  {
    why: 'excluded the sources',
    files: { 'src/hidden.js': 'new\n' },
    act: (root) => {
      writeFiles(root, { 'src/hidden.js': 'new\n' })
      writeFileSync(path.join(root, '.git/info/exclude'), 'src/\n*\n')
    },
  },
  {
    why: 'set another work tree',
    act: (root) => void runGit(root, 'config', 'core.worktree', '/nowhere'),
  },
])(
  'an agent that $why: its files become this step, on the branch, and its clone shows it',
  expectOwnStep,
)

test('an agent that went to an orphan branch and removed everything: the step has the remaining files', async () => {
  const { workspace } = await makeWorkspace()
  runGit(workspace.root, 'switch', '-q', '--orphan', 'fresh')
  writeFiles(workspace.root, { ...SAMPLE, 'src/add.js': FIXED })
  expect(await changedFiles(workspace)).toEqual(['src/add.js'])
  expect((await commitStep(step(workspace), guard)).files).toEqual(['src/add.js'])
})

test('an agent that reset the branch to before the run: the difference becomes the step', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  const first = await commitStep(step(workspace), guard)
  runGit(workspace.root, 'reset', '-q', '--hard', 'HEAD^')
  const second = await commitStep(
    step(workspace, { step: 'IMPL-fix-2', expectHead: first.head }),
    guard,
  )
  expect(filesIn(workspace.root, second.head)['src/add.js']).toBe(SAMPLE['src/add.js'])
  expect(runGit(workspace.root, 'rev-parse', `${second.head}^`)).toBe(first.head)
})

test.each<Tampering>(
  // prettier-ignore
  [
  { why: 'edited', files: { 'test/add.test.js': 'weaker\n' }, tampered: ['test/add.test.js'] },
  { why: 'deleted, with its folder', files: { test: null }, tampered: ['test/add.test.js', 'test/data.json', 'test/unit/deep.test.js'] },
  { why: 'replaced by a link', files: { 'conftest.py': null, 'link/x': 'x' }, after: { 'conftest.py': { link: 'link/x' } }, tampered: ['conftest.py'] },
],
)('a guarded file that was $why is restored and named, and the tampered one is kept', expectPutBack)

test('a step that only tampers makes no commit and names the restored files, also when repeated', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'test/add.test.js': 'weaker\n' })
  const first = await commitStep(step(workspace), guard)
  expect(first).toMatchObject({
    commit: null,
    head: workspace.base,
    tampered: ['test/add.test.js'],
  })
  expect(await commitStep(step(workspace), guard)).toEqual(first)
})

test.each<TestStep>(
  // prettier-ignore
  [
  { why: 'adds a test and changes another', files: { 'test/more.test.js': 'more\n', 'conftest.py': 'x = 2\n', 'test/add.test.js': 'add, better\n' }, kept: ['conftest.py', 'test/add.test.js', 'test/more.test.js'], tampered: [], changed: ['conftest.py', 'test/add.test.js'] },
  { why: 'deletes tests', files: { test: null }, kept: [], tampered: ['test/add.test.js', 'test/data.json', 'test/unit/deep.test.js'], changed: [] },
  { why: 'changes the code under test', files: { 'src/add.js': FIXED, 'src/fixture.json': '{}' }, kept: ['src/fixture.json'], tampered: ['src/add.js'], changed: [] },
  { why: 'changes the test command and a dependency', files: { 'package.json': '{ "name": "sample", "scripts": { "test": "true" }, "dependencies": { "x": "1" } }\n' }, kept: ['package.json'], tampered: ['package.json'], changed: [] },
],
)('a step that may write tests: $why', expectTestStep)

test('a partly guarded file keeps its other changes', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, {
    'package.json':
      '{ "name": "sample", "scripts": { "test": "true" }, "dependencies": { "left-pad": "1" } }\n',
  })
  const result = await commitStep(step(workspace), guard, { restore: restoreGuardedParts })
  expect(result).toMatchObject({ files: ['package.json'], tampered: ['package.json'] })
  const manifest = JSON.parse(filesOf(workspace.root)['package.json'] ?? '') as unknown
  expect(manifest).toMatchObject({
    scripts: { test: 'vitest run' },
    dependencies: { 'left-pad': '1' },
  })
  expect(status(workspace.root)).toBe('')
  expect(await commitStep(step(workspace), guard, { restore: restoreGuardedParts })).toEqual(result)
})

test('a lock that a killed git left behind does not hold up a step', async () => {
  const { workspace } = await makeWorkspace()
  for (const name of [
    'index.lock',
    'HEAD.lock',
    'config.lock',
    `refs/heads/${workspace.branch}.lock`,
  ])
    for (const dir of [gitOf(workspace), path.join(workspace.root, '.git')])
      writeFileSync(path.join(dir, name), '')
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  expect((await commitStep(step(workspace), guard)).files).toEqual(['src/add.js'])
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
})

test('a nested repository made by an agent stays out of the commit', async () => {
  const { workspace } = await makeWorkspace()
  mkdirSync(path.join(workspace.root, 'inner'))
  runGit(path.join(workspace.root, 'inner'), 'init', '-q')
  writeFiles(workspace.root, { 'inner/x': 'x', 'src/add.js': FIXED })
  commitAll(path.join(workspace.root, 'inner'), 'inner')
  expect((await commitStep(step(workspace), guard)).files).toEqual(['src/add.js'])
})

test('a rollback is a new commit with the tree from before the fix, the same when repeated; uncommitted work is kept', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': 'worse\n', 'src/new.js': 'new\n' })
  const { head } = await commitStep(step(workspace), guard)
  writeFiles(workspace.root, { 'coverage/out.txt': 'debris\n', 'src/add.js': 'unfinished\n' })
  const input = {
    ...step(workspace, { step: 'rollback-1', expectHead: head, subject: 'Revert Fix add' }),
    toTree: workspace.base,
  }
  const result = await goBackStep(input)
  expect(result).toMatchObject({
    commit: result.head,
    files: ['src/add.js', 'src/new.js'],
    tampered: [],
  })
  expect(filesOf(workspace.root)).toEqual(SAMPLE)
  expect([
    status(workspace.root),
    runGit(workspace.root, 'rev-parse', 'HEAD^'),
    runGit(workspace.root, 'log', '-1', '--format=%s'),
  ]).toEqual(['', head, 'Revert Fix add'])
  expect(filesIn(gitOf(workspace), result.snapshot ?? '')).toMatchObject({
    'src/add.js': 'unfinished\n',
    'coverage/out.txt': 'debris\n',
  })
  expect(await goBackStep(input)).toEqual(result)
})

test('a restored tree is exactly the commit; ignored files and .ratchet stay, other work is kept under a ref', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, {
    'src/add.js': 'debris\n',
    'coverage/out.txt': 'debris\n',
    'test/add.test.js': null,
    '.ratchet/notes.md': 'mine',
    'node_modules/m.js': 'x',
    'debug.log': 'ignored',
  })
  mkdirSync(path.join(workspace.root, 'empty/inner'), { recursive: true })
  runGit(workspace.root, 'add', 'coverage')
  const ref = await restoreTree(workspace, workspace.base)
  expect(filesOf(workspace.root)).toEqual({
    ...SAMPLE,
    '.ratchet/notes.md': 'mine',
    'node_modules/m.js': 'x',
    'debug.log': 'ignored',
  })
  expect(ref).toMatch(/^refs\/ratchet\/snapshots\/restored-/)
  expect(filesIn(gitOf(workspace), ref ?? '')).toEqual({
    ...SAMPLE,
    'src/add.js': 'debris\n',
    'coverage/out.txt': 'debris\n',
    'test/add.test.js': undefined,
  })
  expect([status(workspace.root), await restoreTree(workspace, workspace.base)]).toEqual([
    '',
    undefined,
  ])
})

test('a restored tree keeps the files that an agent committed instead', async () => {
  const { workspace } = await makeWorkspace()
  runGit(workspace.root, 'switch', '-qc', 'agent-work')
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  commitAll(workspace.root, 'agent: fix')
  const ref = await restoreTree(workspace, workspace.base)
  expect(filesIn(gitOf(workspace), ref ?? '')['src/add.js']).toBe(FIXED)
  expect([
    headOf(workspace.root),
    runGit(workspace.root, 'symbolic-ref', 'HEAD'),
    filesOf(workspace.root),
  ]).toEqual([workspace.base, `refs/heads/${workspace.branch}`, SAMPLE])
})

test('a tree restored to an earlier commit keeps those behind it', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  const { head } = await commitStep(step(workspace), guard)
  const ref = await restoreTree(workspace, workspace.base)
  expect(runGit(gitOf(workspace), 'rev-list', ref ?? '')).toContain(head)
  expect([headOf(workspace.root), filesOf(workspace.root)]).toEqual([workspace.base, SAMPLE])
})

test('saves uncommitted work without moving it; the earlier content of the label stays reachable', async () => {
  const { workspace } = await makeWorkspace()
  expect(await snapshotUncommitted(workspace, 'before kill')).toBeUndefined()
  writeFiles(workspace.root, { 'src/add.js': 'one\n', 'src/new.js': 'one\n' })
  const ref = await snapshotUncommitted(workspace, 'before kill')
  expect(ref).toBe('refs/ratchet/snapshots/before-kill')
  const first = refs(gitOf(workspace))[ref ?? '']
  expect(await snapshotUncommitted(workspace, 'before kill')).toBe(ref)
  expect(refs(gitOf(workspace))[ref ?? '']).toBe(first)
  writeFiles(workspace.root, { 'src/add.js': 'two\n' })
  await snapshotUncommitted(workspace, 'before kill')
  expect(filesIn(gitOf(workspace), ref ?? '')['src/add.js']).toBe('two\n')
  expect(runGit(gitOf(workspace), 'rev-list', ref ?? '')).toContain(first)
  expect(filesOf(workspace.root)['src/new.js']).toBe('one\n')
})

test('changed files are those committed since, uncommitted, untracked and deleted', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  commitAll(workspace.root, 'agent: fix')
  writeFiles(workspace.root, {
    'package.json': '{}',
    'new file.txt': 'x',
    'test/add.test.js': null,
    '.ratchet/x': 'x',
    'debug.log': 'x',
  })
  expect(await changedFiles(workspace, workspace.base)).toEqual([
    'new file.txt',
    'package.json',
    'src/add.js',
    'test/add.test.js',
  ])
})
