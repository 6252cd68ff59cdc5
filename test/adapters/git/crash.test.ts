// Steps that are killed before any of their git commands, and repeated: the end is always the same.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commitStep, restoreTree, rollbackStep } from '../../../src/adapters/git/steps.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { isGuarded, restoreGuardedParts } from '../../../src/core/test-guard.js'
import { killedBefore, killPoints } from '../../support/killed-git.js'
import { AT, commitAll, copyWorkspace, filesOf, makeRepo, makeWorkspace, prepare, RUN, refs, runGit, SAMPLE, tempDir, tempDirs, writeFiles } from '../../support/repos.js'

/** Fewer, and the places where to kill were not found. */
const FEWEST = 8

async function pointsOf(start: Workspace, step: (workspace: Workspace) => Promise<unknown>): Promise<number[]> {
  const workspace = copyWorkspace(start)
  const points = await killPoints([workspace.root], () => step(workspace))
  expect(points.length).toBeGreaterThan(FEWEST)
  return points
}

function endState({ root }: Workspace): unknown {
  return {
    head: runGit(root, 'rev-parse', 'HEAD'), branch: runGit(root, 'symbolic-ref', 'HEAD'),
    status: runGit(root, 'status', '--porcelain'), files: filesOf(root), heads: Object.entries(refs(root)).filter(([ref]) => ref.startsWith('refs/heads/')),
  }
}

const commit = (workspace: Workspace) => commitStep(
  { workspace, run: RUN, step: 'IMPL-fix-1', expectHead: workspace.base, at: AT, subject: 'Fix add' }, (file) => isGuarded(file), { restore: restoreGuardedParts },
)

const AGENT_LEFT: { why: string; act: (root: string) => void }[] = [
  { why: 'edits, tampering in tests and in package.json', act: (root) => writeFiles(root, {
    'src/add.js': 'fixed\n', 'src/new.js': 'new\n', 'test/add.test.js': null, 'test/more.test.js': 'trivial\n', 'package.json': '{ "name": "sample", "scripts": { "test": "true" }, "x": 1 }\n',
  }) },
  { why: 'commits on the branch, then more on a detached HEAD, and edits', act: (root) => {
    writeFiles(root, { 'src/add.js': 'first\n', 'test/add.test.js': 'weaker\n' })
    commitAll(root, 'agent: one')
    runGit(root, 'switch', '-q', '--detach')
    writeFiles(root, { 'src/b.js': 'second\n' })
    commitAll(root, 'agent: two')
    writeFiles(root, { 'src/c.js': 'third\n' })
  } },
]

test.each(AGENT_LEFT)('a commit step after $why: killed before any command and repeated, it ends the same', async ({ act }) => {
  const { workspace: start } = await makeWorkspace({ ...SAMPLE })
  act(start.root)
  const undisturbed = copyWorkspace(start)
  const result = await commit(undisturbed)
  expect(result.tampered).not.toEqual([])
  for (const n of await pointsOf(start, commit)) {
    const workspace = copyWorkspace(start)
    expect(await killedBefore(n, () => commit(workspace))).toBe(n < Infinity)
    expect(await commit(workspace), `killed before command ${n}`).toEqual(result)
    expect(endState(workspace), `killed before command ${n}`).toEqual(endState(undisturbed))
    expect(refs(workspace.root), `killed before command ${n}`).toEqual(refs(undisturbed.root))
  }
}, 180_000)

test('a rollback killed before any command and repeated ends the same', async () => {
  const { workspace: start } = await makeWorkspace()
  writeFiles(start.root, { 'src/add.js': 'worse\n', 'src/new.js': 'new\n', 'test/add.test.js': 'weaker\n' })
  const { head } = await commit(start)
  writeFiles(start.root, { 'coverage/x': 'debris\n' })
  const rollback = (workspace: Workspace) => rollbackStep({ workspace, run: RUN, step: 'rollback-1', expectHead: head, toTree: workspace.base, at: AT, subject: 'Revert Fix add' })
  const undisturbed = copyWorkspace(start)
  const result = await rollback(undisturbed)
  for (const n of await pointsOf(start, rollback)) {
    const workspace = copyWorkspace(start)
    expect(await killedBefore(n, () => rollback(workspace))).toBe(n < Infinity)
    expect(await rollback(workspace), `killed before command ${n}`).toEqual(result)
    expect(endState(workspace), `killed before command ${n}`).toEqual(endState(undisturbed))
  }
}, 180_000)

test('restoring a tree, killed before any command and repeated, loses no work', async () => {
  const { workspace: start } = await makeWorkspace()
  writeFiles(start.root, { 'src/add.js': 'work\n', 'src/new.js': 'new work\n' })
  for (const n of await pointsOf(start, (workspace) => restoreTree(workspace, workspace.base))) {
    const workspace = copyWorkspace(start)
    expect(await killedBefore(n, () => restoreTree(workspace, workspace.base))).toBe(n < Infinity)
    await restoreTree(workspace, workspace.base)
    expect(filesOf(workspace.root)).toEqual(SAMPLE)
    const kept = Object.keys(refs(workspace.root)).filter((ref) => ref.startsWith('refs/ratchet/snapshots/restored-'))
    expect(kept.map((ref) => runGit(workspace.root, 'show', `${ref}:src/new.js`)), `killed before command ${n}`).toEqual(['new work'])
  }
}, 180_000)

test('preparing a workspace, killed before any command and repeated, gives the same base, branch and files', async () => {
  const template = makeRepo()
  runGit(template, 'branch', 'other')
  writeFiles(template, { 'src/add.js': 'uncommitted\n', 'notes.txt': 'untracked\n', '.env': 'SECRET=1\n' })
  const input = { workspaceConfig: { copy: ['.env'] } }
  const make = () => {
    const project = path.join(tempDir(), 'project')
    cpSync(template, project, { recursive: true, preserveTimestamps: true })
    return { project, dirs: tempDirs() }
  }
  const play = async (n: number) => {
    const { project, dirs } = make()
    expect(await killedBefore(n, () => prepare(project, dirs, input))).toBe(n < Infinity)
    const { workspace, head, warnings } = await prepare(project, dirs, input)
    expect(await prepare(project, dirs, input)).toEqual({ workspace, head, warnings })
    return { head, warnings, state: endState(workspace), users: refs(project), files: filesOf(project) }
  }
  const undisturbed = await play(Infinity)
  const { project, dirs } = make()
  const points = await killPoints([project, dirs.state], () => prepare(project, dirs, input))
  expect(points.length).toBeGreaterThan(FEWEST)
  for (const n of points) expect(await play(n), `killed before command ${n}`).toEqual(undisturbed)
}, 180_000)
