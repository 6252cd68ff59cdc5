// Environments of runs between commands, the supervisor and a worker, over the control port.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  askedEnvironments,
  type AskedEnvironments,
  type RunEnvironments,
} from '../../../src/adapters/environments/asked-environments.js'
import { noteEnvironment } from '../../../src/adapters/environments/environment-digests.js'
import { self } from '../../../src/adapters/process/identity.js'
import { layout, projectKey, type Dirs } from '../../../src/adapters/state-dir.js'
import { serveControl } from '../../../src/dev-server/control.js'
import { environmentRoutes } from '../../../src/dev-server/environments/environment-routes.js'
import { inOwnEnvironment } from '../../../src/dev-server/environments/give-environment.js'
import { HeldEnvironments } from '../../../src/dev-server/environments/held-environments.js'
import {
  keptEnvironments,
  type KeptEnvironments,
} from '../../../src/dev-server/environments/kept-environments.js'

const RUN = 'WFS-test-a.123456'

let dirs: Dirs
/** Key of the project, here the state directory. */
let project: string
let held: HeldEnvironments
let server: Server
let worker: Worker

type Worker = Awaited<ReturnType<AskedEnvironments['open']>> & Omit<AskedEnvironments, 'open'>

const OWN = { OF: 'the worker' }
/** The worker, with the project open. */
const newWorker = async (supervised = true): Promise<Worker> => {
  const asked = askedEnvironments(dirs, { own: OWN, supervised })
  return { ...asked, ...(await asked.open(project)) }
}

/** A supervisor takes the place of the one before, whose memory is gone. */
async function newSupervisor(files?: KeptEnvironments): Promise<void> {
  server?.close()
  held = new HeldEnvironments({ OF: 'the supervisor' }, files)
  const control = await serveControl(environmentRoutes(held))
  server = control.server
  const record = { identity: self(), port: control.port, token: control.token }
  writeFileSync(layout.supervisor(dirs), JSON.stringify(record))
}

const valueOf = async (one: RunEnvironments, run = RUN) => {
  const { env, from } = await one.of(run)
  return [env['OF'], from]
}

beforeEach(async () => {
  const state = mkdtempSync(path.join(os.tmpdir(), 'ratchet-environments-'))
  dirs = { state, cache: state }
  project = projectKey(state)
  await newSupervisor()
  worker = await newWorker()
})
afterEach(() => {
  server.close()
  rmSync(dirs.state, { recursive: true, force: true })
})

const start = (value: string, begin: () => Promise<unknown> = () => Promise.resolve()) =>
  inOwnEnvironment(dirs, { project: dirs.state, run: RUN, env: { OF: value } }, begin)

test('a run has the environment of the command that started it, another one its own', async () => {
  await start('one shell')
  held.sent(project, { OF: 'another shell' }, 'another')
  expect(await valueOf(worker)).toEqual(['one shell', 'command'])
  expect(await valueOf(worker, 'another')).toEqual(['another shell', 'command'])
})

test('a run gets the environment of the command that continues it', async () => {
  await start('one shell')
  const before = await worker.of(RUN)
  expect((await worker.of(RUN)).env).toBe(before.env) // nothing is sent again
  held.sent(project, { OF: 'another shell' }, RUN)
  expect(await valueOf(worker)).toEqual(['another shell', 'command'])
})

test('a start that fails leaves an open run its own environment', async () => {
  await start('one shell')
  await expect(start('another shell', () => Promise.reject(new Error('open')))).rejects.toThrow()
  expect(await valueOf(worker)).toEqual(['one shell', 'command'])
})

test('a worker waits while a command is starting the run', async () => {
  let asked: Promise<unknown> | undefined
  await start('one shell', () => {
    asked = valueOf(worker)
    return Promise.resolve()
  })
  expect(await asked).toEqual(['one shell', 'command'])
})

test("a run that was started elsewhere keeps that of the project's last command", async () => {
  held.sent(project, { OF: 'one shell' })
  expect(await valueOf(worker)).toEqual(['one shell', 'project'])
  held.sent(project, { OF: 'another shell' })
  expect(await valueOf(worker)).toEqual(['one shell', 'project'])
  expect(await valueOf(worker, 'a later run')).toEqual(['another shell', 'project'])
})

test('without a command it has that of the supervisor, and without a supervisor that of the worker', async () => {
  expect(await valueOf(worker)).toEqual(['the supervisor', 'supervisor'])
  expect(await valueOf(await newWorker(false))).toEqual(['the worker', 'worker'])
  server.close()
  rmSync(layout.supervisor(dirs))
  expect(await valueOf(await newWorker())).toEqual(['the worker', 'worker'])
  expect(await valueOf(worker)).toEqual(['the supervisor', 'supervisor']) // remembered
})

