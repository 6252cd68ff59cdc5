// The user's own server: its settings, and which servers and ports it joins or leaves alone.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import type { Connection } from '@temporalio/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identify, isAlive, self } from '../../../src/adapters/process/identity.js'
import { SEARCH_ATTRIBUTES } from '../../../src/contract/names.js'
import { localStatus, stopLocal } from '../../../src/dev-server/index.js'
import { recordedServer, serverFile } from '../../../src/dev-server/server-record.js'
import { localUser, type LocalUser } from '../../support/servers/local.js'
import { withClient } from '../../support/with-client.js'

let user: LocalUser
beforeEach(() => void (user = localUser()))
afterEach(() => user.remove())

const startRun = (address: string, workflowId: string) =>
  withClient(address, (client) =>
    client.workflow.start('nothing', { workflowId, taskQueue: 'nobody-polls-this' }),
  )

/** The arguments of a running process. */
const argumentsOf = (pid: number): string =>
  execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })

test('a fresh server keeps runs for 365 days, knows every search attribute, and listens on 127.0.0.1', async () => {
  const { address, namespace, uiUrl, version } = await user.ensure()
  expect({ namespace, host: address.split(':')[0], version }).toEqual({
    namespace: 'ratchet',
    host: '127.0.0.1',
    version: '1.29.1',
  })
  await withClient(address, async ({ workflowService, connection }) => {
    const { config } = await workflowService.describeNamespace({ namespace: 'ratchet' })
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(365 * 24 * 3600)
    const { customAttributes } = await (
      connection as Connection
    ).operatorService.listSearchAttributes({ namespace: 'ratchet' })
    const types = { KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5 }
    expect(customAttributes).toMatchObject(
      Object.fromEntries(
        Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, types[type]]),
      ),
    )
  })
  expect((await fetch(uiUrl)).status).toBe(200)
})

test('its files are private, and the database is named after the version', async () => {
  await user.ensure()
  expect(existsSync(path.join(user.dirs.state, 'server', 'temporal-1.29.1.db'))).toBe(true)
  for (const file of [
    'server/server.json',
    'supervisor.json',
    'supervisor-children.json',
    'logs/server.log',
  ])
    expect([file, statSync(path.join(user.dirs.state, file)).mode & 0o777]).toEqual([file, 0o600])
})

test('the server gets its own home directory and none of the environment of its caller', async () => {
  const { pid } = await user.ensure({
    env: { ...user.env, ANTHROPIC_API_KEY: 'a-secret-value', TEMPORAL_TLS: 'true' },
  })
  const environment = execFileSync('ps', ['eww', '-p', String(pid)], { encoding: 'utf8' })
  expect(environment).toContain(`HOME=${path.join(user.dirs.state, 'server', 'home')}`)
  expect(environment).not.toMatch(/a-secret-value|TEMPORAL_TLS|XDG_STATE_HOME/)
})

test.each([
  { durable: false, pragma: 'synchronous=normal' },
  { durable: true, pragma: 'synchronous=full' },
])('durable $durable starts the server with $pragma', async ({ durable, pragma }) => {
  const { pid } = await user.ensure({ durable })
  expect(argumentsOf(pid)).toContain(`--sqlite-pragma ${pragma}`)
})

test('a second call joins the server and returns the same', async () => {
  const first = await user.ensure()
  expect(await user.ensure()).toEqual(first)
  expect((await localStatus(user.dirs)).server).toMatchObject({
    address: first.address,
    pid: first.pid,
  })
})

test('runs survive a stop and a start', async () => {
  const first = await user.ensure()
  await startRun(first.address, 'kept')
  expect(await stopLocal(user.dirs, { force: true })).toBe('stopped')
  const second = await user.ensure()
  expect(second.pid).not.toBe(first.pid)
  const status = await withClient(
    second.address,
    async (client) => (await client.workflow.getHandle('kept').describe()).status.name,
  )
  expect(status).toBe('RUNNING')
})

