// No turn is paid for twice, case by case, on real processes. Start markers are the prompts that
// the agent really got.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from '../../../src/adapters/process/identity.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { TurnInterruptedError } from '../../../src/adapters/agents/errors.js'
import { requestStop } from '../../../src/adapters/agents/turn/turn-store.js'
import { Bench } from '../../support/agents/bench.js'
import { driverProgram } from '../../support/agents/driver-program.js'
import { waitFor } from '../../support/wait.js'

const program = driverProgram()
let bench: Bench
beforeEach(() => {
  bench = new Bench(program())
})
afterEach(() => bench.end())

const file = (name: string) => path.join(bench.cwd, name)
/** Writes a, waits for a file, writes b. */
const gated = () =>
  bench.playbook([
    {
      do: [
        { write: { path: 'a', text: '1' } },
        { say: 'half ' },
        { wait: { 'until-file': 'go' } },
        { write: { path: 'b', text: '2' } },
        { say: 'whole' },
      ],
    },
  ])

describe('a turn is paid for once', () => {
  test('nothing on disk: claimed, started, and the claim was there before the agent', async () => {
    const agent = bench.playbook([
      { do: [{ run: ['cp', '-r', layout.turn(bench.dirs, bench.spec().key), file('seen')] }] },
    ])
    const result = await bench.call(bench.driver(), bench.config(agent)).result
    expect(result).toMatchObject({ outcome: 'completed', attempts: 1, crashes: 0, agent: 'a' })
    expect(JSON.parse(readFileSync(path.join(bench.cwd, 'seen/claim.json'), 'utf8'))).toMatchObject(
      { attempts: [{ attempt: 1 }], process: { pid: bench.starts()[0]?.pid } },
    )
  })

  test('a result on disk is returned, by another driver too, and no agent starts', async () => {
    const agent = bench.playbook([{ do: [{ say: 'once' }] }])
    const first = await bench.call(bench.driver(), bench.config(agent)).result
    const again = await bench.call(bench.driver(), bench.config(agent)).result
    expect(again).toEqual(first)
    expect(bench.starts()).toHaveLength(1)
  })

  test('a second call awaits the running one', async () => {
    const driver = bench.driver()
    const config = bench.config(gated())
    const first = bench.call(driver, config)
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    const second = bench.call(driver, config)
    writeFileSync(file('go'), '')
    expect(await second.result).toEqual(await first.result)
    expect(bench.starts()).toHaveLength(1)
  })

  test('an attempt that the server gave up leaves its agent to a parallel one', async () => {
    const driver = bench.driver()
    const config = bench.config(gated())
    const first = bench.call(driver, config)
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    const second = bench.call(driver, config)
    first.abort('abandoned')
    await expect(first.result).rejects.toThrow(TurnInterruptedError)
    writeFileSync(file('go'), '')
    expect(await second.result).toMatchObject({ outcome: 'completed', attempts: 1, crashes: 0 })
  })

  test('an attempt that comes shortly after the one before was given up adopts the agent', async () => {
    const driver = bench.driver({ timing: { adoptMs: 10_000 } })
    const config = bench.config(gated())
    const first = bench.call(driver, config)
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    first.abort('abandoned')
    const second = bench.call(driver, config)
    writeFileSync(file('go'), '')
    expect(await second.result).toMatchObject({ outcome: 'completed', attempts: 1 })
    expect(bench.starts()).toHaveLength(1)
  })

  test('a driver killed with -9: the next one ends the agent, resumes its session and repeats no finished action', async () => {
    const agent = bench.playbook([
      {
        do: [
          { run: [process.execPath, '-e', "require('fs').appendFileSync('count', 'x')"] },
          { say: 'half ' },
          { wait: { 'until-file': 'go' } },
          { say: 'whole' },
        ],
      },
    ])
    const worker = bench.process({ agents: { a: agent } })
    await waitFor(
      () =>
        bench.transcript().some(({ text }) => typeof text === 'string' && text.includes('half')),
      { what: 'the finished actions' },
    )
    const orphan = bench.claim()?.process
    worker.child.kill('SIGKILL')
    await worker.result
    writeFileSync(file('go'), '')
    const result = await bench.call(bench.driver(), bench.config(agent)).result
    expect(result).toMatchObject({ outcome: 'completed', attempts: 2, crashes: 1 })
    expect(bench.starts().map((s) => s.attempt)).toEqual([1, 2])
    expect(new Set(bench.starts().map((s) => s.session)).size).toBe(1)
    expect(readFileSync(file('count'), 'utf8')).toBe('x')
    expect(orphan && isAlive(orphan)).toBe(false)
  })

  test('an agent that outlives its killed driver is ended before the session resumes', async () => {
    const worker = bench.process({ agents: { a: bench.foreign('deaf.mjs') } })
    await bench.busy()
    const orphan = await waitFor(
      () => bench.claim()?.attempts.length === 1 && bench.claim()?.process,
      { what: 'the claim' },
    )
    worker.child.kill('SIGKILL')
    await worker.result
    expect(isAlive(orphan)).toBe(true)
    let overlapped: boolean | undefined
    const result = await bench.call(
      bench.driver(),
      bench.config(bench.foreign('echo.mjs')),
      bench.spec(),
      {
        onProgress: ({ state }) => {
          if (state === 'running') overlapped ??= isAlive(orphan)
        },
      },
    ).result
    expect(overlapped).toBe(false)
    expect(result).toMatchObject({ outcome: 'completed', attempts: 2, crashes: 1 })
  })

  test('a driver that was killed before its agent took a prompt: the agent is ended, and no crash is counted', async () => {
    const worker = bench.process(
      {
        agents: {
          a: {
            protocol: 'acp',
            command: process.execPath,
            args: ['-e', 'setInterval(() => {}, 1_000)'],
          },
        },
      },
      bench.spec(),
      { startMs: 600_000 },
    )
    const orphan = await waitFor(() => bench.claim()?.process, {
      what: 'the process in the claim',
      timeoutMs: 30_000,
    })
    worker.child.kill('SIGKILL')
    await worker.result
    expect(isAlive(orphan)).toBe(true)
    expect(
      await bench.call(bench.driver(), bench.config(bench.foreign('echo.mjs'))).result,
    ).toMatchObject({ outcome: 'completed', attempts: 1, crashes: 0 })
    expect(isAlive(orphan)).toBe(false)
  })

  test('a driver that lives in another process: the second one waits for its result', async () => {
    const agent = gated()
    const worker = bench.process({ agents: { a: agent } })
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    const second = bench.call(bench.driver(), bench.config(agent))
    await second.sees('other_worker')
    writeFileSync(file('go'), '')
    const result = await second.result
    expect(result).toMatchObject({ outcome: 'completed', attempts: 1 })
    expect(await worker.result).toEqual(result)
    expect(bench.starts()).toHaveLength(1)
  })

  test('a stop reaches the driver in another process through the one that waits', async () => {
    const agent = gated()
    const worker = bench.process({ agents: { a: agent } })
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    const second = bench.call(bench.driver(), bench.config(agent))
    await second.sees('other_worker')
    second.abort('stop')
    expect(await second.result).toMatchObject({ outcome: 'stopped', attempts: 1 })
    expect((await worker.result)?.outcome).toBe('stopped')
  })

  test('a stop that was meant for a driver that has died does not stop the next one', async () => {
    const worker = bench.process({ agents: { a: bench.foreign('deaf.mjs') } })
    await waitFor(() => bench.claim()?.attempts.length === 1, { what: 'the claim' })
    worker.child.kill('SIGKILL')
    await worker.result
    requestStop(bench.dirs, bench.spec().key, 'stop')
    const call = bench.call(bench.driver(), bench.config(gated()))
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    writeFileSync(file('go'), '')
    expect(await call.result).toMatchObject({ outcome: 'completed', attempts: 2 })
  })

  test('an agent that cannot resume starts again and gets a note about earlier work', async () => {
    const worker = bench.process({ agents: { a: bench.foreign('deaf.mjs') } })
    await waitFor(() => bench.claim()?.attempts.length === 1, { what: 'the claim' })
    worker.child.kill('SIGKILL')
    await worker.result
    const result = await bench.call(bench.driver(), bench.config(bench.foreign('echo.mjs'))).result
    const said = readFileSync(result.answer.path, 'utf8')
    expect(said).toContain('## STARTED AGAIN')
    expect(said).toContain('"attempt":2')
    expect(said).toContain('Do it.')
  })

  test('a worker killed between the answer and the result only finishes: no second prompt', async () => {
    const agent = bench.playbook([{ do: [{ say: 'the answer' }] }])
    const broken = bench.driver({ changedFiles: () => Promise.reject(new Error('disk gone')) })
    await expect(bench.call(broken, bench.config(agent)).result).rejects.toThrow('disk gone')
    const result = await bench.call(bench.driver(), bench.config(agent)).result
    expect(result).toMatchObject({ outcome: 'completed', attempts: 1, crashes: 0 })
    expect(result.tail).toContain('the answer')
    expect(bench.starts()).toHaveLength(1)
  })
})

