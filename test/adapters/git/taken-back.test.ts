import { expect, test } from 'vitest'
import { existingTestsChanged, takenBack } from '../../../src/adapters/git/taken-back.js'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { AT, makeWorkspace, RUN, writeFiles, type Files } from '../../support/repositories/repos.js'

/** Commits files step by step, in a workspace that has some. */
async function repository(files: Files) {
  const { workspace } = await makeWorkspace(files)
  let head = workspace.base
  const committed = async (
    step: string,
    changes: Files | Record<string, null>,
  ): Promise<string> => {
    writeFiles(workspace.root, changes)
    ;({ head } = await commitStep(
      { workspace, run: RUN, step, expectHead: head, at: AT, subject: step },
      () => false,
    ))
    return head
  }
  return { workspace, committed }
}

test('work is taken back where every file is as it was, at the base or when the last task came', async () => {
  const { workspace, committed } = await repository({ 'a.txt': 'base\n' })
  const first = await committed('one', { 'a.txt': 'one\n' })
  expect(await takenBack({ workspace }, first)).toEqual({})
  const second = await committed('two', { 'b.txt': 'two\n' })
  const third = await committed('three', { 'b.txt': null })
  expect(await takenBack({ workspace, workFrom: first }, second)).toEqual({})
  expect(await takenBack({ workspace, workFrom: first }, third)).toEqual({ takenBack: true })
  expect(await takenBack({ workspace }, third)).toEqual({})
  const last = await committed('four', { 'a.txt': 'base\n' })
  expect(await takenBack({ workspace }, last)).toEqual({ takenBack: true })
})

test('tests that existed at the base and have another content now are named', async () => {
  const { workspace, committed } = await repository({
    'a.test.js': 'base\n',
    'b.test.js': 'base\n',
    'c.test.js': 'base\n',
    'a.js': 'base\n',
  })
  const named = (head: string) =>
    existingTestsChanged(workspace, head, (file) => file.endsWith('.test.js'))
  const first = await committed('one', {
    'a.test.js': 'one\n',
    'b.test.js': 'one\n',
    'new.test.js': 'one\n',
    'a.js': 'one\n',
  })
  expect(await named(first)).toEqual(['a.test.js', 'b.test.js'])
  // Its own test, a changed test that is as it was, and a test that is gone.
  const second = await committed('two', {
    'new.test.js': 'two\n',
    'b.test.js': 'base\n',
    'c.test.js': null,
  })
  expect(await named(second)).toEqual(['a.test.js'])
})

test('the work of a task is taken back where every file that it changed is as it was', async () => {
  const { workspace, committed } = await repository({ 'a.txt': 'base\n' })
  const T1 = await committed('one', { 'a.txt': 'one\n', 'one.txt': 'one\n' })
  const asked = (head: string, own?: true) =>
    takenBack(
      { workspace, tasks: [{ id: 'T1', commits: [T1], ...(own === undefined ? {} : { own }) }] },
      head,
    )
  const changed = await committed('two', { 'a.txt': 'two\n', 'one.txt': null })
  expect(await asked(changed), 'changed further').toEqual({})
  const gone = await committed('three', { 'a.txt': 'base\n', 'three.txt': 'three\n' })
  expect(await asked(gone)).toEqual({ tasksTakenBack: ['T1'] })
  expect(await asked(gone, true), 'the commit is its own').toEqual({})
  const again = await committed('four', { 'one.txt': 'four\n' })
  expect(await asked(again), 'it is done again').toEqual({})
})

test('the work of a task is taken back where its files are as at the start, though others changed them before it', async () => {
  const { workspace, committed } = await repository({ 'a.txt': 'base\n', 'b.txt': 'base\n' })
  await committed('of another', { 'a.txt': 'other\n', 'b.txt': 'other\n' })
  const T1 = await committed('one', { 'a.txt': 'one\n' })
  const T2 = await committed('two', { 'b.txt': 'base\n' })
  const tasks = [
    { id: 'T1', commits: [T1] },
    { id: 'T2', commits: [T2] },
  ]
  expect(await takenBack({ workspace, tasks }, T2)).toEqual({})
  const back = await committed('three', { 'a.txt': 'base\n', 'c.txt': 'more\n' })
  expect(await takenBack({ workspace, tasks }, back), 'T2 made its file so').toEqual({
    tasksTakenBack: ['T1'],
  })
})

test('what a task made is not taken back where it is moved, nor where its commit is not known', async () => {
  const { workspace, committed } = await repository({ 'a.txt': 'base\n' })
  const text = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join('')
  const T1 = await committed('one', { 'one.txt': text })
  const moved = await committed('two', { 'one.txt': null, 'lib/one.txt': `${text}more\n` })
  const tasks = [{ id: 'T1', commits: [T1] }]
  expect(await takenBack({ workspace, tasks }, moved)).toEqual({})
  const gone = await committed('three', { 'lib/one.txt': null, 'b.txt': 'b\n' })
  expect(await takenBack({ workspace, tasks }, gone)).toEqual({ tasksTakenBack: ['T1'] })
  const unknown = [{ id: 'T1', commits: ['0'.repeat(39) + '1'] }]
  expect(await takenBack({ workspace, tasks: unknown }, gone)).toEqual({})
})

const code = (name: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `export const ${name}${n} = ${n}\n`).join('')

test.each<{ why: string; later: Record<string, string | null> }>([
  {
    why: 'merged into another file',
    later: { 'helper.ts': null, 'util.ts': `${code('old', 3)}${code('new', 8)}` },
  },
  {
    why: 'split into several',
    later: {
      'helper.ts': null,
      'a.ts': code('new', 4),
      'b.ts': code('new', 8).split('\n').slice(4).join('\n'),
    },
  },
  {
    why: 'renamed, and grown',
    later: { 'helper.ts': null, 'lib.ts': `${code('new', 8)}${code('more', 40)}` },
  },
])('what a task made is not taken back where it was $why', async ({ later }) => {
  const { workspace, committed } = await repository({ 'util.ts': code('old', 3) })
  const T1 = await committed('one', { 'helper.ts': code('new', 8) })
  const head = await committed('two', later)
  expect(await takenBack({ workspace, tasks: [{ id: 'T1', commits: [T1] }] }, head)).toEqual({})
})
