// What a run needs from every agent: the same cases for the playbook, ACP agents, one-shot commands
// and real CLIs. A harness defines how to script an agent, and lists the cases it cannot run with
// the reason.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import type { Timing } from '../../../src/adapters/agents/driver-shared.js'
import { find } from '../../../src/adapters/agents/turn/turn-store.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import { acquireSlot } from '../../../src/adapters/process/slots.js'
import { layout } from '../../../src/adapters/state-dir.js'
import type { TurnSpec } from '../../../src/contract/turn.js'
import { waitFor } from '../wait.js'
import { Bench, ManualClock, type Call } from './bench.js'

/**
 * What an agent does with a prompt. `undisturbed`: the first attempt of a turn `work`, by the first
 * line of the prompt. By default it answers at once, with `first` in the first prompt of a session
 * and `second` in later ones.
 */
export type Behaviour =
  | 'answers'
  /** Undisturbed it prints something, then waits to be cancelled. */
  | 'waits'
  /** Undisturbed it prints something and dies by a signal or with a code. */
  | 'dies-once'
  /** The same in every prompt. */
  | 'dies'
  /** Prints 12 MB, then answers. */
  | 'floods'
  /** Leaves a process behind, outside of its process group, then answers. */
  | 'forks'
  /** Asks for permission, with `moon` in the title, then answers. */
  | 'asks'
  /** Undisturbed it fails with a structured rate limit of an hour. */
  | 'limited-once'
  /** Undisturbed it prints or reports about 10,000 tokens, then waits to be cancelled. */
  | 'spends'

export type Case =
  | 'completed'
  | 'follow-up'
  | 'cancelled'
  | 'converged'
  | 'stalled'
  | 'died'
  | 'flooded'
  | 'forked'
  | 'asked'
  | 'limited'
  | 'over budget'
  | 'resumed'