describe('an interrupted turn resumes under its key', () => {
  test.each(['shutdown', 'abandoned'] as const)(
    '%s: the agent is ended, the call throws, the next one resumes without a crash counted',
    async (reason) => {
      const driver = bench.driver()
      const config = bench.config(gated())
      const first = bench.call(driver, config)
      await waitFor(() => existsSync(file('a')), { what: 'the first action' })
      first.abort(reason)
      await expect(first.result).rejects.toThrow(TurnInterruptedError)
      expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
      writeFileSync(file('go'), '')
      expect(await bench.call(driver, config).result).toMatchObject({
        outcome: 'completed',
        attempts: 2,
        crashes: 0,
      })
      expect(new Set(bench.starts().map((s) => s.session)).size).toBe(1)
    },
  )

  test('pause: returned as stopped, written down as open, resumed by the same key', async () => {
    const driver = bench.driver()
    const config = bench.config(gated())
    const first = bench.call(driver, config)
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    first.abort('pause')
    expect(await first.result).toMatchObject({ outcome: 'stopped', reason: 'paused', attempts: 1 })
    writeFileSync(file('go'), '')
    const result = await bench.call(driver, config).result
    expect(result).toMatchObject({ outcome: 'completed', attempts: 2, crashes: 0 })
    expect(readFileSync(result.answer.path, 'utf8')).toMatch(/half[^]*whole/)
  })

  test('stop is final: the same key returns the stopped turn', async () => {
    const driver = bench.driver()
    const config = bench.config(gated())
    const first = bench.call(driver, config)
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    first.abort('stop')
    const stopped = await first.result
    expect(stopped).toMatchObject({ outcome: 'stopped', reason: 'stopped on request', attempts: 1 })
    expect(stopped.tail).toContain('half')
    expect(await bench.call(driver, config).result).toEqual(stopped)
    expect(bench.starts()).toHaveLength(1)
  })

  test('shutdown of the driver interrupts every turn and ends every agent', async () => {
    const driver = bench.driver()
    const call = bench.call(driver, bench.config(gated()))
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    await driver.shutdown()
    await expect(call.result).rejects.toMatchObject({ reason: 'shutdown' })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })
})

