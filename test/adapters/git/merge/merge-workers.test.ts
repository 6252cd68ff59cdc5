// Clones of parallel workers, committed and merged by real git. Further cases: test/exhaustive.
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { mergeWorkers } from '../../../../src/adapters/git/merge/merge-workers.js'
import { fewOf } from '../../../support/repositories/killed-git.js'
import {
  A,
  B,
  BASE,
  C,
  cloneInto,
  expectChosen,
  expectConflicts,
  expectMerged,
  expectSameMerge,
  headOf,
  inputOf,
  text,
  without,
  worked,
  type Choices,
  type Conflicts,
  type Merges,
  type Worked,
} from '../../../support/loop/merge-play.js'
import {
  AT,
  commitAll,
  filesOf,
  gitOf,
  makeRepo,
  prepare,
  refs,
  runGit,
  tempDir,
  tempDirs,
  writeFiles,
} from '../../../support/repositories/repos.js'

test.each<Merges>(
  // prettier-ignore
  [
  { why: 'different lines of one file, three times', work: { develop: { 'src/a.ts': text({ 1: '1' }) }, debug: { 'src/a.ts': text({ 4: '4' }) }, validate: { 'src/a.ts': text({ 7: '7' }) } }, merged: (files) => ({ ...files, 'src/a.ts': text({ 1: '1', 4: '4', 7: '7' }) }) },
  { why: 'a mode here, a line there', work: { develop: (root) => chmodSync(path.join(root, 'run.sh'), 0o755), debug: { 'run.sh': 'echo done\n' } }, merged: (files) => ({ ...files, 'run.sh': '* echo done\n' }) },
],
)('$why merge without a question', expectMerged)

test.each<Conflicts>(
  // prettier-ignore
  [
  { why: 'three workers on one line are one conflict with all of them', work: { develop: { 'src/a.ts': A }, debug: { 'src/a.ts': B }, validate: { 'src/a.ts': C } }, conflicts: [['src/a.ts', ['develop', 'debug', 'validate']]] },
  { why: 'a file here, a directory there', work: { develop: { tool: 'file\n' }, debug: { 'tool/x.ts': 'x\n', 'tool/y.ts': 'y\n' } }, conflicts: [['tool', ['develop', 'debug']]] },
  { why: 'renamed to two names', work: { develop: { 'src/a.ts': null, 'src/y.ts': text({ 7: 'y' }) }, debug: { 'src/a.ts': null, 'src/z.ts': text() } }, conflicts: [['src/a.ts', ['develop', 'debug']]] },
],
)('$why: nothing moves, and the conflict is named', expectConflicts)

test.each<Choices>(
  // prettier-ignore
  [
  { why: 'base: as it was', work: { develop: { 'src/a.ts': null, 'new.ts': 'a\n' }, debug: { 'src/a.ts': B, 'new.ts': 'b\n' } }, choices: { 'src/a.ts': 'base', 'new.ts': 'base' }, merged: { 'src/a.ts': text(), 'new.ts': undefined } },
  { why: 'the other of a file and a directory', work: { develop: { tool: 'file\n' }, debug: { 'tool/x.ts': 'x\n', 'tool/y.ts': 'y\n' } }, choices: { tool: 'debug' }, merged: { tool: undefined, 'tool/x.ts': 'x\n', 'tool/y.ts': 'y\n' } },
],
)('a person chooses $why, after the workers were asked once', expectChosen)

test('as long as one conflict is open nothing moves, and only open ones are asked', async () => {
  const { workspace, workers } = await worked({
    develop: { 'src/a.ts': A, 'src/b.ts': A },
    debug: { 'src/a.ts': B, 'src/b.ts': B },
  })
  const answer = await mergeWorkers(inputOf({ workspace, workers }, { 'src/a.ts': 'debug' }))
  expect(answer.conflicts.map(({ file }) => file)).toEqual(['src/b.ts'])
  expect(headOf(workspace.root)).toBe(workspace.base)
})

