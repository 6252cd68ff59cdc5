// Processes around a turn: leftovers of agents, and agents that are kept for a follow-up.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findMarked } from '../../../src/adapters/process/find.js'
import { acquireSlot } from '../../../src/adapters/process/slots.js'
import { spawnGroup } from '../../../src/adapters/process/spawn-group.js'
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

const running = () => findMarked('RATCHET_RUN', bench.run)
const converge = (sessionId: string | undefined, more = {}) => {
  const spec = bench.spec({
    key: `${bench.run}/1/converge`,
    ...(sessionId !== undefined && { sessionId }),
    ...more,
  })
  return { ...spec, header: { ...spec.header, turn: 'converge' as const } }
}

describe('children that an agent leaves', () => {
  test.each(
    // prettier-ignore
    [
    { how: 'in its group', fork: {}, leftovers: 0 },
    { how: 'in a session of their own', fork: { setsid: true }, leftovers: 1 },
    { how: 'in a session of their own and deaf to TERM', fork: { setsid: true, 'ignore-term': true }, leftovers: 1 },
  ],
  )('$how are gone after the turn', async ({ fork, leftovers }) => {
    const agent = bench.playbook([{ do: [{ fork }, { say: 'done' }] }])
    // The program itself: a child of an agent in this process would be in our group.
    expect(
      await bench.call(bench.driver({ spawn: spawnGroup }), bench.config(agent)).result,
    ).toMatchObject({ outcome: 'completed', leftovers })
    expect(running()).toEqual([])
  })

  test('of an agent that is kept are ended, and the agent is not', async () => {
    const agent = bench.playbook([{ do: [{ fork: { setsid: true } }, { say: 'done' }] }])
    const driver = bench.driver()
    expect(
      await bench.call(driver, bench.config(agent), bench.spec({ followUp: true })).result,
    ).toMatchObject({ leftovers: 1 })
    expect(running().map((p) => p.pid)).toEqual([bench.starts()[0]?.pid])
  })

  test('of an agent that crashed are ended before it is restarted', async () => {
    const agent = bench.playbook([
      { do: [{ fork: { setsid: true } }, { crash: { attempts: 1 } }, { say: 'done' }] },
    ])
    expect(await bench.call(bench.driver(), bench.config(agent)).result).toMatchObject({
      outcome: 'completed',
      crashes: 1,
      leftovers: 1,
    })
    expect(running()).toEqual([])
  })
})

describe('a follow-up in the same session', () => {
  const steps = [
    { when: { turn: 'converge' }, do: [{ say: 'converged' }] },
    { do: [{ say: 'begun' }, { wait: 'forever' }] },
  ]

  test.each([
    { followUp: true, process: 'the same process', same: true },
    { followUp: false, process: 'a new process that resumes it', same: false },
  ])('after a timeout goes to $process', async ({ followUp, same }) => {
    const driver = bench.driver()
    const config = bench.config(bench.playbook(steps))
    const first = await bench.call(driver, config, bench.spec({ limitMs: 200, followUp })).result
    expect(first.outcome).toBe('timed_out')
    expect(running()).toHaveLength(followUp ? 1 : 0)
    const second = await bench.call(driver, config, converge(first.sessionId)).result
    expect(second).toMatchObject({ outcome: 'completed', sessionId: first.sessionId, attempts: 1 })
    expect(second.tail).toContain('converged')
    expect(second.tail).not.toContain('begun')
    const [a, b] = bench.starts()
    expect(a?.pid === b?.pid).toBe(same)
    expect(running()).toEqual([])
  })

  test('an agent that ignored the interruption is not kept', async () => {
    const result = await bench.call(
      bench.driver({ timing: { cancelGraceMs: 100 } }),
      bench.config(bench.foreign('deaf.mjs')),
      bench.spec({ limitMs: 200, followUp: true }),
    ).result
    expect(result.outcome).toBe('timed_out')
    expect(running()).toEqual([])
  })

  test('a kept agent that dies meanwhile gives its slot back, and its session is resumed', async () => {
    const driver = bench.driver()
    const config = bench.config(bench.playbook(steps), { limits: { agentsPerHost: 1 } })
    const first = await bench.call(driver, config, bench.spec({ limitMs: 200, followUp: true }))
      .result
    process.kill(bench.starts()[0]?.pid as number, 'SIGKILL')
    await (
      await acquireSlot(layout.slots(bench.dirs), 1)
    )()
    expect(await bench.call(driver, config, converge(first.sessionId)).result).toMatchObject({
      outcome: 'completed',
      crashes: 0,
    })
  })
})

