// The built command as a process, with its server and workers: Ctrl-C, `dev`, `worker`, and removed
// projects.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { identify } from '../../src/adapters/process/identity.js'
import { userDirs } from '../../src/adapters/state-dir.js'
import { connect } from '../../src/client/index.js'
import { recordedSupervisor } from '../../src/adapters/supervisor/supervisor-call.js'
import { LOG_BYTES } from '../../src/dev-server/rotating-log.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import type { Failed, StatusDocument } from '../support/documents.js'
import { BUILT } from '../support/servers/local.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL, type Step } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

const ONE_FIX: Step[] = [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }]
/** The fix waits for a file outside the project, so that a test has an open run. */
const held = (gate: string): Step[] => [
  ANALYSE,
  { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] },
]

test('Ctrl-C leaves the run going; watch follows it again', async () => {
  const gate = path.join(user.root, 'gate-detach')
  const project = user.project('detach', held(gate))
  const fix = user.start(project, 'fix')
  await waitFor(() => fix.stdout().includes('agent: test-fix-agent'), {
    what: 'the fix turn',
    timeoutMs: 60_000,
  })
  expect(fix.stdout()).toMatch(
    /^ +http:\/\/127\.0\.0\.1:\d+\/namespaces\/ratchet\/workflows\/WFS-test-detach\./m,
  )
  fix.interrupt()
  const { exitCode, stderr } = await fix.ended
  expect(exitCode).toBe(130)
  expect(stderr).toMatch(
    /^interrupted\n[^]* {2}next {3}the run continues; follow it with: ratchet watch WFS-test-detach\.[0-9a-f]{6}\n$/,
  )
  expect((await user.ratchet(project, 'dev', '--stop')).stderr).toContain('1 run is open')
  expect((await user.ratchet(project, 'logs', 'worker')).stdout).toMatch(/^ready ratchet-/m)
  writeFileSync(gate, '')
  expect(await user.ratchet(project, 'watch', 'WFS-test-detach')).toMatchObject({
    exitCode: 0,
    stderr: '',
  })
})

test('with an external server the user runs the workers', async () => {
  const project = user.project('remote', ONE_FIX)
  // Not in the project: there it would get a local worker.
  const dev = user.start(user.root, 'dev', '--json')
  await waitFor(() => dev.stdout() !== '', { what: 'the server', timeoutMs: 60_000 })
  const { server } = JSON.parse(dev.stdout()) as Pick<z.infer<typeof StatusDocument>, 'server'>
  expect(dev.stderr()).toContain(`no worker for ${user.root}: this is not a git repository`)
  const missing = await user.json<Failed>(project, 'fix', '--address', server.address)
  expect(missing).toMatchObject({
    exitCode: 3,
    document: {
      error: {
        type: 'NoWorker',
        next: `start one in ${project}: ratchet worker --address ${server.address}`,
      },
    },
  })

  const worker = user.start(project, 'worker', '--address', server.address, '--json')
  await waitFor(() => worker.stdout() !== '', { what: 'the workers', timeoutMs: 60_000 })
  const { workers } = JSON.parse(worker.stdout()) as {
    workers: { pid: number; kind: string; log: string }[]
  }
  expect(workers.map((one) => one.kind)).toEqual(['workflows', 'project'])
  const log = workers[0]?.log ?? ''
  truncateSync(log, LOG_BYTES + 1) // as long as one that has grown
  const fixed = await user.json(project, 'fix', '--address', server.address)
  expect(fixed).toMatchObject({ exitCode: 0, document: { outcome: 'success', uiUrl: null } })
  await waitFor(() => existsSync(`${log}.1`), { what: 'the log to be rotated', timeoutMs: 60_000 })
  worker.interrupt()
  expect((await worker.ended).exitCode).toBe(130)
  for (const { pid, kind } of workers) expect(identify(pid), kind).toBeUndefined()
  dev.interrupt()
  expect((await dev.ended).exitCode).toBe(130)
})

test('dev restarts a killed supervisor, but not a stopped one', async () => {
  const dirs = userDirs(user.env)
  const dev = user.start(user.root, 'dev', '--json')
  await waitFor(() => dev.stdout() !== '', { what: 'the server', timeoutMs: 60_000 })
  const before = recordedSupervisor(dirs)?.identity.pid ?? 0
  process.kill(before, 'SIGKILL')
  await waitFor(() => dev.stderr().includes('the supervisor was killed; started another one'), {
    what: 'another supervisor',
    timeoutMs: 120_000,
  })
  expect(recordedSupervisor(dirs)?.identity.pid).not.toBe(before)
  expect((await user.ratchet(user.root, 'dev', '--stop', '--force')).exitCode).toBe(0)
  dev.interrupt()
  expect((await dev.ended).exitCode).toBe(130)
  expect(recordedSupervisor(dirs)).toBeUndefined()
})

test('a run whose project is gone gets its signals; the command says what is missing and exits', async () => {
  const project = user.project('gone', held(path.join(user.root, 'never')))
  const {
    document: { id },
  } = await user.json<{ id: string }>(project, 'fix', '--detach')
  await user.until(project, id, /^agent: test-fix-agent/)
  expect((await user.ratchet(user.root, 'dev', '--stop', '--force')).exitCode).toBe(0)
  rmSync(project, { recursive: true })

  const paused = await user.json(user.root, 'pause', id)
  expect(paused).toMatchObject({ exitCode: 0, document: { id, sent: 'pause' } })
  expect(paused.stderr).toContain(
    'warning: the run waits for a worker: the project directory is gone\n',
  )
  const stopped = await user.json<Failed>(user.root, 'stop', id)
  expect(stopped).toMatchObject({
    exitCode: 3,
    document: {
      error: {
        type: 'NoWorker',
        message: 'the stop was sent, but the run waits for a worker: the project directory is gone',
        where: project,
      },
    },
  })
  await user.until(user.root, id, /^(host|stopping)/)
  // Also by session name, from the path of the removed directory.
  expect(
    (await user.json<{ runs: [{ id: string }] }>(user.root, 'status', 'WFS-test-gone')).document
      .runs[0].id,
  ).toBe(id)
  expect(
    (await user.ratchet(user.root, 'status', '--project', project, 'WFS-test-gone')).exitCode,
  ).toBe(0)
  const {
    document: { server },
  } = await user.json<{ server: { address: string } }>(user.root, 'status')
  const ratchet = await connect({ address: server.address })
  await ratchet.client.workflow.getHandle(id).terminate()
  await ratchet.close()
})

test('status works in a directory that was removed under the shell', () => {
  const dir = path.join(user.root, 'removed')
  const script = `mkdir '${dir}' && cd '${dir}' && rmdir '${dir}' && exec "$0" "$1" status --json`
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', script, process.execPath, path.join(BUILT, 'cli/main.js')],
    { env: user.env, encoding: 'utf8' },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ runs: [] })
})
