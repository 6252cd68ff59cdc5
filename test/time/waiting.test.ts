// Waits of days, on the time-skipping server: nothing in a run times out while it waits.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { timeSkippingEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { HOOKED } from '../support/runs/hooked-runs.js'
import { waitFor } from '../support/wait.js'
import { cycleHost } from '../support/cycle/cycle-host.js'
import { loopHost } from '../support/loop/loop-host.js'
import { bare, stubHost } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await timeSkippingEnv()
})
afterAll(() => env.teardown())

test('a pause lasts 30 days', async () => {
  const host = stubHost({ ...bare, runs: [measured(3, 5), measured(5, 5), measured(5, 5)] })
  const result = await runCycle(env, host, async (run) => {
    await run.handle.signal('pause')
    await run.until('the pause', (s) => s.status === 'paused')
    await env.sleep('30 days')
    expect((await run.status()).status).toBe('paused')
    await run.handle.signal('resume')
    return run.result()
  })
  expect(result.outcome).toBe('success')
})

test('an open question waits for days', async () => {
  const host = stubHost({ ...bare, runs: [measured(3, 5), measured(5, 5), measured(5, 5)] })
  await runCycle(env, host, async (run) => {
    await run.handle.signal('pause') // no activity runs: this server skips time only then
    await run.until('the pause', (s) => s.status === 'paused')
    const asked = await run.handle.startUpdate('ratchetAsk', {
      args: [{ id: 'q', kind: 'permission', text: '?', options: ['allow', 'deny'], askedAt: 0 }],
      waitForStage: 'ACCEPTED',
    })
    await env.sleep('3 days')
    expect((await run.status()).questions).toBe(1)
    await run.handle.executeUpdate('answer', { args: ['allow'] })
    expect(await asked.result()).toBe('allow')
    await run.handle.signal('resume')
    expect((await run.result()).outcome).toBe('success')
  })
})

test('docs/hooks.md: the hook of a question runs when a worker is back hours later, and the question stays open', async () => {
  let calls = 0
  const host = stubHost({
    ...bare,
    runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
    prepared: HOOKED,
    notify: () =>
      ++calls <= 200
        ? Promise.reject(new Error('the worker died'))
        : Promise.resolve({ warnings: [] }),
  })
  await runCycle(env, host, async (run) => {
    // Without queries, which sometimes hang on the time-skipping server. An answer is accepted only
    // while its question is open.
    await waitFor(() => calls > 0, { what: 'the first try of the hook' })
    await env.sleep('3 hours')
    await waitFor(() => calls === 201, { what: 'the hook' })
    await run.handle.executeUpdate('answer', { args: [{ choice: 'raise', text: '100' }] })
    expect((await run.result()).outcome).toBe('success')
  })
  expect(new Set(host.notices.map(({ question }) => JSON.stringify(question))).size).toBe(1)
  expect(calls).toBe(201)
})

test('a turn that loses its worker 30 times gets a 31st try under the same key', async () => {
  const host = stubHost({
    ...bare,
    runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
    turn: (_t, call) => {
      if (call <= 30) throw new Error('the worker died')
      return {}
    },
  })
  const started = await env.currentTimeMs()
  expect((await runCycle(env, host, (run) => run.result())).outcome).toBe('success')
  expect(new Set(host.turns.slice(0, 31).map((t) => t.key)).size).toBe(1)
  // 1 + 2 + 4 + 8 + 16 s, then 25 times 30 s.
  expect((await env.currentTimeMs()) - started).toBeGreaterThanOrEqual(781_000)
})

test('waits for a rate limit of five days on a timer, without spending an iteration', async () => {
  const limitedUntil = (await env.currentTimeMs()) + 5 * 24 * 3_600_000
  const host = stubHost({
    ...bare,
    runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
    turn: (_t, call) =>
      call === 1
        ? { outcome: 'rate_limited', limitedUntil, reason: 'the provider limits the rate' }
        : {},
  })
  expect(await runCycle(env, host, (run) => run.result())).toMatchObject({
    outcome: 'success',
    iterations: 1,
    usage: { turns: 2 },
  })
  expect(host.turns[1]?.key).toBe(host.turns[0]?.key)
  expect(await env.currentTimeMs()).toBeGreaterThanOrEqual(limitedUntil)
})

test.each(
  // prettier-ignore
  [
  { kind: 'dev-cycle' as const, host: () => cycleHost({ runs: [measured(3, 3), measured(5, 5)], turn: limitedOnce() }), input: { project: '/repo', task: 'Add OAuth2 login' } },
  { kind: 'dev-loop' as const, host: () => loopHost({ runs: [measured(3, 3)], turn: limitedOnce() }), input: { project: '/repo', task: 'Fix the importer', mode: 'auto' } },
],
)('a rate limit of a day in a $kind', async ({ kind, host, input }) => {
  const started = await env.currentTimeMs()
  const stub = host()
  stub.activities.serverFacts = bare.serverFacts
  expect(
    await runCycle(env, stub, (run) => run.result(), input, `limited-${kind}`, kind),
  ).toMatchObject({ outcome: 'completed' })
  expect((await env.currentTimeMs()) - started).toBeGreaterThanOrEqual(24 * 3_600_000)
})

function limitedOnce() {
  return async (_turn: unknown, call: number) =>
    call === 1
      ? {
          outcome: 'rate_limited' as const,
          limitedUntil: (await env.currentTimeMs()) + 24 * 3_600_000,
        }
      : {}
}
