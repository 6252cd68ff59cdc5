// A worker is started together with its server, and waits for the address.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { registerProject } from '../../../src/adapters/config/registry.js'
import { KeptWorkers } from '../../../src/dev-server/workers/kept-workers.js'
import { end } from '../../../src/dev-server/processes.js'
import { BUILT, localUser, type LocalUser } from '../../support/servers/local.js'
import { waitFor } from '../../support/wait.js'

let user: LocalUser
beforeEach(() => void (user = localUser()))
afterEach(() => user.remove())

test('workers without a server are there and take nothing; they and their projects begin with the server', async () => {
  const project = await registerProject(user.dirs, user.project('a'))
  const server: { address?: string } = {}
  let ready!: () => void
  const isReady = new Promise<void>((resolve) => (ready = resolve))
  const workers = new KeptWorkers({
    dirs: user.dirs,
    workerEntry: user.entries.worker ?? '',
    env: user.env,
    address: () => server.address,
    isPrivate: () => true,
    isServerReady: () => server.address !== undefined,
    serverReady: () => isReady,
    onChange: () => undefined,
    inBackground: () => undefined,
  })
  onTestFinished(async () => {
    await Promise.all(workers.stop().map((identity) => end(identity, 5_000)))
  })
  const states = (): unknown[] => workers.status().map(({ name, state }) => [name, state])
  workers.runWorkflows()
  workers.runFor(project, 'person')
  expect(workers.children()).toHaveLength(2)
  expect(states()).toEqual([
    ['workflows', 'starting'],
    [`project-${project.key}`, 'starting'],
  ])
  expect(user.lives()).toEqual([])
  server.address = '127.0.0.1:4711'
  ready()
  await waitFor(() => workers.status().every(({ state }) => state === 'ready'), {
    what: 'the workers and the project',
  })
  expect(user.lives('start').map((life) => [life.address, life.private])).toEqual([
    [server.address, true],
    [server.address, true],
  ])
  expect(user.lives('open').map((life) => life.project)).toEqual([project.path])
})

test.each(['workflows', 'projects'])(
  'a worker for %s that never learns its server ends with its supervisor',
  async (role) => {
    const worker = spawn(
      process.execPath,
      [path.join(BUILT, 'worker/main.js'), '--role', role, '--supervised'],
      { env: user.env, stdio: ['pipe', 'ignore', 'inherit'] },
    )
    onTestFinished(() => void worker.kill('SIGKILL'))
    const ended = once(worker, 'exit')
    worker.stdin.end()
    expect(await ended).toEqual([0, null])
  },
)
