// An unavailable model provider, on the time-skipping server: the run waits over hours,
// continue-as-new and pauses, gives up at the limit, and counts only the agent's usage.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { Spending } from '../../src/contract/budget.js'
import type { SentTurn } from '../../src/contract/turn-input.js'
import { timeSkippingEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle } from '../support/servers/workflow-env.js'
import { cycleHost } from '../support/cycle/cycle-host.js'
import { loopHost } from '../support/loop/loop-host.js'
import {
  bare,
  PREPARED,
  stubHost,
  type Script,
  type StubHost,
  type TurnAnswer,
} from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'
import { waitFor } from '../support/wait.js'

const S = 1_000
const MIN = 60 * S
const HOUR = 60 * MIN
let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await timeSkippingEnv()
})
afterAll(() => env.teardown())

const fix = (script: Partial<Script>): StubHost =>
  stubHost({ ...bare, runs: [measured(3, 5), measured(5, 5), measured(5, 5)], ...script })
const spending = (more: Partial<Spending> = {}): Spending => ({
  onRateLimit: 'wait',
  unavailableMs: 6 * HOUR,
  ...more,
})
const NO_USAGE = { inputTokens: 0, outputTokens: 0, estimated: false }

/**
 * When this test tried the unavailable provider. The server's clock advances after the end of a
 * run.
 */
let tries: number[]
beforeEach(() => {
  tries = []
})
const tried = (): number => (tries.at(-1) ?? 0) - (tries[0] ?? 0)

/**
 * The host's answers while the provider is unavailable: the wait doubles, as in its file of limits.
 */
async function away(
  nth: number,
  outage: TurnAnswer['outage'] = { error: 'HTTP 503' },
): Promise<TurnAnswer> {
  const now = await env.currentTimeMs()
  tries.push(now)
  return {
    outcome: 'unavailable',
    outage,
    limitedUntil: now + Math.min(30 * S * 2 ** (nth - 1), 10 * MIN),
    reason: 'the provider is unavailable',
    usage: NO_USAGE,
    sessionId: 's-1',
  }
}
const steps = (turns: readonly SentTurn[]): string[] =>
  turns.map(({ agent, key }) => `${agent} ${key.split('/').slice(2).join('/')}`)

test('three answers of 503, then success: the run continues with no iteration and no turn spent on them', async () => {
  const started = await env.currentTimeMs()
  const host = fix({ turn: (_t, call) => (call <= 3 ? away(call) : {}) })
  expect(await runCycle(env, host, (run) => run.result())).toMatchObject({
    outcome: 'success',
    iterations: 1,
    usage: { turns: 2 },
  })
  expect(new Set(host.turns.slice(0, 4).map(({ key }) => key)).size).toBe(1)
  expect((await env.currentTimeMs()) - started).toBeGreaterThanOrEqual(210 * S)
})

test('waits out an outage of hours over iterations, each of which continues as new', async () => {
  // The fixer is unavailable in every second turn, for four hours in all.
  let vain = 0
  const host = fix({
    runs: [measured(1, 5), measured(2, 5), measured(3, 5), measured(5, 5), measured(5, 5)],
    turn: async (t) =>
      t.role === 'test-fix-agent' && vain < 24 && vain++ >= 0
        ? { ...(await away(1)), limitedUntil: (await env.currentTimeMs()) + 10 * MIN }
        : {},
  })
  expect(await runCycle(env, host, (run) => run.result())).toMatchObject({
    outcome: 'success',
    iterations: 3,
    usage: { turns: 6 },
  })
})

// Without queries, which sometimes hang on the time-skipping server.
test('a pause does not count towards the limit, and the wait continues after it', async () => {
  const host = fix({
    prepared: { spending: spending({ unavailableMs: HOUR }) },
    turn: async (_t, call) =>
      call <= 4 ? { ...(await away(1)), limitedUntil: (await env.currentTimeMs()) + 10 * MIN } : {},
  })
  const result = await runCycle(env, host, async (run) => {
    await waitFor(() => host.turns.length === 1, { what: 'the first try' })
    await run.handle.signal('pause')
    await env.sleep('3 hours')
    expect(host.turns).toHaveLength(1)
    await run.handle.signal('resume')
    return run.result()
  })
  expect(result).toMatchObject({ outcome: 'success', usage: { turns: 2 } })
})

