// Turns of one group in one workspace, as the four agents of a cycle are, on real processes.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readFence } from '../../../src/adapters/agents/turn/workspace-lease.js'
import { isAlive, self } from '../../../src/adapters/process/identity.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import { digest, layout } from '../../../src/adapters/state-dir.js'
import { Bench } from '../../support/agents/bench.js'
import { driverProgram } from '../../support/agents/driver-program.js'
import { waitFor } from '../../support/wait.js'

const program = driverProgram()
let bench: Bench
beforeEach(() => {
  bench = new Bench(program())
})
afterEach(() => bench.end())

const ROLES = [
  'requirements-analyst',
  'exploration-planner',
  'code-developer',
  'validation-archivist',
] as const
type Role = (typeof ROLES)[number]

const file = (name: string) => path.join(bench.cwd, name)
/** Each role reports its start and waits for its file. */
const gated = () =>
  bench.playbook(
    ROLES.map((role) => ({
      when: { role },
      do: [{ write: { path: `${role}.in`, text: '' } }, { wait: { 'until-file': `${role}.go` } }],
    })),
  )
const turnOf = (
  role: Role,
  more: {
    group?: string | undefined
    followUp?: boolean
    sessionId?: string
    turn?: 'work' | 'feedback'
  } = {},
) => {
  const { turn = 'work', group = 'cycle', ...rest } = more
  const { header } = bench.spec()
  return bench.spec({
    key: `${bench.run}/1/${role}.${turn}`,
    header: { ...header, role, turn },
    group,
    ...rest,
  })
}
const alone = () => bench.spec({ key: `${bench.run}/1/alone` })
const arrive = (roles: readonly Role[] = ROLES) =>
  waitFor(() => roles.every((role) => existsSync(file(`${role}.in`))), {
    what: `${roles.join(', ')} at work`,
  })
const letGo = (roles: readonly Role[] = ROLES) =>
  roles.forEach((role) => writeFileSync(file(`${role}.go`), ''))

describe('the four agents of a cycle share a workspace', () => {
  test('all are at work at the same time, and all are in the fence', async () => {
    const driver = bench.driver()
    const config = bench.config(gated())
    const calls = ROLES.map((role) => bench.call(driver, config, turnOf(role)))
    await arrive()
    expect(readFence(bench.dirs, bench.cwd)).toMatchObject({ group: 'cycle' })
    expect(new Set(readFence(bench.dirs, bench.cwd)?.keys)).toEqual(
      new Set(ROLES.map((role) => turnOf(role).key)),
    )
    letGo()
    for (const call of calls)
      expect(await call.result).toMatchObject({ outcome: 'completed', attempts: 1 })
  })

  test('two workers for one project share it too', async () => {
    const agent = gated()
    const mine = ROLES.slice(0, 2).map((role) =>
      bench.call(bench.driver(), bench.config(agent), turnOf(role)),
    )
    const theirs = bench.process(
      { agents: { a: agent } },
      ROLES.slice(2).map((role) => turnOf(role)),
    )
    await arrive()
    expect(new Set(readFence(bench.dirs, bench.cwd)?.keys)).toEqual(
      new Set(ROLES.map((role) => turnOf(role).key)),
    )
    letGo()
    for (const result of [
      ...mine.map((call) => call.result),
      ...ROLES.slice(2).map((role) => theirs.resultOf(turnOf(role))),
    ])
      expect(await result).toMatchObject({ outcome: 'completed', attempts: 1 })
  })

  test('git does not work in the tree before or after one of them', async () => {
    const touched: string[] = []
    const driver = bench.driver({
      changedFiles: () => {
        touched.push('behind')
        return Promise.resolve(['a'])
      },
    })
    const result = await bench.call(
      driver,
      bench.config(bench.foreign('echo.mjs')),
      turnOf('code-developer'),
      {
        beforeStart: () => {
          touched.push('before')
          return Promise.resolve()
        },
      },
    ).result
    expect([touched, result.changedFiles]).toEqual([[], []])
  })

  test('turns that have ended leave the fence', async () => {
    const driver = bench.driver()
    const config = bench.config(bench.foreign('echo.mjs'))
    for (const role of ROLES) await bench.call(driver, config, turnOf(role)).result
    expect(readFence(bench.dirs, bench.cwd)?.keys).toEqual([turnOf('validation-archivist').key])
  })
})