export type Harness = {
  /** Its entry in the config, and the prompt that scripts it if its arguments do not. */
  agentThat: (behaviour: Behaviour, bench: Bench) => { agent: unknown; prompt?: string }
  /** Why an agent cannot do a case. */
  cannot?: Partial<Record<Case, string>>
  /** Whether it reports its tokens. */
  reportsTokens: boolean
  /** Whether the first prompt has begun, for agents that show nothing before their end. */
  begun?: (bench: Bench) => boolean
  /** For slow agents: the time limit of a test, in milliseconds. */
  timing?: Partial<Timing>
  timeoutMs?: number
  /**
   * What a test does between the end of an agent's process and the next one, which continues its
   * session.
   */
  beforeResume?: (bench: Bench) => Promise<void>
  /** It needs permission to run a command. */
  asksForCommands?: boolean
  /** Its limits name no reset time. */
  namesNoReset?: boolean
  /** The minimal worker, from driver-program.ts. */
  program: () => string
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

type Stage = Harness & { bench: Bench }

/** Declares the cases for one driver as tests. */
export function conformance(name: string, harness: Harness): void {
  describe(`${name}`, () => {
    let bench: Bench
    beforeEach(() => {
      bench = new Bench(harness.program())
    })
    afterEach(() => bench.end())

    for (const [which, run] of Object.entries(CASES) as [Case, (stage: Stage) => Promise<void>][]) {
      const why = harness.cannot?.[which]
      if (why !== undefined) test.skip(`${which}: cannot, as ${why}`, () => {})
      else
        test(
          which,
          async () => {
            await run({ ...harness, bench })
            await nothingLeft(bench)
          },
          harness.timeoutMs,
        )
    }
  })
}

// No process of the run except those kept for a follow-up, and no held slot.
async function nothingLeft(bench: Bench): Promise<void> {
  await bench.shutdown()
  expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  await (
    await acquireSlot(layout.slots(bench.dirs), 1)
  )()
}

const CASES: Record<Case, (stage: Stage) => Promise<void>> = {
  async completed(stage) {
    const { result } = play(stage, 'answers')
    expect(await result).toMatchObject({
      outcome: 'completed',
      attempts: 1,
      crashes: 0,
      leftovers: 0,
      tail: expect.stringContaining('first') as string,
      usage: { estimated: !stage.reportsTokens },
    })
    expect((await result).usage.outputTokens).toBeGreaterThan(0)
  },

  async 'follow-up'(stage) {
    const driver = driverOf(stage)
    const first = await play(stage, 'answers', { followUp: true }, driver).result
    const second = await play(
      stage,
      'answers',
      { key: `${stage.bench.run}/1/again`, sessionId: first.sessionId as string },
      driver,
    ).result
    expect(second).toMatchObject({
      outcome: 'completed',
      sessionId: first.sessionId,
      tail: expect.stringContaining('second') as string,
    })
  },

  async cancelled(stage) {
    const call = play(stage, 'waits')
    await busy(stage)
    call.abort('stop')
    expect(await call.result).toMatchObject({ outcome: 'stopped', attempts: 1, crashes: 0 })
  },

  async converged(stage) {
    const clock = new ManualClock()
    clock.tickMs = 10_000
    const driver = stage.bench.driver({ clock, timing: { ...stage.timing } })
    const call = play(
      stage,
      'waits',
      { limitMs: 3 * MINUTE_MS, idleMs: HOUR_MS, followUp: true },
      driver,
    )
    await busy(stage, clock)
    clock.advance(3 * MINUTE_MS)
    const cut = await call.result
    expect(cut).toMatchObject({
      outcome: 'timed_out',
      reason: expect.stringContaining('it stopped when it was asked to') as string,
    })
    const { header } = stage.bench.spec()
    const converged = await play(
      stage,
      'waits',
      {
        key: `${stage.bench.run}/1/converge`,
        header: { ...header, turn: 'converge' },
        sessionId: cut.sessionId as string,
      },
      driver,
    ).result
    expect(converged).toMatchObject({
      outcome: 'completed',
      sessionId: cut.sessionId,
      tail: expect.stringContaining('second') as string,
    })
  },

  async stalled(stage) {
    const clock = new ManualClock()
    clock.tickMs = 10_000
    const call = play(
      stage,
      'waits',
      { idleMs: 2 * MINUTE_MS, limitMs: HOUR_MS },
      stage.bench.driver({ clock, timing: { ...stage.timing } }),
    )
    await busy(stage, clock)
    clock.advance(2 * MINUTE_MS)
    expect(await call.result).toMatchObject({
      outcome: 'stalled',
      reason: expect.stringContaining('the agent did nothing for 2 min') as string,
    })
  },

  async died(stage) {
    expect(await play(stage, 'dies-once').result).toMatchObject({
      outcome: 'completed',
      attempts: 2,
      crashes: 1,
    })
    expect(await play(stage, 'dies', { key: `${stage.bench.run}/1/dies` }).result).toMatchObject({
      outcome: 'failed',
      attempts: 3,
      crashes: 3,
      reason: expect.stringContaining('died 3 times') as string,
    })
  },

  async flooded(stage) {
    const result = await play(stage, 'floods').result
    expect(result.outcome).toBe('completed')
    const answer = readFileSync(result.answer.path, 'utf8')
    expect(answer).toMatch(/\[… \d+ characters left out …\]/)
    expect(answer.length).toBeLessThan(600_000)
  },

  async forked(stage) {
    const result = await play(
      stage,
      'forks',
      {},
      driverOf(stage),
      stage.asksForCommands === true ? { permissions: 'allow' } : {},
    ).result
    expect(result).toMatchObject({ outcome: 'completed', leftovers: 1 })
    expect(findMarked('RATCHET_RUN', stage.bench.run)).toEqual([])
  },

  async asked(stage) {
    const policy = async (permissions: string) =>
      (
        await play(stage, 'asks', { key: `${stage.bench.run}/1/${permissions}` }, driverOf(stage), {
          permissions,
        }).result
      ).denied
    expect(await policy('deny')).toEqual([expect.stringContaining('moon')])
    expect(await policy('allow')).toBeUndefined()
  },

  async limited(stage) {
    const { bench } = stage
    const before = Date.now()
    const limited = await play(stage, 'limited-once').result
    expect(limited).toMatchObject({ outcome: 'rate_limited', attempts: 1 })
    expect(limited.limitedUntil).toBeGreaterThanOrEqual(
      before + (stage.namesNoReset === true ? 0 : HOUR_MS),
    )
    expect(find(bench.dirs, bench.spec().key).state).toBe('interrupted')
    // It is not asked before, and that counts as nothing.
    expect(await play(stage, 'limited-once').result).toMatchObject({
      outcome: 'rate_limited',
      attempts: 1,
      limitedUntil: limited.limitedUntil,
    })
    await stage.beforeResume?.(bench)
    const later = bench.driver({ now: () => Date.now() + 2 * HOUR_MS, timing: { ...stage.timing } })
    expect(await play(stage, 'limited-once', {}, later).result).toMatchObject({
      outcome: 'completed',
      attempts: 2,
    })
  },

  async 'over budget'(stage) {
    const { bench } = stage
    const spent = { turns: 0, tokens: 0, costUsd: 0, minutes: 0 }
    expect(
      await play(stage, 'spends', { budget: { limit: { tokens: 5_000 }, spent } }).result,
    ).toMatchObject({ outcome: 'over_budget', over: 'tokens', attempts: 1 })
    expect(find(bench.dirs, bench.spec().key).state).toBe('interrupted')
    await stage.beforeResume?.(bench)
    expect(
      await play(stage, 'spends', { budget: { limit: { tokens: 500_000 }, spent } }).result,
    ).toMatchObject({ outcome: 'completed', attempts: 2 })
  },

  async resumed(stage) {
    const { bench } = stage
    const { agent, prompt } = stage.agentThat('waits', bench)
    const spec = bench.spec({ ...(prompt !== undefined && { prompt }) })
    const worker = bench.process({ agents: { a: agent } }, spec, stage.timing)
    await busy(stage)
    const session = await waitFor(() => bench.claim()?.sessionId, {
      what: 'the session in the claim',
      timeoutMs: 60_000,
    })
    worker.child.kill('SIGKILL')
    await worker.result
    await stage.beforeResume?.(bench)
    const result = await bench.call(driverOf(stage), bench.config(agent), spec).result
    expect(result).toMatchObject({
      outcome: 'completed',
      attempts: 2,
      crashes: 1,
      sessionId: session,
      tail: expect.stringContaining('second') as string,
    })
  },
}

function driverOf({ bench, timing }: Stage) {
  // Agents that react to a cancel may be slow on a busy machine.
  return bench.driver({ timing: { cancelGraceMs: 10_000, ...timing } })
}

function play(
  stage: Stage,
  behaviour: Behaviour,
  more: Partial<TurnSpec> = {},
  driver = driverOf(stage),
  config: Record<string, unknown> = {},
): Call {
  const { bench } = stage
  const { agent, prompt } = stage.agentThat(behaviour, bench)
  return bench.call(
    driver,
    bench.config(agent, config),
    bench.spec({ ...(prompt !== undefined && { prompt }), ...more }),
  )
}

// It has printed something, which the next tick records.
async function busy({ bench, begun }: Stage, clock?: ManualClock): Promise<void> {
  const said = () => bench.transcript().some((line) => 'text' in line)
  await waitFor(() => (clock?.beat(), begun === undefined ? said() : begun(bench)), {
    what: 'the agent to say something',
    timeoutMs: 60_000,
    everyMs: 100,
  })
}
