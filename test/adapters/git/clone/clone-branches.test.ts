// What an agent commits on other branches of its clone is named, and nothing that it puts there
// hangs, misleads or stops a step.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commitStep } from '../../../../src/adapters/git/steps.js'
import type { Workspace } from '../../../../src/contract/workspace.js'
import {
  AT,
  commitAll,
  makeWorkspace,
  RUN,
  runGit,
  tempDir,
  writeFiles,
} from '../../../support/repositories/repos.js'

const committed = (workspace: Workspace, step = 'one') =>
  commitStep(
    { workspace, run: RUN, step, expectHead: workspace.base, at: AT, subject: step },
    () => false,
  )
const heads = (root: string, ...names: string[]) => path.join(root, '.git/refs/heads', ...names)

/** Two branches from the base with a commit each; the first one is checked out. */
async function twoBranches(): Promise<Workspace> {
  const { workspace } = await makeWorkspace()
  const { root } = workspace
  runGit(root, 'checkout', '-qb', 'feature/half')
  writeFiles(root, { 'src/half.js': 'half\n' })
  commitAll(root, 'half')
  runGit(root, 'checkout', '-qb', 'feature/third', workspace.base)
  writeFiles(root, { 'src/third.js': 'third\n' })
  commitAll(root, 'third')
  runGit(root, 'checkout', '-q', 'feature/half')
  return workspace
}
const THIRD = { branch: 'feature/third', commits: 1, subjects: ['third'] }

test('a commit on another branch is named, also by a repeated attempt, and not by the next step', async () => {
  const workspace = await twoBranches()
  const first = await committed(workspace)
  expect(first.files).toEqual(['src/half.js'])
  expect(first.leftBranches).toEqual({ branches: [THIRD], total: 1 })
  expect(await committed(workspace)).toEqual(first)
  const next = { workspace, run: RUN, step: 'two', expectHead: first.head, at: AT, subject: 'two' }
  expect(await commitStep(next, () => false)).not.toHaveProperty('leftBranches')
})

test.each<{ why: string; act: (root: string, base: string) => void }>([
  { why: 'commits nothing', act: () => undefined },
  { why: 'commits on its branch', act: (root) => commitAll(root, 'mine') },
  {
    why: 'commits on another branch and stays there',
    act: (root) => {
      runGit(root, 'checkout', '-qb', 'mine')
      commitAll(root, 'mine')
    },
  },
  {
    why: 'merges its other branch',
    act: (root) => {
      runGit(root, 'checkout', '-qb', 'mine')
      commitAll(root, 'mine')
      runGit(root, 'checkout', '-q', '-')
      runGit(root, 'merge', '-q', '--squash', 'mine')
    },
  },
  { why: 'makes a branch at the start', act: (root, base) => runGit(root, 'branch', 'b', base) },
])('an agent that $why has left nothing on other branches', async ({ act }) => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/half.js': 'half\n' })
  act(workspace.root, workspace.base)
  const result = await committed(workspace)
  expect(result.files).toEqual(['src/half.js'])
  expect(result).not.toHaveProperty('leftBranches')
})

test('packed branches are named without what cannot be read', async () => {
  const workspace = await twoBranches()
  runGit(workspace.root, 'pack-refs', '--all')
  expect((await committed(workspace)).leftBranches?.branches).toEqual([THIRD])
  const other = await twoBranches()
  runGit(other.root, 'gc', '-q')
  expect((await committed(other)).leftBranches?.branches).toEqual([{ ...THIRD, subjects: [] }])
})

test.each<{ why: string; act: (root: string) => void }>([
  {
    why: 'a pipe and a link as branches',
    act: (root) => {
      execFileSync('mkfifo', [heads(root, 'pipe')])
      symlinkSync('/etc/passwd', heads(root, 'link'))
      symlinkSync(heads(root), heads(root, 'around'))
    },
  },
  {
    why: 'a commit of another content under its name',
    act: (root) => {
      const hash = runGit(root, 'rev-parse', 'feature/half')
      const object = (of: string) => path.join(root, '.git/objects', of.slice(0, 2), of.slice(2))
      const forged = 'a'.repeat(40)
      mkdirSync(path.dirname(object(forged)), { recursive: true })
      writeFileSync(object(forged), readFileSync(object(hash)))
      writeFileSync(heads(root, 'aaa'), `${forged}\n`)
    },
  },
  {
    why: 'names with control characters, and nonsense',
    act: (root) => {
      writeFileSync(heads(root, '\u001b[2J'), runGit(root, 'rev-parse', 'feature/third'))
      writeFileSync(heads(root, 'nonsense'), 'x'.repeat(5_000))
      writeFileSync(path.join(root, '.git/HEAD'), 'nonsense\n')
    },
  },
  {
    why: 'thousands of branches',
    act: (root) => {
      const hash = runGit(root, 'rev-parse', 'feature/third')
      mkdirSync(heads(root, 'many'))
      for (let n = 0; n < 7_000; n++) writeFileSync(heads(root, 'many', `b${n}`), hash)
    },
  },
])('$why in a clone stop no step, and nothing is followed', async ({ act }) => {
  const workspace = await twoBranches()
  act(workspace.root)
  const { files, leftBranches: left } = await committed(workspace)
  expect(files).toEqual(['src/half.js'])
  expect(left?.branches.length).toBeLessThanOrEqual(10)
  expect(JSON.stringify(left)).not.toMatch(/root:|\\u001b/)
  expect(left?.branches.some(({ subjects }) => subjects.includes('third'))).toBe(true)
})

test('a link in the place of .git is not followed', async () => {
  const { workspace } = await makeWorkspace()
  const other = tempDir()
  runGit(other, 'init', '-q')
  writeFiles(other, { a: 'a\n' })
  commitAll(other, 'of the user')
  rmSync(path.join(workspace.root, '.git'), { recursive: true })
  symlinkSync(path.join(other, '.git'), path.join(workspace.root, '.git'))
  expect(await committed(workspace)).not.toHaveProperty('leftBranches')
})
