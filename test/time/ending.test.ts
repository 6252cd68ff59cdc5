// A run ends within its limit, whatever fails for good behind it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { timeSkippingEnv } from '../support/temporal.js'
import { quietRuntime, runCycle } from '../support/workflow-env.js'
import { bare, stubHost } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await timeSkippingEnv()
})
afterAll(() => env.teardown())

test('stop ends a run also where going back to the best state fails for ever, and the result says where the branch stays', async () => {
  const host = stubHost({
    ...bare, runs: [measured(3, 9), measured(5, 9), measured(5, 9)], rollBack: () => new Error('git write-tree failed'),
    turn: (_, call) => (call === 5 ? { waitForCancel: true } : {}),
  })
  const result = await runCycle(env, host, async (run) => {
    await expect.poll(() => host.turns.length, { timeout: 20_000 }).toBe(5)
    await run.handle.signal('stop')
    return run.result()
  }, { project: '/repo' })
  expect(result).toMatchObject({ outcome: 'stopped', reason: expect.stringContaining('the branch stays where it was published last, which is not the best measured state: git write-tree failed') as string })
  expect(host.rollbacks).toHaveLength(10)
  expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'stopped' })
})
