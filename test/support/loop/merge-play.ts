// Workers' clones with changes, and their expected merge, for the cases of every run and the
// nightly ones.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { mergeWorkers, type MergeWorkers } from '../../../src/adapters/git/merge/merge-workers.js'
import { cloneForWorker } from '../../../src/adapters/workspace/worker-clones.js'
import { Config } from '../../../src/contract/config/config.js'
import type { ParallelAction } from '../../../src/contract/dev-loop/loop-input.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { killedBefore, killPoints } from '../repositories/killed-git.js'
import {
  AT,
  copyWorkspace,
  filesOf,
  gitOf,
  makeWorkspaceIn,
  refs,
  RUN,
  runGit,
  writeFiles,
  type Files,
} from '../repositories/repos.js'
import { placeOf } from '../repositories/templates.js'

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
/** A file of seven lines, some of them others. */
export const text = (changes: Record<number, string> = {}) =>
  LINES.map((line, at) => `${changes[at + 1] ?? line}\n`).join('')
export const [A, B, C] = [text({ 1: 'develop' }), text({ 1: 'debug' }), text({ 1: 'validate' })]
// src/b.ts is no copy of src/a.ts: git would take it for the other end of a rename.
export const BASE: Files = {
  'src/a.ts': text(),
  'src/b.ts': 'quite\nanother\nfile\n',
  'test/b.test.ts': 'b\n',
  'data.bin': Buffer.from([0, 1, 2, 3]),
  'run.sh': 'echo\n',
}

export type Work = Partial<Record<ParallelAction, Files | ((root: string) => void)>>
export type Worked = {
  workspace: Workspace
  workers: { action: ParallelAction; workspace: Workspace }[]
}

export async function cloneInto(workspace: Workspace, into: string): Promise<Workspace> {
  return (
    await cloneForWorker({
      workspace,
      head: workspace.base,
      into,
      run: RUN,
      config: Config.parse({}),
      env: process.env,
    })
  ).workspace
}

export function inputOf(
  { workspace, workers }: Worked,
  choices: MergeWorkers['choices'] = {},
): MergeWorkers {
  return {
    run: RUN,
    step: 'iteration-1',
    workspace,
    expectHead: workspace.base,
    at: AT,
    subject: 'Round 1',
    workers: workers.map((one) => ({ ...one, guard: () => false })),
    choices,
  }
}

/** A workspace and a clone for each worker, with its work in it. */
export async function worked(work: Work): Promise<Worked> {
  const { workspace, clones } = await placeOf('with clones', async (dir) => {
    const made = await makeWorkspaceIn(dir, BASE)
    const own = async (action: ParallelAction) =>
      cloneInto(made.workspace, path.join(path.dirname(made.workspace.root), 'workers', action))
    return {
      workspace: made.workspace,
      clones: {
        develop: await own('develop'),
        debug: await own('debug'),
        validate: await own('validate'),
      },
    }
  })
  const workers: Worked['workers'] = []
  for (const [action, change] of Object.entries(work) as [
    ParallelAction,
    NonNullable<Work[ParallelAction]>,
  ][]) {
    const own = clones[action]
    if (typeof change === 'function') change(own.root)
    else writeFiles(own.root, change)
    workers.push({ action, workspace: own })
  }
  return { workspace, workers }
}

/**
 * A copy elsewhere. Clones lie next to the tree of their workspace, so that one copy holds all of
 * them.
 */
export function copied({ workspace, workers }: Worked): Worked {
  const copy = copyWorkspace(workspace)
  const dir = path.dirname(copy.root)
  const moved = (own: Workspace) =>
    path.join(dir, path.relative(path.dirname(workspace.root), own.root))
  return {
    workspace: copy,
    workers: workers.map((one) => ({
      ...one,
      workspace: { ...one.workspace, root: moved(one.workspace), cwd: moved(one.workspace) },
    })),
  }
}

export const headOf = (dir: string) => runGit(dir, 'rev-parse', 'HEAD')
export const without = (files: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)))
export const endOf = ({ root }: Workspace) => ({
  files: filesOf(root),
  refs: refs(gitOf({ root })),
  status: runGit(root, 'status', '--porcelain'),
  attached: readFileSync(path.join(root, '.git/HEAD'), 'utf8'),
})

export type Merges = {
  why: string
  work: Work
  merged: (files: Record<string, string>) => Record<string, string>
}

