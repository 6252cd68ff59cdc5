// The budget of a run in its turns: when one of them has spent the rest, all wait for a person.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Budget, Spent } from '../../../src/contract/budget.js'
import { Ledger } from '../../../src/adapters/agents/turn/usage-ledger.js'
import { turnFiles } from '../../../src/adapters/agents/turn/turn-store.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { Bench } from '../../support/agents/bench.js'
import { driverProgram } from '../../support/agents/driver-program.js'
import { waitFor } from '../../support/wait.js'

const program = driverProgram()
let bench: Bench
beforeEach(() => {
  bench = new Bench(program())
})
afterEach(() => bench.end())

const NOTHING: Spent = { turns: 0, tokens: 0, costUsd: 0, minutes: 0 }
const spec = (step: string, limit: Budget, spent: Partial<Spent> = {}, more = {}) =>
  bench.spec({
    key: `${bench.run}/1/${step}`,
    budget: { limit, spent: { ...NOTHING, ...spent } },
    ...more,
  })
const run = (agent: unknown, of = spec('work', {})) =>
  bench.call(bench.driver(), bench.config(agent), of).result
const uses = (...tokens: { input: number; output: number; cost?: number }[]) =>
  tokens.map((one) => ({ tokens: one }))
const waits = (...before: unknown[]) =>
  bench.playbook([
    { do: [{ say: 'begun' }, ...before, { wait: { 'until-file': 'go' } }, { say: 'continued' }] },
  ])
const ledgerOf = (step: string) => new Ledger(bench.dirs).read(bench.run, `${bench.run}/1/${step}`)

describe('a turn that begins when the budget is spent starts nothing', () => {
  test.each(
    // prettier-ignore
    [
    { part: 'turns', limit: { turns: 3 }, spent: { turns: 3 }, reason: 'the budget is spent (3 of 3 turns)' },
    { part: 'tokens', limit: { tokens: 1_000 }, spent: { tokens: 1_234 }, reason: 'the budget is spent (1,234 of 1,000 tokens)' },
    { part: 'costUsd', limit: { costUsd: 0.5 }, spent: { costUsd: 0.5 }, reason: 'the budget is spent (0.50 of 0.50 US dollars)' },
    { part: 'minutes', limit: { minutes: 10 }, spent: { minutes: 10.5 }, reason: 'the budget is spent (10.5 of 10 agent minutes)' },
  ],
  )('$part', async ({ part, limit, spent, reason }) => {
    const result = await run(bench.foreign('echo.mjs'), spec('work', limit, spent))
    expect(result).toMatchObject({
      outcome: 'over_budget',
      over: part,
      attempts: 0,
      usage: { inputTokens: 0, outputTokens: 0 },
      reason,
    })
    expect(existsSync(turnFiles(layout.turn(bench.dirs, spec('work', {}).key)).transcript)).toBe(
      true,
    )
    expect(existsSync(turnFiles(layout.turn(bench.dirs, spec('work', {}).key)).result)).toBe(false)
  })

  test.each(
    // prettier-ignore
    [
    { why: 'one of three turns is left', limit: { turns: 3 }, spent: { turns: 2 } },
    { why: 'other parts have no limit', limit: { turns: 3 }, spent: { turns: 2, tokens: 1e9, costUsd: 1e3, minutes: 1e4 } },
    { why: 'there is no limit at all', limit: {}, spent: { turns: 1e6 } },
  ],
  )('and one begins where $why', async ({ limit, spent }) => {
    expect((await run(bench.foreign('echo.mjs'), spec('work', limit, spent))).outcome).toBe(
      'completed',
    )
  })
})

