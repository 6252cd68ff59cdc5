// Budgets and rate limits of all three systems: the scripted agent reports tokens and runs into limits, the run parks
// or waits, and goes on in the same session.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcessUser } from '../support/in-process/user.js'
import type { InProcessUser } from '../support/in-process/user.js'
import { markers } from '../support/real-run.js'
import { DONE, raisesItsBudget, startOf, STEPS } from '../support/spending-runs.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => { user = await inProcessUser() })
afterAll(() => user.close())

test.each(['cycle', 'loop'] as const)('%s: a budget of tokens parks the run and asks; raised, it goes on and buys nothing twice', (kind) => raisesItsBudget(user, kind))

test.each(['fix', 'cycle', 'loop'] as const)('%s: a rate limit is waited for: the session goes on, no iteration is spent', async (kind) => {
  const name = `limit-${kind}`
  const steps = STEPS[kind]
  const run = await startOf(user, kind, name, [{ ...steps[0], do: [{ limit: { 'resets-in': 8, times: 1 } }, ...(steps[0]?.do ?? [])] }, ...steps.slice(1)], {})
  await waitFor(async () => (await run.status()).waitingFor.startsWith('rate limit: playbook'), { what: 'the wait', timeoutMs: 60_000 })
  const result = await user.finish(run)
  expect(result).toMatchObject({ outcome: DONE[kind], passRate: 100 })
  expect(markers(user, name).some((m) => m.attempt === 2)).toBe(true)
})