test('a stop without force leaves everything running while a run is open, and names the run', async () => {
  const { address, pid } = await user.ensure()
  await startRun(address, 'open')
  await withClient(address, (client) =>
    expect
      .poll(async () => (await client.workflow.count('ExecutionStatus="Running"')).count)
      .toBe(1),
  )
  expect(await stopLocal(user.dirs, { force: false })).toEqual({ openRuns: ['open'] })
  expect((await localStatus(user.dirs)).server?.pid).toBe(pid)
  expect(await stopLocal(user.dirs, { force: true })).toBe('stopped')
  expect(await localStatus(user.dirs)).toEqual({ workers: [], problems: [] })
  expect(await stopLocal(user.dirs, { force: false })).toBe('not running')
})

/** Listens on a port unless another process does already; either way it is taken. */
async function take(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve() : reject(error),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}

test('ports 7233 and 8233 taken by something else are left alone, and the next free ones are used', async () => {
  const taken = [await take(7233), await take(8233)]
  try {
    const { address, uiUrl } = await user.ensure()
    expect(Number(address.split(':')[1])).toBeGreaterThan(7233)
    expect(Number(address.split(':')[1])).toBeLessThan(7300)
    expect(Number(new URL(uiUrl).port)).toBeGreaterThan(8233)
  } finally {
    for (const server of taken) server.close()
  }
})

test('two users at once have two servers on two addresses', async () => {
  const other = localUser()
  try {
    const [mine, theirs] = await Promise.all([user.ensure(), other.ensure()])
    expect(mine.address).not.toBe(theirs.address)
    await startRun(mine.address, 'mine')
    const found = await withClient(theirs.address, (client) =>
      client.workflow
        .getHandle('mine')
        .describe()
        .catch((e: Error) => e.name),
    )
    expect(found).toBe('WorkflowNotFoundError')
  } finally {
    await other.remove()
  }
})

test.each(
  // prettier-ignore
  [
  { why: 'of a dead process whose pid was reused', text: (user: LocalUser) => JSON.stringify({ ...record(user), identity: { ...self(), startTime: '1' } }) },
  { why: 'that is not JSON', text: () => '{"identity":' },
],
)('a state file $why is replaced', async ({ text }) => {
  mkdirSync(path.dirname(serverFile(user.dirs)), { recursive: true })
  writeFileSync(serverFile(user.dirs), text(user))
  const { pid } = await user.ensure()
  expect(pid).not.toBe(process.pid)
  expect(recordedServer(user.dirs)?.identity.pid).toBe(pid)
})

const record = (user: LocalUser) => ({
  nonce: 'n',
  address: '127.0.0.1:7233',
  uiPort: 8233,
  version: '1.29.1',
  dbFile: path.join(user.dirs.state, 'x.db'),
})

test('a server that does not answer is ended and restarted', async () => {
  const { pid } = await user.ensure()
  const old = identify(pid)
  const supervisor = (await localStatus(user.dirs)).supervisor?.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  process.kill(supervisor, 'SIGKILL')
  await expect.poll(() => identify(supervisor)).toBeUndefined()
  const second = await user.ensure()
  expect(second.pid).not.toBe(pid)
  expect(old === undefined || isAlive(old)).toBe(false)
})

test('a server that cannot start fails with the tail of its log', async () => {
  // A directory in the database's place
  mkdirSync(path.join(user.dirs.state, 'server', 'temporal-1.29.1.db'), { recursive: true })
  const error = await user
    .ensure()
    .catch((e: unknown) => e as { name: string; where: string; message: string })
  expect(error).toMatchObject({
    name: 'LocalStartFailed',
    message: 'the Temporal server does not start',
  })
  expect((error as { where: string }).where).toContain(
    readFileSync(path.join(user.dirs.state, 'logs', 'server.log'), 'utf8')
      .trim()
      .split('\n')
      .at(-1),
  )
})
