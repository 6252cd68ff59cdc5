// A run ends within its limit, even if a step at its end fails permanently.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { timeSkippingEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { bare, stubHost } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await timeSkippingEnv()
})
afterAll(() => env.teardown())

test('stop ends a run even if the reset to the best state always fails, and the result says where the branch stays', async () => {
  const host = stubHost({
    ...bare,
    runs: [measured(3, 9), measured(5, 9), measured(5, 9)],
    goBack: () => new Error('git write-tree failed'),
    turn: (_, call) => (call === 5 ? { waitForCancel: true } : {}),
  })
  const result = await runCycle(
    env,
    host,
    async (run) => {
      await expect.poll(() => host.turns.length, { timeout: 20_000 }).toBe(5)
      await run.handle.signal('stop')
      return run.result()
    },
    { project: '/repo' },
  )
  expect(result).toMatchObject({
    outcome: 'stopped',
    reason: expect.stringContaining(
      'the branch stays at its last published commit, which is not the best measured state: git write-tree failed',
    ) as string,
  })
  expect(host.backs).toHaveLength(10)
  expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'stopped' })
})

/** Stops a run once `is` holds; returns its end and how long that took. */
async function stopped(host: ReturnType<typeof stubHost>, is: () => boolean, input: object = {}) {
  return runCycle(
    env,
    host,
    async (run) => {
      await expect.poll(is, { timeout: 20_000 }).toBe(true)
      const from = await env.currentTimeMs()
      await run.handle.signal('stop')
      const result = await run.result()
      // The server's clock advances after the end.
      const { closeTime } = await run.handle.describe()
      return { result, minutes: ((closeTime?.getTime() ?? Infinity) - from) / 60_000 }
    },
    { project: '/repo', ...input },
  )
}
const broken = () => new Error('git write-tree failed')
const RUNS = [measured(3, 9), measured(5, 9), measured(5, 9)]

test('stop ends a run whose roll-back always fails', async () => {
  const host = stubHost({ ...bare, runs: [measured(8, 9), measured(1, 9)], rollBack: broken })
  const { result, minutes } = await stopped(host, () => host.rollbacks.length >= 3)
  expect(result).toMatchObject({
    outcome: 'stopped',
    reason: expect.stringContaining('the branch stays at its last published commit') as string,
  })
  expect(minutes).toBeLessThan(4)
})

test('stop ends a run whose last record cannot be written, and the result says so', async () => {
  const host = stubHost({
    ...bare,
    runs: RUNS,
    record: ({ result }) => (result === undefined ? undefined : broken()),
    turn: () => ({ waitForCancel: true }),
  })
  const { result, minutes } = await stopped(host, () => host.turns.length === 1)
  expect(result).toMatchObject({
    outcome: 'stopped',
    reason: 'stopped by request; the record could not be written: git write-tree failed',
  })
  expect(minutes).toBeLessThan(4)
})

test('a stop during a commit keeps the candidate, and leaves the branch before it', async () => {
  let commit!: () => void
  const host = stubHost({ ...bare, runs: RUNS })
  const { commitFix } = host.activities
  host.activities.commitFix = async (input) => {
    const committed = await commitFix(input)
    await new Promise<void>((resolve) => {
      commit = resolve
    })
    return committed
  }
  const result = await runCycle(
    env,
    host,
    async (run) => {
      await expect.poll(() => host.commits.length, { timeout: 20_000 }).toBe(1)
      await run.handle.signal('stop')
      await run.until('stopping', ({ waitingFor }) => waitingFor.startsWith('stopping'))
      commit()
      return run.result()
    },
    { project: '/repo' },
  )
  expect(result).toMatchObject({ outcome: 'stopped', commits: [], head: 'base' })
  expect(host.records.at(-1)?.state.pending).toMatchObject({ commit: 'fix-1' })
  expect([host.rollbacks, host.backs]).toMatchObject([[{ expectHead: 'fix-1' }], []])
})
