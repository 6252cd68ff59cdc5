// A disk that is full at any one file of a record: the error names the file, the old text stays
// complete, and the next attempt writes the rest.
import path from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import type { RecordInput } from '../../src/contract/test-fix/test-fix-step.js'
import { writeTestFixRecord } from '../../src/adapters/records/test-fix/test-fix-record.js'
import { recordDir } from '../../src/adapters/records/test-fix/session-paths.js'
import { filesOf, tempDir } from '../support/repositories/repos.js'
import { NAME, PENDING, recordInput, sessionFiles, stateAfterOne } from '../support/records.js'
import { disk } from './failing-disk.js'

vi.mock(import('../../src/adapters/files/replace-file.js'), async (original) =>
  (await import('./failing-disk.js')).onFailingDisk(original),
)

beforeEach(() => {
  disk.left = Infinity
})

test.each(
  // prettier-ignore
  [
  { code: 'ENOSPC', says: 'the disk is full; free some space' },
  { code: 'EROFS', says: 'the file system is read-only; make it writable' },
  { code: 'EACCES', says: 'writing is not permitted; make the directory and what is in it writable' },
],
)(
  '$code at every file in turn: no file is incomplete, and none counts as an edit',
  async ({ code, says }) => {
    const project = tempDir()
    sessionFiles(project)
    const state = stateAfterOne(project, path.join(tempDir(), 'tests'))
    const dir = recordDir(project, NAME)
    await writeTestFixRecord(recordInput(state), { offset: '+08:00' })
    const before = filesOf(dir)
    const next = recordInput({ ...state, pending: PENDING, warnings: ['x'] }, { outcome: 'failed' })
    disk.code = code
    for (let files = 0; ; files++) {
      disk.left = files
      const written = await writeTestFixRecord(next, { offset: '+08:00' }).then(
        (warnings) => ({ warnings }),
        (error: unknown) => ({ error: error as Error }),
      )
      if ('warnings' in written) {
        expect(written.warnings).toEqual([])
        expect(files).toBeGreaterThan(2)
        break
      }
      expect(written.error).toMatchObject({
        name: 'RecordUnwritable',
        message: expect.stringMatching(
          new RegExp(
            `^cannot write ${dir}/.* \\(${code}\\): ${says}, and the run continues by itself$`,
          ),
        ) as string,
      })
      // The first file that changes is the note about the planned files.
      if (files === 0) expect(filesOf(dir)).toEqual(before)
    }
    expect(Object.keys(filesOf(dir)).filter((name) => name.includes('.edited-'))).toEqual([])
  },
)

test('at every file in turn, the next record with other content finds no hand edit', async () => {
  const write = (input: RecordInput) => writeTestFixRecord(input, { offset: '+08:00' })
  for (let files = 0, isWhole = false; !isWhole; files++) {
    const project = tempDir()
    sessionFiles(project)
    const state = stateAfterOne(project, path.join(tempDir(), 'tests'))
    await write(recordInput(state))
    disk.left = files
    isWhole = await write(recordInput({ ...state, pending: PENDING, warnings: ['x'] })).then(
      () => true,
      () => false,
    )
    disk.left = Infinity
    expect(
      await write(
        recordInput({ ...state, pending: { ...PENDING, commit: 'abc' }, warnings: ['y'] }),
      ),
      `after ${files} files`,
    ).toEqual([])
  }
})