describe('a turn that reaches the budget while it runs', () => {
  test('is interrupted, settled, and resumes in its session after a raise', async () => {
    const agent = waits(...uses({ input: 600, output: 50 }))
    const first = await run(agent, spec('work', { tokens: 1_000 }, { tokens: 350 }))
    expect(first).toMatchObject({
      outcome: 'over_budget',
      over: 'tokens',
      attempts: 1,
      crashes: 0,
      usage: { inputTokens: 600, outputTokens: 50, estimated: false },
      tail: expect.stringContaining('begun') as string,
    })
    expect(existsSync(turnFiles(layout.turn(bench.dirs, spec('work', {}).key)).result)).toBe(false)
    expect(bench.claim(spec('work', {}).key)).toMatchObject({ released: true })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])

    writeFileSync(path.join(bench.cwd, 'go'), '')
    const second = await run(agent, spec('work', { tokens: 2_000 }, { tokens: 350 }))
    expect(second).toMatchObject({
      outcome: 'completed',
      sessionId: first.sessionId,
      attempts: 2,
      tail: expect.stringContaining('continued') as string,
    })
    // The total of the turn, over both prompts
    expect(second.usage.inputTokens).toBeGreaterThanOrEqual(600)
    expect(second).not.toHaveProperty('over')
  })

  test('earlier usage of the turn counts when it resumes', async () => {
    const agent = waits(...uses({ input: 600, output: 50 }))
    await run(agent, spec('work', { tokens: 600 }))
    expect(await run(agent, spec('work', { tokens: 650 }))).toMatchObject({
      outcome: 'over_budget',
      attempts: 1,
    })
    expect(bench.starts()).toHaveLength(1)
  })

  test('by its cost', async () => {
    expect(
      await run(
        waits(...uses({ input: 1, output: 1, cost: 0.3 })),
        spec('work', { costUsd: 0.5 }, { costUsd: 0.2 }),
      ),
    ).toMatchObject({ outcome: 'over_budget', over: 'costUsd', usage: { costUsd: 0.3 } })
  })

  test('by the minutes of its own clock', async () => {
    expect(await run(waits(), spec('work', { minutes: 1 }, { minutes: 0.999 }))).toMatchObject({
      outcome: 'over_budget',
      over: 'minutes',
    })
  })

  test('by the length of its text, where its agent reports nothing', async () => {
    expect(
      await run(waits({ say: 'x'.repeat(4_000) }), spec('work', { tokens: 1_000 })),
    ).toMatchObject({ outcome: 'over_budget', over: 'tokens', usage: { estimated: true } })
  })

  test('is not cut for the number of turns, of which it is one', async () => {
    const call = bench.call(bench.driver(), bench.config(waits()), spec('work', { turns: 1 }))
    await bench.busy(spec('work', {}).key)
    await waitFor(() => ledgerOf('work')?.attempts === 1, { what: 'the ledger' })
    writeFileSync(path.join(bench.cwd, 'go'), '')
    expect((await call.result).outcome).toBe('completed')
  })

  test('is not interrupted by its last message: a completed turn stays completed', async () => {
    expect(
      await run(bench.foreign('counts-late.mjs'), spec('work', { tokens: 1_000 })),
    ).toMatchObject({ outcome: 'completed', usage: { inputTokens: 9_000 } })
  })

  test('an agent that ignores the interruption is ended', async () => {
    const result = await run(bench.foreign('deaf.mjs'), spec('work', { tokens: 1 }))
    expect(result).toMatchObject({ outcome: 'over_budget', over: 'tokens' })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })
})

describe('parallel turns share one budget', () => {
  test('one is interrupted for the usage of the other, before the run knows of it', async () => {
    const group = { group: 'g' }
    const driver = bench.driver()
    const waiter = bench.call(
      driver,
      bench.config(waits()),
      spec('waiter', { tokens: 5_000 }, {}, group),
    )
    await bench.busy(spec('waiter', {}).key)
    const spender = bench.call(
      driver,
      bench.config(bench.playbook([{ do: uses({ input: 6_000, output: 0 }) }])),
      spec('spender', { tokens: 50_000 }, {}, group),
    )
    expect((await spender.result).outcome).toBe('completed')
    expect(await waiter.result).toMatchObject({ outcome: 'over_budget', over: 'tokens' })
  })

  test('a driver of another process counts too', async () => {
    const limit = { tokens: 5_000 }
    const other = bench.process(
      { agents: { a: waits(...uses({ input: 4_990, output: 9 })) } },
      spec('other', limit, {}, { group: 'g' }),
    )
    await waitFor(() => ledgerOf('other')?.usage.inputTokens === 4_990, {
      what: 'the ledger of the other',
    })
    expect(await run(waits(), spec('mine', limit, {}, { group: 'g' }))).toMatchObject({
      outcome: 'over_budget',
      over: 'tokens',
    })
    other.child.kill('SIGKILL')
    await other.result
  })

  test('of two turns that wait for one slot the second starts nothing after the first has spent the budget', async () => {
    const driver = bench.driver()
    const config = bench.config(waits(...uses({ input: 900, output: 200 })), {
      limits: { agentsPerHost: 1 },
    })
    const one = bench.call(driver, config, spec('one', { tokens: 1_200 }, {}, { group: 'g' }))
    await waitFor(() => ledgerOf('one')?.usage.inputTokens === 900, {
      what: 'the ledger of the first',
    })
    const two = bench.call(driver, config, spec('two', { tokens: 1_100 }, {}, { group: 'g' }))
    expect(await two.result).toMatchObject({ outcome: 'over_budget', attempts: 0 })
    writeFileSync(path.join(bench.cwd, 'go'), '')
    expect((await one.result).outcome).toBe('completed')
  })

  test('what an earlier execution under the same id has used does not count', async () => {
    await run(
      bench.playbook([{ do: uses({ input: 9_000, output: 0 }) }]),
      bench.spec({ key: `${bench.run}/0/work` }),
    )
    expect((await run(bench.foreign('echo.mjs'), spec('work', { tokens: 1_000 }))).outcome).toBe(
      'completed',
    )
  })
})