test('a worker hands over more than the supervisor takes at once', async () => {
  const runs = Array.from({ length: 6 }, (_, n) => `run-${n}`)
  const large = (run: string) => run + 'x'.repeat(1_000_000)
  for (const run of runs) held.sent(project, { OF: large(run) }, run)
  await worker.take()
  await newSupervisor()
  held.await([self()])
  await worker.handOver()
  const another = await newWorker()
  for (const run of runs) expect(await valueOf(another, run)).toEqual([large(run), 'command'])
})

test('a worker that ends hands over to the living supervisor, which no later worker asks before', async () => {
  await start('one shell')
  held.sent(project, { OF: 'a second shell' })
  await worker.of(RUN)
  await newSupervisor()
  held.await([self()])
  const asked = newWorker().then((another) => valueOf(another))
  await worker.handOver()
  expect(await asked).toEqual(['one shell', 'command'])
  expect(held.ofProject(project)).toEqual({ env: { OF: 'a second shell' }, from: 'project' })
})

test('a worker takes what is held for every run of the projects that it has open, and no other', async () => {
  await start('one shell')
  held.sent('another project', { OF: 'of another project' }, 'foreign')
  await worker.take()
  server.close()
  rmSync(layout.supervisor(dirs))
  expect(await valueOf(worker)).toEqual(['one shell', 'command'])
  expect(await valueOf(worker, 'foreign')).toEqual(['the worker', 'worker'])
})

test('a supervisor that has just started does not replace what a worker remembers', async () => {
  await start('one shell')
  await worker.of(RUN)
  await newSupervisor()
  expect(await valueOf(worker)).toEqual(['one shell', 'command'])
  expect(await valueOf(await newWorker())).toEqual(['one shell', 'command']) // it was handed over
})

test('what a command has sent meanwhile counts more than what an ending worker knows', async () => {
  await start('one shell')
  await worker.of(RUN)
  await newSupervisor()
  await start('another shell')
  await worker.handOver()
  expect(await valueOf(worker)).toEqual(['another shell', 'command'])
})

test('environments hold no marks of the process that sent them', async () => {
  await inOwnEnvironment(
    dirs,
    { project: dirs.state, run: RUN, env: { OF: 'a step', RATCHET_RUN: 'r', RATCHET_LOCAL: 'l' } },
    () => Promise.resolve(),
  )
  expect((await worker.of(RUN)).env).toEqual({ OF: 'a step' })
})

test('what differs after a loss is known by name, without a value on disk', () => {
  const begun = { OF: 'one shell', DATABASE_URL: 'postgres://one', PATH: '/bin' }
  noteEnvironment(dirs, RUN, { env: begun, from: 'command' }, true)
  const file = readFileSync(layout.environment(dirs, RUN), 'utf8')
  expect(file).toContain('DATABASE_URL')
  expect(file).not.toContain('postgres')
  const now = { OF: 'one shell', DATABASE_URL: 'postgres://two' }
  const lost = { missing: ['PATH'], changed: ['DATABASE_URL'] }
  expect(noteEnvironment(dirs, RUN, { env: now, from: 'supervisor' })).toEqual(lost)
  expect(noteEnvironment(dirs, RUN, { env: now, from: 'worker' })).toEqual(lost)
  const none = { missing: [], changed: [] }
  expect(noteEnvironment(dirs, RUN, { env: begun, from: 'supervisor' })).toEqual(none)
  expect(noteEnvironment(dirs, RUN, { env: now, from: 'command' })).toEqual(none) // a resume
  expect(noteEnvironment(dirs, RUN, { env: now, from: 'supervisor' })).toEqual(none)
})

describe('environments that are kept in files', () => {
  const files = (keepEnvironment: boolean): KeptEnvironments | undefined =>
    keptEnvironments(dirs, { keepEnvironment, log: () => undefined })
  const newFiles = (): KeptEnvironments | undefined => files(true)

  test('a run keeps its own after supervisor and worker died; a later command gives it another one', async () => {
    await newSupervisor(newFiles())
    await start('a shell')
    expect(await valueOf(worker)).toEqual(['a shell', 'command'])
    await newSupervisor(newFiles())
    expect(await valueOf(await newWorker())).toEqual(['a shell', 'command'])
    await start('another shell')
    await newSupervisor(newFiles())
    expect(await valueOf(await newWorker())).toEqual(['another shell', 'command'])
  })

  test('only the user can read the file; it is removed once the run has ended, and with the setting', async () => {
    const file = layout.keptEnvironment(dirs, RUN)
    await newSupervisor(newFiles())
    await start('a shell')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    held.keepOnly([RUN])
    expect(existsSync(file)).toBe(true)
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    await newSupervisor(newFiles())
    vi.advanceTimersByTime(11 * 60_000)
    held.keepOnly([])
    expect(existsSync(file)).toBe(false)
    await start('a shell')
    expect(files(false)).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  })

  test('a damaged file is as good as none', async () => {
    await newSupervisor(newFiles())
    await start('a shell')
    writeFileSync(layout.keptEnvironment(dirs, RUN), '{"run":')
    await newSupervisor(newFiles())
    expect(await valueOf(await newWorker())).toEqual(['the supervisor', 'supervisor'])
  })
})
