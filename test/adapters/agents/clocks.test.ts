// The two clocks, with a clock under the control of the test, and agents that are real processes.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TEST_FIX_LIMITS } from '../../../src/contract/config/limits.js'
import { TIMING } from '../../../src/adapters/agents/driver-shared.js'
import { TurnClock } from '../../../src/adapters/agents/turn/turn-clock.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import { acquireSlot } from '../../../src/adapters/process/slots.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { Bench, ManualClock } from '../../support/agents/bench.js'
import { driverProgram } from '../../support/agents/driver-program.js'
import { waitFor } from '../../support/wait.js'

const MIN = 60_000
const program = driverProgram()
let bench: Bench
let clock: ManualClock
beforeEach(() => {
  bench = new Bench(program())
  clock = new ManualClock()
  clock.tickMs = 10_000
})
afterEach(() => bench.end())

const limits = { limitMs: TEST_FIX_LIMITS.agentTurnMs, idleMs: TEST_FIX_LIMITS.idleMs }
const driver = () =>
  bench.driver({ clock, timing: { startMs: TIMING.startMs, cancelGraceMs: TIMING.cancelGraceMs } })
/** Says this many messages, then waits, and obeys a cancel. */
const waits = (...before: unknown[]) =>
  bench.playbook([{ do: [{ say: 'begun' }, ...before, { wait: 'forever' }] }])
async function begun(agent: unknown, spec = bench.spec(limits), policy = 'deny', hooks = {}) {
  const call = bench.call(driver(), bench.config(agent, { permissions: policy }), spec, hooks)
  await waitFor(
    () =>
      call.seen.some((p) => p.lastEvent !== undefined) ||
      (clock.advance(0), bench.claim()?.attempts.length === 1),
    { what: 'the prompt' },
  )
  return call
}
const ended = (result: Promise<unknown>) =>
  Promise.race([
    result.then(() => true),
    new Promise<false>((resolve) => setImmediate(() => resolve(false))),
  ])

test('defaults: 30 min limit, 10 min idle, 3 min to converge, 10 s to obey a cancel, 60 s kept, 5 min to start', () => {
  expect(TEST_FIX_LIMITS).toMatchObject({
    agentTurnMs: 30 * MIN,
    idleMs: 10 * MIN,
    convergeMs: 3 * MIN,
  })
  expect(TIMING).toMatchObject({
    cancelGraceMs: 10_000,
    keepMs: 60_000,
    startMs: 300_000,
    endGraceMs: 10_000,
  })
})

describe('TurnClock', () => {
  test('total: 29:59 is within 30 min, 30:00 is not, however busy the agent', () => {
    const turn = new TurnClock(limits)
    for (let s = 1; s < 30 * 60; s++) {
      turn.event()
      expect(turn.tick(1_000)).toBeUndefined()
    }
    expect(turn.tick(1_000)).toBe('timed_out')
  })

  test('idle: 10 min without an event; an event restarts them', () => {
    const turn = new TurnClock(limits)
    for (let s = 1; s < 600; s++) expect(turn.tick(1_000)).toBeUndefined()
    turn.event()
    for (let s = 1; s < 600; s++) expect(turn.tick(1_000)).toBeUndefined()
    expect(turn.tick(1_000)).toBe('stalled')
  })

  test('idle: a running tool call is not idle, and counts against the total', () => {
    const turn = new TurnClock(limits)
    turn.tool('t', true)
    for (let s = 1; s < 30 * 60; s++) expect(turn.tick(1_000)).toBeUndefined()
    expect(turn.tick(1_000)).toBe('timed_out')
  })

  test('idle: counts from the end of the tool call', () => {
    const turn = new TurnClock(limits)
    turn.tool('t', true)
    turn.tick(599_000)
    turn.tool('t', false)
    expect(turn.tick(599_000)).toBeUndefined()
    expect(turn.tick(1_000)).toBe('stalled')
  })

  test('neither counts while a person is asked', () => {
    const turn = new TurnClock(limits)
    const answered = turn.ask()
    expect(turn.tick(100 * MIN)).toBeUndefined()
    answered()
    expect(turn.spentMs).toBe(0)
  })

  test('time of an earlier attempt counts', () => {
    expect(new TurnClock(limits, 29 * MIN).tick(MIN)).toBe('timed_out')
  })
})

