// Budgets and rate limits of all three systems: the scripted agent reports tokens and hits limits;
// the run parks or waits, and continues in the same session.
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { ANALYSE, markers } from '../support/runs/real-run.js'
import {
  DONE,
  FIX,
  raisesItsBudget,
  startOf,
  STEPS,
  waitsForItsProvider,
} from '../support/runs/spending-runs.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test.each(['cycle', 'loop'] as const)(
  '%s: a budget of tokens parks the run and asks; raised, the run continues and buys nothing twice',
  (kind) => raisesItsBudget(user, kind),
)

test.each(['fix', 'cycle', 'loop'] as const)(
  '%s: waits for a rate limit, continues the session and spends no iteration',
  async (kind) => {
    const name = `limit-${kind}`
    const steps = STEPS[kind]
    const run = await startOf(
      user,
      kind,
      name,
      [
        { ...steps[0], do: [{ limit: { 'resets-in': 8, times: 1 } }, ...(steps[0]?.do ?? [])] },
        ...steps.slice(1),
      ],
      {},
    )
    await waitFor(async () => (await run.status()).waitingFor.startsWith('rate limit: playbook'), {
      what: 'the wait',
      timeoutMs: 60_000,
    })
    const result = await user.finish(run)
    expect(result).toMatchObject({ outcome: DONE[kind], passRate: 100 })
    expect(markers(user, name).some((m) => m.attempt === 2)).toBe(true)
  },
)

test.each(['cycle', 'loop'] as const)(
  '%s: waits for a provider that answers 503, continues the session and spends no iteration',
  (kind) => waitsForItsProvider(user, kind),
)

test('a rate limit holds every agent of its definition, also in another project', async () => {
  // Both projects use one agent definition, by its file, with the markers of the first.
  const config = {
    agents: {
      limited: {
        protocol: 'playbook',
        file: path.join(user.root, 'projects', 'shared-1', 'ratchet.playbook.yaml'),
      },
    },
    roles: { default: 'limited' },
  }
  const steps = [
    { ...ANALYSE, do: [{ limit: { 'resets-in': 3_600 } }, ...ANALYSE.do] },
    ...FIX.slice(1),
  ]
  const first = await startOf(user, 'fix', 'shared-1', steps, config)
  await waitFor(async () => (await first.status()).waitingFor.startsWith('rate limit: limited'), {
    what: 'the wait',
    timeoutMs: 60_000,
  })
  const second = await startOf(user, 'fix', 'shared-2', steps, config)
  await waitFor(async () => (await second.status()).waitingFor.startsWith('rate limit: limited'), {
    what: 'the wait of the other',
    timeoutMs: 60_000,
  })
  expect(markers(user, 'shared-1')).toHaveLength(1)
  await Promise.all([first.stop('enough'), second.stop('enough')])
  expect([await user.finish(first), await user.finish(second)]).toMatchObject([
    { outcome: 'stopped' },
    { outcome: 'stopped' },
  ])
})
