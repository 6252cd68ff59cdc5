// Steps and preparations killed before their git commands and repeated must always end the same.
import path from 'node:path'
import { expect } from 'vitest'
import { commitStep, restoreTree, goBackStep } from '../../../src/adapters/git/steps.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { isGuarded, restoreGuardedParts } from '../../../src/core/guard/test-guard.js'
import { killedBefore, killPoints } from './killed-git.js'
import {
  AT,
  commitAll,
  copyWorkspace,
  filesOf,
  gitOf,
  makeRepo,
  makeWorkspace,
  prepare,
  refs,
  RUN,
  runGit,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
} from './repos.js'
import { copyTree } from './templates.js'

/** Which of the places where a command finds other files than the one before it. */
export type Which = (points: readonly number[]) => readonly number[]

/** Fewer, and the places where to kill were not found. */
const FEWEST = 4

async function pointsOf(
  start: Workspace,
  step: (workspace: Workspace) => Promise<unknown>,
  fewest = FEWEST,
): Promise<number[]> {
  const workspace = copyWorkspace(start)
  const points = await killPoints([path.dirname(workspace.root)], () => step(workspace))
  expect(points.length).toBeGreaterThan(fewest)
  return points
}

// Head, branch and what is not committed; with `all` every ref, else branches.
function endState(workspace: Workspace, { all = false } = {}): unknown {
  const { root } = workspace
  return {
    status: runGit(root, 'status', '--porcelain=v2', '--branch'),
    files: filesOf(root),
    agents: refs(root),
    refs: Object.entries(refs(gitOf(workspace))).filter(
      ([ref]) => all || ref.startsWith('refs/heads/'),
    ),
  }
}

const commit = (workspace: Workspace) =>
  commitStep(
    {
      workspace,
      run: RUN,
      step: 'IMPL-fix-1',
      expectHead: workspace.base,
      at: AT,
      subject: 'Fix add',
    },
    (file) => isGuarded(file),
    { restore: restoreGuardedParts },
  )

export type Left = { why: string; act: (root: string) => void }

/** States in which an agent leaves the tree to a commit step. */
export const AGENT_LEFT: { edits: Left; commits: Left } = {
  edits: {
    why: 'edits, tampering in tests and in package.json',
    act: (root) =>
      writeFiles(root, {
        'src/add.js': 'fixed\n',
        'src/new.js': 'new\n',
        'test/add.test.js': null,
        'test/more.test.js': 'trivial\n',
        'package.json': '{ "name": "sample", "scripts": { "test": "true" }, "x": 1 }\n',
      }),
  },
  commits: {
    why: 'commits on the branch, then more on a detached HEAD, and edits',
    act: (root) => {
      writeFiles(root, { 'src/add.js': 'first\n', 'test/add.test.js': 'weaker\n' })
      commitAll(root, 'agent: one')
      runGit(root, 'switch', '-q', '--detach')
      writeFiles(root, { 'src/b.js': 'second\n' })
      commitAll(root, 'agent: two')
      writeFiles(root, { 'src/c.js': 'third\n' })
    },
  },
}

export async function expectSameCommit({ act }: Left, which: Which): Promise<void> {
  const { workspace: start } = await makeWorkspace({ ...SAMPLE })
  act(start.root)
  const undisturbed = copyWorkspace(start)
  const result = await commit(undisturbed)
  expect(result.tampered).not.toEqual([])
  const end = endState(undisturbed, { all: true })
  for (const n of which(await pointsOf(start, commit))) {
    const workspace = copyWorkspace(start)
    expect(await killedBefore(n, () => commit(workspace))).toBe(n < Infinity)
    expect(await commit(workspace), `killed before command ${n}`).toEqual(result)
    expect(endState(workspace, { all: true }), `killed before command ${n}`).toEqual(end)
  }
}

