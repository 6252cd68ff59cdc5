// A stored record of an earlier version: status, apply and resume read it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSession } from '../../../../src/adapters/records/test-fix/open-session.js'
import { readBegun, resumedTasks } from '../../../../src/adapters/records/test-fix/begun-session.js'
import { holds } from '../../../../src/adapters/records/result-copies.js'
import { readRecord } from '../../../../src/cli/find/session-record.js'
import {
  FixHistory,
  IterationState,
  SessionFile,
  TestResultsFile,
  WrittenFile,
} from '../../../../src/core/records/record-schemas.js'
import { filesOf, tempDir, writeFiles } from '../../../support/repositories/repos.js'
import type { TaskEntry } from '../../../../src/contract/test-fix/task.js'
import { PENDING, TEST_FIX } from '../../../support/records.js'

const NAME = 'WFS-test-login'
const SAMPLE = path.resolve(import.meta.dirname, 'samples/kept', NAME)

function project(): string {
  const dir = tempDir()
  writeFiles(path.join(dir, '.workflow', NAME), filesOf(SAMPLE))
  return dir
}

test.each([
  ['workflow-session.json', SessionFile],
  ['.process/iteration-state.json', IterationState],
  ['.process/test-results.json', TestResultsFile],
  ['.process/fix-history.json', FixHistory],
  ['.process/.written.json', WrittenFile],
] as const)('%s is what its schema says', (name, schema) => {
  expect(
    schema.safeParse(JSON.parse(readFileSync(path.join(SAMPLE, name), 'utf8'))).error?.message,
  ).toBeUndefined()
})

test('status, apply and resume read it', () => {
  const dir = project()
  expect(readRecord(dir, NAME)).toMatchObject({
    status: 'failed',
    branch: `ratchet/${NAME}`,
    result: { outcome: 'blocked' },
  })
  const found = readSession(dir, NAME)
  const begun = readBegun(found, 0)
  // The file of its fix task was never written.
  expect(begun).toMatchObject({
    isRebuilt: false,
    continueFrom: { base: 'b'.repeat(40) },
    restored: { iteration: 1 },
    warnings: [`the fix task ${PENDING.task} is gone: the failures are analysed again`],
  })
  if (begun === undefined) throw new Error('it was begun')
  expect(resumedTasks(found.tasks, begun).tasks).toMatchObject([
    { id: 'IMPL-002', status: 'blocked', attempts: 1 },
  ])
  const { baseline } = begun.restored
  expect(
    baseline !== undefined &&
      holds(path.join(found.dir, '.process/results/baseline.json'), baseline),
  ).toBe(true)
})

test('a session of a newer version is refused', () => {
  const dir = project()
  writeFiles(path.join(dir, '.workflow', NAME, '.process'), {
    'iteration-state.json': '{ "schema": 3 }',
  })
  expect(() => readBegun(readSession(dir, NAME), 0)).toThrow(
    'the session was written by a newer version of Ratchet (schema 3)',
  )
})

test('tasks of a resumed session: the state of the run counts, tasks without a file are left out', () => {
  const begun = readBegun(readSession(project(), NAME), 0)
  if (begun === undefined) throw new Error('it was begun')
  const files: TaskEntry[] = [
    { ...TEST_FIX, attempts: 0, status: 'pending' },
    {
      ...TEST_FIX,
      id: 'IMPL-003',
      type: 'work',
      file: 'IMPL-003.json',
      attempts: 0,
      status: 'pending',
    },
  ]
  const queue: TaskEntry[] = [
    { ...TEST_FIX, attempts: 4, status: 'blocked' },
    { ...TEST_FIX, id: 'IMPL-001', type: 'test-gen', status: 'completed' },
    { ...TEST_FIX, id: 'IMPL-fix-5', type: 'test-fix-iteration', parent: 'IMPL-002' },
    { ...TEST_FIX, id: 'IMPL-002-retest-5', parent: 'IMPL-002' },
  ]
  expect(resumedTasks(files, { ...begun, queue, flag: 8 })).toEqual({
    tasks: [
      { ...files[0], attempts: 4, status: 'blocked', maxIterations: 8 },
      { ...files[1], attempts: 0 },
    ],
    warnings: ['IMPL-001 has no file in .task any more and was left out'],
  })
})
