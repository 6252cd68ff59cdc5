import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyBranch } from '../../../../src/adapters/git/user-repository/apply.js'
import { GitError, gitHook } from '../../../../src/adapters/git/git.js'
import { publishBranch } from '../../../../src/adapters/git/user-repository/publish.js'
import { commitStep, snapshotUncommitted } from '../../../../src/adapters/git/steps.js'
import type { Workspace } from '../../../../src/contract/workspace.js'
import {
  AT,
  commitAll,
  filesOf,
  fingerprint,
  installFailingHooks,
  makeWorkspace,
  prepare,
  refs,
  RUN,
  runGit,
  tempDir,
  writeFiles,
} from '../../../support/repositories/repos.js'

const BRANCH = 'refs/heads/ratchet/WFS-test-login'
const KEPT = 'refs/ratchet/WFS-test-login/head'

async function fix(workspace: Workspace, step: string, expectHead: string): Promise<string> {
  writeFiles(workspace.root, { 'src/add.js': `${step}\n` })
  return (
    await commitStep({ workspace, run: RUN, step, expectHead, at: AT, subject: step }, () => false)
  ).head
}

test('a published branch is the only change in the repository of the user', async () => {
  const { project, workspace } = await makeWorkspace()
  writeFiles(project, { 'src/add.js': 'my own work\n' })
  runGit(project, 'add', '-A')
  const hooks = installFailingHooks(project)
  const [before, refsBefore] = [fingerprint(project), refs(project)]
  const head = await fix(workspace, 'IMPL-fix-1', workspace.base)
  await snapshotUncommitted(workspace, 'some')
  expect(await publishBranch(workspace)).toEqual({ head })
  expect(await publishBranch(workspace)).toEqual({ head })
  expect(refs(project)).toEqual({ ...refsBefore, [BRANCH]: head })
  expect(fingerprint(project)).toEqual(before)
  expect(hooks.ran()).toBe(false)
  const next = await fix(workspace, 'IMPL-fix-2', head)
  expect(await publishBranch(workspace)).toEqual({ head: next })
  expect(runGit(project, 'rev-list', '--count', `${workspace.base}..${BRANCH}`)).toBe('2')
})

test('a branch that the user has checked out is left alone; the result is kept and reported', async () => {
  const { project, workspace } = await makeWorkspace()
  const worktree = path.join(tempDir(), 'wt')
  runGit(project, 'worktree', 'add', '-q', worktree, 'ratchet/WFS-test-login')
  const head = await fix(workspace, 'IMPL-fix-1', workspace.base)
  const { warning } = await publishBranch(workspace)
  expect(warning).toBe(
    `the branch ratchet/WFS-test-login is checked out in ${worktree} and was left alone; the result is ${KEPT}`,
  )
  expect(refs(project)).toMatchObject({ [BRANCH]: workspace.base, [KEPT]: head })
})

test('a branch that the user has moved is left alone', async () => {
  const { project, workspace } = await makeWorkspace()
  runGit(project, 'switch', '-q', 'ratchet/WFS-test-login')
  const users = commitAll(project, 'mine')
  runGit(project, 'switch', '-q', 'main')
  const head = await fix(workspace, 'IMPL-fix-1', workspace.base)
  expect((await publishBranch(workspace)).warning).toContain(`was moved to ${users.slice(0, 10)}`)
  expect(refs(project)).toMatchObject({ [BRANCH]: users, [KEPT]: head })
})

test('a branch that the user moves while it is published is left alone', async () => {
  const { project, workspace } = await makeWorkspace()
  const users = runGit(project, 'commit-tree', 'HEAD^{tree}', '-p', BRANCH, '-m', 'mine')
  const head = await fix(workspace, 'IMPL-fix-1', workspace.base)
  await expect(
    gitHook.run(
      (args) => {
        if (args.includes('ratchet: publish')) runGit(project, 'update-ref', BRANCH, users)
      },
      () => publishBranch(workspace),
    ),
  ).rejects.toThrow(GitError)
  expect(refs(project)[BRANCH]).toBe(users)
  expect((await publishBranch(workspace)).warning).toContain(`was moved to ${users.slice(0, 10)}`)
  expect(refs(project)).toMatchObject({ [BRANCH]: users, [KEPT]: head })
})

test('reports a deleted project', async () => {
  const { project, workspace } = await makeWorkspace()
  rmSync(project, { recursive: true })
  await expect(publishBranch(workspace)).rejects.toMatchObject({
    name: 'PlaceGone',
    place: project,
  })
})