test('a worker that dies during an outage changes nothing', async () => {
  const host = fix({
    turn: async (_t, call) => {
      if (call === 2) throw new Error('the worker died')
      return call <= 3 ? away(1) : {}
    },
  })
  expect(await runCycle(env, host, (run) => run.result())).toMatchObject({
    outcome: 'success',
    iterations: 1,
    usage: { turns: 2 },
  })
  expect(new Set(host.turns.slice(0, 4).map(({ key }) => key)).size).toBe(1)
})

describe('at the limit the run ends as blocked', () => {
  test('after six hours in all, with the error in the reason', async () => {
    const host = fix({ turn: (_t, call) => away(call) })
    const result = await runCycle(env, host, (run) => run.result())
    expect(result).toMatchObject({
      outcome: 'blocked',
      iterations: 0,
      usage: { turns: 1 },
      reason:
        'no agent can be used (cli-planning-agent): planner: planner was unavailable for 6 h: HTTP 503; "limits.unavailable" says how long a run waits',
    })
    expect(tried()).toBeGreaterThanOrEqual(6 * HOUR)
    expect(tried()).toBeLessThan(6 * HOUR + MIN)
    // One turn, and no simplified retry
    expect(new Set(host.turns.map(({ key }) => key)).size).toBe(1)
  })

  test('as long as the configuration says', async () => {
    const result = await runCycle(
      env,
      fix({
        prepared: { spending: spending({ unavailableMs: 20 * MIN }) },
        turn: (_t, call) => away(call),
      }),
      (run) => run.result(),
    )
    expect(result.reason).toContain('was unavailable for 20 min: HTTP 503')
    expect(Math.round(tried() / MIN)).toBe(20)
  })

  test('a refused connection of an agent that has never answered: after 15 minutes, with the address', async () => {
    const result = await runCycle(
      env,
      fix({
        turn: (_t, call) =>
          away(call, { error: 'connection refused', address: '127.0.0.1:9', unproven: true }),
      }),
      (run) => run.result(),
    )
    expect(result).toMatchObject({
      outcome: 'blocked',
      reason:
        'no agent can be used (cli-planning-agent): planner: planner could not reach 127.0.0.1:9 for 15 min (connection refused), and it has never answered on this machine: check its address and the network',
    })
    expect(Math.round(tried() / MIN)).toBe(15)
  })

  test('for the agent that carries out the fix: the analysis is kept', async () => {
    const host = fix({ turn: (t, call) => (t.role === 'test-fix-agent' ? away(call) : {}) })
    const result = await runCycle(env, host, (run) => run.result())
    expect(result).toMatchObject({
      outcome: 'blocked',
      usage: { turns: 2 },
      reason: expect.stringContaining('fixer was unavailable for 6 h') as string,
    })
    expect(host.records.at(-1)?.state.pending).toMatchObject({ task: 'IMPL-fix-1' })
  })
})

