// One agent worker per project, in the environment of the shell that requested it.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostId, layout, projectKey } from '../../../src/adapters/state-dir.js'

import { localStatus, registerProject, stopLocal } from '../../../src/dev-server/index.js'
import { LOG_BYTES } from '../../../src/dev-server/rotating-log.js'
import { localUser, type LocalUser } from '../../support/servers/local.js'
import { waitFor } from '../../support/wait.js'

let user: LocalUser
beforeEach(() => void (user = localUser({ RATCHET_TEST_VALUE: 'of the supervisor' })))
afterEach(() => user.remove())

const started = () =>
  user.lives('start', 'project').map(({ project, value }) => [path.basename(project ?? ''), value])

test('each project has its own worker, on its own queue, with the address', async () => {
  const { address } = await user.ensure()
  const [a, b] = [user.project('a'), user.project('b')]
  await user.ensureProject(a)
  await user.ensureProject(b)
  const queues = (await localStatus(user.dirs)).workers.map(({ kind, queue, host }) => [
    kind,
    queue,
    host,
  ])
  const host = hostId(user.dirs)
  expect(queues).toEqual([
    ['workflows', 'ratchet', host],
    ['project', `ratchet-${host}-${projectKey(a)}`, host],
    ['project', `ratchet-${host}-${projectKey(b)}`, host],
  ])
  expect(user.lives('start').map((life) => life.address)).toEqual([address, address, address])
})

test('projects that join at once get one worker each; a stop ends them all, and they may join again', async () => {
  const names = ['a', 'b', 'c', 'd', 'with blanks and ü']
  const join = () => Promise.all(names.map((name) => user.ensureProject(user.project(name))))
  await join() // nothing runs before: each of them notices that itself
  expect(user.lives('start', 'workflows')).toHaveLength(1)
  expect(
    started()
      .map(([name]) => name)
      .sort(),
  ).toEqual(names)
  expect(await stopLocal(user.dirs, { force: false })).toBe('stopped')
  expect(user.lives('end')).toHaveLength(names.length + 1)
  await join()
  expect((await localStatus(user.dirs)).workers).toHaveLength(names.length + 1)
})

test('a worker stays while the watched variables stay the same', async () => {
  await user.ensure()
  const project = user.project('a')
  await user.ensureProject(project, { RATCHET_TEST_VALUE: '1', KEY: 'k' }, ['KEY'])
  await user.ensureProject(project, { RATCHET_TEST_VALUE: '2', KEY: 'k' }, ['KEY'])
  expect(started()).toEqual([['a', '1']])
})

test.each([
  { why: 'a watched variable', first: { KEY: '1' }, second: { KEY: '2' } },
  { why: 'PATH', first: {}, second: { PATH: `/opt/other:${process.env['PATH'] ?? ''}` } },
])(
  'a changed value of $why starts a replacement; the old worker drains and is not killed',
  async ({ first, second }) => {
    await user.ensure()
    const project = user.project('a')
    await user.ensureProject(project, first, ['KEY'])
    await user.ensureProject(project, second, ['KEY'])
    const [old, replacement] = user.lives('start', 'project').map((life) => life.pid)
    await waitFor(() => user.lives('drain').length > 0, { what: 'the old worker to drain' })
    expect(user.lives('drain').map((life) => life.pid)).toEqual([old])
    expect(user.lives('end')).toEqual([])
    expect(
      (await localStatus(user.dirs)).workers.flatMap((w) => (w.kind === 'project' ? w.pid : [])),
    ).toEqual([replacement, old])

    process.kill(old ?? 0, 'SIGTERM') // its last turn is over
    await waitFor(async () => (await localStatus(user.dirs)).workers.length === 2, {
      what: 'the drained worker to be forgotten',
    })
    expect(started()).toHaveLength(2)
  },
)

test('a stop also ends a draining worker', async () => {
  await user.ensure()
  const project = user.project('a')
  await user.ensureProject(project, { KEY: '1' }, ['KEY'])
  await user.ensureProject(project, { KEY: '2' }, ['KEY'])
  expect(await stopLocal(user.dirs, { force: false })).toBe('stopped')
  expect(user.lives('end')).toHaveLength(3)
})

test('a worker requested by a run starts once, with the environment of the supervisor', async () => {
  await user.ensure()
  const { key } = await registerProject(user.dirs, user.project('a'))
  writeFileSync(layout.wanted(user.dirs, key), '')
  await waitFor(() => started().length > 0, { what: 'the wanted worker' })
  writeFileSync(layout.wanted(user.dirs, key), '')
  await waitFor(() => readdirSync(path.dirname(layout.wanted(user.dirs, key))).length === 0, {
    what: 'the supervisor to read the second request',
  })
  expect(started()).toEqual([['a', 'of the supervisor']])
})

test('a request for an unregistered project starts nothing', async () => {
  await user.ensure()
  writeFileSync(layout.wanted(user.dirs, '0123456789ab'), '')
  writeFileSync(layout.wanted(user.dirs, 'not-a-key'), '')
  await waitFor(() => readdirSync(path.dirname(layout.wanted(user.dirs, 'x'))).length === 0, {
    what: 'the supervisor to read the requests',
  })
  expect((await localStatus(user.dirs)).workers).toHaveLength(1)
})

test('no file has the values of an environment', async () => {
  await user.ensure()
  await user.ensureProject(user.project('a'), { ANTHROPIC_API_KEY: 'a-secret-value' }, [
    'ANTHROPIC_API_KEY',
  ])
  await user.ensureProject(user.project('a'), { ANTHROPIC_API_KEY: 'another-secret-value' }, [
    'ANTHROPIC_API_KEY',
  ])
  const files = readdirSync(user.dirs.state, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile())
    .map((f) => path.join(f.parentPath, f.name))
  expect(files.filter((file) => /secret-value/.test(readFileSync(file, 'latin1')))).toEqual([])
  expect(user.log('supervisor')).toContain(
    'is replaced, because the shell has other values of ANTHROPIC_API_KEY',
  )
})

test('a log above its size limit is rotated while its process runs', async () => {
  await user.ensure()
  const log = path.join(user.dirs.state, 'logs', 'workflows.log')
  writeFileSync(log, 'x'.repeat(LOG_BYTES + 1))
  await waitFor(() => statSync(log).size === 0, {
    timeoutMs: 30_000,
    what: 'the log to be rotated',
  })
  expect(statSync(`${log}.1`).size).toBe(LOG_BYTES + 1)
})
