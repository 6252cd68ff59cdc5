// One supervisor per user: what it restarts after a kill, and that it never holds its callers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import getPort, { portNumbers } from 'get-port'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identify } from '../../../src/adapters/process/identity.js'
import { localStatus, stopLocal, type LocalStatus } from '../../../src/dev-server/index.js'
import { FIRST_PORT } from '../../../src/dev-server/server.js'
import { BUILT, localUser, type LocalUser } from '../../support/servers/local.js'
import { waitFor } from '../../support/wait.js'

let user: LocalUser
beforeEach(() => void (user = localUser()))
afterEach(() => user.remove())

/** Waits for a status without problems that also fulfils `wanted`. */
const statusWith = (wanted: (status: LocalStatus) => boolean, what: string): Promise<LocalStatus> =>
  waitFor(
    async () => {
      const status = await localStatus(user.dirs)
      return status.problems.length === 0 && wanted(status) && status
    },
    { timeoutMs: 60_000, what },
  )

const workflowWorker = (status: LocalStatus): number | undefined =>
  status.workers.find((w) => w.kind === 'workflows')?.pid
const projectWorker = (status: LocalStatus): number | undefined =>
  status.workers.find((w) => w.kind === 'project')?.pid

test('two concurrent starts create one supervisor, one server and one worker', async () => {
  const [first, second] = await Promise.all([user.ensure(), user.ensure()])
  expect(second).toEqual(first)
  expect(user.lives('start')).toHaveLength(1)
  expect(user.log('server').match(/^Server:/gm)).toHaveLength(1)
})

test('a killed server restarts at its address, even if a lower port is free, and the workers continue', async () => {
  // Rejects every connection: a close waits for all of them, and other tests look for their server
  // here too.
  const other = createServer((socket) => socket.destroy())
  other.listen(await getPort({ port: portNumbers(FIRST_PORT, FIRST_PORT + 50) }), '127.0.0.1')
  await once(other, 'listening')
  const before = await user.ensure()
  other.close()
  await once(other, 'close')
  const workers = (await localStatus(user.dirs)).workers
  process.kill(before.pid, 'SIGKILL')
  const status = await statusWith(
    (s) => s.server !== undefined && s.server.pid !== before.pid,
    'another server',
  )
  expect(status.server?.address).toBe(before.address)
  expect(status.workers).toEqual(workers)
})

test('a killed worker is restarted, and only it', async () => {
  await user.ensure()
  await user.ensureProject(user.project('a'))
  const before = await localStatus(user.dirs)
  process.kill(workflowWorker(before) ?? 0, 'SIGKILL')
  const status = await statusWith(
    (s) => workflowWorker(s) !== undefined && workflowWorker(s) !== workflowWorker(before),
    'another workflow worker',
  )
  expect(projectWorker(status)).toBe(projectWorker(before))
  expect(status.server).toEqual(before.server)
})

test('after a kill of the supervisor the next one joins the server and replaces the workers', async () => {
  await user.ensure()
  await user.ensureProject(user.project('a'))
  const before = await localStatus(user.dirs)
  process.kill(before.supervisor?.pid ?? 0, 'SIGKILL')
  const between = await waitFor(
    async () => {
      const status = await localStatus(user.dirs)
      return status.supervisor === undefined && status
    },
    { what: 'the supervisor to be gone' },
  )
  // The gateway to the Web UI ends with it; the server's own port stays.
  expect({ ...between.server, uiUrl: before.server?.uiUrl }).toEqual(before.server)
  expect(between.problems).toEqual([
    'the supervisor is gone, so the processes are not watched; the next command that needs it starts another one',
  ])

  await user.ensure()
  const status = await statusWith((s) => s.workers.length === 2, 'both workers')
  expect({ ...status.server, uiUrl: before.server?.uiUrl }).toEqual(before.server)
  const old = [workflowWorker(before), projectWorker(before)]
  await waitFor(() => old.every((pid) => identify(pid ?? 0) === undefined), {
    what: 'the old workers to be gone',
  })
  expect(
    user
      .lives('end')
      .map((life) => life.pid)
      .sort(),
  ).toEqual(old.sort())
  expect(old).not.toContain(workflowWorker(status))
})

