// One process for the workers of all projects, for the runs of every shell.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostId, layout, projectKey } from '../../../src/adapters/state-dir.js'

import {
  inOwnEnvironment,
  localStatus,
  registerProject,
  stopLocal,
} from '../../../src/dev-server/index.js'
import { LOG_BYTES } from '../../../src/dev-server/rotating-log.js'
import { localUser, type LocalUser } from '../../support/servers/local.js'
import { waitFor } from '../../support/wait.js'

let user: LocalUser
beforeEach(() => void (user = localUser({ RATCHET_TEST_VALUE: 'of the supervisor' })))
afterEach(() => user.remove())

const opened = () => user.lives('open').map(({ project }) => path.basename(project ?? ''))

/** Files of the state directory that have this text. */
const filesWith = (text: RegExp): string[] =>
  readdirSync(user.dirs.state, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile())
    .map((f) => path.join(f.parentPath, f.name))
    .filter((file) => text.test(readFileSync(file, 'latin1')))

test('each project has its own queue, in one process, with the address', async () => {
  const { address } = await user.ensure()
  const [a, b] = [user.project('a'), user.project('b')]
  await user.ensureProject(a)
  await user.ensureProject(b)
  const { workers } = await localStatus(user.dirs)
  const queues = workers.map(({ kind, queue, host }) => [kind, queue, host])
  const host = hostId(user.dirs)
  expect(queues).toEqual([
    ['workflows', 'ratchet', host],
    ['project', `ratchet-${host}-${projectKey(a)}`, host],
    ['project', `ratchet-${host}-${projectKey(b)}`, host],
  ])
  expect(new Set(workers.map(({ pid }) => pid)).size).toBe(2)
  expect(user.lives('start').map((life) => life.address)).toEqual([address, address])
})

test('the worker of a project starts with that of the workflows', async () => {
  const { path: project } = await registerProject(user.dirs, user.project('a'))
  await user.ensure({ project })
  await waitFor(() => opened().length > 0, { what: 'the worker of the project' })
  await user.ensureProject(project)
  expect(opened()).toEqual(['a'])
})

test('projects that join at once are opened once each; a stop ends them all, and they may join again', async () => {
  const names = ['a', 'b', 'c', 'd', 'with blanks and ü']
  const join = () => Promise.all(names.map((name) => user.ensureProject(user.project(name))))
  await join() // nothing runs before: each of them notices that itself
  expect(user.lives('start')).toHaveLength(2)
  expect(opened().sort()).toEqual(names)
  expect(await stopLocal(user.dirs, { force: false })).toBe('stopped')
  expect(user.lives('end')).toHaveLength(2)
  await join()
  expect((await localStatus(user.dirs)).workers).toHaveLength(names.length + 1)
})

test('a worker stays for a shell with other variables, and has those of the supervisor; it starts again with its projects', async () => {
  await user.ensure()
  const [a, b] = [user.project('a'), user.project('b')]
  await user.ensureProject(a, { RATCHET_TEST_VALUE: '1' })
  await user.ensureProject(b, { RATCHET_TEST_VALUE: '2', PATH: `/opt:${user.env['PATH']}` })
  await user.ensureProject(a, { RATCHET_TEST_VALUE: '3' })
  const values = () => user.lives('start', 'projects').map(({ value }) => value)
  expect(values()).toEqual(['of the supervisor'])
  process.kill(user.lives('start', 'projects')[0]?.pid ?? 0, 'SIGKILL')
  await waitFor(() => opened().length === 4, { what: 'another worker with both projects' })
  expect(opened()).toEqual(['a', 'b', 'a', 'b'])
  expect(values()).toEqual(['of the supervisor', 'of the supervisor'])
})

test('a project requested by a run is opened once', async () => {
  await user.ensure()
  const { key } = await registerProject(user.dirs, user.project('a'))
  writeFileSync(layout.wanted(user.dirs, key), '')
  await waitFor(() => opened().length > 0, { what: 'the wanted worker' })
  writeFileSync(layout.wanted(user.dirs, key), '')
  await waitFor(() => readdirSync(path.dirname(layout.wanted(user.dirs, key))).length === 0, {
    what: 'the supervisor to read the second request',
  })
  expect(opened()).toEqual(['a'])
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
  const project = user.project('a')
  await user.ensureProject(project, { ANTHROPIC_API_KEY: 'a-secret-value' })
  await user.ensureProject(project, { ANTHROPIC_API_KEY: 'another-secret-value' }, 'open-run')
  const env = { ...user.env, ANTHROPIC_API_KEY: 'a-third-secret-value' }
  const started = () => Promise.resolve('started')
  expect(await inOwnEnvironment(user.dirs, { project, run: 'new-run', env }, started)).toBe(
    'started',
  )
  expect(filesWith(/secret-value/)).toEqual([])
})

test('with local.keepEnvironment one file has them, and none once the user has changed that', async () => {
  const config = path.join(user.root, 'home', '.config', 'ratchet', 'config.json')
  mkdirSync(path.dirname(config), { recursive: true })
  writeFileSync(config, '{"local":{"keepEnvironment":true}}')
  await user.ensure()
  const project = user.project('a')
  await user.ensureProject(project, { ANTHROPIC_API_KEY: 'a-secret-value' }, 'open-run')
  expect(filesWith(/a-secret-value/)).toEqual([layout.keptEnvironment(user.dirs, 'open-run')])
  await stopLocal(user.dirs, { force: false })
  await user.ensure()
  expect(filesWith(/a-secret-value/)).toHaveLength(1)
  await stopLocal(user.dirs, { force: false })
  writeFileSync(config, '{}')
  await user.ensure()
  expect(filesWith(/a-secret-value/)).toEqual([])
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
