// Commands where no server runs: they answer what they can, and start nothing they need not.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Connection } from '@temporalio/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { RunResult } from '../../../src/contract/result.js'
import { registerProject } from '../../../src/adapters/config/registry.js'
import { layout, projectKey, userDirs } from '../../../src/adapters/state-dir.js'
import { cliUser, type CliUser } from './support.js'

const RESULT: RunResult = {
  warnings: [],
  id: 'WFS-test-x.0',
  kind: 'test-fix',
  outcome: 'success',
  status: 'completed',
  iterations: 1,
  passRate: 100,
  reviewNeeded: false,
  branch: 'ratchet/WFS-test-x',
  commits: ['c'],
  failures: [],
  reason: null,
  failuresTotal: 0,
  recordDir: null,
  usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false },
  history: [],
}

function record(user: CliUser): string {
  const id = `WFS-test-x.${projectKey(user.cwd).slice(0, 6)}`
  const dir = path.join(user.cwd, '.workflow/WFS-test-x')
  mkdirSync(dir, { recursive: true })
  writeFileSync(
    path.join(dir, 'workflow-session.json'),
    JSON.stringify({
      workflow_type: 'test_session',
      workflow_id: id,
      project: user.cwd,
      status: 'completed',
      branch: 'b',
      base: 'c',
      result: { ...RESULT, id },
    }),
  )
  return id
}

test('status of a project that is not there: a misspelt one is refused, one that was removed is not', async () => {
  const user = cliUser()
  const { exitCode, stderr } = await user.run('status', '--all', '--project', 'shpo')
  expect(exitCode).toBe(2)
  expect(stderr).toBe(
    `error: directory not found: ${path.join(user.root, 'shop/shpo')}\n  where  --project\n  next   name the directory of your project with --project\n`,
  )
  const gone = path.join(user.root, 'gone')
  mkdirSync(gone)
  await registerProject(userDirs(user.env), gone)
  rmSync(gone, { recursive: true })
  expect(await user.run('status', '--project', gone)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('no run is open') as string,
  })
})

test('status without a server is an empty document and exit 0', async () => {
  const { exitCode, stdout } = await cliUser().run('status', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ server: null, workers: [], runs: [] })
})

test('status does not say that no run is open where a server has stopped with open runs', async () => {
  const user = cliUser()
  const file = layout.serverRecord(userDirs(user.env))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '{}')
  const { exitCode, stdout } = await user.run('status')
  expect(exitCode).toBe(0)
  expect(stdout).not.toContain('no run is open')
  expect(stdout).toContain('start it with: ratchet dev')
})

test('status of an id without a server is exit 3 and says how to start one', async () => {
  const { exitCode, stderr } = await cliUser().run('status', 'WFS-test-x')
  expect(exitCode).toBe(3)
  expect(stderr).toContain('next   start the server with: ratchet dev; then list')
})

test('status of a closed run needs no server: the record has its end', async () => {
  const user = cliUser()
  const id = record(user)
  const { exitCode, stdout } = await user.run('status', 'WFS-test-x', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    server: null,
    workers: [],
    runs: [
      {
        id,
        kind: 'test-fix',
        status: 'completed',
        phase: 'success',
        iteration: 1,
        passRate: 100,
        waitingFor: 'nothing',
      },
    ],
  })
})

test('watch of a closed run needs no server either, and has its exit code', async () => {
  const user = cliUser()
  const id = record(user)
  const { exitCode, stdout } = await user.run('watch', 'WFS-test-x', '--json')
  expect({ exitCode, document: JSON.parse(stdout) as unknown }).toEqual({
    exitCode: 0,
    document: { ...RESULT, id, uiUrl: null },
  })
})

test.each([
  ['watch'],
  ['pause'],
  ['resume'],
  ['stop'],
  ['answer'],
  ['apply'],
  ['extend', '3'],
  ['fix', '--resume-session'],
])('%s of an unknown id starts no server where there never was one', async (command, word = '') => {
  const user = cliUser()
  const argv =
    command === 'fix'
      ? [word, 'WFS-test-nobody']
      : ['WFS-test-nobody', ...(word === '' ? [] : [word])]
  const { exitCode, stderr } = await user.run(command, ...argv)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('error: there is no run WFS-test-nobody\n')
  expect(existsSync(path.join(user.state, 'ratchet/supervisor.json'))).toBe(false)
})

test('an address that does not answer is exit 3', async () => {
  // A refused connection is tried again until the time is up, which is seconds.
  const connect = Connection.connect.bind(Connection)
  const spy = vi
    .spyOn(Connection, 'connect')
    .mockImplementation((options) => connect({ ...options, connectTimeout: 50 }))
  onTestFinished(() => spy.mockRestore())
  const { exitCode, stderr } = await cliUser().run('status', '--address', '127.0.0.1:1')
  expect(exitCode).toBe(3)
  expect(stderr).toContain('error: no Temporal server answers')
  expect(spy).toHaveBeenCalledWith(
    expect.objectContaining({ address: '127.0.0.1:1', connectTimeout: '5s' }),
  )
})

test('logs and doctor answer before anything was ever started', async () => {
  const user = cliUser()
  expect(JSON.parse((await user.run('logs', '--json')).stdout)).toEqual({ logs: [] })
  const { exitCode, stdout } = await user.run('doctor', '--json')
  const { checks } = JSON.parse(stdout) as {
    checks: { check: string; ok: boolean; next: string }[]
  }
  expect(exitCode).toBe(1)
  expect(checks.filter((check) => !check.ok).map((check) => check.check)).toEqual([
    'server program',
    'repository',
    'tests',
    'roles',
  ])
  for (const check of checks.filter((c) => !c.ok)) expect(check.next, check.check).not.toBe('')
})

test('logs show the last lines of each log, or of the one that is named', async () => {
  const user = cliUser()
  const dir = path.join(user.state, 'ratchet/logs')
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, 'server.log'), '1\n2\n3\n')
  writeFileSync(path.join(dir, 'projects.log'), 'a\nb\n')
  expect((await user.run('logs', 'server', '-n', '2')).stdout).toBe('2\n3\n')
  expect((await user.run('logs', 'worker', '-n', '1')).stdout).toBe('b\n')
  expect(
    (
      JSON.parse((await user.run('logs', '--json')).stdout) as { logs: { name: string }[] }
    ).logs.map((log) => log.name),
  ).toEqual(['projects', 'server'])
})
