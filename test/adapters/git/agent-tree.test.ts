// What is done in the tree of an agent at work: it leaves no trace, and nothing of the agent's is
// lost.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  changesSince,
  restoreAgentTree,
  withoutTraces,
} from '../../../src/adapters/git/agent-tree.js'
import { changedFiles } from '../../../src/adapters/git/steps.js'
import { gitOf, makeWorkspace, runGit } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'ignored/\n' }

const unnoted = (): void => undefined

async function agentAtWork() {
  const { workspace } = await makeWorkspace(FILES)
  const at = (name: string) => path.join(workspace.cwd, name)
  writeFileSync(at('a.txt'), 'changed by the agent\n')
  writeFileSync(at('new.txt'), 'new\n')
  return { workspace, at, text: (name: string) => readFileSync(at(name), 'utf8') }
}

test('what a run changed, made or removed is restored to what the agent had, and kept in a snapshot', async () => {
  const { workspace, at, text } = await agentAtWork()
  const { value, restored } = await withoutTraces(
    workspace,
    async () => {
      writeFileSync(at('a.txt'), 'changed by the tests\n')
      writeFileSync(at('new.txt'), '')
      writeFileSync(at('b.txt'), 'x')
      mkdirSync(at('out'))
      writeFileSync(at('out/left.txt'), 'left')
      mkdirSync(at('ignored'))
      writeFileSync(at('ignored/cache'), 'kept')
      return Promise.resolve(7)
    },
    unnoted,
  )
  expect(value).toBe(7)
  expect(restored.sort()).toEqual(['a.txt', 'b.txt', 'new.txt', 'out/left.txt'])
  expect([text('a.txt'), text('new.txt'), text('b.txt')]).toEqual([
    'changed by the agent\n',
    'new\n',
    'b\n',
  ])
  expect(existsSync(at('out'))).toBe(false)
  expect(text('ignored/cache')).toBe('kept')
  expect(await changedFiles(workspace)).toEqual(['a.txt', 'new.txt'])
  const [kept] = runGit(
    gitOf(workspace),
    'for-each-ref',
    '--format=%(refname)',
    'refs/ratchet/snapshots',
  )
    .trim()
    .split('\n')
  expect(runGit(gitOf(workspace), 'show', `${kept}:out/left.txt`)).toBe('left')
})

test('also where it fails', async () => {
  const { workspace, at, text } = await agentAtWork()
  const failing = withoutTraces(
    workspace,
    () => {
      writeFileSync(at('a.txt'), '')
      return Promise.reject(new Error('aborted'))
    },
    unnoted,
  )
  await expect(failing).rejects.toThrow('aborted')
  expect(text('a.txt')).toBe('changed by the agent\n')
})

test('the tree that is noted before a run restores it where the worker died in it', async () => {
  const { workspace, at, text } = await agentAtWork()
  const noted: (string | undefined)[] = []
  let end = (): void => undefined
  const run = withoutTraces(
    workspace,
    () => {
      writeFileSync(at('a.txt'), 'changed by the tests\n')
      writeFileSync(at('left.txt'), 'left')
      rmSync(at('b.txt'))
      rmSync(at('new.txt'))
      return new Promise<void>((resolve) => (end = resolve))
    },
    (tree) => noted.push(tree),
  )
  await waitFor(() => existsSync(at('left.txt')), { what: 'the run' })
  expect(noted).toHaveLength(1)
  await restoreAgentTree(workspace, noted[0] as string)
  expect([text('a.txt'), text('new.txt'), text('b.txt')]).toEqual([
    'changed by the agent\n',
    'new\n',
    'b\n',
  ])
  expect(await changedFiles(workspace)).toEqual(['a.txt', 'new.txt'])
  end()
  expect((await run).restored).toEqual([])
  expect(noted).toEqual([noted[0], undefined])
})

test('of a workspace that was removed nothing is restored', async () => {
  const { workspace } = await agentAtWork()
  rmSync(workspace.root, { recursive: true })
  await restoreAgentTree(workspace, workspace.base)
  expect(existsSync(workspace.root)).toBe(false)
})

test('in place nothing is restored: the user works there too', async () => {
  const { workspace, at, text } = await agentAtWork()
  const { restored } = await withoutTraces(
    { ...workspace, isolation: 'in-place' },
    () => {
      writeFileSync(at('a.txt'), 'typed by the user\n')
      return Promise.resolve()
    },
    () => expect.unreachable('a tree is noted'),
  )
  expect(restored).toEqual([])
  expect(text('a.txt')).toBe('typed by the user\n')
})

test('changes since a commit name every file, and show no secrets', async () => {
  const { workspace, at } = await agentAtWork()
  writeFileSync(at('.env'), 'KEY=secret\n')
  const { files, patch } = await changesSince(workspace, workspace.base)
  expect(files).toEqual(['.env', 'a.txt', 'new.txt'])
  expect(patch).toContain('+changed by the agent')
  expect(patch).toContain('+new')
  expect(patch).not.toContain('secret')
})
