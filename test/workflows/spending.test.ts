// Budgets and rate limits of all three kinds, on a real Temporal server: the run parks or waits,
// and continues at the same point.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkflowUpdateFailedError } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { Spending } from '../../src/contract/budget.js'
import type { Question } from '../../src/contract/question.js'
import type { SentTurn } from '../../src/contract/turn-input.js'
import { cycleHost } from '../support/cycle/cycle-host.js'
import { loopHost } from '../support/loop/loop-host.js'
import { AUTO, PARALLEL } from '../support/loop/loop-runs.js'
import {
  PREPARED,
  stubHost,
  type Script,
  type StubHost,
  type TurnAnswer,
} from '../support/stub-host.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { measured } from '../support/test-runs.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const GREEN_AFTER_ONE = [measured(3, 5), measured(5, 5), measured(5, 5)]
const spending = (
  budget: Spending['budget'],
  onRateLimit: Spending['onRateLimit'] = 'wait',
): Spending => ({ onRateLimit, ...(budget === undefined ? {} : { budget }) })
const fix = (script: Partial<Script>): StubHost => stubHost({ runs: GREEN_AFTER_ONE, ...script })
const asked = async (run: Running): Promise<Question[]> => run.handle.query<Question[]>('questions')
const budgetAsked = async (run: Running): Promise<Question> => {
  await run.until('the question', (s) => s.waitingFor.startsWith('person: the budget'))
  const [question] = await asked(run)
  return question as Question
}
const steps = (turns: SentTurn[]) =>
  turns.map((t) => `${t.agent} ${t.key.split('/').slice(2).join('/')}`)