test('a turn at its limit is asked to stop, keeps what it said, and is timed out', async () => {
  const call = await begun(
    bench.playbook([{ do: [{ say: 'begun' }, { hang: { tool: 'npm test', cancel: 'heed' } }] }]),
    bench.spec(limits),
  )
  await waitFor(() => bench.transcript().some((l) => 'update' in l), { what: 'the tool call' })
  clock.advance(30 * MIN - 1_000)
  expect(await ended(call.result)).toBe(false)
  clock.advance(1_000)
  expect(await call.result).toMatchObject({
    outcome: 'timed_out',
    reason: 'the limit of 30 min was reached; it stopped when it was asked to',
    durationMs: 30 * MIN,
    tail: expect.stringContaining('begun') as string,
  })
})

test('a turn without an event for 10 min is stalled', async () => {
  const call = await begun(waits())
  clock.advance(10 * MIN)
  expect(await call.result).toMatchObject({
    outcome: 'stalled',
    reason: 'the agent did nothing for 10 min; it stopped when it was asked to',
  })
})

test('an agent that ignores the interruption is ended after 10 s', async () => {
  const call = await begun(bench.foreign('deaf.mjs'))
  clock.advance(10 * MIN)
  await call.sees('ending')
  clock.advance(9_000)
  expect(await ended(call.result)).toBe(false)
  expect(findMarked('RATCHET_RUN', bench.run)).toHaveLength(1)
  clock.advance(2_000)
  expect(await call.result).toMatchObject({
    outcome: 'stalled',
    reason: 'the agent did nothing for 10 min; it did not stop when it was asked to and was ended',
    tail: 'begun',
  })
  expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
})

test('a night in which the laptop sleeps does not count', async () => {
  clock.tickMs = 1_000
  const call = await begun(waits())
  clock.advance(8 * 60 * MIN, { asleep: true })
  expect(await ended(call.result)).toBe(false)
  expect(call.seen.at(-1)?.elapsedMs).toBeLessThanOrEqual(2_000)
})

test('the wait for a slot is shown and does not count', async () => {
  const release = await acquireSlot(layout.slots(bench.dirs), 1)
  const call = bench.call(
    driver(),
    bench.config(bench.playbook([{ do: [{ say: 'done' }] }]), { limits: { agentsPerHost: 1 } }),
    bench.spec(limits),
  )
  await call.sees('slot')
  clock.advance(60 * MIN)
  expect(await ended(call.result)).toBe(false)
  expect(bench.starts()).toEqual([])
  await release()
  expect(await call.result).toMatchObject({ outcome: 'completed', durationMs: 0 })
})

test('a stop while a turn waits for its slot ends it without a prompt', async () => {
  const release = await acquireSlot(layout.slots(bench.dirs), 1)
  const call = bench.call(driver(), bench.config(waits(), { limits: { agentsPerHost: 1 } }))
  await call.sees('slot')
  call.abort('stop')
  expect(await call.result).toMatchObject({ outcome: 'stopped', attempts: 0 })
  await release()
})

test('time spent before the driver was killed counts after it', async () => {
  const agent = waits()
  const worker = bench.process(
    { agents: { a: agent } },
    bench.spec({ limitMs: 3_000, idleMs: 60_000 }),
  )
  await waitFor(() => (bench.claim()?.spentMs ?? 0) > 0, { what: 'the spent time in the claim' })
  worker.child.kill('SIGKILL')
  await worker.result
  const spent = bench.claim()?.spentMs ?? 0
  const call = bench.call(
    driver(),
    bench.config(agent),
    bench.spec({ limitMs: spent + 2_000, idleMs: 60 * MIN }),
  )
  await call.sees('running')
  clock.advance(2_000)
  expect((await call.result).outcome).toBe('timed_out')
})

test('while a person is asked, an hour passes without a timeout', async () => {
  let answer: (verdict: 'allow') => void = () => {}
  const asked = new Promise<void>((resolve) => {
    void begun(bench.foreign('asks.mjs'), bench.spec(limits), 'ask', {
      onPermission: () => {
        resolve()
        return new Promise((r) => {
          answer = r
        })
      },
    }).then((call) => {
      pending = call.result
    })
  })
  let pending: Promise<unknown> | undefined
  await asked
  clock.advance(60 * MIN)
  answer('allow')
  expect(await waitFor(() => pending, { what: 'the call' })).toMatchObject({ outcome: 'completed' })
})