test('a stop after a kill of the supervisor ends what it left', async () => {
  await user.ensure()
  const before = await localStatus(user.dirs)
  process.kill(before.supervisor?.pid ?? 0, 'SIGKILL')
  await waitFor(() => identify(before.supervisor?.pid ?? 0) === undefined, {
    what: 'the supervisor to be gone',
  })
  expect(await stopLocal(user.dirs, { force: false })).toBe('stopped')
  for (const pid of [before.server?.pid, workflowWorker(before)])
    expect(identify(pid ?? 0)).toBeUndefined()
})

test('SIGTERM to the supervisor ends the workers, then the server', async () => {
  const { pid } = await user.ensure()
  const { supervisor } = await localStatus(user.dirs)
  process.kill(supervisor?.pid ?? 0, 'SIGTERM')
  await waitFor(() => identify(supervisor?.pid ?? 0) === undefined, {
    timeoutMs: 30_000,
    what: 'the supervisor to end',
  })
  expect(user.lives('end')).toHaveLength(1)
  expect(identify(pid)).toBeUndefined()
  expect(await localStatus(user.dirs)).toEqual({ workers: [], problems: [] })
})

test('a worker in a crash loop is given up with its last output, and tried again on request', async () => {
  await user.ensure()
  const project = user.project('a')
  user.fail('projects')
  const failed = await user.ensureProject(project).catch((e: unknown) => e)
  expect(failed).toMatchObject({
    name: 'LocalStartFailed',
    message: `the agent worker of ${project} does not start`,
  })
  expect((failed as { where: string }).where).toContain('stand-in: crashes as it was told to')
  expect((await localStatus(user.dirs)).problems.join()).toMatch(
    /project-[0-9a-f]{12} is given up after a crash loop: .*code 7/,
  )
  expect(user.log('supervisor').match(/projects starts/g)).toHaveLength(5)

  user.fail('projects', false)
  await user.ensureProject(project)
  expect((await localStatus(user.dirs)).problems).toEqual([])
})

test('a project that cannot be opened has its reason, the others work, and it is tried again on request', async () => {
  await user.ensure()
  const [bad, good] = [user.project('bad'), user.project('good')]
  user.fail('bad')
  const failed = await user.ensureProject(bad).catch((e: unknown) => e)
  expect(failed).toMatchObject({
    message: `the agent worker of ${bad} does not start`,
    where: 'as it was told to',
  })
  await user.ensureProject(good)
  expect((await localStatus(user.dirs)).problems).toEqual([
    expect.stringMatching(/^the worker project-[0-9a-f]{12} is not running: as it was told to$/),
  ])
  user.fail('bad', false)
  await user.ensureProject(bad)
  expect((await localStatus(user.dirs)).problems).toEqual([])
  expect(user.lives('start', 'projects')).toHaveLength(1)
})

test('the caller is not held: its pipes close when it ends, and what it started lives on', async () => {
  const script = `
    const { ensureRunning } = await import(${JSON.stringify(path.join(BUILT, 'dev-server/index.js'))})
    const [dirs, env, entries] = ${JSON.stringify([user.dirs, user.env, user.entries])}
    console.log((await ensureRunning(dirs, { env, entries })).address)
    process.exit(0)`
  // Standard streams and one more descriptor, as a shell's redirection or a CI runner leaves them.
  const caller = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let [said, complained] = ['', '']
  caller.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  caller.stderr?.on('data', (chunk: Buffer) => (complained += chunk.toString()))
  caller.stdio[3]?.on('data', () => undefined)
  // `close` = every pipe is closed at the other end
  await once(caller, 'close', { signal: AbortSignal.timeout(60_000) })
  expect([complained, said.trim()]).toEqual(['', (await localStatus(user.dirs)).server?.address])
})

test('the control port requires the token, which is in no log', async () => {
  await user.ensure()
  const { port, token } = JSON.parse(
    readFileSync(path.join(user.dirs.state, 'supervisor.json'), 'utf8'),
  ) as { port: number; token: string }
  expect((await fetch(`http://127.0.0.1:${port}/status`)).status).toBe(401)
  expect(
    (
      await fetch(`http://127.0.0.1:${port}/status`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status,
  ).toBe(200)
  expect(user.log('supervisor') + user.log('workflows') + user.log('server')).not.toContain(token)
})
