// Records of the first version, as its code wrote them: every reader of today takes them.
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSession as readOpen } from '../../../src/adapters/records/open-session.js'
import { readBegun, refuseSpent, resumedTasks } from '../../../src/adapters/records/restore.js'
import { readRecord } from '../../../src/cli/record.js'
import type { TaskEntry } from '../../../src/contract/task.js'
import { filesOf, tempDir, writeFiles } from '../../support/repos.js'
import { TEST_FIX } from '../../support/records.js'

const SAMPLES = path.resolve(import.meta.dirname, 'samples/version-1')

function project(name: string): string {
  const dir = tempDir()
  writeFiles(path.join(dir, '.workflow', name), filesOf(path.join(SAMPLES, name)))
  return dir
}

test.each([
  { name: 'WFS-test-open', status: 'running', outcome: undefined },
  { name: 'WFS-test-spent', status: 'failed', outcome: 'failed' },
  { name: 'WFS-test-green', status: 'completed', outcome: 'success' },
])('version 1: status and apply read $name', ({ name, status, outcome }) => {
  expect(readRecord(project(name), name)).toMatchObject({ workflow_id: `${name}.0a1b2c`, project: '/home/ada/shop', status, branch: `ratchet/${name}`, base: '1'.repeat(40) })
  expect(readRecord(project(name), name)?.result?.outcome).toBe(outcome)
})

test.each(['WFS-test-open', 'WFS-test-spent'])('version 1: %s goes on with its count, its usage and its branch', (name) => {
  const begun = readBegun(readOpen(project(name), name), 0)
  expect(begun).toMatchObject({
    isRebuilt: false, damaged: undefined, warnings: [], continueFrom: { branch: `ratchet/${name}`, base: '1'.repeat(40) },
    restored: { iteration: 1, startedAt: Date.UTC(2026, 10, 20, 12), commits: ['2'.repeat(40)], usage: { turns: 2 }, history: [{ iteration: 0 }, { iteration: 1, result: 'kept' }] },
  })
})

test('version 1: a session that spent its iterations is refused until more are allowed', () => {
  const found = readOpen(project('WFS-test-spent'), 'WFS-test-spent')
  const begun = readBegun(found, 0)
  if (begun === undefined) throw new Error('it was begun')
  const { tasks } = resumedTasks([{ ...TEST_FIX, status: 'pending', attempts: 0 }], begun)
  expect(tasks).toMatchObject([{ attempts: 1, maxIterations: 1 }])
  const refuse = (flag: number | undefined, extend?: number) => () => refuseSpent(found, tasks, begun, { flag, extend, config: 5 })
  expect(refuse(undefined)).toThrow('1 iteration is spent on IMPL-002, none is left')
  expect(refuse(1)).toThrow('1 iteration is spent')
  expect(refuse(2)).not.toThrow()
  expect(refuse(undefined, 1)).not.toThrow()
})

test('version 1: a completed session is refused', () => {
  expect(() => readOpen(project('WFS-test-green'), 'WFS-test-green')).toThrow('the session WFS-test-green is completed')
})

test('a session of a newer version is refused', () => {
  const dir = project('WFS-test-open')
  writeFiles(path.join(dir, '.workflow/WFS-test-open/.process'), { 'iteration-state.json': '{ "schema": 3 }' })
  expect(() => readBegun(readOpen(dir, 'WFS-test-open'), 0)).toThrow('the session was written by a newer version of Ratchet (schema 3)')
})

test('a session without an iteration state and without a fix has not begun', () => {
  const dir = project('WFS-test-open')
  writeFiles(path.join(dir, '.workflow/WFS-test-open/.process'), { 'iteration-state.json': null })
  expect(readBegun(readOpen(dir, 'WFS-test-open'), 0)).toBeUndefined()
})

test('tasks of a session that goes on: what the run knew counts, what has no file is left out', () => {
  const begun = readBegun(readOpen(project('WFS-test-open'), 'WFS-test-open'), 0)
  if (begun === undefined) throw new Error('it was begun')
  const files: TaskEntry[] = [{ ...TEST_FIX, attempts: 0, status: 'pending' }, { ...TEST_FIX, id: 'IMPL-003', type: 'work', file: 'IMPL-003.json', attempts: 0, status: 'pending' }]
  const queue: TaskEntry[] = [{ ...TEST_FIX, attempts: 4, status: 'blocked' }, { ...TEST_FIX, id: 'IMPL-001', type: 'test-gen', status: 'completed' }, { ...TEST_FIX, id: 'IMPL-fix-5', type: 'test-fix-iteration', parent: 'IMPL-002' }, { ...TEST_FIX, id: 'IMPL-002-retest-5', parent: 'IMPL-002' }]
  expect(resumedTasks(files, { ...begun, queue, flag: 8 })).toEqual({
    tasks: [{ ...files[0], attempts: 4, status: 'blocked', maxIterations: 8 }, { ...files[1], attempts: 0 }],
    warnings: ['IMPL-001 has no file in .task any more and was left out'],
  })
})
