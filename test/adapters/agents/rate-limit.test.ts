// A limited agent: the turn reports the limit and stays open, and every other turn of that agent
// waits too.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findMarked } from '../../../src/adapters/process/find.js'
import { acquireSlot } from '../../../src/adapters/process/slots.js'
import { turnFiles } from '../../../src/adapters/agents/turn/turn-store.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { Bench } from '../../support/agents/bench.js'

const MIN = 60_000
let bench: Bench
let now: number
beforeEach(() => {
  bench = new Bench()
  now = Date.now()
})
afterEach(() => bench.end())

const driver = () => bench.driver({ now: () => now })
const limited = (limit: Record<string, unknown>) =>
  bench.playbook([{ do: [{ say: 'begun' }, { limit }, { say: 'continued' }] }])
const spec = (step: string, more = {}) => bench.spec({ key: `${bench.run}/1/${step}`, ...more })
const rows = () => readdirSync(path.join(bench.dirs.state, 'limits'))
const row = () =>
  JSON.parse(readFileSync(path.join(bench.dirs.state, 'limits', rows()[0] ?? ''), 'utf8')) as {
    until: number
    nth: number
    agent: string
  }

describe('the turn that hits it', () => {
  test('returns the time of the reset, stores no result, and resumes in its session', async () => {
    const config = bench.config(limited({ 'resets-in': 60, times: 1 }))
    const first = await bench.call(driver(), config).result
    expect(first).toMatchObject({
      outcome: 'rate_limited',
      attempts: 1,
      crashes: 0,
      tail: expect.stringContaining('begun') as string,
      reason: expect.stringContaining('limits the rate') as string,
    })
    expect((first.limitedUntil ?? 0) - now).toBeGreaterThanOrEqual(65_000)
    expect((first.limitedUntil ?? 0) - now).toBeLessThan(66_000)
    expect(readdirSync(layout.turn(bench.dirs, bench.spec().key))).not.toContain(
      path.basename(turnFiles('').result),
    )
    expect(bench.claim()).toMatchObject({ released: true })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])

    now = first.limitedUntil ?? 0
    const second = await bench.call(driver(), config).result
    expect(second).toMatchObject({
      outcome: 'completed',
      sessionId: first.sessionId,
      attempts: 2,
      crashes: 0,
      tail: expect.stringContaining('continued') as string,
    })
    expect(second).not.toHaveProperty('limitedUntil')
    expect(bench.starts().map((s) => s.attempt)).toEqual([1, 2])
  })

  test('costs nothing where the provider refused it before anything was done', async () => {
    expect(
      (await bench.call(driver(), bench.config(bench.foreign('refuses.mjs', 'rate'))).result).usage,
    ).toEqual({ inputTokens: 0, outputTokens: 0, estimated: false })
  })

  test('waits longer with each limit in a row without a named time, and a completed turn ends the row', async () => {
    const config = bench.config(limited({ times: 2 }))
    const waits = []
    for (let n = 1; n <= 2; n++) {
      const result = await bench.call(driver(), config).result
      waits.push(Math.round(((result.limitedUntil ?? 0) - now) / MIN))
      now = result.limitedUntil ?? 0
    }
    expect(waits).toEqual([1, 2])
    expect(row()).toMatchObject({ nth: 2, agent: 'a' })
    expect((await bench.call(driver(), config).result).outcome).toBe('completed')
    expect(rows()).toEqual([])
  })
})