describe('after a worker died', () => {
  async function killedWorker(agent: unknown) {
    const worker = bench.process({ agents: { a: agent } })
    await waitFor(() => bench.claim()?.attempts.length === 1, { what: 'the claim' })
    worker.child.kill('SIGKILL')
    await worker.result
  }

  test('settleTurn ends its agent, keeps the session and counts the crash', async () => {
    await killedWorker(bench.foreign('deaf.mjs'))
    const settled = await bench.driver().settleTurn(bench.spec().key)
    expect(settled).toMatchObject({
      crashes: 1,
      ended: 1,
      sessionId: expect.stringContaining('s-') as string,
      used: { attempts: 1, usage: { estimated: true } },
    })
    expect(settled.result).toBeUndefined()
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('settleTurn returns the answer where only the result was not written', async () => {
    const broken = bench.driver({ changedFiles: () => Promise.reject(new Error('disk gone')) })
    await expect(
      bench.call(broken, bench.config(bench.playbook([{ do: [{ say: 'the answer' }] }]))).result,
    ).rejects.toThrow('disk gone')
    const { workspace, key } = bench.spec()
    const tree = { workspace, redact: (name: string) => name.replace('s3cret', '[redacted]') }
    const changedFiles = () => Promise.resolve(['src/a.js', 'src/s3cret.js'])
    const { result } = await bench.driver({ changedFiles }).settleTurn(key, tree)
    expect(result).toMatchObject({
      outcome: 'completed',
      attempts: 1,
      changedFiles: ['src/a.js', 'src/[redacted].js'],
      tail: expect.stringContaining('the answer') as string,
    })
    expect(await bench.driver().settleTurn(bench.spec().key)).toMatchObject({ result })
  })

  test('settleTurn leaves the turn of a living worker alone', async () => {
    const worker = bench.process({ agents: { a: gated() } })
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    expect(await bench.driver().settleTurn(bench.spec().key)).toMatchObject({ ended: 0 })
    writeFileSync(file('go'), '')
    expect((await worker.result)?.outcome).toBe('completed')
  })

  test('settleTurn ends a turn of this worker', async () => {
    const driver = bench.driver()
    const call = bench.call(driver, bench.config(gated()))
    await waitFor(() => existsSync(file('a')), { what: 'the first action' })
    await driver.settleTurn(bench.spec().key)
    await expect(call.result).rejects.toThrow(TurnInterruptedError)
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('sweep ends agents whose worker died', async () => {
    await killedWorker(bench.foreign('deaf.mjs'))
    expect(await bench.driver().sweep()).toBe(1)
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('sweep holds a turn while it ends its agent, so that no other worker resumes it meanwhile', async () => {
    await killedWorker(bench.foreign('deaf.mjs'))
    const sweeping = bench.driver().sweep()
    expect(bench.claim()).toMatchObject({ driver: { pid: process.pid }, released: false })
    await sweeping
    expect(bench.claim()).toMatchObject({ released: true, driverDeaths: 1 })
    expect(
      await bench.call(bench.driver(), bench.config(bench.foreign('echo.mjs'))).result,
    ).toMatchObject({ outcome: 'completed', attempts: 2, crashes: 1 })
  })

  test('endRun ends every process with the marker of the run', async () => {
    await killedWorker(bench.foreign('deaf.mjs'))
    expect(await bench.driver().endRun(bench.run)).toBe(1)
  })

  test('the next turn in the same workspace ends the agent of the unfinished one first', async () => {
    await killedWorker(bench.foreign('deaf.mjs'))
    const orphan = bench.claim()?.process
    const result = await bench.call(
      bench.driver(),
      bench.config(bench.foreign('echo.mjs')),
      bench.spec({ key: `${bench.run}/2/fix` }),
    ).result
    expect(result.outcome).toBe('completed')
    expect(orphan && isAlive(orphan)).toBe(false)
  })
})

test('a turn in the same workspace interrupts another one of this worker', async () => {
  const driver = bench.driver()
  const first = bench.call(driver, bench.config(gated()))
  await waitFor(() => existsSync(file('a')), { what: 'the first action' })
  const second = bench.call(
    driver,
    bench.config(bench.foreign('echo.mjs')),
    bench.spec({ key: `${bench.run}/2/fix` }),
  )
  await expect(first.result).rejects.toMatchObject({ reason: 'fenced' })
  expect((await second.result).outcome).toBe('completed')
})