describe('each run has one budget; an empty one parks the run and asks', () => {
  test('of turns: asks before the turn that exceeds it, and continues there once raised', async () => {
    const host = fix({ prepared: { spending: spending({ turns: 1 }) } })
    const result = await runCycle(env, host, async (run) => {
      const question = await budgetAsked(run)
      expect(question).toMatchObject({
        id: 'budget-1',
        kind: 'budget',
        text: 'the budget is spent (1 of 1 turns): raise it, or stop?',
        options: ['raise', 'stop'],
        recommended: 'stop',
      })
      expect(host.turns).toHaveLength(1)
      await run.handle.executeUpdate('answer', { args: ['raise'] })
      return run.result()
    })
    expect(result).toMatchObject({ outcome: 'success', iterations: 1, usage: { turns: 2 } })
    expect(host.turns.map((t) => t.budget)).toEqual([
      { limit: { turns: 1 }, spent: { turns: 0, tokens: 0, costUsd: 0, minutes: 0 } },
      {
        limit: { turns: 2 },
        spent: { turns: 1, tokens: 15, costUsd: 0, minutes: expect.any(Number) as number },
      },
    ])
  })

  test('stop ends the run with its reason', async () => {
    const host = fix({ prepared: { spending: spending({ turns: 1 }) } })
    const result = await runCycle(env, host, async (run) => {
      await budgetAsked(run)
      await run.handle.executeUpdate('answer', { args: ['stop'] })
      return run.result()
    })
    expect(result).toMatchObject({
      outcome: 'stopped',
      status: 'failed',
      reason: expect.stringContaining('the budget is spent (1 of 1 turns)') as string,
    })
    expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'stopped' })
  })

  test('a configuration read again during the question chooses agent and session', async () => {
    const session = { turns: 1, bytes: 100 }
    const host = fix({
      prepared: {
        agents: { 'cli-planning-agent': ['a'], 'test-fix-agent': ['a'] },
        spending: spending({ turns: 1 }),
      },
      reloaded: {
        configHash: 'new',
        agents: { 'cli-planning-agent': ['b'], 'test-fix-agent': ['b'] },
      },
      turn: (t) => ({ sessionId: `of-${t.agent}`, session }),
    })
    await runCycle(env, host, async (run) => {
      await budgetAsked(run)
      await run.handle.signal('pause')
      await run.handle.executeUpdate('answer', { args: ['raise'] })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
      return run.result()
    })
    expect(host.turns.map((t) => [t.agent, t.configHash, t.sessionId])).toEqual([
      ['a', 'c', undefined],
      ['b', 'new', undefined],
    ])
  })

  test('an amount given with the choice is added; the default doubles the budget', async () => {
    const host = fix({ prepared: { spending: spending({ turns: 1 }) } })
    await runCycle(env, host, async (run) => {
      await budgetAsked(run)
      await run.handle.executeUpdate('answer', { args: [{ choice: 'raise', text: '7' }] })
      return run.result()
    })
    expect(host.turns[1]?.budget?.limit).toEqual({ turns: 8 })
  })

  test.each(['abc', '-5', '0', 'NaN', '1.000.000'])(
    'an invalid amount is refused, and the question stays open: %s',
    async (text) => {
      const host = fix({ prepared: { spending: spending({ turns: 1 }) } })
      await runCycle(env, host, async (run) => {
        await budgetAsked(run)
        const refused: unknown = await run.handle
          .executeUpdate('answer', { args: [{ choice: 'raise', text }] })
          .catch((error: unknown) => error)
        expect((refused as WorkflowUpdateFailedError).cause?.message).toBe(
          `"${text}" is not an amount: question budget-1 takes a number of turns above 0, like {"choice":"raise","text":"1"}`,
        )
        expect(await asked(run)).toHaveLength(1)
        await run.handle.executeUpdate('answer', { args: [{ choice: 'raise', text: ' ' }] })
        return run.result()
      })
      expect(host.turns[1]?.budget?.limit).toEqual({ turns: 2 })
    },
  )

  test('a turn interrupted by a spent budget continues under its key and is counted once', async () => {
    const host = fix({
      prepared: { spending: spending({ tokens: 100 }) },
      turn: (_t, call) =>
        call === 1
          ? {
              outcome: 'over_budget',
              over: 'tokens',
              usage: { inputTokens: 90, outputTokens: 30, estimated: true },
            }
          : { usage: { inputTokens: 100, outputTokens: 40, estimated: false } },
    })
    const result = await runCycle(env, host, async (run) => {
      expect((await budgetAsked(run)).text).toBe(
        'the budget is spent (120 of 100 tokens): raise it, or stop?',
      )
      await run.handle.executeUpdate('answer', { args: ['raise'] })
      return run.result()
    })
    expect(host.turns[1]?.key).toBe(host.turns[0]?.key)
    expect(result).toMatchObject({
      outcome: 'success',
      usage: { turns: 2, inputTokens: 200, outputTokens: 80 },
    })
  })

  test('two parallel turns over one budget ask once: one stopped below the raised amount continues', async () => {
    let asked = (): void => undefined
    const answered = new Promise<void>((resolve) => {
      asked = resolve
    })
    const over: TurnAnswer = {
      outcome: 'over_budget',
      over: 'tokens',
      usage: { inputTokens: 60, outputTokens: 0, estimated: false },
    }
    const host = cycleHost({
      runs: [measured(3, 3), measured(5, 5)],
      prepared: { spending: spending({ tokens: 50 }) },
      turn: (_turn, call) => (call === 1 ? over : call <= 4 ? answered.then(() => over) : {}),
    })
    const result = await runCycle(
      env,
      host,
      async (run) => {
        await budgetAsked(run)
        await run.handle.executeUpdate('answer', { args: [{ choice: 'raise', text: '100000' }] })
        asked()
        return run.result()
      },
      { project: '/repo', task: 'Add OAuth2 login' },
      `cycle-side-${Date.now()}`,
      'dev-cycle',
    )
    expect(result).toMatchObject({ outcome: 'completed', usage: { turns: 5 } })
  })

  test('the cost of an interrupted turn counts if the run is stopped', async () => {
    const host = fix({
      prepared: { spending: spending({ tokens: 100 }) },
      turn: () => ({
        outcome: 'over_budget',
        over: 'tokens',
        usage: { inputTokens: 90, outputTokens: 30, estimated: true },
      }),
    })
    const result = await runCycle(env, host, async (run) => {
      await budgetAsked(run)
      await run.handle.executeUpdate('answer', { args: ['stop'] })
      return run.result()
    })
    expect(result).toMatchObject({
      outcome: 'stopped',
      usage: { inputTokens: 90, outputTokens: 30, estimated: true },
    })
  })

  test('a stop while it asks ends the run', async () => {
    const host = fix({ prepared: { spending: spending({ turns: 1 }) } })
    const result = await runCycle(env, host, async (run) => {
      await budgetAsked(run)
      await run.handle.signal('stop', { reason: 'enough' })
      return run.result()
    })
    expect(result).toMatchObject({
      outcome: 'stopped',
      reason: expect.stringContaining('enough') as string,
    })
  })

  test('a budget of money warns about an agent that reports no cost', async () => {
    const host = fix({ prepared: { spending: spending({ costUsd: 1 }) } })
    await runCycle(env, host, (run) => run.result())
    expect(host.records.at(-1)?.state.warnings).toContainEqual(
      expect.stringMatching(/^planner reports no cost/),
    )
  })

  test('retries and chains spend it', async () => {
    const host = fix({
      prepared: {
        spending: spending({ turns: 2 }),
        agents: { 'cli-planning-agent': ['planner', 'second'], 'test-fix-agent': ['fixer'] },
      },
      turn: (_t, call) => (call === 1 ? { outcome: 'failed', reason: 'broken' } : {}),
    })
    await runCycle(env, host, async (run) => {
      await budgetAsked(run)
      expect(steps(host.turns)).toEqual([
        'planner iteration-1/analysis',
        'second iteration-1/analysis.2',
      ])
      await run.handle.executeUpdate('answer', { args: ['raise'] })
      return run.result()
    })
  })

  test('a dev cycle: parallel agents share one question', async () => {
    const host = cycleHost({
      runs: [measured(3, 3), measured(5, 5)],
      prepared: { spending: spending({ turns: 2 }) },
    })
    const result = await runCycle(
      env,
      host,
      async (run) => {
        await budgetAsked(run)
        await run.until('two turns', () => host.turns.length === 2)
        expect(await asked(run)).toHaveLength(1)
        await run.handle.executeUpdate('answer', { args: [{ choice: 'raise', text: '10' }] })
        return run.result()
      },
      { project: '/repo', task: 'Add OAuth2 login' },
      `cycle-budget-${Date.now()}`,
      'dev-cycle',
    )
    expect(result).toMatchObject({ outcome: 'completed', usage: { turns: 5 } })
  })

  test('a dev loop in auto mode asks too', async () => {
    const host = loopHost({
      runs: [measured(3, 3)],
      prepared: { spending: spending({ turns: 1 }) },
    })
    const result = await runCycle(
      env,
      host,
      async (run) => {
        await budgetAsked(run)
        expect(host.turnNames()).toEqual(['init'])
        await run.handle.executeUpdate('answer', { args: [{ choice: 'raise', text: '10' }] })
        return run.result()
      },
      AUTO,
      `loop-budget-${Date.now()}`,
      'dev-loop',
    )
    expect(result).toMatchObject({ outcome: 'completed', usage: { turns: 4 } })
  })
})

