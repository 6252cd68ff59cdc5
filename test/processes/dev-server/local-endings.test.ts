// Endings at the wrong moment: a supervisor that ends during a command, a worker replaced before it
// was ready, processes that no file names.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identify } from '../../../src/adapters/process/identity.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { localStatus, stopLocal } from '../../../src/dev-server/index.js'
import { serverFile } from '../../../src/dev-server/server-record.js'
import { strays } from '../../../src/dev-server/orphans.js'
import { BUILT, localUser, type LocalUser } from '../../support/servers/local.js'
import { waitFor } from '../../support/wait.js'

let user: LocalUser
beforeEach(() => void (user = localUser()))
afterEach(() => user.remove())

const LONG = { timeoutMs: 60_000 }
const gone = (pid: number | undefined): Promise<boolean> =>
  waitFor(() => identify(pid ?? 0) === undefined, { ...LONG, what: `process ${pid} to be gone` })

test('a worker requested while the supervisor stops is started by the next one', async () => {
  await user.ensure()
  const { supervisor, workers } = await localStatus(user.dirs)
  const busy = workers[0]?.pid ?? 0
  process.kill(busy, 'SIGSTOP') // so that the supervisor cannot end before the worker is asked for
  process.kill(supervisor?.pid ?? 0, 'SIGTERM')
  await waitFor(
    async () => (await localStatus(user.dirs)).problems.includes('everything is about to stop'),
    { ...LONG, what: 'the stop to begin' },
  )

  const project = user.project('a')
  const asked = user.ensureProject(project)
  await waitFor(() => user.log('supervisor').includes('stops: SIGTERM'), {
    ...LONG,
    what: 'the log to say so',
  })
  process.kill(busy, 'SIGCONT')
  expect((await asked).address).toBe((await localStatus(user.dirs)).server?.address)
  const after = await localStatus(user.dirs)
  expect(after.supervisor?.pid).not.toBe(supervisor?.pid)
  expect(after.workers.map((worker) => worker.kind)).toEqual(['workflows', 'project'])
  expect(user.lives('start', 'projects')).toHaveLength(1) // none by the supervisor that was ending
})

test('a request for a worker starts everything if nothing runs', async () => {
  const { address } = await user.ensureProject(user.project('a'))
  expect((await localStatus(user.dirs)).server?.address).toBe(address)
  expect((await localStatus(user.dirs)).problems).toEqual([])
})

// The moment is met exactly: the worker sends itself the signal as it sets its handler.
test.each(['SIGINT', 'SIGTERM'])(
  'a worker that gets %s before it is ready ends without taking work',
  async (signal) => {
    const { address } = await user.ensure()
    const atOnce = `const on = process.on; process.on = function (name, ...rest) { on.call(this, name, ...rest); if (name === '${signal}') process.kill(process.pid, '${signal}'); return this }`
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(atOnce)}`,
      path.join(BUILT, 'worker/main.js'),
      '--role',
      'workflows',
    ]
    const worker = spawn(process.execPath, args, {
      env: { ...user.env, RATCHET_ADDRESS: address, RATCHET_NAMESPACE: 'ratchet' },
      stdio: 'ignore',
    })
    try {
      expect(await once(worker, 'exit', { signal: AbortSignal.timeout(150_000) })).toEqual([
        0,
        null,
      ])
    } finally {
      worker.kill('SIGKILL')
    }
  },
)

test("concurrent requests for one project's worker from different shells leave one working", async () => {
  await user.ensure()
  const project = user.project('a')
  await Promise.all(['1', '2', '3'].map((KEY) => user.ensureProject(project, { KEY })))
  expect(user.lives('open')).toHaveLength(1)
  expect(
    (await localStatus(user.dirs)).workers.filter(({ kind }) => kind === 'project'),
  ).toHaveLength(1)
})

test('a server and workers that no file names are ended before new ones start', async () => {
  const first = await user.ensure()
  await user.ensureProject(user.project('a'))
  const before = await localStatus(user.dirs)
  process.kill(before.supervisor?.pid ?? 0, 'SIGKILL')
  await gone(before.supervisor?.pid)
  for (const file of [
    serverFile(user.dirs),
    path.join(user.dirs.state, 'supervisor-children.json'),
  ])
    rmSync(file) // killed before it could write them

  const second = await user.ensure()
  await user.ensureProject(user.project('a'))
  expect(second.pid).not.toBe(first.pid)
  expect(identify(first.pid)).toBeUndefined() // two servers on one database destroy it
  for (const { pid } of [{ pid: first.pid }, ...before.workers]) await gone(pid)
  expect(user.lives('start')).toHaveLength(4)
})

test('a stop ends what no file names', async () => {
  const { pid } = await user.ensure()
  const before = await localStatus(user.dirs)
  process.kill(before.supervisor?.pid ?? 0, 'SIGKILL')
  await gone(before.supervisor?.pid)
  for (const file of [
    serverFile(user.dirs),
    path.join(user.dirs.state, 'supervisor-children.json'),
  ])
    rmSync(file)
  expect(await stopLocal(user.dirs, { force: true })).toBe('stopped')
  expect(identify(pid)).toBeUndefined()
  expect([...strays(user.dirs, 'server', []), ...strays(user.dirs, 'worker', [])]).toEqual([])
})

test.each(
  // prettier-ignore
  [
  { why: 'children file that is not JSON', file: (u: LocalUser) => path.join(u.dirs.state, 'supervisor-children.json'), text: '[{"name":' },
  { why: 'children file of another shape', file: (u: LocalUser) => path.join(u.dirs.state, 'supervisor-children.json'), text: '{"workers":3}' },
  { why: 'supervisor file that is empty', file: (u: LocalUser) => layout.supervisor(u.dirs), text: '' },
],
)(
  'a $why, left by a power loss, is replaced, and what it named is replaced too',
  async ({ file, text }) => {
    await user.ensure()
    const before = await localStatus(user.dirs)
    process.kill(before.supervisor?.pid ?? 0, 'SIGKILL')
    await gone(before.supervisor?.pid)
    writeFileSync(file(user), text)
    await user.ensure()
    await gone(before.workers[0]?.pid)
    expect((await localStatus(user.dirs)).problems).toEqual([])
    expect((await localStatus(user.dirs)).workers).toHaveLength(1)
  },
)