describe('a kept agent', () => {
  const kept = async (timing = {}) => {
    const driver = bench.driver({ timing })
    const config = bench.config(bench.playbook([{ do: [{ say: 'done' }] }]), {
      limits: { agentsPerHost: 1 },
    })
    await bench.call(driver, config, bench.spec({ followUp: true })).result
    return { driver, config }
  }

  test('is closed when its time is over', async () => {
    await kept({ keepMs: 50 })
    await waitFor(() => running().length === 0, { what: 'the end of the kept agent' })
    await (
      await acquireSlot(layout.slots(bench.dirs), 1)
    )()
  })

  test('is closed on shutdown', async () => {
    const { driver } = await kept()
    await driver.shutdown()
    expect(running()).toEqual([])
  })

  test('is closed before its workspace is measured', async () => {
    const { driver } = await kept()
    await driver.endWorkspace(bench.spec().workspace)
    expect(running()).toEqual([])
  })

  test('is closed at the end of its run', async () => {
    const { driver } = await kept()
    await driver.endRun(bench.run)
    expect(running()).toEqual([])
  })

  test('gives way to another turn in its workspace, and to one that needs its slot', async () => {
    const { driver, config } = await kept()
    const old = bench.starts()[0]?.pid
    await bench.call(driver, config, bench.spec({ key: `${bench.run}/2`, followUp: true })).result
    expect(running().map((p) => p.pid)).not.toContain(old)
    const elsewhere = bench.spec({ key: `${bench.run}/3` })
    elsewhere.workspace = { ...elsewhere.workspace, cwd: bench.root }
    expect((await bench.call(driver, config, elsewhere).result).outcome).toBe('completed')
    expect(running()).toEqual([])
  })

  test('of a worker that died is ended by the sweep of the next one', async () => {
    const worker = bench.process(
      { agents: { a: bench.foreign('clings.mjs') } },
      bench.spec({ followUp: true }),
      { closeMs: 60_000 },
    )
    await waitFor(() => bench.claim()?.kept === true, { what: 'the kept agent' })
    worker.child.kill('SIGKILL')
    await worker.result
    expect(running()).toHaveLength(1)
    expect(await bench.driver().sweep()).toBe(1)
    expect(running()).toEqual([])
  })

  test('that ignores signals is ended', async () => {
    await bench.call(bench.driver(), bench.config(bench.foreign('clings.mjs'))).result
    expect(running()).toEqual([])
  })
})

test('at most agentsPerHost agents live at once, over several drivers', async () => {
  const config = bench.config(bench.playbook([{ do: [{ say: 'begun' }, { wait: 'forever' }] }]), {
    limits: { agentsPerHost: 2 },
  })
  const spec = (n: number) => {
    const s = bench.spec({ key: `${bench.run}/${n}` })
    return {
      ...s,
      workspace: {
        ...s.workspace,
        cwd: n === 1 ? bench.cwd : n === 2 ? bench.root : bench.dirs.state,
      },
    }
  }
  const calls = [1, 2, 3].map((n) => bench.call(bench.driver(), config, spec(n)))
  await waitFor(
    () =>
      bench.starts().length === 2 &&
      calls.filter((c) => c.seen.at(-1)?.state === 'slot').length === 1,
    { what: 'two agents and one that waits' },
  )
  expect(running()).toHaveLength(2)
  for (const call of calls) call.abort('stop')
  await Promise.all(calls.map((c) => c.result))
})
