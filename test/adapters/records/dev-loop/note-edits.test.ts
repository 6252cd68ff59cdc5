// A person edits the progress files of a loop while it is open.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { faultPoints } from '../../../../src/adapters/failpoint.js'
import { editLines } from '../../../../src/adapters/records/edits/edits-log.js'
import { takeLoopEdits } from '../../../../src/adapters/records/dev-loop/patch-loop-record.js'
import { writeLoopRecord } from '../../../../src/adapters/records/dev-loop/write-loop-record.js'
import {
  readLoop,
  restoredLoop,
} from '../../../../src/adapters/records/dev-loop/load-loop-record.js'
import { layOutLoop } from '../../../../src/adapters/records/dev-loop/loop-progress.js'
import { AT, ID, loopState, noted, OFFSET, place, recordInput, type Place } from './loop-state.js'

const HINT = '\nUse decimal.js for sums.\n'
const WHEN = { iteration: 3, at: AT, offset: OFFSET }

/** A loop after a turn of debug. `write`: writes its record, as after a worker. */
async function recorded(): Promise<{
  at: Place
  note: string
  own: string
  write: (seen?: number) => ReturnType<typeof writeLoopRecord>
  history: () => string[]
}> {
  const at = place()
  await noted(at, 'debug', 3, { findings: ['cart 3 fails'] })
  const edits = (seen: number) => (seen === 0 ? {} : { edits: { seen, open: [], removed: [] } })
  const write = (seen = 0) =>
    writeLoopRecord(recordInput(loopState(at, edits(seen))), { offset: OFFSET })
  await write()
  return {
    at,
    note: at.files.note('debug'),
    own: at.laidOut.progressFile('debug'),
    write,
    history: () => readdirSync(path.join(at.files.progress, 'history')).sort(),
  }
}

const read = (file: string): string => readFileSync(file, 'utf8')
const add = (file: string, text: string): void => writeFileSync(file, read(file) + text)

test('an edit is copied to the workers, answered with its lines, noted once, and stays in history', async () => {
  const { at, note, own, write, history } = await recorded()
  writeFileSync(own, '# what debug wrote itself\n')
  add(note, HINT)
  const edited = read(note)
  expect(await write()).toMatchObject({
    warnings: [],
    edits: [
      { id: 'EDIT-001', phase: 'debug', file: 'debug.md', change: ['+ Use decimal.js for sums.'] },
    ],
  })
  expect([read(note), read(own)]).toEqual([edited, edited])
  expect(history()).toEqual(['debug.md.edited-1', 'debug.md.replaced-1'])
  expect(await write(1)).toEqual({ warnings: [] })
  expect(editLines(at.files.edits)).toHaveLength(1)
})

test('the next section follows the edit, and no part of the edit counts as text of the worker', async () => {
  const { at, note, own, write } = await recorded()
  add(note, HINT)
  await write()
  add(own, 'I have tried decimal.js.\n')
  await noted(at, 'debug', 5)
  expect(read(note).split('Use decimal.js for sums.')).toHaveLength(2)
  expect(read(note)).toMatch(
    /Use decimal\.js for sums\.[^]*## Iteration 5[^]*> I have tried decimal\.js\.\n/,
  )
  expect((await write(1)).edits).toBeUndefined()
})

test('an edit during the turn of the worker is read at its end, and both texts are kept', async () => {
  const { at, note, own } = await recorded()
  add(note, HINT)
  writeFileSync(own, 'I looked at the cart.\n')
  await noted(at, 'debug', 4)
  expect(read(note)).toMatch(
    /Use decimal\.js for sums\.[^]*## Iteration 4[^]*> I looked at the cart\.\n/,
  )
  expect(
    await takeLoopEdits(
      { workspace: { project: at.project, cwd: at.cwd }, name: ID, seen: 0 },
      WHEN,
    ),
  ).toMatchObject([{ file: 'debug.md', change: ['+ Use decimal.js for sums.'] }])
})

test('reads an edit after a pause, with the configuration', async () => {
  const { at, note, own } = await recorded()
  add(note, HINT)
  const workspace = { project: at.project, cwd: at.cwd }
  expect(await takeLoopEdits({ workspace, name: ID, seen: 0 }, WHEN)).toMatchObject([
    { id: 'EDIT-001' },
  ])
  expect(read(own)).toBe(read(note))
  expect(await takeLoopEdits({ workspace, name: ID, seen: 1 }, WHEN)).toEqual([])
})

test('restores a deleted or emptied file', async () => {
  const { note, write } = await recorded()
  const before = read(note)
  for (const change of [() => rmSync(note), () => writeFileSync(note, '\n')]) {
    change()
    expect((await write()).edits).toBeUndefined()
    expect(read(note)).toBe(before)
  }
})

test('an unusable edit is kept with its problem, and its correction is accepted', async () => {
  const { note, write } = await recorded()
  const before = read(note)
  rmSync(note)
  mkdirSync(note)
  expect(await write()).toMatchObject({ edits: [{ id: 'EDIT-001', problem: 'it is a directory' }] })
  expect([read(note), existsSync(`${note}.edited`)]).toEqual([before, true])
  rmSync(`${note}.edited`, { recursive: true })
  writeFileSync(`${note}.edited`, before + HINT)
  expect(await write(1)).toMatchObject({
    edits: [{ id: 'EDIT-002', change: ['+ Use decimal.js for sums.'] }],
  })
  expect(read(note)).toBe(before + HINT)
})

test('a worker killed between the note and the copy reads the edit after its restart, and notes it once', async () => {
  const { at, note, own, write } = await recorded()
  add(note, HINT)
  const points = path.join(at.project, 'points')
  mkdirSync(points)
  writeFileSync(path.join(points, 'record-edits'), '')
  await expect(
    faultPoints.run(
      {
        directory: points,
        die: () => {
          throw new Error('killed')
        },
      },
      () => write(),
    ),
  ).rejects.toThrow('killed')
  expect(existsSync(own)).toBe(false)
  expect(await write()).toMatchObject({ edits: [{ id: 'EDIT-001' }] })
  expect(editLines(at.files.edits)).toHaveLength(1)
})

test('a loop that is resumed from its record knows its edits; a fresh workspace has the edited text', async () => {
  const { at, note, write } = await recorded()
  add(note, HINT)
  await write()
  await write(1)
  const record = readLoop(at.project, ID)
  expect(record.state === 'ok' ? restoredLoop(record.record).edits : undefined).toEqual({
    seen: 1,
    open: [],
    removed: [],
  })
  rmSync(at.laidOut.progress, { recursive: true })
  expect(read(layOutLoop(at.cwd, at.project, ID).progressFile('debug'))).toContain('decimal.js')
})
