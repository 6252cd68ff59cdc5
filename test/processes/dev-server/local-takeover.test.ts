// A server of another version, durability or privacy takes over only when no run is open.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identify } from '../../../src/adapters/process/identity.js'
import { localStatus, stopLocal } from '../../../src/dev-server/index.js'
import { databaseFile } from '../../../src/dev-server/server.js'
import { serverFile } from '../../../src/dev-server/server-record.js'
import { localUser, type LocalUser } from '../../support/servers/local.js'
import { temporalPath } from '../../support/servers/temporal.js'
import { waitFor } from '../../support/wait.js'
import { withClient } from '../../support/with-client.js'

const OWN = '1.29.1'
const NEWER = '1.99.0'
const LONG = { timeoutMs: 60_000 }

let user: LocalUser
beforeEach(() => void (user = localUser()))
afterEach(() => user.remove())

const open = (client: Client): Promise<number> =>
  client.workflow.count('ExecutionStatus="Running"').then(({ count }) => count)
const startRun = (address: string): Promise<void> =>
  withClient(address, async (client) => {
    await client.workflow.start('nothing', { workflowId: 'open', taskQueue: 'nobody-polls-this' })
    await waitFor(async () => (await open(client)) === 1, { ...LONG, what: 'the run to be seen' })
  })
const endRun = (address: string): Promise<void> =>
  withClient(address, async (client) => {
    await client.workflow.getHandle('open').terminate()
    await waitFor(async () => (await open(client)) === 0, { ...LONG, what: 'the end to be seen' })
  })

/** The environment of a user whose Temporal CLI reports a newer version. */
function newer(): NodeJS.ProcessEnv {
  const file = path.join(user.root, 'newer temporal')
  writeFileSync(
    file,
    `#!/bin/sh\n[ "$1" = --version ] && { echo 'temporal version 1.9.9 (Server ${NEWER}, UI 2.0.0)'; exit; }\nexec '${temporalPath()}' "$@"\n`,
  )
  chmodSync(file, 0o755)
  return { ...user.env, TEMPORAL_CLI_PATH: file }
}

async function reboot(): Promise<void> {
  const { server, supervisor, workers } = await localStatus(user.dirs)
  const all = [supervisor?.pid, ...workers.map((worker) => worker.pid), server?.pid].map(
    (pid) => pid ?? 0,
  )
  for (const pid of all) process.kill(pid, 'SIGKILL')
  await waitFor(() => all.every((pid) => identify(pid) === undefined), {
    ...LONG,
    what: 'everything to be gone',
  })
}

test.each([
  { why: 'a stop by force', stop: () => stopLocal(user.dirs, { force: true }) },
  { why: 'a power loss', stop: reboot },
])(
  'runs open at $why keep their server version; a newer one takes over when none is open, and the old database stays',
  async ({ stop }) => {
    await startRun((await user.ensure()).address)
    await stop()
    const env = newer()
    const again = await user.ensure({ env })
    expect(again.version).toBe(OWN)
    expect(await withClient(again.address, open)).toBe(1)
    expect((await localStatus(user.dirs)).problems).toEqual([
      `the server is still version ${OWN}, as it had open runs; ${NEWER} replaces it with the next command once no run is open`,
    ])
    expect((await user.ensure({ env })).pid).toBe(again.pid)

    await endRun(again.address)
    expect((await user.ensure({ env })).version).toBe(NEWER)
    expect((await localStatus(user.dirs)).problems).toEqual([])
    expect([OWN, NEWER].map((version) => existsSync(databaseFile(user.dirs, version)))).toEqual([
      true,
      true,
    ])
  },
)

test('when the program of the older server is gone, no other server starts while its runs are open', async () => {
  const old = path.join(user.root, 'old-temporal')
  writeFileSync(old, `#!/bin/sh\nexec '${temporalPath()}' "$@"\n`)
  chmodSync(old, 0o755)
  await startRun((await user.ensure({ env: { ...user.env, TEMPORAL_CLI_PATH: old } })).address)
  await stopLocal(user.dirs, { force: true })
  renameSync(old, `${old}.away`)
  const error = (await user.ensure({ env: newer() }).catch((e: unknown) => e)) as {
    message: string
    where: string
  }
  expect(error).toMatchObject({
    name: 'LocalStartFailed',
    message: 'the Temporal server does not start',
  })
  expect(error.where).toContain(`runs may be open on server ${OWN}, whose program is gone`)
  expect(existsSync(databaseFile(user.dirs, NEWER))).toBe(false)

  rmSync(serverFile(user.dirs)) // as the message says
  expect((await user.ensure({ env: newer() })).version).toBe(NEWER)
})

test('--durable restarts a server without it, unless runs are open, and lasts as long as they do', async () => {
  const plain = await user.ensure()
  await startRun(plain.address)
  expect(await user.ensure({ durable: true })).toEqual(plain)
  await endRun(plain.address)
  const durable = await user.ensure({ durable: true })
  expect(durable).toMatchObject({ durable: true })
  expect(durable.pid).not.toBe(plain.pid)
  await startRun(durable.address)
  await reboot()
  expect((await user.ensure()).durable).toBe(true)
})

test('--private restarts a server without it, unless runs are open, and lasts as long as they do', async () => {
  const plain = await user.ensure()
  await startRun(plain.address)
  expect(await user.ensure({ private: true })).toEqual(plain)
  await endRun(plain.address)
  const own = await user.ensure({ private: true })
  expect(own).toMatchObject({ private: true })
  expect(own.pid).not.toBe(plain.pid)
  expect((await fetch(own.uiUrl)).status).toBe(403)
  expect(user.lives('start').map((life) => life.private)).toEqual([false, true])
  await startRun(own.address)
  await reboot()
  const next = await user.ensure()
  expect(next.private).toBe(true)
  await user.ensureProject(user.project('a'))
  expect(user.lives('start').at(-1)).toMatchObject({ role: 'projects', private: true })
  await endRun(next.address)
  await stopLocal(user.dirs, { force: false })
  expect((await user.ensure()).private).toBe(false)
})

test('the user can make the server private for ever', async () => {
  const file = path.join(user.root, 'config/ratchet/config.json')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ local: { private: true } }))
  const env = { ...user.env, XDG_CONFIG_HOME: path.join(user.root, 'config') }
  expect((await user.ensure({ env })).private).toBe(true)
})

test.skipIf(!existsSync('/dev/full'))(
  'a supervisor that cannot write its log continues',
  async () => {
    await user.ensure()
    await stopLocal(user.dirs, { force: true })
    const log = path.join(user.dirs.state, 'logs', 'supervisor.log')
    rmSync(log)
    symlinkSync('/dev/full', log)
    const { pid } = await user.ensure()
    await user.ensureProject(user.project('a'))
    process.kill(pid, 'SIGKILL')
    const status = await waitFor(
      async () => {
        const now = await localStatus(user.dirs)
        return (
          now.server !== undefined && now.server.pid !== pid && now.problems.length === 0 && now
        )
      },
      { ...LONG, what: 'another server' },
    )
    expect(status.workers).toHaveLength(2)
  },
)
