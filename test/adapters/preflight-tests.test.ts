import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Config } from '../../src/contract/config/config.js'
import { RefusalError } from '../../src/contract/failures.js'
import { deadLooks, firstLook, removeLook } from '../../src/adapters/preflight-tests.js'
import { spawnGroup } from '../../src/adapters/process/spawn-group.js'
import type { Dirs } from '../../src/adapters/state-dir.js'
import { findMarkedAll } from '../../src/adapters/process/find.js'
import {
  fingerprint,
  makeRepo,
  refs,
  runGit,
  tempDirs,
  writeFiles,
} from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

const PASSES = "import test from 'node:test'\ntest('adds', () => {})\n"
const FAILS =
  "import test from 'node:test'\nimport assert from 'node:assert'\ntest('subtracts', () => assert.equal(1, 2))\n"
const FILES = { 'a.test.mjs': PASSES, 'b.test.mjs': FAILS }
const COMMAND = { test: { command: [process.execPath, '--test'] } }

function look(
  dirs: Dirs,
  project: string,
  config: unknown = COMMAND,
  signal = new AbortController().signal,
) {
  return firstLook(dirs, { project, config: Config.parse(config), env: process.env, signal })
}

const left = (dirs: Dirs): string[] =>
  existsSync(path.join(dirs.state, 'looks')) ? readdirSync(path.join(dirs.state, 'looks')) : []

test('a first look measures the current tree in a copy, and leaves nothing behind', async () => {
  const [project, dirs] = [makeRepo(FILES), tempDirs()]
  writeFiles(project, { 'c.test.mjs': PASSES.replace('adds', 'is not committed') })
  const before = { files: fingerprint(project), refs: refs(project) }
  expect(await look(dirs, project)).toMatchObject({ kind: 'measured', passed: 2, total: 3 })
  expect({ files: fingerprint(project), refs: refs(project) }).toEqual(before)
  expect(left(dirs)).toEqual([])
})

test('a failed measurement is a reason', async () => {
  const [project, dirs] = [makeRepo(FILES), tempDirs()]
  const run = await look(dirs, project, {
    test: { command: ['no-such-program'], report: { format: 'junit', path: 'r.xml' } },
  })
  expect(run).toMatchObject({ kind: 'cannot_execute' })
})

test.each(
  // prettier-ignore
  [
  { why: 'set-up that fails', config: { ...COMMAND, workspace: { setup: ['false'] } }, files: {}, type: 'SetupFailed' },
  { why: 'a configuration that names files outside', config: { ...COMMAND, workspace: { copy: ['../x'] } }, files: {}, type: 'BadConfig' },
],
)('refuses what a run would refuse: $why', async ({ config, files, type }) => {
  const [project, dirs] = [makeRepo({ ...FILES, ...files }), tempDirs()]
  const refused = await look(dirs, project, config).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RefusalError)
  expect((refused as RefusalError).type).toBe(type)
  expect(left(dirs)).toEqual([])
})

test('no copy can be made of tests in place, or of a HEAD on no branch', async () => {
  const [project, dirs] = [makeRepo(FILES), tempDirs()]
  expect(
    await look(dirs, project, { ...COMMAND, workspace: { isolation: 'in-place' } }),
  ).toBeUndefined()
  runGit(project, 'checkout', '-q', '--detach')
  expect(await look(dirs, project)).toBeUndefined()
})

test('an aborted look ends its tests and all their processes', async () => {
  const [project, dirs] = [
    makeRepo({
      'slow.test.mjs':
        "import test from 'node:test'\ntest('waits', () => new Promise((r) => setTimeout(r, 100_000)))\n",
    }),
    tempDirs(),
  ]
  const over = new AbortController()
  const looking = look(dirs, project, COMMAND, over.signal)
  const running = (): number =>
    left(dirs).flatMap((id) => findMarkedAll({ RATCHET_RUN: id })).length
  await waitFor(() => running() > 0, { what: 'the tests' })
  over.abort(new Error('the server is there'))
  await expect(looking).rejects.toThrow('the server is there')
  expect(left(dirs)).toEqual([])
})

test('finds a look whose process was killed, and ends its leftover processes', async () => {
  const dirs = tempDirs()
  const dir = path.join(dirs.state, 'looks', 'look-0000dead')
  mkdirSync(dir, { recursive: true })
  writeFileSync(
    path.join(dir, 'owner.json'),
    JSON.stringify({ pid: 1, startTime: 'another', bootId: 'another' }),
  )
  const child = await spawnGroup({
    argv: [process.execPath, '-e', 'setTimeout(() => {}, 100_000)'],
    cwd: dirs.state,
    env: process.env,
    markers: { run: 'look-0000dead', step: 'first-look' },
    stdin: 'ignore',
    stdout: { file: path.join(dirs.state, 'out') },
  })
  expect(deadLooks(dirs)).toEqual(['look-0000dead'])
  await removeLook(dirs, 'look-0000dead')
  await child.exited
  expect(deadLooks(dirs)).toEqual([])
})