describe('a turn outside of the group ends all of it', () => {
  test.each(
    // prettier-ignore
    [
    { who: 'a turn that works alone', enter: () => bench.call(bench.driver(), bench.config(bench.foreign('echo.mjs')), alone()).result },
    { who: 'a turn of another group', enter: () => bench.call(bench.driver(), bench.config(bench.foreign('echo.mjs')), { ...alone(), group: 'other' }).result },
    { who: 'a measurement of the workspace', enter: () => bench.driver().endWorkspace(bench.spec().workspace) },
  ],
  )('$who, after their worker was killed', async ({ enter }) => {
    const worker = bench.process(
      { agents: { a: bench.foreign('deaf.mjs') } },
      ROLES.map((role) => turnOf(role)),
    )
    for (const role of ROLES) await bench.busy(turnOf(role).key)
    worker.child.kill('SIGKILL')
    await worker.result
    expect(findMarked('RATCHET_RUN', bench.run)).toHaveLength(4)
    await enter()
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('a turn that works alone, while they run in this worker and in another one', async () => {
    const driver = bench.driver()
    const agent = gated()
    const mine = bench.call(driver, bench.config(agent), turnOf('requirements-analyst'))
    const theirs = bench.process({ agents: { a: agent } }, turnOf('code-developer'))
    await arrive(['requirements-analyst', 'code-developer'])
    const lone = bench.call(driver, bench.config(bench.foreign('echo.mjs')), alone())
    await expect(mine.result).rejects.toMatchObject({ reason: 'fenced' })
    expect((await lone.result).outcome).toBe('completed')
    expect(await theirs.result).toBeUndefined()
    expect(bench.claim(turnOf('code-developer').key)).toMatchObject({ released: true })
  })

  test('and a turn of the group ends the one that worked alone', async () => {
    const driver = bench.driver()
    const first = bench.call(
      driver,
      bench.config(
        bench.playbook([{ do: [{ write: { path: 'in', text: '' } }, { wait: 'forever' }] }]),
      ),
      alone(),
    )
    await waitFor(() => existsSync(file('in')), { what: 'the lone turn' })
    expect(
      (
        await bench.call(driver, bench.config(bench.foreign('echo.mjs')), turnOf('code-developer'))
          .result
      ).outcome,
    ).toBe('completed')
    await expect(first.result).rejects.toMatchObject({ reason: 'fenced' })
  })

  test('a fence of the old form names one turn, which is ended', async () => {
    const worker = bench.process({ agents: { a: bench.foreign('deaf.mjs') } }, alone())
    await bench.busy(alone().key)
    worker.child.kill('SIGKILL')
    await worker.result
    mkdirSync(layout.locks(bench.dirs), { recursive: true })
    writeFileSync(
      path.join(layout.locks(bench.dirs), `fence-${digest(bench.cwd).slice(0, 24)}.json`),
      JSON.stringify({ cwd: bench.cwd, key: alone().key, driver: self() }),
    )
    expect(readFence(bench.dirs, bench.cwd)).toEqual({
      cwd: bench.cwd,
      keys: [alone().key],
      driver: self(),
    })
    await bench.call(
      bench.driver(),
      bench.config(bench.foreign('echo.mjs')),
      turnOf('code-developer'),
    ).result
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })
})

test('a worker killed with -9 in four turns: each retry ends its own orphan, and no resumed sibling', async () => {
  const agent = gated()
  const worker = bench.process(
    { agents: { a: agent } },
    ROLES.map((role) => turnOf(role)),
  )
  await arrive()
  const orphans = ROLES.map((role) => bench.claim(turnOf(role).key)?.process)
  worker.child.kill('SIGKILL')
  await worker.result
  const driver = bench.driver()
  const config = bench.config(agent)
  const calls = []
  for (const role of ROLES) {
    // One by one: the earlier ones are at work when the next enters
    const call = bench.call(driver, config, turnOf(role))
    await call.sees('running')
    calls.push(call)
  }
  expect(orphans.map((one) => one && isAlive(one))).toEqual([false, false, false, false])
  expect(
    calls
      .map((_, n) => bench.claim(turnOf(ROLES[n] as Role).key)?.process)
      .map((one) => one && isAlive(one)),
  ).toEqual([true, true, true, true])
  letGo()
  for (const call of calls)
    expect(await call.result).toMatchObject({ outcome: 'completed', attempts: 2, crashes: 1 })
})

describe('kept agents', () => {
  const kept = (role: Role) => {
    const process = bench.claim(turnOf(role).key)?.process
    return process !== undefined && isAlive(process)
  }
  const quick = () => bench.config(bench.playbook([{ do: [{ say: 'done' }] }]))

  test('of the group stay when a sibling enters, and serve the next turn of their session', async () => {
    const driver = bench.driver()
    const config = quick()
    const first = await bench.call(
      driver,
      config,
      turnOf('requirements-analyst', { followUp: true }),
    ).result
    await bench.call(driver, config, turnOf('code-developer')).result
    expect(kept('requirements-analyst')).toBe(true)
    const next = turnOf('requirements-analyst', {
      turn: 'feedback',
      sessionId: first.sessionId as string,
    })
    expect((await bench.call(driver, config, next).result).sessionId).toBe(first.sessionId)
    const [one, , two] = bench.starts()
    expect(two?.pid).toBe(one?.pid)
  })

  test('of the group are ended by a turn that works alone', async () => {
    const driver = bench.driver()
    const config = quick()
    await bench.call(driver, config, turnOf('requirements-analyst', { followUp: true })).result
    await bench.call(driver, config, alone()).result
    expect(kept('requirements-analyst')).toBe(false)
  })

  test("of a killed worker: the next turn of a session ends the one that holds it, and not a sibling's", async () => {
    const [mine, sibling] = ['requirements-analyst', 'code-developer'] as const
    const worker = bench.process(
      { agents: { a: bench.foreign('clings.mjs') } },
      [mine, sibling].map((role) => turnOf(role, { followUp: true })),
      { closeMs: 60_000 },
    )
    const claimOf = (role: Role) => bench.claim(turnOf(role).key)
    await waitFor(() => claimOf(mine)?.kept === true && claimOf(sibling)?.kept === true, {
      what: 'the kept agents',
    })
    worker.child.kill('SIGKILL')
    await worker.result
    const next = turnOf(mine, { turn: 'feedback', sessionId: claimOf(mine)?.sessionId as string })
    expect(
      (await bench.call(bench.driver(), bench.config(bench.foreign('echo.mjs')), next).result)
        .outcome,
    ).toBe('completed')
    expect([kept(mine), kept(sibling)]).toEqual([false, true])
  })
})

test('agentsPerHost: with one slot the four run one after the other, and so do their next turns', async () => {
  const driver = bench.driver()
  const count = {
    run: [
      process.execPath,
      '-e',
      "const f = require('fs'); f.writeFileSync('at-work', '', { flag: 'wx' }); setTimeout(() => f.unlinkSync('at-work'), 30)",
    ],
  }
  const config = bench.config(bench.playbook([{ do: [count] }]), { limits: { agentsPerHost: 1 } })
  const first = await Promise.all(
    ROLES.map((role) => bench.call(driver, config, turnOf(role, { followUp: true })).result),
  )
  const next = await Promise.all(
    ROLES.map(
      (role, n) =>
        bench.call(
          driver,
          config,
          turnOf(role, {
            turn: 'feedback',
            followUp: true,
            sessionId: first[n]?.sessionId as string,
          }),
        ).result,
    ),
  )
  for (const result of [...first, ...next]) {
    expect(result).toMatchObject({ outcome: 'completed', attempts: 1, crashes: 0 })
    expect(result.tail).toContain('ended with 0') // the file of another one was never there
  }
  expect(next.map((result) => result.sessionId)).toEqual(first.map((result) => result.sessionId))
})