export async function expectSameRollback(which: Which): Promise<void> {
  const { workspace: start } = await makeWorkspace()
  writeFiles(start.root, {
    'src/add.js': 'worse\n',
    'src/new.js': 'new\n',
    'test/add.test.js': 'weaker\n',
  })
  const { head } = await commit(start)
  writeFiles(start.root, { 'coverage/x': 'debris\n' })
  const rollback = (workspace: Workspace) =>
    goBackStep({
      workspace,
      run: RUN,
      step: 'rollback-1',
      expectHead: head,
      toTree: workspace.base,
      at: AT,
      subject: 'Revert Fix add',
    })
  const undisturbed = copyWorkspace(start)
  const result = await rollback(undisturbed)
  const end = endState(undisturbed)
  for (const n of which(await pointsOf(start, rollback))) {
    const workspace = copyWorkspace(start)
    expect(await killedBefore(n, () => rollback(workspace))).toBe(n < Infinity)
    expect(await rollback(workspace), `killed before command ${n}`).toEqual(result)
    expect(endState(workspace), `killed before command ${n}`).toEqual(end)
  }
}

/** Any step: with every ref, so nothing is kept twice and no commit is lost. */
export async function expectSamePlay(
  start: Workspace,
  play: (workspace: Workspace) => Promise<unknown>,
  which: Which,
  fewest?: number,
): Promise<void> {
  const undisturbed = copyWorkspace(start)
  const result = await play(undisturbed)
  const end = endState(undisturbed, { all: true })
  for (const n of which(await pointsOf(start, play, fewest))) {
    const workspace = copyWorkspace(start)
    expect(await killedBefore(n, () => play(workspace))).toBe(n < Infinity)
    expect(await play(workspace), `killed before command ${n}`).toEqual(result)
    expect(endState(workspace, { all: true }), `killed before command ${n}`).toEqual(end)
  }
}

export async function expectNoWorkLost(which: Which): Promise<void> {
  const { workspace: start } = await makeWorkspace()
  writeFiles(start.root, { 'src/add.js': 'work\n', 'src/new.js': 'new work\n' })
  const undisturbed = copyWorkspace(start)
  // First: what is known of a commit is not asked again, and places are counted
  await restoreTree(undisturbed, undisturbed.base)
  for (const n of which(
    await pointsOf(start, (workspace) => restoreTree(workspace, workspace.base)),
  )) {
    const workspace = copyWorkspace(start)
    expect(await killedBefore(n, () => restoreTree(workspace, workspace.base))).toBe(n < Infinity)
    await restoreTree(workspace, workspace.base)
    expect(filesOf(workspace.root)).toEqual(SAMPLE)
    const kept = Object.keys(refs(gitOf(workspace))).filter((ref) =>
      ref.startsWith('refs/ratchet/snapshots/restored-'),
    )
    expect(
      kept.map((ref) => runGit(gitOf(workspace), 'show', `${ref}:src/new.js`)),
      `killed before command ${n}`,
    ).toEqual(['new work'])
  }
}

export async function expectSamePreparation(which: Which): Promise<void> {
  const template = makeRepo()
  runGit(template, 'branch', 'other')
  writeFiles(template, {
    'src/add.js': 'uncommitted\n',
    'notes.txt': 'untracked\n',
    '.env': 'SECRET=1\n',
  })
  const input = { workspaceConfig: { copy: ['.env'] } }
  const make = () => {
    const project = path.join(tempDir(), 'project')
    copyTree(template, project)
    return { project, dirs: tempDirs() }
  }
  const play = async (n: number) => {
    const { project, dirs } = make()
    expect(await killedBefore(n, () => prepare(project, dirs, input))).toBe(n < Infinity)
    const { workspace, head, warnings, measuredWith } = await prepare(project, dirs, input)
    expect(measuredWith).toEqual(['workspace.copy: .env'])
    expect(await prepare(project, dirs, input)).toEqual({ workspace, head, warnings, measuredWith })
    return {
      head,
      warnings,
      measuredWith,
      state: endState(workspace),
      users: refs(project),
      files: filesOf(project),
    }
  }
  const undisturbed = await play(Infinity)
  const { project, dirs } = make()
  const points = await killPoints([project, dirs.state], () => prepare(project, dirs, input))
  expect(points.length).toBeGreaterThan(FEWEST)
  for (const n of which(points))
    expect(await play(n), `killed before command ${n}`).toEqual(undisturbed)
}
