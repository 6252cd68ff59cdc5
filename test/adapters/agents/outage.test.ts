// An agent whose model provider is away: the turn stays open, nothing is counted for it, and every
// other turn of that agent waits too. The agents are real processes, and they connect to a real
// port.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { turnFiles } from '../../../src/adapters/agents/turn/turn-store.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { Bench } from '../../support/agents/bench.js'
import { ModelStub } from '../../support/model-stub/stub.js'

const S = 1_000
let bench: Bench
let now: number
beforeEach(() => {
  bench = new Bench()
  now = Date.now()
})
afterEach(() => bench.end())

const driver = () => bench.driver({ now: () => now })
const away = (error: Record<string, unknown>) =>
  bench.playbook([
    {
      do: [
        { say: 'begun' },
        { error: { code: -32603, message: 'Internal error', ...error } },
        { say: 'continued' },
      ],
    },
  ])
const spec = (step: string, more = {}) => bench.spec({ key: `${bench.run}/1/${step}`, ...more })
const limits = () => path.join(bench.dirs.state, 'limits')
const rows = () => readdirSync(limits())
const answered = () => readdirSync(path.join(bench.dirs.state, 'answered'))
const command = (url: string) => ({ ...bench.foreign('asks-model.mjs', url), protocol: 'exec' })

