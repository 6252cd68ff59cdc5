// Workers killed while a run waits, or before it begins: the next workers continue it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectKey } from '../../src/adapters/state-dir.js'
import { ensureProjectWorker, localStatus } from '../../src/dev-server/index.js'
import {
  ANALYSE,
  makeProject,
  markers,
  realUser,
  TWO_FIXES,
  type RealUser,
} from '../support/runs/real-run.js'
import { budgetOf, FIX, startOf } from '../support/runs/spending-runs.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
beforeAll(async () => {
  user = await realUser()
})
afterAll(() => user.close())

test('killed while it waits for a reset time, a run keeps waiting and buys nothing twice', async () => {
  const name = 'limit-killed'
  const run = await startOf(
    user,
    'fix',
    name,
    [{ ...ANALYSE, do: [{ limit: { 'resets-in': 8, times: 1 } }, ...ANALYSE.do] }, ...FIX.slice(1)],
    {},
  )
  await waitFor(async () => (await run.status()).waitingFor.startsWith('rate limit:'), {
    what: 'the wait',
    timeoutMs: 60_000,
  })
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  process.kill(await user.pidOf('project'), 'SIGKILL')
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 1 })
  expect(markers(user, name).map((m) => `${m.role} ${m.attempt}`)).toEqual([
    'cli-planning-agent 1',
    'cli-planning-agent 2',
    'test-fix-agent 1',
  ])
})

test('killed while it asks for a budget, a run keeps its question open', async () => {
  const run = await startOf(user, 'fix', 'budget-killed', FIX, { limits: { maxTurns: 1 } })
  await budgetOf(run, 'budget-1')
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  await waitFor(async () => (await run.questions()).length === 1, {
    what: 'the question',
    timeoutMs: 60_000,
  })
  await run.answer({ choice: 'stop' })
  expect(await user.finish(run)).toMatchObject({
    outcome: 'stopped',
    reason: 'stopped by request: the budget is spent (1 of 1 turns)',
    usage: { turns: 1 },
  })
})

test('a run started without a living project worker starts one', async () => {
  const project = makeProject(user, 'asleep', TWO_FIXES)
  await ensureProjectWorker(user.dirs, project, { env: user.env })
  process.kill(
    await waitFor(
      async () =>
        (await localStatus(user.dirs)).workers.find((w) => w.queue.endsWith(projectKey(project)))
          ?.pid,
      { what: 'the worker' },
    ),
    'SIGKILL',
  )
  const run = await user.ratchet.startTestFix(
    { project, session: 'WFS-test-asleep' },
    projectKey(project),
  )
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 2 })
})
