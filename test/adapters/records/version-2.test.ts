// A record of the second version, kept as it was written: a later version must still read it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSession } from '../../../src/adapters/records/open-session.js'
import { readBegun, resumedTasks } from '../../../src/adapters/records/restore.js'
import { holds } from '../../../src/adapters/records/result-copies.js'
import { readRecord } from '../../../src/cli/record.js'
import { FixHistory, IterationState, SessionFile, TestResultsFile, WrittenFile } from '../../../src/core/record-schemas.js'
import { filesOf, tempDir, writeFiles } from '../../support/repos.js'
import { PENDING } from '../../support/records.js'

const NAME = 'WFS-test-login'
const SAMPLE = path.resolve(import.meta.dirname, 'samples/version-2', NAME)

test.each([
  ['workflow-session.json', SessionFile], ['.process/iteration-state.json', IterationState], ['.process/test-results.json', TestResultsFile], ['.process/fix-history.json', FixHistory], ['.process/.written.json', WrittenFile],
] as const)('version 2: %s is what its schema says', (name, schema) => {
  expect(schema.safeParse(JSON.parse(readFileSync(path.join(SAMPLE, name), 'utf8'))).error?.message).toBeUndefined()
})

test('version 2: status, apply and resume read it', () => {
  const project = tempDir()
  writeFiles(path.join(project, '.workflow', NAME), filesOf(SAMPLE))
  expect(readRecord(project, NAME)).toMatchObject({ status: 'failed', branch: `ratchet/${NAME}`, result: { outcome: 'blocked' } })
  const found = readSession(project, NAME)
  const begun = readBegun(found, 0)
  // The file of its fix task was never written.
  expect(begun).toMatchObject({ isRebuilt: false, continueFrom: { base: 'b'.repeat(40) }, restored: { iteration: 1 }, warnings: [`the fix task ${PENDING.task} is gone: the failures are analysed again`] })
  if (begun === undefined) throw new Error('it was begun')
  expect(resumedTasks(found.tasks, begun).tasks).toMatchObject([{ id: 'IMPL-002', status: 'blocked', attempts: 1 }])
  const { baseline } = begun.restored
  expect(baseline !== undefined && holds(path.join(found.dir, '.process/results/baseline.json'), baseline)).toBe(true)
})
