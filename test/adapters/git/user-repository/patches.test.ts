import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { patchBetween, reposOf } from '../../../../src/adapters/git/user-repository/patches.js'
import { commitStep } from '../../../../src/adapters/git/steps.js'
import type { Patch } from '../../../../src/core/report/model.js'
import {
  AT,
  commitAll,
  makeRepo,
  makeWorkspace,
  RUN,
  runGit,
  tempDir,
  writeFiles,
  type Files,
} from '../../../support/repositories/repos.js'

const lines = (n: number, word = 'line'): string =>
  Array.from({ length: n }, (_, i) => `${word} ${i}\n`).join('')

async function changed(
  files: Files,
  before: Files = { 'a.js': 'const a = 1\n' },
): Promise<Extract<Patch, { state: 'known' }>> {
  const project = makeRepo(before)
  writeFiles(project, files)
  const patch = await patchBetween(
    await reposOf(project, undefined),
    'parent',
    commitAll(project, 'fix'),
  )
  if (patch.state !== 'known') throw new Error(patch.why)
  return patch
}

test.each(
  // prettier-ignore
  [
  { why: 'a line', files: { 'a.js': 'const a = 2\n' }, is: [{ path: 'a.js', added: 1, removed: 1, shown: true }] },
  { why: 'a file that is gone', files: { 'a.js': null }, is: [{ path: 'a.js', added: 0, removed: 1, shown: true }] },
  { why: 'a binary file', files: { 'b.png': Buffer.from([0, 1, 2, 0]) }, is: [{ path: 'b.png', added: null, removed: null, shown: true }] },
  { why: 'names that git would quote, and that look like patterns', files: { 'ü "x".js': 'x\n', ':(top)*.js': 'x\n', '-n': 'x\n' }, is: [{ path: '-n', added: 1, removed: 0, shown: true }, { path: ':(top)*.js', added: 1, removed: 0, shown: true }, { path: 'ü "x".js', added: 1, removed: 0, shown: true }] },
  { why: 'a file that is too long for a page', files: { 'big.js': lines(5_000), 'a.js': 'const a = 2\n' }, is: [{ path: 'a.js', added: 1, removed: 1, shown: true }, { path: 'big.js', added: 5_000, removed: 0, shown: false }] },
  { why: 'more than a page holds: the first of them', files: { '1.js': lines(500), '2.js': lines(500), '3.js': lines(500), '4.js': lines(500) }, is: [1, 2, 3, 4].map((n) => ({ path: `${n}.js`, added: 500, removed: 0, shown: n < 4 })) },
] satisfies { why: string; files: Files; is: object[] }[],
)('a diff for people: $why', async ({ files, is }) => {
  const patch = await changed(files)
  expect(patch.files).toEqual(is)
  expect(patch.text.match(/^diff --git /gm)?.length ?? 0).toBe(
    is.filter((file) => file.shown).length,
  )
})

test('a line without an end is cut', async () => {
  const { text } = await changed({ 'min.js': `${'x'.repeat(1_000_000)}\n` })
  expect(text.length).toBeLessThan(1_000)
  expect(text).toMatch(/x…\n?$/)
})

test('ignores the diff settings of the user', async () => {
  const project = makeRepo({ 'a.js': 'a\n', '.gitattributes': '*.js diff=mine\n' })
  for (const [key, value] of [
    ['diff.mine.textconv', 'touch ran; cat'],
    ['diff.external', 'touch ran #'],
    ['diff.noprefix', 'true'],
    ['color.ui', 'always'],
    ['diff.mnemonicPrefix', 'true'],
  ] as const)
    runGit(project, 'config', key, value)
  writeFiles(project, { 'a.js': 'b\n' })
  const patch = await patchBetween(
    await reposOf(project, undefined),
    'parent',
    commitAll(project, 'fix'),
  )
  expect(patch).toMatchObject({
    state: 'known',
    text: expect.stringMatching(/^diff --git a\/a\.js b\/a\.js\n[^\u001b]*\n-a\n\+b\n?$/) as string,
  })
  expect(runGit(project, 'status', '--short')).toBe('')
})

test('several commits are one change, from the start of the iteration', async () => {
  const project = makeRepo({ 'a.js': '1\n' })
  const base = runGit(project, 'rev-parse', 'HEAD').trim()
  for (const n of [2, 3]) {
    writeFiles(project, { 'a.js': `${n}\n` })
    commitAll(project, String(n))
  }
  expect(await patchBetween(await reposOf(project, undefined), base, 'HEAD')).toMatchObject({
    state: 'known',
    from: base,
    text: expect.stringContaining('-1\n+3') as string,
  })
})

test('the first commit of all is compared with nothing', async () => {
  const project = makeRepo({ 'a.js': '1\n' })
  expect(await patchBetween(await reposOf(project, undefined), 'parent', 'HEAD')).toMatchObject({
    state: 'known',
    files: [{ path: 'a.js', added: 1 }],
  })
})

test('without the branch in the repository it is read from the workspace; then without a repository', async () => {
  const { project, workspace } = await makeWorkspace({ 'a.js': '1\n' })
  writeFiles(workspace.root, { 'a.js': '2\n' })
  const { head } = await commitStep(
    { workspace, run: RUN, step: 's', expectHead: workspace.base, at: AT, subject: 's' },
    () => false,
  )
  expect(await patchBetween(await reposOf(project, workspace.root), 'parent', head)).toMatchObject({
    state: 'known',
  })
  rmSync(path.dirname(workspace.root), { recursive: true })
  expect(await patchBetween(await reposOf(project, workspace.root), 'parent', head)).toEqual({
    state: 'gone',
    to: head,
    why: 'its commit is not in the repository any more: the branch and the workspace were removed',
  })
  rmSync(project, { recursive: true })
  expect(await patchBetween(await reposOf(project, workspace.root), 'parent', head)).toMatchObject({
    state: 'gone',
    why: 'the repository is not here',
  })
})

test('a directory that is no repository has no diffs', async () =>
  expect(await reposOf(tempDir(), undefined)).toEqual([]))
