// A turn whose drivers were killed too often has failed; leftover processes must not keep working
// in the tree.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findMarked } from '../../../src/adapters/process/find.js'
import { Bench } from '../../support/agents/bench.js'
import { driverProgram } from '../../support/agents/driver-program.js'
import { waitFor } from '../../support/wait.js'

const program = driverProgram()
let bench: Bench
beforeEach(() => {
  bench = new Bench(program())
})
afterEach(() => bench.end())

test('killed four times, also while an agent that heeds nothing is ended for the budget, the turn fails and the agent is gone', async () => {
  const agent = bench.foreign('deaf.mjs')
  const at = (tokens: number) =>
    bench.spec({
      budget: { limit: { tokens }, spent: { turns: 0, tokens: 0, costUsd: 0, minutes: 0 } },
    })
  for (const tokens of [1, 101]) {
    const { child, seen, result } = bench.process({ agents: { a: agent } }, at(tokens), {
      cancelGraceMs: 20_000,
    })
    await waitFor(() => seen.some(({ state }) => state === 'ending'), {
      what: 'the end of the turn',
      timeoutMs: 25_000,
    })
    child.kill('SIGKILL')
    await result
  }
  for (const attempts of [3, 4]) {
    const { child, result } = bench.process({ agents: { a: agent } })
    await waitFor(() => bench.claim()?.attempts.length === attempts, {
      what: `attempt ${attempts}`,
      timeoutMs: 25_000,
    })
    child.kill('SIGKILL')
    await result
  }
  expect(await bench.call(bench.driver(), bench.config(agent), at(1)).result).toMatchObject({
    outcome: 'failed',
    crashes: 4,
    attempts: 4,
  })
  expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
})