/** A port without a listener: one that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('an error of the protocol', () => {
  test('three answers of 503: the turn returns the time of the next try, stores no result, and resumes in its session', async () => {
    const config = bench.config(away({ data: { status: 503 }, times: 3 }))
    const waits = []
    for (let n = 1; n <= 3; n++) {
      const result = await bench.call(driver(), config).result
      expect(result).toMatchObject({
        outcome: 'unavailable',
        attempts: n,
        crashes: 0,
        outage: { error: 'HTTP 503' },
        reason: "the agent's model provider is unavailable, HTTP 503: Internal error",
      })
      expect(result.outage).not.toHaveProperty('unproven') // it was reached
      waits.push(Math.round(((result.limitedUntil ?? 0) - now) / S))
      now = result.limitedUntil ?? 0
    }
    expect(waits).toEqual([30, 60, 120])
    expect(readdirSync(layout.turn(bench.dirs, bench.spec().key))).not.toContain(
      path.basename(turnFiles('').result),
    )
    const done = await bench.call(driver(), config).result
    expect(done).toMatchObject({
      outcome: 'completed',
      attempts: 4,
      crashes: 0,
      tail: expect.stringContaining('continued') as string,
    })
    expect(done).not.toHaveProperty('outage')
    expect([rows(), answered()]).toEqual([[], [expect.any(String)]])
  })

  test('the wait doubles up to ten minutes, and a time that the provider names counts up to there', async () => {
    const config = bench.config(away({ data: { status: 503 } }))
    const waits = []
    for (let n = 1; n <= 7; n++) {
      const { limitedUntil = 0 } = await bench.call(driver(), config).result
      waits.push(Math.round((limitedUntil - now) / S))
      now = limitedUntil
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600])
    const named = await bench.call(
      driver(),
      bench.config(away({ data: { status: 503, retry_after: 20 } })),
      spec('named'),
    ).result
    expect(Math.round(((named.limitedUntil ?? 0) - now) / S)).toBe(25)
  })

  test('every other turn of that agent returns at once, starts nothing and counts no attempt; another agent is not held', async () => {
    const agent = away({ data: { status: 503 } })
    const { limitedUntil } = await bench.call(driver(), bench.config(agent)).result
    expect(await bench.call(driver(), bench.config(agent), spec('other')).result).toMatchObject({
      outcome: 'unavailable',
      limitedUntil,
      attempts: 0,
      outage: { error: 'HTTP 503' },
      reason: 'the model provider of agent "a" is unavailable, HTTP 503',
    })
    expect(bench.starts()).toHaveLength(1)
    expect(
      (await bench.call(driver(), bench.config(bench.foreign('echo.mjs')), spec('echo')).result)
        .outcome,
    ).toBe('completed')
  })

  test('a limit after an outage is the first of its row, and the other way round', async () => {
    const agent = bench.playbook([
      {
        do: [
          { error: { code: -32603, data: { status: 503 }, times: 2 } },
          { limit: { times: 4 } },
          { error: { code: -32603, data: { status: 503 }, times: 7 } },
        ],
      },
    ])
    const nths = [] // `times` counts both
    for (let n = 1; n <= 4; n++) {
      const { outcome, limitedUntil = 0 } = await bench.call(driver(), bench.config(agent)).result
      nths.push(`${outcome} ${Math.round((limitedUntil - now) / S)}`)
      now = limitedUntil
    }
    expect(nths).toEqual(['unavailable 30', 'unavailable 60', 'rate_limited 60', 'unavailable 30'])
  })

  test('a refused connection of an agent that has answered before is an outage; without an answer it is unproven', async () => {
    const error = { data: { code: 'ECONNREFUSED', address: '127.0.0.1', port: 9 } }
    const agent = bench.playbook([
      { when: { turn: 'converge' }, do: [{ say: 'fine' }] },
      { do: [{ error: { code: -32603, message: 'x', ...error } }] },
    ])
    const first = await bench.call(driver(), bench.config(agent)).result
    expect(first).toMatchObject({
      outcome: 'unavailable',
      outage: { error: 'connection refused', address: '127.0.0.1:9', unproven: true },
    })
    now = first.limitedUntil ?? 0
    const { header } = bench.spec()
    expect(
      (
        await bench.call(
          driver(),
          bench.config(agent),
          spec('fine', { header: { ...header, turn: 'converge' } }),
        ).result
      ).outcome,
    ).toBe('completed')
    const { outage } = await bench.call(driver(), bench.config(agent), spec('later')).result
    expect(outage).toEqual({ error: 'connection refused', address: '127.0.0.1:9' })
  })

  test('a tool call of this turn proves that a model has answered', async () => {
    const agent = bench.playbook([
      {
        do: [
          { run: ['true'] },
          { error: { code: -32603, message: 'connect ECONNREFUSED 127.0.0.1:9' } },
        ],
      },
    ])
    expect((await bench.call(driver(), bench.config(agent)).result).outage).toEqual({
      error: 'connection refused',
      address: '127.0.0.1:9',
    })
  })

  test('text about an outage in its answer is no outage', async () => {
    const agent = bench.playbook([
      {
        do: [
          { say: 'API Error: 503 Service Unavailable, connect ECONNREFUSED 127.0.0.1:9' },
          { error: { code: -32603, message: 'the model fell over' } },
        ],
      },
    ])
    expect(await bench.call(driver(), bench.config(agent)).result).toMatchObject({
      outcome: 'failed',
    })
    expect(existsSync(limits())).toBe(false)
  })

  test('a missing login is no outage and has its own cause', async () => {
    expect(
      await bench.call(driver(), bench.config(bench.foreign('refuses.mjs', 'login'))).result,
    ).toMatchObject({ outcome: 'failed', cause: 'login' })
  })
})

describe('the exit status and standard error of a command', () => {
  test('its model answers 503: it ends with an error, waits, and is asked again', async () => {
    const model = await ModelStub.start(/(Do it)\./g)
    try {
      model.script('Do it', [
        { fail: { status: 503, message: 'overloaded' }, times: 1 },
        { say: 'Written.' },
      ])
      const agent = command(model.url)
      const first = await bench.call(driver(), bench.config(agent)).result
      expect(first).toMatchObject({
        outcome: 'unavailable',
        attempts: 1,
        crashes: 0,
        outage: { error: 'HTTP 503' },
      })
      now = first.limitedUntil ?? 0
      expect(await bench.call(driver(), bench.config(agent)).result).toMatchObject({
        outcome: 'completed',
        attempts: 2,
        tail: 'Written.\n',
      })
    } finally {
      await model.close()
    }
  })

  test('no listener: refused and unproven, with the address; no restart, no crash', async () => {
    const port = await closedPort()
    const result = await bench.call(driver(), bench.config(command(`http://127.0.0.1:${port}`)))
      .result
    expect(result).toMatchObject({
      outcome: 'unavailable',
      attempts: 1,
      crashes: 0,
      outage: { error: 'connection refused', address: `127.0.0.1:${port}`, unproven: true },
    })
    expect(JSON.parse(readFileSync(path.join(limits(), rows()[0] ?? ''), 'utf8'))).toMatchObject({
      agent: 'a',
      nth: 1,
      outage: { error: 'connection refused' },
    })
  })

  test('a host without an address', async () => {
    const result = await bench.call(driver(), bench.config(command('http://no-such-host.invalid')))
      .result
    expect(result).toMatchObject({
      outcome: 'unavailable',
      outage: { error: 'host not found', address: 'no-such-host.invalid', unproven: true },
    })
  })

  test('a refused key is no outage', async () => {
    const model = await ModelStub.start(/(Do it)\./g)
    try {
      model.script('Do it', [{ fail: { status: 401, message: 'no' } }])
      expect(await bench.call(driver(), bench.config(command(model.url))).result).toMatchObject({
        outcome: 'failed',
        attempts: 3,
        crashes: 3,
      })
    } finally {
      await model.close()
    }
  })
})

test('the time of failed tries does not count for the turn', async () => {
  const agent = bench.playbook([
    {
      do: [
        { say: 'begun' },
        { wait: 1_500 },
        { error: { code: -32603, message: 'x', data: { status: 503 } } },
      ],
    },
  ])
  const { durationMs } = await bench.call(driver(), bench.config(agent)).result
  expect(durationMs).toBeLessThan(1_000)
})
