// What is done in the tree of an agent at work: it leaves no trace, and nothing of the agent's is
// lost.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { changesSince, withoutTraces } from '../../../src/adapters/git/agent-tree.js'
import { changedFiles } from '../../../src/adapters/git/steps.js'
import { gitOf, makeWorkspace, runGit } from '../../support/repositories/repos.js'

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'ignored/\n' }

async function agentAtWork() {
  const { workspace } = await makeWorkspace(FILES)
  const at = (name: string) => path.join(workspace.cwd, name)
  writeFileSync(at('a.txt'), 'changed by the agent\n')
  writeFileSync(at('new.txt'), 'new\n')
  return { workspace, at, text: (name: string) => readFileSync(at(name), 'utf8') }
}

test('what a run changed, made or removed is restored to what the agent had, and kept in a snapshot', async () => {
  const { workspace, at, text } = await agentAtWork()
  const { value, restored } = await withoutTraces(workspace, async () => {
    writeFileSync(at('a.txt'), 'changed by the tests\n')
    writeFileSync(at('new.txt'), '')
    writeFileSync(at('b.txt'), 'x')
    mkdirSync(at('out'))
    writeFileSync(at('out/left.txt'), 'left')
    mkdirSync(at('ignored'))
    writeFileSync(at('ignored/cache'), 'kept')
    return Promise.resolve(7)
  })
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
  const failing = withoutTraces(workspace, () => {
    writeFileSync(at('a.txt'), '')
    return Promise.reject(new Error('aborted'))
  })
  await expect(failing).rejects.toThrow('aborted')
  expect(text('a.txt')).toBe('changed by the agent\n')
})

test('in place nothing is restored: the user works there too', async () => {
  const { workspace, at, text } = await agentAtWork()
  const { restored } = await withoutTraces({ ...workspace, isolation: 'in-place' }, () => {
    writeFileSync(at('a.txt'), 'typed by the user\n')
    return Promise.resolve()
  })
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
