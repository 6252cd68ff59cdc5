// What Ratchet makes in `.workflow` is for its user alone: prompts, answers and outputs are in it.
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCycleRecord } from '../../src/adapters/records/dev-cycle/cycle-paths.js'
import { openLoopRecord } from '../../src/adapters/records/dev-loop/loop-paths.js'
import { appendOwn, writeNew, writeOwn } from '../../src/adapters/records/safe-files.js'
import { makeRepo } from '../support/repositories/repos.js'
import { sessionHost } from './session-host.js'

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)

/** What others may read or write below `.workflow`, and itself. */
function openIn(project: string): string[] {
  const record = path.join(project, '.workflow')
  const all = readdirSync(record, { recursive: true, encoding: 'utf8' })
  return ['.', ...all].filter((file) => !/^[67]00$/.test(modeOf(path.join(record, file))))
}

/** As most shells have it. */
function withUmask(): void {
  const before = process.umask(0o022)
  onTestFinished(() => void process.umask(before))
}

test('the record of a session', async () => {
  withUmask()
  const { project, prepare } = sessionHost()
  await prepare()
  expect(readdirSync(path.join(project, '.workflow/WFS-test-login'))).not.toEqual([])
  expect(openIn(project)).toEqual([])
})

test.each([
  { kind: 'cycle', open: openCycleRecord },
  { kind: 'loop', open: openLoopRecord },
])('the record of a $kind, and what is written into it', async ({ open }) => {
  withUmask()
  const project = makeRepo()
  const dir = open(project, 'one')
  await writeOwn(path.join(dir, 'whole.md'), 'x')
  writeNew(path.join(dir, 'new.md'), 'x')
  appendOwn(path.join(dir, 'log.ndjson'), 'x\n')
  expect(openIn(project)).toEqual([])
})

test('what the user has made keeps its mode', async () => {
  withUmask()
  const { project, prepare } = sessionHost()
  const shared = path.join(project, '.workflow')
  mkdirSync(shared)
  chmodSync(shared, 0o755)
  const own = path.join(shared, 'notes.md')
  writeFileSync(own, 'x', { mode: 0o644 })
  await prepare()
  expect([modeOf(shared), modeOf(own)]).toEqual(['755', '644'])
  expect(openIn(project)).toEqual(['.', 'notes.md'])
  await writeOwn(own, 'y')
  expect(modeOf(own)).toBe('644')
})
