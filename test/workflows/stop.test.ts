// A stop ends a run at once, even if a step waits for something: on the real server, which cancels
// a step between two attempts. `test/time/ending` has the ends that take minutes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { stubHost } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

/** Attempts until the next one is 4 s away. */
const TRIED = 3
/** Of a stop: an attempt is never more than that away, and no attempt is waited for. */
const AT_ONCE_MS = 3_000
const RUNS = [measured(3, 9), measured(5, 9), measured(5, 9)]

test('a run ends after the answer to its request to beat', async () => {
  let answer!: () => void
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const host = stubHost({
    runs: RUNS,
    turn: () => ({ waitForCancel: true }),
    beat: () => answered,
  })
  const result = await runCycle(env, host, async (run) => {
    await run.until('the first turn', () => host.turns.length === 1)
    await run.handle.signal('stop')
    await run.until('the last record', (s) => s.waitingFor === 'nothing')
    expect((await run.handle.describe()).status.name).toBe('RUNNING')
    answer()
    return run.result()
  })
  expect(result.outcome).toBe('stopped')
  expect(host.beats).toHaveLength(1)
})

test('a run ends where its request to beat fails, without a second one', async () => {
  const host = stubHost({
    runs: RUNS,
    turn: () => ({ waitForCancel: true }),
    beat: () => Promise.reject(new Error('the worker ends')),
  })
  const result = await runCycle(env, host, async (run) => {
    await run.until('the first turn', () => host.turns.length === 1)
    await run.handle.signal('stop')
    return run.result()
  })
  expect(result.outcome).toBe('stopped')
  expect(host.beats).toHaveLength(1)
})

test('a commit that fails for ever is not waited for, and the run ends where it was', async () => {
  const host = stubHost({
    runs: RUNS,
    commit: () => new Error("Unable to create 'index.lock': File exists"),
  })
  const { result, took } = await runCycle(env, host, async (run) => {
    await expect.poll(() => host.commits.length, { timeout: 20_000, interval: 20 }).toBe(TRIED)
    const from = Date.now()
    await run.handle.signal('stop', 'enough')
    return { result: await run.result(), took: Date.now() - from }
  })
  expect(result).toMatchObject({
    outcome: 'stopped',
    best: { iteration: 0 },
    reason: expect.stringContaining('stopped by request: enough') as string,
  })
  expect(took).toBeLessThan(AT_ONCE_MS)
  expect(host.commits).toHaveLength(TRIED)
  expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'stopped' })
})

test('a record between two iterations that cannot be written is not waited for', async () => {
  const host = stubHost({
    runs: RUNS,
    record: ({ result, state }) =>
      result === undefined && state.iteration === 1 ? new Error('disk full') : undefined,
  })
  const failed = () => host.records.filter(({ state }) => state.iteration === 1).length
  const { result, took } = await runCycle(env, host, async (run) => {
    await expect.poll(failed, { timeout: 20_000, interval: 20 }).toBe(TRIED)
    const from = Date.now()
    await run.handle.signal('stop')
    return { result: await run.result(), took: Date.now() - from }
  })
  expect(result).toMatchObject({ outcome: 'stopped', best: { iteration: 1 } })
  expect(took).toBeLessThan(AT_ONCE_MS)
})

test('a last record that cannot be written is tried again after a stop, and no longer than that', async () => {
  let isRepaired = false
  const host = stubHost({
    runs: [measured(9, 9)],
    record: ({ result }) =>
      result === undefined || isRepaired ? undefined : new Error('disk full'),
  })
  const result = await runCycle(env, host, async (run) => {
    await expect
      .poll(() => host.records.filter(({ result: end }) => end !== undefined).length, {
        timeout: 20_000,
        interval: 20,
      })
      .toBe(TRIED)
    isRepaired = true
    await run.handle.signal('stop')
    const from = Date.now()
    const end = await run.result()
    expect(Date.now() - from).toBeLessThan(AT_ONCE_MS)
    return end
  })
  expect(result).toMatchObject({ outcome: 'success', reason: null })
})