/** Everything is merged at once, in one commit on those of the workers. */
export async function expectMerged({ work, merged }: Merges): Promise<void> {
  const start = await worked(work)
  const { root, base, branch } = start.workspace
  const before = filesOf(root)
  const answer = await mergeWorkers(inputOf(start))
  expect(answer.conflicts).toEqual([])
  expect(filesOf(root)).toEqual(merged(before))
  expect(runGit(root, 'status', '--porcelain')).toBe('')
  expect(runGit(root, 'log', '-1', '--format=%H %P').split(' ')).toEqual([
    answer.head,
    ...answer.workers.map(({ commit }) => commit),
  ])
  expect(answer.commits).toEqual([...answer.workers.map(({ commit }) => commit), answer.head])
  expect(runGit(root, 'diff', '--name-only', '--no-renames', base, 'HEAD').split('\n')).toEqual(
    answer.files,
  )
  expect([refs(root), refs(gitOf({ root }))]).toEqual([
    { [`refs/heads/${branch}`]: answer.head },
    { [`refs/heads/${branch}`]: answer.head },
  ])
}

export type Conflicts = { why: string; work: Work; conflicts: [string, ParallelAction[]][] }

/** No branch moves, and the conflicts are named. */
export async function expectConflicts({ work, conflicts }: Conflicts): Promise<void> {
  const start = await worked(work)
  const { root, base } = start.workspace
  writeFiles(root, { 'unfinished.txt': 'of the run\n' })
  const before = { files: filesOf(root), head: headOf(root) }
  const answer = await mergeWorkers(inputOf(start))
  expect(answer.conflicts).toEqual(
    conflicts.map(([file, named]) => ({ file, workers: named, resolution: 'manual' })),
  )
  expect(answer).toMatchObject({
    head: base,
    commits: [],
    files: [],
    conflictsTotal: conflicts.length,
  })
  expect({ files: filesOf(root), head: headOf(root) }).toEqual(before)
  expect(
    answer.workers.map(({ commit }) =>
      runGit(gitOf(start.workspace), 'cat-file', '-t', commit ?? 'none'),
    ),
  ).toEqual(answer.workers.map(() => 'commit'))
}

export type Choices = {
  why: string
  work: Work
  choices: MergeWorkers['choices']
  merged: Record<string, string | undefined>
}

/**
 * The conflict is asked once, and every repetition after the answer gives the same merge.
 */
export async function expectChosen({ work, choices, merged }: Choices): Promise<void> {
  const start = await worked(work)
  const { root } = start.workspace
  const asked = await mergeWorkers(inputOf(start))
  expect(asked.conflictsTotal).toBeGreaterThan(0)
  const answer = await mergeWorkers(inputOf(start, choices))
  expect(answer.conflicts).toEqual([])
  const files = filesOf(root)
  for (const [file, content] of Object.entries(merged)) expect(files[file], file).toBe(content)
  expect(answer.workers).toEqual(asked.workers)
  expect(await mergeWorkers(inputOf(start, choices))).toEqual(answer)
  expect(runGit(root, 'status', '--porcelain')).toBe('')
}

/**
 * A merge with an answered conflict that is killed at these places, and repeated, ends the same.
 */
export async function expectSameMerge(
  which: (points: readonly number[]) => readonly number[],
): Promise<void> {
  const start = await worked({
    develop: { 'src/a.ts': A, 'new.ts': 'n\n' },
    debug: { 'src/a.ts': B, 'src/b.ts': text({ 2: '2' }) },
  })
  // The clones are committed: their steps have a test of their own
  await mergeWorkers(inputOf(start))
  const merge = (one: Worked) => mergeWorkers(inputOf(one, { 'src/a.ts': 'debug' }))
  const undisturbed = copied(start)
  // First: what is known of a commit is not asked again, and places are counted
  const result = await merge(undisturbed)
  const watched = copied(start)
  const points = await killPoints([path.dirname(watched.workspace.root)], () => merge(watched))
  expect(points.length).toBeGreaterThan(15)
  const end = endOf(undisturbed.workspace)
  for (const n of which(points)) {
    const one = copied(start)
    expect(await killedBefore(n, () => merge(one))).toBe(n < Infinity)
    expect(await merge(one), `killed before command ${n}`).toEqual(result)
    expect(endOf(one.workspace), `killed before command ${n}`).toEqual(end)
  }
}
