// Commands reach a run by any of its names.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAIN_QUEUE } from '../../src/contract/names.js'
import type { Failed } from '../support/documents.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  ANALYSE,
  repository,
  RIGHT_ADD,
  RIGHT_MUL,
  TWO_FIXES,
  type Step,
} from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

type Line = { id: string; status: string; phase: string; waitingFor: string }

const held = (gate: string): Step[] => [
  ANALYSE,
  { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] },
]
const statusOf = async (cwd: string, id: string): Promise<Line> =>
  (await user.json<{ runs: [Line] }>(cwd, 'status', id)).document.runs[0]

async function start(project: string, ...argv: string[]): Promise<string> {
  const { exitCode, document } = await user.json<{ id: string }>(
    project,
    'fix',
    '--detach',
    ...argv,
  )
  expect(exitCode).toBe(0)
  return document.id
}

test('a run keeps its configuration: with a broken one it is stopped as usual', async () => {
  const project = repository(user, 'broken', held(path.join(user.root, 'never')))
  const id = await start(project)
  await user.until(project, id, /^agent: test-fix-agent/)
  writeFileSync(path.join(project, 'ratchet.config.json'), '{ "limits": ')
  const { exitCode, document, stderr } = await user.json(project, 'stop', id)
  expect(stderr).not.toContain('warning')
  expect({ exitCode, document }).toMatchObject({ exitCode: 0, document: { outcome: 'stopped' } })
})

test('a session name finds a run that was started under a custom id, even a cancelled one', async () => {
  const project = repository(user, 'own', held(path.join(user.root, 'never')))
  await user.run(project, 'stop', await start(project)) // registers the project
  const id = randomUUID()
  await user.ratchet.client.workflow.start('testFixCycle', {
    workflowId: id,
    taskQueue: MAIN_QUEUE,
    args: [{ project, session: 'WFS-test-mine' }],
  })
  await waitFor(async () => (await user.run(project, 'status', 'WFS-test-mine')).exitCode === 0, {
    what: 'the session',
    timeoutMs: 60_000,
  })
  await user.until(project, 'WFS-test-mine', /^agent: test-fix-agent/)
  expect((await statusOf(project, 'WFS-test-mine')).id).toBe(id)
  expect((await statusOf(user.root, 'WFS-test-mine')).id).toBe(id)

  await user.ratchet.client.workflow.getHandle(id).cancel()
  await user.ratchet.attach(id).result()
  for (const name of ['WFS-test-mine', id]) {
    expect(await user.json(project, 'watch', name), name).toMatchObject({
      exitCode: 1,
      document: { id, outcome: 'stopped', branch: 'ratchet/WFS-test-mine' },
    })
    expect(await statusOf(project, name), name).toMatchObject({
      id,
      status: 'failed',
      phase: 'stopped',
    })
  }
})

test('resume raises the limit of a paused run', async () => {
  const gate = path.join(user.root, 'gate-raise')
  const [analyse, first, second] = TWO_FIXES as [Step, Step, Step]
  const project = repository(user, 'raise', [
    analyse,
    { ...first, do: [{ wait: { 'until-file': gate } }, ...first.do] },
    second,
  ])
  const id = await start(project, '--max-iterations', '1')
  await user.until(project, id, /^agent: test-fix-agent/)
  await user.run(project, 'pause', id, '--now')
  await user.until(project, id, /^paused/)
  writeFileSync(gate, '')
  expect(await user.json(project, 'resume', id, '--auto', '--max-iterations', '2')).toMatchObject({
    exitCode: 0,
    document: { outcome: 'success', iterations: 2 },
  })
})

test('a limit below the one of the run is refused, and the run stays paused', async () => {
  const project = repository(user, 'lower', held(path.join(user.root, 'never')))
  const id = await start(project)
  await user.until(project, id, /^agent: test-fix-agent/)
  await user.run(project, 'pause', id, '--now')
  await user.until(project, id, /^paused/)
  expect(await user.json<Failed>(project, 'resume', id, '--max-iterations', '2')).toMatchObject({
    exitCode: 2,
    document: { error: { message: 'the limit of 5 iterations cannot be lowered to 2' } },
  })
  expect((await statusOf(project, id)).waitingFor).toMatch(/^paused/)
  expect((await user.run(project, 'stop', id)).exitCode).toBe(0)
})