test('the first 50 conflicts travel, all are counted', async () => {
  const files = (content: string) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}.ts`, content]))
  const { workspace, workers } = await worked({ develop: files('a\n'), debug: files('b\n') })
  const { conflicts, conflictsTotal } = await mergeWorkers(inputOf({ workspace, workers }))
  expect([conflicts.length, conflictsTotal]).toEqual([50, 60])
})

test('one worker that changed something: its commit is the head, on the head before', async () => {
  const { workspace, workers } = await worked({
    develop: {},
    debug: {},
    validate: { 'test/a.test.ts': 'test\n' },
  })
  const answer = await mergeWorkers(inputOf({ workspace, workers }))
  expect(answer.workers.map(({ action, commit }) => [action, commit])).toEqual([
    ['develop', null],
    ['debug', null],
    ['validate', answer.head],
  ])
  expect(answer).toMatchObject({ commits: [answer.head], files: ['test/a.test.ts'], filesTotal: 1 })
  expect(runGit(workspace.root, 'log', '-1', '--format=%P|%cn|%ct|%s')).toBe(
    `${workspace.base}|Ratchet|${AT / 1_000}|Round 1: validate`,
  )
  expect(
    runGit(workspace.root, 'log', '-1', '--format=%(trailers:key=Ratchet-Step,valueonly)').trim(),
  ).toBe('iteration-1/validate')
})

test('without changes the head stays, and uncommitted work in the workspace of the run is kept aside', async () => {
  const { workspace, workers } = await worked({ develop: {}, debug: {} })
  writeFiles(workspace.root, { 'unfinished.txt': 'of a person\n' })
  const answer = await mergeWorkers(inputOf({ workspace, workers }))
  expect(answer).toMatchObject({
    head: workspace.base,
    commits: [],
    files: [],
    filesTotal: 0,
    conflicts: [],
  })
  expect(filesOf(workspace.root)['unfinished.txt']).toBeUndefined()
  const [kept = ''] = Object.keys(refs(gitOf(workspace))).filter((ref) =>
    ref.startsWith('refs/ratchet/snapshots/'),
  )
  expect(runGit(gitOf(workspace), 'show', `${kept}:unfinished.txt`)).toBe('of a person')
})

test('files that a worker may not change are restored before the merge and named; changed tests are named', async () => {
  const { workspace, workers } = await worked({
    develop: { 'src/a.ts': A, 'src/b.ts': A },
    validate: { 'src/a.ts': C, 'test/a.test.ts': 'test\n' },
  })
  const [develop, validate] = workers
  if (develop === undefined || validate === undefined) throw new Error('two workers')
  writeFiles(validate.workspace.root, { 'test/b.test.ts': 'weaker\n' })
  const isTest = (file: string) => file.startsWith('test/')
  const answer = await mergeWorkers({
    ...inputOf({ workspace, workers: [] }),
    workers: [
      { ...develop, guard: () => false },
      { ...validate, guard: (file) => file.startsWith('src/'), isTest },
    ],
  })
  expect(answer.conflicts).toEqual([])
  expect(answer.workers).toMatchObject([
    { undone: [] },
    {
      undone: ['src/a.ts'],
      files: ['test/a.test.ts', 'test/b.test.ts'],
      changedTests: ['test/b.test.ts'],
    },
  ])
  expect(filesOf(workspace.root)['src/a.ts']).toBe(A)
})

test('commits that agents made, and a name that is not UTF-8, are part of the merge', async () => {
  const odd = Buffer.concat([Buffer.from('name-'), Buffer.from([0xff])])
  const { workspace, workers } = await worked({
    develop: (root) => {
      writeFiles(root, { 'src/a.ts': A })
      commitAll(root, 'agent: mine')
      writeFileSync(Buffer.concat([Buffer.from(`${root}/`), odd]), 'odd\n')
    },
    debug: { 'src/b.ts': B },
  })
  const answer = await mergeWorkers(inputOf({ workspace, workers }))
  expect(answer.conflicts).toEqual([])
  expect(runGit(workspace.root, 'log', '--format=%cn', `${workspace.base}..HEAD`)).toBe(
    'Ratchet\nRatchet\nRatchet',
  )
  expect(runGit(workspace.root, '-c', 'core.quotePath=true', 'ls-files')).toContain(
    String.raw`"name-\377"`,
  )
})

test('in-place: the branch and the files in the tree of the user are updated', async () => {
  const [project, dirs] = [makeRepo(BASE), tempDirs()]
  const { workspace } = await prepare(project, dirs, { workspaceConfig: { isolation: 'in-place' } })
  const into = tempDir()
  const workers: Worked['workers'] = []
  for (const [action, files] of [
    ['develop', { 'src/a.ts': A }],
    ['debug', { 'src/b.ts': null }],
  ] as const) {
    const own = await cloneInto(workspace, path.join(into, action))
    writeFiles(own.root, files)
    workers.push({ action, workspace: own })
  }
  const before = filesOf(project)
  const answer = await mergeWorkers(inputOf({ workspace, workers }))
  expect(filesOf(project)).toEqual({ ...without(before, 'src/b.ts'), 'src/a.ts': A })
  expect([
    runGit(project, 'symbolic-ref', '--short', 'HEAD'),
    headOf(project),
    runGit(project, 'status', '--porcelain'),
  ]).toEqual([workspace.branch, answer.head, ''])
  expect(headOf(project)).not.toBe(runGit(project, 'rev-parse', 'main'))
})

test('a merge with an answered conflict, killed before any command and repeated, ends the same', () =>
  expectSameMerge(fewOf))