test.each([
  {
    why: 'checked out elsewhere',
    act: (project: string) =>
      void runGit(
        project,
        'worktree',
        'add',
        '-q',
        path.join(tempDir(), 'wt'),
        'ratchet/WFS-test-login',
      ),
  },
  {
    why: 'moved by the user',
    act: (project: string) => {
      runGit(project, 'switch', '-q', 'ratchet/WFS-test-login')
      writeFiles(project, { 'mine.js': 'mine' })
      commitAll(project, 'mine')
      runGit(project, 'switch', '-q', 'main')
    },
  },
])('apply takes the result of a run whose branch was $why', async ({ act }) => {
  const { project, workspace } = await makeWorkspace()
  act(project)
  await fix(workspace, 'IMPL-fix-1', workspace.base)
  await publishBranch(workspace)
  expect(await applyBranch({ project, base: workspace.base, branch: workspace.branch })).toEqual({
    applied: ['src/add.js'],
    conflicts: [],
  })
  expect(filesOf(project)['src/add.js']).toBe('IMPL-fix-1\n')
})

test('apply uses the branch again once it could be moved, with the merges of the user', async () => {
  const { project, workspace } = await makeWorkspace()
  const worktree = path.join(tempDir(), 'wt')
  runGit(project, 'worktree', 'add', '-q', worktree, 'ratchet/WFS-test-login')
  const first = await fix(workspace, 'IMPL-fix-1', workspace.base)
  await publishBranch(workspace)
  runGit(worktree, 'merge', '-q', '--ff-only', KEPT)
  writeFiles(worktree, { 'mine.js': 'mine' })
  commitAll(worktree, 'mine')
  expect(
    (await applyBranch({ project, base: workspace.base, branch: workspace.branch })).applied,
  ).toEqual(['mine.js', 'src/add.js'])
  runGit(worktree, 'reset', '-q', '--hard', first)
  runGit(worktree, 'switch', '-q', '--detach')
  const second = await fix(workspace, 'IMPL-fix-2', first)
  expect(await publishBranch(workspace)).toEqual({ head: second })
  expect(refs(project)[KEPT]).toBeUndefined()
})

test('the kept result of an earlier run is not used for the next run of the name', async () => {
  const { project, workspace, dirs } = await makeWorkspace()
  const worktree = path.join(tempDir(), 'wt')
  runGit(project, 'worktree', 'add', '-q', worktree, 'ratchet/WFS-test-login')
  const head = await fix(workspace, 'IMPL-fix-1', workspace.base)
  await publishBranch(workspace)
  runGit(project, 'worktree', 'remove', '--force', worktree)
  const next = await prepare(project, dirs, { chain: 'chain-2' })
  expect(refs(project)).toMatchObject({
    [`refs/ratchet/old/WFS-test-login/${head.slice(0, 10)}`]: head,
  })
  expect(
    await applyBranch({ project, base: next.head, branch: next.workspace.branch }),
  ).toMatchObject({ applied: [], reason: 'the branch holds no changes' })
})

test('a branch that diverged in an earlier attempt is moved, and its tip kept', async () => {
  const { project, workspace } = await makeWorkspace()
  const first = await fix(workspace, 'IMPL-fix-1', workspace.base)
  await publishBranch(workspace)
  const second = await fix(workspace, 'IMPL-fix-1b', workspace.base)
  expect(await publishBranch(workspace)).toEqual({ head: second })
  expect(refs(project)).toMatchObject({
    [BRANCH]: second,
    [`refs/ratchet/old/WFS-test-login/${first.slice(0, 10)}`]: first,
  })
})

test('a branch that the user has deleted is restored; one that can no longer exist is kept as a ref', async () => {
  const { project, workspace } = await makeWorkspace()
  runGit(project, 'branch', '-qD', 'ratchet/WFS-test-login')
  expect(await publishBranch(workspace)).toEqual({ head: workspace.base })
  runGit(project, 'branch', '-qD', 'ratchet/WFS-test-login')
  runGit(project, 'branch', 'ratchet')
  const head = await fix(workspace, 'IMPL-fix-1', workspace.base)
  expect((await publishBranch(workspace)).warning).toContain(
    'cannot exist together with the branch ratchet',
  )
  expect(refs(project)).toMatchObject({ [KEPT]: head })
})
