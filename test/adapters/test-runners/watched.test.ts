// Writes into the tests between checkout and report, also by the suite itself.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { testRunsDir } from '../../../src/adapters/test-runners/stored-run.js'
import {
  noteTouched,
  touchedAtFirst,
  watchTests,
} from '../../../src/adapters/test-runners/watched.js'
import { isGuarded } from '../../../src/core/guard/test-guard.js'
import { makeWorkspace } from '../../support/repositories/repos.js'

const FILE = 'test/add.test.js'
const watched = (file: string) => isGuarded(file)

afterEach(() => vi.restoreAllMocks())

/** The clock of a file system may be some milliseconds behind. */
const aTick = () => setTimeout(20)

test.each(
  // prettier-ignore
  [
  { why: 'weakened', write: (file: string) => writeFileSync(file, 'weaker\n') },
  { why: 'weakened and restored', write: (file: string) => { const text = readFileSync(file); writeFileSync(file, 'weaker\n'); writeFileSync(file, text) } },
  { why: 'weakened and restored with its times', write: (file: string) => { const text = readFileSync(file); writeFileSync(file, 'weaker\n'); writeFileSync(file, text); utimesSync(file, 1, 1) } },
],
)('notices a test that is $why while the tests run', async ({ write }) => {
  const { workspace } = await makeWorkspace()
  await aTick()
  const watch = await watchTests(workspace, workspace.base, watched)
  await aTick()
  write(path.join(workspace.root, FILE))
  expect(await watch.changed()).toEqual([FILE])
})

test('notices a test weakened between checkout and watch, also where it is restored', async () => {
  const { workspace } = await makeWorkspace()
  const file = path.join(workspace.root, FILE)
  const text = readFileSync(file)
  writeFileSync(file, 'weaker\n')
  await aTick()
  const watch = await watchTests(workspace, workspace.base, watched)
  writeFileSync(file, text)
  expect(await watch.changed()).toEqual([FILE])
})

test('does not watch the code under test and new files, and notices nothing without a write', async () => {
  const { workspace } = await makeWorkspace()
  await aTick()
  const watch = await watchTests(workspace, workspace.base, watched)
  writeFileSync(path.join(workspace.root, 'src/add.js'), 'other\n')
  writeFileSync(path.join(workspace.root, 'test/debris.txt'), 'x')
  expect(await watch.changed()).toEqual([])
})

test('files from before the clock was set back do not count as written', async () => {
  const { workspace } = await makeWorkspace()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 2 * 3_600_000)
  const watch = await watchTests(workspace, workspace.base, watched)
  expect(await watch.changed()).toEqual([])
})

test('remembers the files that the first run wrote itself', async () => {
  const { workspace } = await makeWorkspace()
  const outDir = path.join(testRunsDir(workspace), 'first')
  mkdirSync(outDir, { recursive: true })
  expect([...touchedAtFirst(workspace)]).toEqual([])
  noteTouched(outDir, [FILE])
  expect([...touchedAtFirst(workspace)]).toEqual([FILE])
})
