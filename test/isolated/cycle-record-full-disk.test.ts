// A disk that is full at any one file of a cycle's record: the error names the file, no file is
// incomplete, and the next attempt ends with the same files.
import path from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { writeCycleRecord } from '../../src/adapters/records/dev-cycle/write-cycle-record.js'
import { filesOf, writeFiles } from '../support/repositories/repos.js'
import {
  cycleState,
  DOCUMENTS,
  lastRun,
  OFFSET,
  place,
  recordInput,
} from '../adapters/records/dev-cycle/cycle-state.js'
import { disk } from './failing-disk.js'

vi.mock(import('../../src/adapters/files/replace-file.js'), async (original) =>
  (await import('./failing-disk.js')).onFailingDisk(original),
)

beforeEach(() => {
  disk.left = Infinity
})

const COMMIT = {
  sha: '2'.repeat(40),
  changes: [{ file: 'a.js', action: 'modify' as const, added: 1, removed: 1 }],
}
const SECOND = {
  'ra/requirements.md': '# R\n\n**Version**: 9\n\nmore\n',
  'ep/plan.json': '{',
  'coordination/discoveries.ndjson': '{"x":1}\n',
}

async function firstRecord() {
  const at = place(DOCUMENTS)
  const run = lastRun()
  await writeCycleRecord(recordInput(cycleState(at, { lastRun: run })), { offset: OFFSET })
  writeFiles(at.dir, SECOND)
  const next = recordInput(cycleState(at, { iteration: 2, lastRun: run }), { outcome: 'failed' })
  return {
    record: path.join(at.project, '.workflow'),
    write: () => writeCycleRecord(next, { offset: OFFSET, commit: COMMIT }),
  }
}

test('ENOSPC at every file in turn', async () => {
  const { record, write } = await firstRecord()
  let failures = 0
  // Each attempt writes one file more than the one before, and finds its files.
  for (let files = 0; ; files++) {
    disk.left = files
    const told = await write().then(
      (answer) => answer,
      (error: unknown) => error as Error,
    )
    if (!(told instanceof Error)) {
      expect(told.warnings).toEqual([])
      break
    }
    failures += 1
    expect(told).toMatchObject({
      name: 'RecordUnwritable',
      message: expect.stringMatching(
        /^cannot write .*: the disk is full; free some space, and the run continues by itself$/,
      ) as string,
    })
  }
  expect(failures).toBeGreaterThan(3)
  disk.left = Infinity
  const once = await firstRecord()
  await once.write()
  const names = (dir: string): string[] => Object.keys(filesOf(dir)).sort()
  expect(names(record)).toEqual(names(once.record))
  expect(names(record).filter((name) => name.includes('.edited-'))).toEqual([])
})
