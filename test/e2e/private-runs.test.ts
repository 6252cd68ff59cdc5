// What the user does on a private server, and on one that is not: runs, schedules, answers, and
// histories that replay whether the server is private or not.
import { Worker } from '@temporalio/worker'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { purposeOf, type Payload } from '../../src/adapters/signing/payload-signature.js'
import { UPDATES } from '../../src/contract/names.js'
import { signing, signUpdate } from '../../src/worker/signing/only-signed.js'
import { asking, newId, ownRun, portUser } from '../support/hosts/port-user.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, workflowBundle } from '../support/servers/workflow-env.js'
import { waitFor } from '../support/wait.js'

let server: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  server = await sharedEnv()
})
afterAll(() => server.teardown())

describe.each([
  { kind: 'open to every user', isPrivate: false },
  { kind: 'private', isPrivate: true },
])('on a server that is $kind', ({ isPrivate }) => {
  test('the user extends and answers, and everyone may pause', async () => {
    const user = await portUser(server, isPrivate)
    const id = await asking(user)
    const run = user.ratchet.attach(id)
    expect(await run.extend(2)).toMatchObject({ maxIterations: 7 })
    expect(await run.answer('deny')).toMatchObject({ answer: 'deny' })
    await server.client.workflow.getHandle(id).signal('pause', {})
    await waitFor(async () => (await run.status()).waitingFor.includes('pause'), {
      what: 'the pause',
      timeoutMs: 20_000,
    })
  })

  test('a run continues in its next iteration, and its histories replay in both modes', async () => {
    const user = await portUser(server, isPrivate)
    const id = await ownRun(user)
    await user.ratchet.attach(id).extend(1)
    const { workflow } = user.ratchet.client
    const first = (await workflow.getHandle(id).describe()).runId
    user.finish()
    const end = await user.ratchet.attach(id).result()
    expect('result' in end && end.result.maxIterations).toBe(6)
    const last = (await workflow.getHandle(id).describe()).runId
    expect(last).not.toBe(first)
    const bundle = await workflowBundle()
    const codec = signing(server.nativeConnection, { namespace: '', role: 'workflows' }, user.key)
    for (const runId of [first, last]) {
      const history = await workflow.getHandle(id, runId).fetchHistory()
      for (const dataConverter of [undefined, codec?.dataConverter])
        await Worker.runReplayHistory({ workflowBundle: bundle, dataConverter }, history, id)
    }
  })

  test('a schedule of the client library starts runs', async () => {
    const user = await portUser(server, isPrivate)
    await user.workflows()
    const handle = await user.ratchet.schedule(newId(), {
      kind: 'test-fix',
      input: { project: user.project },
      cron: '0 2 1 1 *',
    })
    onTestFinished(async () => void (await handle.delete()))
    await handle.trigger()
    await waitFor(user.ran, { what: 'the tests of the scheduled run', timeoutMs: 30_000 })
    const [run] = (await handle.describe()).info.recentActions
    await user.ratchet.attach(run?.action.workflow.workflowId ?? '').stop()
  })
})

test('what a step asks its run is signed for that question', () => {
  const key = 'a'.repeat(64)
  const sent = signUpdate(key)('run', { name: UPDATES.ask, id: 'q-1' }, { id: 'q' })
  const { payload } = sent as { payload: Payload }
  expect(purposeOf(key, 'run', [payload])).toMatch(/^update ratchetAsk \d+ q-1$/)
})