describe('waiting for a rate limit spends no iteration and no attempt', () => {
  const soon = (ms = 300): TurnAnswer => ({
    outcome: 'rate_limited',
    limitedUntil: Date.now() + ms,
    reason: 'the provider limits the rate',
    usage: { inputTokens: 0, outputTokens: 0, estimated: false },
  })

  test('the same turn continues at the reset time', async () => {
    const host = fix({ turn: (_t, call) => (call === 1 ? soon(2_000) : {}) })
    const result = await runCycle(env, host, async (run) => {
      const waiting = await run.until('the wait', (s) => s.waitingFor.startsWith('rate limit:'))
      expect(waiting.waitingFor).toMatch(
        /^rate limit: planner may be used again at \d{4}-\d\d-\d\dT/,
      )
      return run.result()
    })
    expect(host.turns[1]?.key).toBe(host.turns[0]?.key)
    expect(result).toMatchObject({ outcome: 'success', iterations: 1, usage: { turns: 2 } })
  })

  test('a pause and a stop do not wait for it', async () => {
    const host = fix({ turn: () => soon(3_600_000) })
    const result = await runCycle(env, host, async (run) => {
      await run.until('the wait', (s) => s.waitingFor.startsWith('rate limit:'))
      await run.handle.signal('pause')
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('stop')
      return run.result()
    })
    expect(result).toMatchObject({ outcome: 'stopped', usage: { turns: 1 } })
    expect(host.turns).toHaveLength(1)
  })

  test('onRateLimit next: the next agent of the chain takes over with a hand-over note', async () => {
    let look = (): void => undefined
    const seen = new Promise<void>((resolve) => (look = resolve))
    const host = fix({
      prepared: {
        spending: spending(undefined, 'next'),
        agents: { 'cli-planning-agent': ['planner'], 'test-fix-agent': ['fixer', 'other'] },
      },
      turn: async (t) =>
        t.agent === 'fixer'
          ? { ...soon(3_600_000), tail: 'I changed a.ts' }
          : t.agent === 'other'
            ? seen.then(() => ({}))
            : {},
    })
    const result = await runCycle(env, host, async (run) => {
      const { waitingFor } = await run.until('the other', (s) => s.waitingFor.includes('(other)'))
      expect(waitingFor).toBe(
        'agent: test-fix-agent (other), iteration 1, takes over from fixer, which its provider limits',
      )
      look()
      return run.result()
    })
    expect(steps(host.turns)).toEqual([
      'planner iteration-1/analysis',
      'fixer iteration-1/fix',
      'other iteration-1/fix.2',
    ])
    expect(host.turns[2]?.handOver).toEqual({
      from: 'fixer',
      why: 'the provider limits the rate',
      said: 'I changed a.ts',
    })
    expect(result).toMatchObject({ outcome: 'success', usage: { turns: 3 } })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'its usage until then counts', attempts: 1, usage: { inputTokens: 70, outputTokens: 30, costUsd: 0.5, estimated: true }, sum: { turns: 3, inputTokens: 90, outputTokens: 40, costUsd: 0.5, estimated: true } },
    { why: 'an agent that was never prompted has no turn', attempts: 0, usage: { inputTokens: 0, outputTokens: 0, estimated: false }, sum: { turns: 2, inputTokens: 20, outputTokens: 10, estimated: false } },
  ],
  )('a limited turn that is handed over: $why', async ({ attempts, usage, sum }) => {
    const host = fix({
      prepared: {
        spending: spending(undefined, 'next'),
        agents: { 'cli-planning-agent': ['planner'], 'test-fix-agent': ['fixer', 'other'] },
      },
      turn: (t) => (t.agent === 'fixer' ? { ...soon(3_600_000), attempts, usage } : {}),
    })
    expect(await runCycle(env, host, (run) => run.result())).toMatchObject({
      outcome: 'success',
      usage: sum,
    })
  })

  test('a limited turn that is handed over, continued and stopped at its second wait counts once', async () => {
    const used = (inputTokens: number) => ({
      usage: { inputTokens, outputTokens: 0, estimated: false },
    })
    const host = fix({
      prepared: {
        spending: spending(undefined, 'next'),
        agents: { 'cli-planning-agent': ['late', 'soon'], 'test-fix-agent': ['fixer'] },
      },
      turn: (_t, call) =>
        call === 1
          ? { ...soon(3_600_000), ...used(100) }
          : { ...soon(call === 2 ? 300 : 3_600_000), ...used(call === 2 ? 7 : 9) },
    })
    const result = await runCycle(env, host, async (run) => {
      await run.until('the third turn', () => host.turns.length === 3)
      await run.until('the wait', (s) => s.waitingFor.startsWith('rate limit: soon'))
      await run.handle.signal('stop')
      return run.result()
    })
    expect(result).toMatchObject({
      outcome: 'stopped',
      usage: { turns: 2, inputTokens: 109, outputTokens: 0 },
    })
  })

  test('a limited turn that is handed over and stopped while it waits for an agent keeps its usage', async () => {
    const host = fix({
      prepared: {
        spending: spending(undefined, 'next'),
        agents: { 'cli-planning-agent': ['late', 'soon'], 'test-fix-agent': ['fixer'] },
      },
      turn: () => ({
        ...soon(3_600_000),
        usage: { inputTokens: 50, outputTokens: 0, estimated: false },
      }),
    })
    const result = await runCycle(env, host, async (run) => {
      await run.until('the wait', (s) => s.waitingFor.startsWith('rate limit:'))
      await run.handle.signal('stop')
      return run.result()
    })
    expect(result).toMatchObject({ outcome: 'stopped', usage: { turns: 2, inputTokens: 100 } })
  })

  test('onRateLimit next: with the whole chain limited, the first agent to be free continues its session', async () => {
    const host = fix({
      prepared: {
        spending: spending(undefined, 'next'),
        agents: { 'cli-planning-agent': ['late', 'soon'], 'test-fix-agent': ['fixer'] },
      },
      turn: (_t, call) => (call === 1 ? soon(3_600_000) : call === 2 ? soon(500) : {}),
    })
    expect(await runCycle(env, host, (run) => run.result())).toMatchObject({ outcome: 'success' })
    expect(steps(host.turns)).toEqual([
      'late iteration-1/analysis',
      'soon iteration-1/analysis.2',
      'soon iteration-1/analysis.2',
      'fixer iteration-1/fix',
    ])
  })

  test('a dev cycle and a parallel loop wait too', async () => {
    const cycle = cycleHost({
      runs: [measured(3, 3), measured(5, 5)],
      turn: (_t, call) =>
        call === 1 ? { outcome: 'rate_limited', limitedUntil: Date.now() + 300 } : {},
    })
    expect(
      await runCycle(
        env,
        cycle,
        (run) => run.result(),
        { project: '/repo', task: 'Add OAuth2 login' },
        `cycle-limit-${Date.now()}`,
        'dev-cycle',
      ),
    ).toMatchObject({ outcome: 'completed', iterations: 1, usage: { turns: 5 } })
    const loop = loopHost({
      runs: [measured(3, 3)],
      turn: (_t, call) =>
        call === 2 ? { outcome: 'rate_limited', limitedUntil: Date.now() + 300 } : {},
    })
    expect(
      await runCycle(
        env,
        loop,
        (run) => run.result(),
        PARALLEL,
        `loop-limit-${Date.now()}`,
        'dev-loop',
      ),
    ).toMatchObject({ outcome: 'completed' })
    expect(loop.turns.filter((t) => t.key === loop.turns[1]?.key)).toHaveLength(2)
  })

  test('an outage names the provider, the error, the next try and the deadline; a stop does not wait', async () => {
    const outage = { error: 'connection refused', address: 'llm.example.com:443' }
    const host = fix({ turn: () => ({ ...soon(600_000), outcome: 'unavailable', outage }) })
    const result = await runCycle(env, host, async (run) => {
      const { waitingFor } = await run.until('the wait', (s) => s.waitingFor.startsWith('outage:'))
      const [, again = '', end = ''] =
        /^outage: planner is unavailable, connection refused \(llm\.example\.com:443\); tried again at (\S+), given up at (\S+)$/.exec(
          waitingFor,
        ) ?? []
      expect((Date.parse(end) - Date.parse(again)) / 60_000).toBeCloseTo(6 * 60 - 10, 0)
      await run.handle.signal('stop')
      return run.result()
    })
    expect(result).toMatchObject({ outcome: 'stopped', usage: { turns: 1 } })
    expect(host.turns).toHaveLength(1)
  })

  test('an answer in the old format without a time is a failed turn', async () => {
    const host = fix({
      prepared: { agents: { ...PREPARED.agents, 'cli-planning-agent': ['planner', 'second'] } },
      turn: (_t, call) => (call === 1 ? { outcome: 'rate_limited', reason: 'limited' } : {}),
    })
    await runCycle(env, host, (run) => run.result())
    expect(steps(host.turns).slice(0, 2)).toEqual([
      'planner iteration-1/analysis',
      'second iteration-1/analysis.2',
    ])
  })
})