describe('another agent of the chain', () => {
  const chain = { 'cli-planning-agent': ['late', 'other'], 'test-fix-agent': ['fixer'] }

  test('takes over at once if configured', async () => {
    const host = fix({
      prepared: { spending: spending({ onRateLimit: 'next' }), agents: chain },
      turn: async (t) =>
        t.agent === 'late' ? { ...(await away(1)), tail: 'I looked at a.ts' } : {},
    })
    expect(await runCycle(env, host, (run) => run.result())).toMatchObject({
      outcome: 'success',
      iterations: 1,
    })
    expect(steps(host.turns)).toEqual([
      'late iteration-1/analysis',
      'other iteration-1/analysis.2',
      'fixer iteration-1/fix',
    ])
    expect(host.turns[1]?.handOver).toEqual({
      from: 'late',
      why: 'the provider is unavailable',
      said: 'I looked at a.ts',
      away: true,
    })
  })

  test('takes over when the first is unavailable for longer than the run waits', async () => {
    const host = fix({
      prepared: { spending: spending(), agents: chain },
      turn: (t, call) => (t.agent === 'late' ? away(call) : {}),
    })
    expect(await runCycle(env, host, (run) => run.result())).toMatchObject({ outcome: 'success' })
    expect(new Set(steps(host.turns))).toEqual(
      new Set([
        'late iteration-1/analysis',
        'other iteration-1/analysis.2',
        'fixer iteration-1/fix',
      ]),
    )
  })

  test('with all unavailable, the first to return continues; at the limit the run ends', async () => {
    const back = fix({
      prepared: { spending: spending({ onRateLimit: 'next' }), agents: chain },
      turn: (t, call) =>
        t.agent === 'late' ? away(9) : t.agent === 'other' && call <= 4 ? away(1) : {},
    })
    expect(await runCycle(env, back, (run) => run.result())).toMatchObject({ outcome: 'success' })
    const none = fix({
      prepared: { spending: spending({ onRateLimit: 'next' }), agents: chain },
      turn: (_t, call) => away(call),
    })
    const result = await runCycle(env, none, (run) => run.result())
    expect(result.outcome).toBe('blocked')
    expect(result.reason).toMatch(/late was unavailable for 6 h.*other was unavailable for 6 h/)
  })
})

describe('a missing login is not an outage', () => {
  const login: TurnAnswer = {
    outcome: 'failed',
    cause: 'login',
    reason: 'the agent is not logged in or has no key: Authentication required',
  }

  test('the run ends at once, with one clear message', async () => {
    const host = fix({ turn: () => login })
    expect(await runCycle(env, host, (run) => run.result())).toMatchObject({
      outcome: 'blocked',
      reason:
        'no agent can be used (cli-planning-agent): planner: the agent is not logged in or has no key: Authentication required',
    })
    expect(host.turns).toHaveLength(1)
    expect(host.degraded).toEqual([])
  })

  test('unless another agent of the chain is logged in', async () => {
    const host = fix({
      prepared: { agents: { ...PREPARED.agents, 'cli-planning-agent': ['out', 'in'] } },
      turn: (t) => (t.agent === 'out' ? login : {}),
    })
    expect(await runCycle(env, host, (run) => run.result())).toMatchObject({ outcome: 'success' })
  })
})

describe.each(
  // prettier-ignore
  [
  { kind: 'dev-cycle' as const, host: cycleHost, runs: [measured(3, 3), measured(5, 5)], input: { project: '/repo', task: 'Add OAuth2 login' } },
  { kind: 'dev-loop' as const, host: loopHost, runs: [measured(3, 3)], input: { project: '/repo', task: 'Fix the importer', mode: 'auto' } },
  { kind: 'dev-loop' as const, host: loopHost, runs: [measured(3, 3)], input: { project: '/repo', task: 'Fix the importer', mode: 'parallel' } },
],
)('a $kind, $input.mode', ({ kind, host, runs, input }) => {
  const play = async (turn: Script['turn'], id: string) => {
    const stub = host({ runs, turn })
    stub.activities.serverFacts = bare.serverFacts
    return {
      result: await runCycle(
        env,
        stub,
        (run) => run.result(),
        input,
        `${id}-${input.mode ?? 'cycle'}-${Date.now()}`,
        kind,
      ),
      turns: stub.turns,
    }
  }

  test('waits for an unavailable provider', async () => {
    const started = await env.currentTimeMs()
    const { result } = await play((_t, call) => (call <= 5 ? away(call) : {}), 'away')
    expect(result).toMatchObject({ outcome: 'completed' })
    expect((await env.currentTimeMs()) - started).toBeGreaterThanOrEqual(30 * S)
  })

  test('ends at the limit, with the reason', async () => {
    const { result } = await play(
      (_t, call) =>
        away(call, { error: 'host not found', address: 'llm.example.com', unproven: true }),
      'gone',
    )
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining(
        'could not reach llm.example.com for 15 min (host not found)',
      ) as string,
    })
  })
})