describe('every other turn of that agent on this host', () => {
  test('returns at once, starts nothing, takes no slot and counts no attempt, in any project', async () => {
    const agent = limited({ 'resets-in': 60, times: 1 })
    const { limitedUntil } = await bench.call(driver(), bench.config(agent)).result
    const release = await acquireSlot(layout.slots(bench.dirs), 1)
    const other = path.join(bench.root, 'other')
    mkdirSync(other)
    const workspace = {
      project: other,
      root: other,
      cwd: other,
      branch: 'b',
      base: 'c',
      isolation: 'clone' as const,
    }
    const call = bench.call(
      driver(),
      bench.config(agent, { limits: { agentsPerHost: 1 } }),
      spec('other', { workspace }),
    )
    expect(await call.result).toMatchObject({
      outcome: 'rate_limited',
      limitedUntil,
      attempts: 0,
      reason: expect.stringMatching(
        /agent "a" is limited by its model provider until 20\d\d-/,
      ) as string,
    })
    expect(call.seen.map((p) => p.state)).not.toContain('starting')
    expect(bench.starts()).toHaveLength(1)
    await release()
    now = limitedUntil ?? 0
    expect(
      (await bench.call(driver(), bench.config(agent), spec('other', { workspace })).result)
        .attempts,
    ).toBe(1)
  })

  test('returns when the limit comes while it waits for its slot', async () => {
    const agent = limited({ 'resets-in': 60, times: 1 })
    const release = await acquireSlot(layout.slots(bench.dirs), 1)
    const waiting = bench.call(
      driver(),
      bench.config(agent, { limits: { agentsPerHost: 1 } }),
      spec('waiting'),
    )
    await waiting.sees('slot')
    mkdirSync(path.join(bench.dirs.state, 'limits'), { recursive: true })
    const probe = new Bench()
    try {
      const [name] = await limitNameOf(probe, agent)
      writeFileSync(
        path.join(bench.dirs.state, 'limits', name ?? ''),
        JSON.stringify({ agent: 'a', until: now + MIN, nth: 1 }),
      )
    } finally {
      await probe.end()
    }
    await release()
    expect(await waiting.result).toMatchObject({
      outcome: 'rate_limited',
      limitedUntil: now + MIN,
      attempts: 0,
    })
    expect(bench.starts()).toHaveLength(1)
  })

  test('another agent is not held', async () => {
    await bench.call(driver(), bench.config(limited({ 'resets-in': 60 }))).result
    expect(
      (await bench.call(driver(), bench.config(bench.foreign('echo.mjs')), spec('other')).result)
        .outcome,
    ).toBe('completed')
  })

  test('parallel turns that hit one limit count as one', async () => {
    const config = bench.config(limited({ times: 1 }))
    const group = `${bench.run}/group`
    const all = await Promise.all(
      ['a', 'b', 'c'].map((step) => bench.call(driver(), config, spec(step, { group })).result),
    )
    expect(all.map((r) => r.outcome)).toEqual(['rate_limited', 'rate_limited', 'rate_limited'])
    expect(row().nth).toBe(1)
  })

  test('one that completes while the limit is in force does not end it for the others', async () => {
    const agent = limited({ 'resets-in': 60, times: 1 })
    const slow = bench.playbook([{ do: [{ wait: { 'until-file': 'go' } }] }])
    // The same command, so the same provider's limit; its behaviour is in a file that changes.
    const file = slow.args[1] ?? ''
    const call = bench.call(driver(), bench.config(slow), spec('slow', { group: 'g' }))
    await call.sees('running')
    await bench.busy(spec('slow').key)
    writeFileSync(file, readFileSync(agent.args[1] ?? ''))
    expect(
      (await bench.call(driver(), bench.config(slow), spec('hit', { group: 'g' })).result).outcome,
    ).toBe('rate_limited')
    writeFileSync(path.join(bench.cwd, 'go'), '')
    expect((await call.result).outcome).toBe('completed')
    expect(rows()).toHaveLength(1)
  })
})

describe('an invalid file does no harm', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'half written', text: () => '{"agent":"a","unti' },
    { why: 'another shape', text: () => '[1,2]' },
    { why: 'dated a year ahead, by a clock that was wrong', text: () => JSON.stringify({ agent: 'a', until: now + 365 * 24 * 60 * MIN, nth: 1 }) },
    { why: 'an invalid time', text: () => JSON.stringify({ agent: 'a', until: null, nth: 1 }) },
  ],
  )('$why', async ({ text }) => {
    const probe = new Bench()
    try {
      const [name] = await limitNameOf(probe, bench.foreign('refuses.mjs', 'rate'))
      mkdirSync(path.join(bench.dirs.state, 'limits'))
      writeFileSync(path.join(bench.dirs.state, 'limits', name ?? ''), text())
    } finally {
      await probe.end()
    }
    expect(
      (
        await bench.call(driver(), bench.config(bench.foreign('refuses.mjs', 'rate')), spec('hit'))
          .result
      ).attempts,
    ).toBe(1)
    expect(row()).toMatchObject({ nth: 1 })
  })

  test('a row of yesterday is dropped: the next limit is the first again', async () => {
    const config = bench.config(bench.foreign('refuses.mjs', 'rate'))
    await bench.call(driver(), config).result
    now += 25 * 60 * MIN
    await bench.call(driver(), config, spec('next')).result
    expect(row().nth).toBe(1)
  })
})

describe('Claude, which reports its limit in updates', () => {
  test.each(
    // prettier-ignore
    [
    { way: 'then-ends', why: 'and answers as if all were well', outcome: 'rate_limited' },
    { way: 'then-fails', why: 'and answers with an error that says nothing of it', outcome: 'rate_limited' },
    { way: 'then-recovers', why: 'and is served again', outcome: 'completed' },
    { way: 'warns', why: 'as a warning only', outcome: 'completed' },
  ],
  )('$way: $why is $outcome', async ({ way, outcome }) => {
    const result = await bench.call(driver(), bench.config(bench.foreign('tells-limit.mjs', way)))
      .result
    expect(result.outcome).toBe(outcome)
    if (outcome === 'rate_limited')
      expect(Math.round(((result.limitedUntil ?? 0) - now) / 1_000)).toBeCloseTo(95, -1)
  })

  test('and falls silent: the end of the wait is the reset, not a stalled turn', async () => {
    const result = await bench.call(
      driver(),
      bench.config(bench.foreign('tells-limit.mjs', 'hangs')),
      spec('hang', { idleMs: 400 }),
    ).result
    expect(result).toMatchObject({ outcome: 'rate_limited', attempts: 1 })
  })
})

/** Names of the files that one limited turn of this agent leaves, by a bench of its own. */
async function limitNameOf(probe: Bench, agent: unknown): Promise<string[]> {
  await probe.call(probe.driver({ now: () => now }), probe.config(agent)).result
  return readdirSync(path.join(probe.dirs.state, 'limits'))
}
