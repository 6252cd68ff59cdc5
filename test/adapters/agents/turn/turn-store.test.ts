// The record of a turn on disk: independent processes agree on the driver of a turn.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import {
  createClaim,
  find,
  readClaim,
  saveClaim,
  takeOver,
  turnFiles,
  type Claim,
} from '../../../../src/adapters/agents/turn/turn-store.js'
import { identify } from '../../../../src/adapters/process/identity.js'
import { layout, type Dirs } from '../../../../src/adapters/state-dir.js'
import { tempDirs } from '../../../support/repositories/repos.js'

const FIELDS = { key: 'run/r/1/fix', run: 'run', cwd: '/x', agent: 'a' }
let dirs: Dirs
beforeEach(() => {
  dirs = tempDirs()
})

const dir = () => layout.turn(dirs, FIELDS.key)
const claimed = () => createClaim(dirs, FIELDS) as Claim
/** The process that started this one: alive, and not this one. */
const other = () => identify(process.ppid)

test('claim: of two that find nothing one begins, and the other sees the owner', () => {
  expect(createClaim(dirs, FIELDS)).toMatchObject({ generation: 1, driver: { pid: process.pid } })
  expect(createClaim(dirs, { ...FIELDS, agent: 'b' })).toBeUndefined()
  expect(readClaim(dir())).toMatchObject({ agent: 'a' })
})

test('claim: of two that find a dead driver one takes over and owns the turn', () => {
  const found = claimed()
  expect(takeOver(dirs, found)).toMatchObject({ generation: 2 })
  expect(takeOver(dirs, found)).toBeUndefined()
})

test('claim: a process that takes over holds the turn before it writes the claim', () => {
  const found = claimed()
  saveClaim(dirs, {
    ...found,
    driver: { ...found.driver, pid: 1, startTime: 'gone' },
    released: true,
  })
  expect(find(dirs, FIELDS.key)).toMatchObject({ state: 'interrupted' })
  writeFileSync(path.join(dir(), 'takeover.2.json'), JSON.stringify(other()))
  expect(find(dirs, FIELDS.key)).toEqual({ state: 'theirs', driver: other() })
})

test('claim: it is complete or missing, and a partial file is no claim', () => {
  mkdirSync(dir(), { recursive: true })
  writeFileSync(`${turnFiles(dir()).claim}.1.abcd`, '{"schema":1,"key":"ru')
  expect(find(dirs, FIELDS.key)).toEqual({ state: 'new' })
  expect(claimed()).toMatchObject(
    JSON.parse(readFileSync(turnFiles(dir()).claim, 'utf8')) as object,
  )
  expect(
    readdirSync(dir())
      .filter((name) => name.startsWith('claim'))
      .sort(),
  ).toEqual(['claim.json', 'claim.json.1.abcd'])
})
