// Steps that are killed before any of their git commands, and repeated: the end is always the same.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { gitHook } from '../../../../src/adapters/git/git.js'
import { commitStep, restoreTree, rollbackStep } from '../../../../src/adapters/git/steps.js'
import type { Workspace } from '../../../../src/contract/workspace.js'
import { isGuarded, restoreGuardedParts } from '../../../../src/core/test-guard.js'
import { AT, commitAll, copyWorkspace, filesOf, makeRepo, makeWorkspace, prepare, RUN, refs, runGit, SAMPLE, tempDir, tempDirs, writeFiles } from '../../../support/repos.js'

class Killed extends Error {}

/** Runs `work`, killed before its nth git command. Returns whether it got that far. */
async function killedBefore(n: number, work: () => Promise<unknown>): Promise<boolean> {
  let calls = 0
  const attempt = gitHook.run(() => {
    if (++calls > n) throw new Killed(`before command ${n + 1}`)
  }, work)
  return attempt.then(() => false, (error: unknown) => {
    if (error instanceof Killed) return true
    throw error
  })
}

const MOST = 200

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
  let n = 0
  for (; n < MOST; n++) {
    const workspace = copyWorkspace(start)
    const killed = await killedBefore(n, () => commit(workspace))
    expect(await commit(workspace), `killed before command ${n + 1}`).toEqual(result)
    expect(endState(workspace), `killed before command ${n + 1}`).toEqual(endState(undisturbed))
    expect(refs(workspace.root), `killed before command ${n + 1}`).toEqual(refs(undisturbed.root))
    if (!killed) break
  }
  expect(n).toBeGreaterThan(15)
  expect(n).toBeLessThan(MOST)
}, 180_000)

test('a rollback killed before any command and repeated ends the same', async () => {
  const { workspace: start } = await makeWorkspace()
  writeFiles(start.root, { 'src/add.js': 'worse\n', 'src/new.js': 'new\n', 'test/add.test.js': 'weaker\n' })
  const { head } = await commit(start)
  writeFiles(start.root, { 'coverage/x': 'debris\n' })
  const rollback = (workspace: Workspace) => rollbackStep({ workspace, run: RUN, step: 'rollback-1', expectHead: head, toTree: workspace.base, at: AT, subject: 'Revert Fix add' })
  const undisturbed = copyWorkspace(start)
  const result = await rollback(undisturbed)
  let n = 0
  for (; n < MOST; n++) {
    const workspace = copyWorkspace(start)
    const killed = await killedBefore(n, () => rollback(workspace))
    expect(await rollback(workspace), `killed before command ${n + 1}`).toEqual(result)
    expect(endState(workspace), `killed before command ${n + 1}`).toEqual(endState(undisturbed))
    if (!killed) break
  }
  expect(n).toBeGreaterThan(15)
}, 180_000)

test('restoring a tree, killed before any command and repeated, loses no work', async () => {
  const { workspace: start } = await makeWorkspace()
  writeFiles(start.root, { 'src/add.js': 'work\n', 'src/new.js': 'new work\n' })
  let n = 0
  for (; n < MOST; n++) {
    const workspace = copyWorkspace(start)
    const killed = await killedBefore(n, () => restoreTree(workspace, workspace.base))
    await restoreTree(workspace, workspace.base)
    expect(filesOf(workspace.root)).toEqual(SAMPLE)
    const kept = Object.keys(refs(workspace.root)).filter((ref) => ref.startsWith('refs/ratchet/snapshots/restored-'))
    expect(kept.map((ref) => runGit(workspace.root, 'show', `${ref}:src/new.js`)), `killed before command ${n + 1}`).toEqual(['new work'])
    if (!killed) break
  }
  expect(n).toBeGreaterThan(8)
}, 180_000)

test('preparing a workspace, killed before any command and repeated, gives the same base, branch and files', async () => {
  const template = makeRepo()
  runGit(template, 'branch', 'other')
  writeFiles(template, { 'src/add.js': 'uncommitted\n', 'notes.txt': 'untracked\n', '.env': 'SECRET=1\n' })
  const input = { workspaceConfig: { copy: ['.env'] } }
  const play = async (n: number) => {
    const project = path.join(tempDir(), 'project')
    cpSync(template, project, { recursive: true, preserveTimestamps: true })
    const dirs = tempDirs()
    const killed = await killedBefore(n, () => prepare(project, dirs, input))
    const { workspace, head, warnings } = await prepare(project, dirs, input)
    expect(await prepare(project, dirs, input)).toEqual({ workspace, head, warnings })
    return { killed, end: { head, warnings, state: endState(workspace), users: refs(project), files: filesOf(project) } }
  }
  const { end } = await play(MOST)
  let n = 0
  for (; n < MOST; n++) {
    const played = await play(n)
    expect(played.end, `killed before command ${n + 1}`).toEqual(end)
    if (!played.killed) break
  }
  expect(n).toBeGreaterThan(25)
}, 180_000)
