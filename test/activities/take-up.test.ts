// `resume` continues a run from its record, and first rebuilds what is damaged or lost.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadRecord } from '../../src/activities/load-record.js'
import { CYCLE } from '../../src/adapters/records/dev-cycle/cycle-state-file.js'
import { writeCycleRecord } from '../../src/adapters/records/dev-cycle/write-cycle-record.js'
import { rebuildCycle } from '../../src/adapters/records/dev-cycle/recover-cycle.js'
import {
  AT,
  cycleState,
  DOCUMENTS,
  ID,
  OFFSET,
  place,
  recordInput,
} from '../adapters/records/dev-cycle/cycle-state.js'

/** Writes the record of a cycle, damages it, and resumes the cycle. */
async function takenUp(spoil: (master: string) => void, base?: string) {
  const at = place(DOCUMENTS)
  const { project, master } = at
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  spoil(master)
  const take = loadRecord(CYCLE, { project, name: ID, base }, () =>
    rebuildCycle(project, ID, { at: AT, offset: OFFSET }),
  )
  return { master, take }
}

test.each(
  // prettier-ignore
  [
  { why: 'whole', spoil: () => undefined, warns: [], kept: false },
  { why: 'cut', spoil: (master: string) => writeFileSync(master, readFileSync(master, 'utf8').slice(0, -40)), warns: [expect.stringMatching(/^the record was damaged \(.* is cut or is no JSON\) and has been rebuilt; the damaged file is kept as .*\.damaged-1$/)], kept: true },
  { why: 'gone', spoil: (master: string) => rmSync(master), warns: [expect.stringMatching(/^the record was gone and has been rebuilt$/)], kept: false },
],
)('a record that is $why', async ({ spoil, warns, kept }) => {
  const { master, take } = await takenUp(spoil)
  const { record, warnings } = await take
  expect(record).toMatchObject({ cycle_id: ID, current_iteration: 1 })
  expect(warnings.slice(0, warns.length)).toEqual(warns)
  expect(existsSync(`${master}.damaged-1`)).toBe(kept)
  expect(JSON.parse(readFileSync(master, 'utf8'))).toMatchObject({ cycle_id: ID })
})

test.each(
  // prettier-ignore
  [
  { why: 'of a newer version', spoil: (master: string) => writeFileSync(master, '{"schema":2}\n'), base: undefined, message: `the record of ${ID} has schema 2, written by a newer version of Ratchet` },
  { why: 'with another base', spoil: () => undefined, base: 'main', message: `base cannot be set for ${ID}, which continues from its last state` },
],
)('refused: a record $why', async ({ spoil, base, message }) => {
  const { master, take } = await takenUp(spoil, base)
  const before = readFileSync(master, 'utf8')
  await expect(take).rejects.toMatchObject({ type: 'BadInput', message })
  expect(readFileSync(master, 'utf8')).toBe(before)
})
