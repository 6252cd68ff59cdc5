// The tree that an agent leaves to a step, and the resulting step, for the cases of every run and
// the nightly ones.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { commitStep } from '../../../src/adapters/git/steps.js'
import type { CommitInput, Workspace } from '../../../src/contract/workspace.js'
import { fileKind, isUndoneForTestWriter } from '../../../src/core/guard/test-files.js'
import { isGuarded, restoreGuardedParts } from '../../../src/core/guard/test-guard.js'
import {
  AT,
  filesIn,
  filesOf,
  gitOf,
  makeWorkspace,
  RUN,
  runGit,
  SAMPLE,
  writeFiles,
  type Files,
} from '../repositories/repos.js'

export const FIXED = 'export const add = (a, b) => a + b\n'
export const guard = (file: string) => isGuarded(file)
export const step = (workspace: Workspace, input: Partial<CommitInput> = {}): CommitInput => ({
  workspace,
  run: RUN,
  step: 'IMPL-fix-1',
  expectHead: workspace.base,
  at: AT,
  subject: 'Fix add',
  body: 'Strategy: conservative',
  ...input,
})
export const status = (dir: string) => runGit(dir, 'status', '--porcelain')

export type AgentGit = {
  why: string
  act: (root: string, branch: string) => void
  files?: Record<string, string>
}

/**
 * The agent's files are one commit on the branch, from where the step began, and its clone shows
 * that; nothing else of what it did with git is left.
 */
export async function expectOwnStep({ act, files = {} }: AgentGit): Promise<void> {
  const { workspace } = await makeWorkspace()
  const branch = `refs/heads/${workspace.branch}`
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  act(workspace.root, workspace.branch)
  const result = await commitStep(step(workspace), guard)
  const git = (...args: string[]) =>
    runGit(
      workspace.root,
      `--git-dir=${workspace.root}/.git`,
      `--work-tree=${workspace.root}`,
      ...args,
    )
  expect(filesIn(workspace.root, result.head)).toEqual({ ...SAMPLE, ...files, 'src/add.js': FIXED })
  expect([
    git('symbolic-ref', 'HEAD'),
    git('rev-parse', branch),
    git('rev-parse', 'HEAD^'),
  ]).toEqual([branch, result.head, workspace.base])
  expect(git('status', '--porcelain')).toBe('')
  expect(existsSync(path.join(workspace.root, '.git/MERGE_HEAD'))).toBe(false)
  expect(result.snapshot).toBeUndefined()
  expect(await commitStep(step(workspace), guard)).toEqual(result)
}

const TESTED = {
  ...SAMPLE,
  'test/unit/deep.test.js': 'deep\n',
  'test/data.json': { script: '{}\n' },
  'conftest.py': 'x = 1\n',
}

export type Tampering = { why: string; files: Files; after?: Files; tampered: string[] }

/** Guarded files are as they were and named, what was found there is kept, the rest is the step. */
export async function expectPutBack({ files, after = {}, tampered }: Tampering): Promise<void> {
  const { workspace } = await makeWorkspace(TESTED)
  writeFiles(workspace.root, { ...files, 'src/add.js': FIXED })
  writeFiles(workspace.root, after)
  const before = filesOf(workspace.root)
  const result = await commitStep(step(workspace), guard)
  expect(result.tampered).toEqual(tampered)
  expect(result.files.filter((file) => guard(file))).toEqual([])
  const now = filesOf(workspace.root)
  for (const name of Object.keys(TESTED).filter(guard))
    expect(now[name]).toBe(
      name === 'test/data.json' ? '* {}\n' : TESTED[name as keyof typeof TESTED],
    )
  expect(Object.keys(now).filter((name) => guard(name) && !(name in TESTED))).toEqual([])
  expect(now['src/add.js']).toBe(FIXED)
  expect(status(workspace.root)).toBe('')
  const plain = Object.fromEntries(
    Object.entries(before).map(([name, content]) => [name, content.replace(/^(\* |-> )/, '')]),
  )
  expect(filesIn(gitOf(workspace), result.snapshot ?? '')).toEqual(plain)
  expect(await commitStep(step(workspace), guard)).toEqual(result)
}

const writer = { restore: restoreGuardedParts, isTest: (file: string) => fileKind(file) === 'test' }

export type TestStep = {
  why: string
  files: Files
  after?: Files
  kept: string[]
  tampered: string[]
  changed: string[]
}

/** A step that may write tests keeps only those. */
export async function expectTestStep({
  files,
  after = {},
  kept,
  tampered,
  changed,
}: TestStep): Promise<void> {
  const { workspace } = await makeWorkspace(TESTED)
  writeFiles(workspace.root, files)
  writeFiles(workspace.root, after)
  const result = await commitStep(step(workspace), isUndoneForTestWriter, writer)
  expect(result.files).toEqual(kept)
  expect(result.tampered).toEqual(tampered)
  expect(result.changedTests ?? []).toEqual(changed)
  expect(status(workspace.root)).toBe('')
  expect(Object.keys(filesIn(workspace.root, result.head))).toEqual(
    expect.arrayContaining(Object.keys(TESTED)),
  )
  expect(filesIn(workspace.root, result.head)['src/add.js']).toBe(SAMPLE['src/add.js'])
  expect(await commitStep(step(workspace), isUndoneForTestWriter, writer)).toEqual(result)
}
