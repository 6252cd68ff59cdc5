// What the commit of a task may change: the guard of a fix, and of a task that writes tests.
import path from 'node:path'
import { expect, test } from 'vitest'
import type { CommitFixInput } from '../../../src/contract/test-fix/test-fix-step.js'
import { writeStoredRun, testRunsDir } from '../../../src/adapters/test-runners/stored-run.js'
import { AT, filesOf, SAMPLE, writeFiles } from '../../support/repositories/repos.js'
import { sessionHost } from '../session-host.js'

const PROJECT = {
  ...SAMPLE,
  'checks/sum.js': 'check sum\n',
  'checks/run.js': 'run them\n',
  'ratchet.config.json': '{ "test": { "guard": ["checks/**"] } }',
}

async function committed(
  files: Record<string, string | null>,
  writesTests: boolean,
  reported: string[] = [],
  installed: Record<string, string> = {},
) {
  const host = sessionHost(PROJECT)
  writeFiles(host.project, installed)
  const { workspace, configHash, head } = await host.prepare({ open: { generateTests: true } })
  writeFiles(path.join(testRunsDir(workspace), 'r1'), { x: '' })
  await writeStoredRun(
    path.join(testRunsDir(workspace), 'r1'),
    {
      schema: 1,
      commit: head,
      runner: 'node',
      tests: reported.map((file) => ({ file, test: 't', status: 'passed' })),
      missing: [],
    },
    true,
  )
  writeFiles(workspace.root, files)
  const input: CommitFixInput = {
    run: host.run,
    step: 'IMPL-001/work/commit',
    workspace,
    configHash,
    expectHead: head,
    at: AT,
    subject: 's',
    body: '',
    ...(writesTests ? { writesTests } : {}),
  }
  return { result: await host.commit(input), now: filesOf(workspace.root) }
}

test('test-gen: commits added and changed tests; restores the test command, deleted tests and the code under test', async () => {
  const { result, now } = await committed(
    {
      'test/more.test.js': 'more\n',
      'test/add.test.js': 'better\n',
      'src/add.js': 'fixed\n',
      'checks/run.js': null,
      'package.json': '{ "name": "sample", "scripts": { "test": "true" } }\n',
    },
    true,
  )
  expect(result).toMatchObject({
    files: ['test/add.test.js', 'test/more.test.js'],
    changedTests: ['test/add.test.js'],
    tampered: ['checks/run.js', 'package.json', 'src/add.js'],
    tamperedTotal: 3,
  })
  expect(result).not.toHaveProperty('noTests')
  expect(now).toMatchObject({
    'src/add.js': SAMPLE['src/add.js'],
    'package.json': SAMPLE['package.json'],
    'checks/run.js': 'run them\n',
  })
})

test('test-gen: of the files in test.guard, only those that a report names as tests may change', async () => {
  const { result } = await committed(
    {
      'checks/sum.js': 'check sum, better\n',
      'checks/run.js': 'run nothing\n',
      'checks/new.js': 'check new\n',
    },
    true,
    ['checks/sum.js'],
  )
  expect(result).toMatchObject({
    files: ['checks/new.js', 'checks/sum.js'],
    changedTests: ['checks/sum.js'],
    tampered: ['checks/run.js'],
  })
})

test.each<{ why: string; files: Record<string, string> }>([
  { why: 'nothing', files: {} },
  { why: 'the code under test', files: { 'src/add.js': 'fixed\n' } },
  { why: 'no test', files: { 'docs/tests.md': 'what to test\n' } },
])('test-gen: $why was written, and the result says that no test was', async ({ files }) => {
  expect((await committed(files, true)).result).toMatchObject({ noTests: true })
})

test('the commit of a fix leaves out test changes without a note', async () => {
  const { result } = await committed(
    { 'test/add.test.js': 'weaker\n', 'checks/new.js': 'x\n', 'src/add.js': 'fixed\n' },
    false,
  )
  expect(result).toMatchObject({
    files: ['src/add.js'],
    tampered: ['checks/new.js', 'test/add.test.js'],
  })
  expect(result).not.toHaveProperty('changedTests')
})

test.each([{ writesTests: false }, { writesTests: true }])(
  'an edited installed package is restored and reported before the test run (writes tests: $writesTests)',
  async ({ writesTests }) => {
    const { result, now } = await committed(
      {
        'node_modules/m/index.js': 'globalThis.expect = weak\n',
        'test/node_modules/m/index.js': 'nearer\n',
        'test/more.test.js': 'more\n',
      },
      writesTests,
      [],
      { 'node_modules/m/index.js': 'm\n' },
    )
    const tests = writesTests ? [] : ['test/more.test.js']
    expect(result).toMatchObject({
      tampered: [...tests, 'node_modules/m/index.js', 'test/node_modules'],
      tamperedTotal: tests.length + 2,
    })
    expect(now['node_modules/m/index.js']).toBe('m\n')
    expect(now).not.toHaveProperty('test/node_modules/m/index.js')
  },
)
