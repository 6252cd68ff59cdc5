// The end of a prompt at its limit, with a fake agent and a clock under the control of the test.
import { expect, test } from 'vitest'
import type { OpenAgent } from '../../../../src/adapters/agents/agent-port.js'
import { timedPrompt } from '../../../../src/adapters/agents/turn/timed-prompt.js'
import { Ticker, TurnClock } from '../../../../src/adapters/agents/turn/turn-clock.js'
import { ManualClock } from '../../../support/agents/bench.js'

const MIN = 60_000
const GRACE = 10_000

/** A prompt with a limit of 30 min; `heeds`: its answer when it is asked to stop. */
function prompt(heeds?: unknown) {
  const clock = new ManualClock()
  const told: string[] = []
  let answer = (_: unknown) => {}
  const agent = {
    prompt: () =>
      new Promise((resolve) => {
        answer = resolve
      }),
    cancel: () => {
      told.push('cancel')
      if (heeds !== undefined) answer(heeds)
    },
  } as unknown as OpenAgent
  const stop = new AbortController()
  const end = timedPrompt({
    agent,
    text: 'Do it.',
    clock: new TurnClock({ limitMs: 30 * MIN, idleMs: 60 * MIN }),
    ticker: new Ticker(clock),
    signal: stop.signal,
    graceMs: GRACE,
    onInterrupt: () => told.push('interrupted'),
  })
  /** Its end so far; `undefined` while it is open. */
  const now = () =>
    Promise.race([end, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))])
  return { clock, told, stop, now, answer: (value: unknown) => answer(value) }
}

test('at the limit the agent is asked to stop, and its answer counts as an interruption', async () => {
  const { clock, told, now } = prompt({ stopReason: 'end_turn' })
  clock.advance(30 * MIN - 1_000)
  expect([await now(), told]).toEqual([undefined, []])
  clock.advance(1_000)
  expect(await now()).toEqual({
    interrupted: 'timed_out',
    answer: { response: { stopReason: 'end_turn' } },
  })
  expect(told).toEqual(['interrupted', 'cancel'])
})

test('one that ignores the stop is waited for 10 s, and then has no answer', async () => {
  const { clock, told, now } = prompt()
  clock.advance(30 * MIN)
  await now()
  clock.advance(GRACE - 1_000)
  expect([await now(), told]).toEqual([undefined, ['interrupted', 'cancel']])
  clock.advance(1_000)
  expect(await now()).toEqual({ interrupted: 'timed_out' })
})

test('a stop before the prompt is one, and an answer in time is no interruption', async () => {
  const stopped = prompt({ stopReason: 'cancelled' })
  stopped.stop.abort()
  expect(await stopped.now()).toMatchObject({ interrupted: 'stopped' })
  const done = prompt()
  done.answer({ stopReason: 'end_turn' })
  expect(await done.now()).toEqual({ answer: { response: { stopReason: 'end_turn' } } })
})
