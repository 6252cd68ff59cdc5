// What a user asks of a run reaches it: by whatever name, and whatever has become of its project.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/client/index.js'
import { MAIN_QUEUE } from '../../src/contract/names.js'
import { cliProcessUser } from '../support/cli-process.js'
import type { CliProcessUser } from '../support/cli-process.js'
import { BUILT } from '../support/local.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL, TWO_FIXES } from '../support/real-run.js'
import type { Step } from '../support/real-run.js'
import { waitFor } from '../support/wait.js'

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

type Line = { id: string; status: string; phase: string; waitingFor: string }
type Failed = { error: { type: string; message: string; where: string; next: string } }

const held = (gate: string): Step[] => [ANALYSE, { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] }]
const statusOf = async (cwd: string, id: string): Promise<Line> => (await user.json<{ runs: [Line] }>(cwd, 'status', id)).document.runs[0]

async function start(project: string, ...argv: string[]): Promise<string> {
  const { exitCode, document } = await user.json<{ id: string }>(project, 'fix', '--detach', ...argv)
  expect(exitCode).toBe(0)
  return document.id
}

test('with its config broken a run is stopped by the worker it has, and what is wrong is said', async () => {
  const project = user.project('broken', held(path.join(user.root, 'never')))
  const id = await start(project)
  await user.until(project, id, /^agent: test-fix-agent/)
  writeFileSync(path.join(project, 'ratchet.config.json'), '{ "limits": ')
  const { exitCode, document, stderr } = await user.json(project, 'stop', id)
  expect(stderr).toMatch(/^warning: no worker of the project can be had: .*\n {2}where {2}.*ratchet\.config\.json, line 1\n {2}next {3}correct the syntax$/m)
  expect({ exitCode, document }).toMatchObject({ exitCode: 0, document: { outcome: 'stopped' } })
})

test('a run whose project is gone gets its signals; the command says what is missing and ends', async () => {
  const project = user.project('gone', held(path.join(user.root, 'never')))
  const id = await start(project)
  await user.until(project, id, /^agent: test-fix-agent/)
  expect((await user.ratchet(user.root, 'dev', '--stop', '--force')).exitCode).toBe(0)
  rmSync(project, { recursive: true })

  const paused = await user.json(user.root, 'pause', id)
  expect(paused).toMatchObject({ exitCode: 0, document: { id, sent: 'pause' } })
  expect(paused.stderr).toContain('warning: no worker of the project can be had: its directory is gone\n')
  const stopped = await user.json<Failed>(user.root, 'stop', id)
  expect(stopped).toMatchObject({ exitCode: 3, document: { error: { type: 'NoWorker', message: 'the stop was sent, but no worker of the project can be had: its directory is gone', where: project } } })
  await user.until(user.root, id, /^(host|stopping)/)
  // Also by the session's name, from the directory that was there.
  expect((await statusOf(user.root, 'WFS-test-gone')).id).toBe(id)
  expect((await user.ratchet(user.root, 'status', '--project', project, 'WFS-test-gone')).exitCode).toBe(0)
  const { ratchet, close } = await client()
  await ratchet.client.workflow.getHandle(id).terminate()
  await close()
})

test('in a directory that was removed under the shell status answers', () => {
  const dir = path.join(user.root, 'removed')
  const script = `mkdir '${dir}' && cd '${dir}' && rmdir '${dir}' && exec "$0" "$1" status --json`
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, path.join(BUILT, 'cli/main.js')], { env: user.env, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ runs: [] })
})

test('the name of a session finds the run that was started under an id of its own, also when it was cancelled', async () => {
  const project = user.project('own', held(path.join(user.root, 'never')))
  await user.ratchet(project, 'stop', await start(project)) // registers the project
  const { ratchet, close } = await client()
  const id = randomUUID()
  await ratchet.client.workflow.start('testFixCycle', { workflowId: id, taskQueue: MAIN_QUEUE, args: [{ project, session: 'WFS-test-mine' }] })
  await waitFor(async () => (await user.ratchet(project, 'status', 'WFS-test-mine')).exitCode === 0, { what: 'the session', timeoutMs: 60_000 })
  await user.until(project, 'WFS-test-mine', /^agent: test-fix-agent/)
  expect((await statusOf(project, 'WFS-test-mine')).id).toBe(id)
  expect((await statusOf(user.root, 'WFS-test-mine')).id).toBe(id)

  await ratchet.client.workflow.getHandle(id).cancel()
  await ratchet.attach(id).result()
  await close()
  for (const name of ['WFS-test-mine', id]) {
    expect(await user.json(project, 'watch', name), name).toMatchObject({ exitCode: 1, document: { id, outcome: 'stopped', branch: 'ratchet/WFS-test-mine' } })
    expect(await statusOf(project, name), name).toMatchObject({ id, status: 'failed', phase: 'stopped' })
  }
})

test('resume raises the limit of a paused run', async () => {
  const gate = path.join(user.root, 'gate-raise')
  const [analyse, first, second] = TWO_FIXES as [Step, Step, Step]
  const project = user.project('raise', [analyse, { ...first, do: [{ wait: { 'until-file': gate } }, ...first.do] }, second])
  const id = await start(project, '--max-iterations', '1')
  await user.until(project, id, /^agent: test-fix-agent/)
  await user.ratchet(project, 'pause', id, '--now')
  await user.until(project, id, /^paused/)
  writeFileSync(gate, '')
  expect(await user.json(project, 'resume', id, '--auto', '--max-iterations', '2')).toMatchObject({ exitCode: 0, document: { outcome: 'success', iterations: 2 } })
})

test('a limit below the one of the run is refused, and the run stays paused', async () => {
  const project = user.project('lower', held(path.join(user.root, 'never')))
  const id = await start(project)
  await user.until(project, id, /^agent: test-fix-agent/)
  await user.ratchet(project, 'pause', id, '--now')
  await user.until(project, id, /^paused/)
  expect(await user.json<Failed>(project, 'resume', id, '--max-iterations', '2')).toMatchObject({ exitCode: 2, document: { error: { message: 'the run may take 5 iterations, which cannot be lowered to 2' } } })
  expect((await statusOf(project, id)).waitingFor).toMatch(/^paused/)
  expect((await user.ratchet(project, 'stop', id)).exitCode).toBe(0)
})

async function client() {
  const { document } = await user.json<{ server: { address: string } }>(user.root, 'status')
  const ratchet = await connect({ address: document.server.address })
  return { ratchet, close: () => ratchet.close() }
}