describe('the ledger', () => {
  test('has what a prompt uses while it runs, and one file a turn below the run', async () => {
    const call = bench.call(
      bench.driver(),
      bench.config(waits(...uses({ input: 70, output: 7, cost: 0.07 }))),
      spec('work', {}),
    )
    await waitFor(() => ledgerOf('work')?.usage.costUsd === 0.07, { what: 'the live usage' })
    expect(ledgerOf('work')).toMatchObject({
      agent: 'a',
      attempts: 1,
      open: true,
      usage: { inputTokens: 70, outputTokens: 7, costUsd: 0.07 },
    })
    writeFileSync(path.join(bench.cwd, 'go'), '')
    await call.result
    expect(ledgerOf('work')).toMatchObject({ open: false })
    expect(readdirSync(layout.ledger(bench.dirs, bench.run))).toHaveLength(1)
  })

  test('keeps the numbers of a prompt whose driver was killed', async () => {
    const agent = waits(...uses({ input: 700, output: 77 }))
    const worker = bench.process({ agents: { a: agent } }, spec('work', {}))
    await waitFor(() => ledgerOf('work')?.usage.inputTokens === 700, { what: 'the live usage' })
    worker.child.kill('SIGKILL')
    await worker.result
    writeFileSync(path.join(bench.cwd, 'go'), '')
    const { usage } = await run(agent, spec('work', {}))
    expect(usage.inputTokens).toBeGreaterThanOrEqual(700)
    expect(usage.estimated).toBe(true) // what it used after the last write is not known
  })

  test.each(
    // prettier-ignore
    [
    { why: 'opencode counts over the session, also after a resume', agent: 'opencode', of: 'session' },
    { why: 'claude counts from nothing with each process', agent: 'claude', of: 'process' },
  ],
  )('counts only the cost of the turn itself, in any worker: $why', async ({ agent, of }) => {
    const { command, args } = bench.foreign('counts-costs.mjs', bench.root, of)
    const config = bench.config(
      {},
      { agents: { [agent]: { command, args, env: { ANTHROPIC_API_KEY: 'k' } } } },
    )
    const costs: (number | undefined)[] = []
    for (const step of ['first', 'second', 'third']) {
      // Each in a new worker, without knowledge of the one before.
      const { result } = bench.call(
        bench.driver(),
        config,
        spec(step, {}, {}, { agent, ...(step === 'first' ? {} : { sessionId: 's-1' }) }),
      )
      costs.push((await result).usage.costUsd)
    }
    expect(costs).toEqual([0.25, 0.25, 0.25])
  })

  test.each([
    { why: 'subtracted where they are declared', tokens: 'session', counted: [10, 10, 10] },
    { why: "the prompt's own where they are not", tokens: undefined, counted: [10, 20, 30] },
  ])('tokens that an agent counts over its session, in any worker: $why', async (row) => {
    const config = bench.config({
      ...bench.foreign('counts-costs.mjs', bench.root, 'tokens'),
      tokens: row.tokens,
    })
    const counted: number[] = []
    for (const step of ['first', 'second', 'third']) {
      const more = step === 'first' ? {} : { sessionId: 's-1' }
      const { usage } = await bench.call(bench.driver(), config, spec(step, {}, {}, more)).result
      expect(usage.estimated).toBe(false)
      counted.push(usage.inputTokens)
    }
    expect(counted).toEqual(row.counted)
  })

  test('tokens over the session: a prompt whose driver was killed counts once', async () => {
    const until = path.join(bench.root, 'go')
    const agent = {
      ...bench.foreign('counts-costs.mjs', bench.root, 'tokens', until),
      tokens: 'session',
    }
    const worker = bench.process({ agents: { a: agent } }, spec('work', {}))
    await waitFor(() => ledgerOf('work')?.usage.costUsd === 0.25, { what: 'the live cost' })
    worker.child.kill('SIGKILL')
    await worker.result
    writeFileSync(until, '')
    const { usage } = await run(agent, spec('work', {}))
    expect(usage).toEqual({ inputTokens: 20, outputTokens: 2, costUsd: 0.5, estimated: false })
    const next = await run(agent, spec('next', {}, {}, { sessionId: 's-1' }))
    expect(next.usage).toMatchObject({ inputTokens: 10, outputTokens: 1, costUsd: 0.25 })
  })

  test('the cost of a prompt whose driver was killed counts once', async () => {
    const agent = bench.foreign(
      'counts-costs.mjs',
      bench.root,
      'session',
      path.join(bench.root, 'go'),
    )
    const worker = bench.process({ agents: { a: agent } }, spec('work', {}))
    await waitFor(() => ledgerOf('work')?.usage.costUsd === 0.25, { what: 'the live cost' })
    worker.child.kill('SIGKILL')
    await worker.result
    writeFileSync(path.join(bench.root, 'go'), '')
    expect((await run(agent, spec('work', {}))).usage.costUsd).toBe(0.5)
  })

  test('a broken file counts nothing', async () => {
    await run(bench.playbook([{ do: uses({ input: 9_000, output: 0 }) }]), spec('first', {}))
    const dir = layout.ledger(bench.dirs, bench.run)
    for (const name of readdirSync(dir))
      writeFileSync(path.join(dir, name), readFileSync(path.join(dir, name), 'utf8').slice(0, 40))
    expect((await run(bench.foreign('echo.mjs'), spec('second', { tokens: 5_000 }))).outcome).toBe(
      'completed',
    )
  })
})
