// People control a run: a pause, a budget question, a refusal. More is in test/runs/control.test.ts
// and test/runs/spending.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import { MARKERS } from '../../src/contract/names.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { raisesItsBudget } from '../support/runs/spending-runs.js'
import { waitFor } from '../support/wait.js'
import { inTheTurn } from '../support/runs/waiting-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test('pause now ends the agent, resume continues its session with its work', async () => {
  const { run, goOn, turns } = await inTheTurn(user, 'paused')
  await run.pause({ mode: 'now', reason: 'night' })
  const paused = await waitFor(
    async () => {
      const s = await run.status()
      return s.status === 'paused' ? s : undefined
    },
    { what: 'the pause', timeoutMs: 30_000 },
  )
  expect(paused.waitingFor).toContain('night')
  await waitFor(() => findMarked(MARKERS.run, run.id).length === 0, {
    what: 'the end of the agent',
    timeoutMs: 30_000,
  })
  goOn()
  await run.resume()
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 1, passRate: 100 })
  expect(turns()).toEqual([
    'cli-planning-agent attempt 1',
    'test-fix-agent attempt 1',
    'test-fix-agent attempt 2',
  ])
})

test('an unregistered project is refused and named', async () => {
  const handle = await user.ratchet.client.workflow.start('testFixCycle', {
    workflowId: 'unregistered',
    taskQueue: 'ratchet',
    args: [{ project: user.root }],
  })
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'ProjectNotRegistered' } })
})

test('a budget of tokens parks the run and asks; raised, the run continues and buys nothing twice', () =>
  raisesItsBudget(user, 'fix'))
