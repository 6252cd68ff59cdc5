// The notes of activities that run, of a project that is opened twice in one process.
import { expect, test } from 'vitest'
import { abandonedRuns, inFlightOf } from '../../src/adapters/activity-journal.js'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { tempDir } from '../support/repositories/repos.js'

const KEY = '0123456789ab'
const activity = (activityId: string) => ({
  workflowId: 'run',
  runId: 'r',
  activityId,
  attempt: 1,
})

test('a project that is opened again while its last worker winds down writes notes of its own', () => {
  const dirs = { state: tempDir(), cache: tempDir() }
  const notes = () => readdirSync(path.join(dirs.state, 'in-flight', KEY)).length
  const before = inFlightOf(dirs, KEY).begin(activity('1'))
  const now = inFlightOf(dirs, KEY).begin(activity('2'))
  expect(notes()).toBe(2)
  before.end()
  expect(notes()).toBe(1)
  expect(abandonedRuns(dirs)).toEqual([]) // this process lives
  now.end()
  expect(notes()).toBe(0)
})
