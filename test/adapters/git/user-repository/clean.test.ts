import { chmodSync, existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyBranch } from '../../../../src/adapters/git/user-repository/apply.js'
import {
  removeBranch,
  removeRefs,
  removeWorkspace,
} from '../../../../src/adapters/git/user-repository/clean.js'
import { publishBranch } from '../../../../src/adapters/git/user-repository/publish.js'
import { commitStep } from '../../../../src/adapters/git/steps.js'
import { layout, projectKey } from '../../../../src/adapters/state-dir.js'
import {
  AT,
  commitAll,
  makeRepo,
  makeWorkspace,
  makeWorkspaceIn,
  prepare,
  refs,
  RUN,
  runGit,
  tempDirs,
  writeFiles,
} from '../../../support/repositories/repos.js'
import { placeOf } from '../../../support/repositories/templates.js'

const BRANCH = 'ratchet/WFS-test-login'

const fixedProject = () =>
  placeOf('fixed', async (dir) => {
    const made = await makeWorkspaceIn(dir)
    writeFiles(made.workspace.root, { 'src/add.js': 'fixed\n' })
    await commitStep(
      {
        workspace: made.workspace,
        run: RUN,
        step: 's',
        expectHead: made.workspace.base,
        at: AT,
        subject: 's',
      },
      () => false,
    )
    await publishBranch(made.workspace)
    return made
  })

test('a branch whose work is nowhere else is removed only by force', async () => {
  const { project } = await fixedProject()
  expect(await removeBranch(project, BRANCH)).toEqual({
    removed: false,
    reason: `the work on ${BRANCH} is nowhere else`,
  })
  expect(refs(project)).toHaveProperty(`refs/heads/${BRANCH}`)
  expect(await removeBranch(project, BRANCH, { force: true })).toEqual({ removed: true })
  expect(refs(project)).not.toHaveProperty(`refs/heads/${BRANCH}`)
  expect(await removeBranch(project, BRANCH)).toEqual({
    removed: false,
    reason: `there is no branch ${BRANCH}`,
  })
})

test.each([
  {
    why: 'applied to the working tree',
    act: async (project: string, base: string) =>
      void (await applyBranch({ project, base, branch: BRANCH })),
  },
  {
    why: 'applied and committed',
    act: async (project: string, base: string) => {
      await applyBranch({ project, base, branch: BRANCH })
      commitAll(project, 'take over')
    },
  },
  {
    why: 'merged',
    act: (project: string) => Promise.resolve(void runGit(project, 'merge', '-q', BRANCH)),
  },
])('a branch whose work was $why is removed', async ({ act }) => {
  const { project, workspace } = await fixedProject()
  await act(project, workspace.base)
  expect(await removeBranch(project, BRANCH)).toEqual({ removed: true })
})

test('a branch with only the snapshot of uncommitted work is removed while that work exists, and kept otherwise', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  writeFiles(project, { 'notes.txt': 'unsaved\n' })
  await prepare(project, dirs)
  writeFiles(project, { 'notes.txt': null })
  expect((await removeBranch(project, BRANCH)).removed).toBe(false)
  writeFiles(project, { 'notes.txt': 'unsaved\n' })
  expect((await removeBranch(project, BRANCH)).removed).toBe(true)
})

test.each(
  // prettier-ignore
  [
  { why: 'is not called like one of Ratchet', branch: 'main', force: true, reason: "main is not a branch of Ratchet's" },
  { why: 'holds commits of the user', branch: 'ratchet/mine', force: true, reason: "ratchet/mine holds commits that are not Ratchet's" },
],
)('a branch that $why is never removed', async ({ branch, force, reason }) => {
  const project = makeRepo()
  runGit(project, 'switch', '-qc', 'ratchet/mine')
  commitAll(project, 'mine')
  runGit(project, 'switch', '-q', 'main')
  expect(await removeBranch(project, branch, { force })).toEqual({ removed: false, reason })
})

test('a branch that is checked out is never removed', async () => {
  const { project } = await fixedProject()
  runGit(project, 'switch', '-q', BRANCH)
  expect((await removeBranch(project, BRANCH, { force: true })).reason).toContain(
    'is checked out in',
  )
})

test('removes a workspace with read-only folders; names that lead elsewhere are refused', async () => {
  const { project, workspace, dirs } = await makeWorkspace()
  const key = projectKey(project)
  writeFiles(workspace.root, { 'cache/mod/file': 'x' })
  chmodSync(path.join(workspace.root, 'cache/mod'), 0o555)
  expect(await removeWorkspace(dirs, key, 'WFS-test-login')).toBe(true)
  expect(existsSync(layout.workspace(dirs, key, 'WFS-test-login'))).toBe(false)
  expect(await removeWorkspace(dirs, key, 'WFS-test-login')).toBe(false)
  await expect(removeWorkspace(dirs, key, '../other')).rejects.toThrow('must')
  await expect(removeWorkspace(dirs, '..', 'x')).rejects.toThrow('hex')
})

test('refs of one run are removed, those of others stay', async () => {
  const project = makeRepo()
  for (const ref of [
    'refs/ratchet/a/head',
    'refs/ratchet/old/a/0123456789',
    'refs/ratchet/ab/head',
    'refs/heads/a',
  ])
    runGit(project, 'update-ref', ref, 'HEAD')
  expect((await removeRefs(project, 'a')).sort()).toEqual([
    'refs/ratchet/a/head',
    'refs/ratchet/old/a/0123456789',
  ])
  expect(Object.keys(refs(project)).sort()).toEqual([
    'refs/heads/a',
    'refs/heads/main',
    'refs/ratchet/ab/head',
  ])
})
