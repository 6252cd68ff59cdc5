// Questions that do not wait for ever, on the time-skipping server. Each test has a server of its
// own: one whose run closes while a workflow task is on its way no longer skips time.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { CarriedLimits } from '../../src/contract/question-limits.js'
import type { RunResult } from '../../src/contract/result.js'
import { approvalOf, approvePlan } from '../support/runs/approving.js'
import { cycleHost, type CycleHost } from '../support/cycle/cycle-host.js'
import { loopHost, type LoopHost } from '../support/loop/loop-host.js'
import { HOOKED, ONE_TURN } from '../support/runs/hooked-runs.js'
import { timeSkippingEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'
import { bare, stubHost } from '../support/stub-host.js'
import { measured } from '../support/test-runs.js'
import { waitFor } from '../support/wait.js'

const HOUR = 3_600_000
const CYCLE = { project: '/repo', task: 'Add OAuth2 login', interactive: true }
const LOOP = { project: '/repo', task: 'Fix the importer', mode: 'interactive' }

let env: TestWorkflowEnvironment
beforeEach(async () => {
  quietRuntime()
  env = await timeSkippingEnv()
})
afterEach(() => env.teardown())

/** A test-fix run whose budget is spent after its first turn. */
const spent = (questionLimits: CarriedLimits) =>
  stubHost({
    ...bare,
    runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
    prepared: { ...HOOKED, questionLimits },
  })

/** The notice of the question: it is open from then on. */
const asked = (host: { notices: unknown[] }) =>
  waitFor(() => host.notices.length > 0, { what: 'the question', timeoutMs: 20_000 })

/** The result of a run, and how long it took on the clock of the server. */
async function ended(run: Running): Promise<{ result: RunResult; lasted: number }> {
  const result = await run.result()
  const { startTime, closeTime } = await run.handle.describe()
  return { result, lasted: Number(closeTime) - Number(startTime) }
}

const warningsIn = (host: { records: { state: { warnings: string[] } }[] }): string =>
  host.records.at(-1)?.state.warnings.join('\n') ?? ''

test('a budget that no one raises in an hour stops the run, and the warning says so', async () => {
  const host = spent({ default: { after: HOUR, then: 'recommended' } })
  const { result, lasted } = await runCycle(env, host, ended)
  expect(result).toMatchObject({ outcome: 'stopped', usage: { turns: 1 } })
  expect(lasted).toBeGreaterThanOrEqual(HOUR)
  expect(lasted).toBeLessThan(2 * HOUR)
  expect(warningsIn(host)).toMatch(/no one answered budget-1 in 1h 00m \(.*raise it, or stop\?\)/)
  expect(host.notices[0]?.question).toMatchObject({
    onDeadline: 'stop',
    deadline: expect.any(Number) as number,
  })
})

test('the clock stands still while the run is paused', async () => {
  const host = spent({ budget: { after: 2 * HOUR, then: 'stop' } })
  const { result, lasted } = await runCycle(env, host, async (run) => {
    await asked(host)
    await env.sleep('1 hour')
    await run.handle.signal('pause')
    await env.sleep('30 days')
    await run.handle.signal('resume')
    return ended(run)
  })
  expect(result.outcome).toBe('stopped')
  expect(lasted).toBeGreaterThanOrEqual(30 * 24 * HOUR + 2 * HOUR)
  expect(lasted).toBeLessThan(30 * 24 * HOUR + 3 * HOUR)
})

test('an answer before the deadline counts, and ends the timer', async () => {
  const host = spent({ budget: { after: 2 * HOUR, then: 'stop' } })
  const result = await runCycle(env, host, async (run) => {
    await asked(host)
    await env.sleep('1 hour')
    await run.handle.executeUpdate('answer', { args: [{ choice: 'raise', text: '100' }] })
    return run.result()
  })
  expect(result.outcome).toBe('success')
  expect(warningsIn(host)).not.toContain('no one answered')
})

test('a plan that no one approves in an hour stops the run, although the default grants more', async () => {
  const host = stubHost({
    ...bare,
    runs: [measured(3, 5)],
    prepared: { questionLimits: { default: { after: HOUR, then: 'recommended' } } },
  })
  const { result, lasted } = await runCycle(
    env,
    host,
    async (run) => {
      expect(await approvalOf(run, 'approve-IMPL-fix-1')).toMatchObject({
        onDeadline: 'stop',
        deadline: expect.any(Number) as number,
      })
      return ended(run)
    },
    { project: '/repo', interactive: true },
  )
  expect(result).toMatchObject({
    outcome: 'stopped',
    reason: 'stopped by request: no one approved the plan of IMPL-fix-1 in time',
    usage: { turns: 1 },
  })
  expect(lasted).toBeGreaterThanOrEqual(HOUR)
  expect(lasted).toBeLessThan(2 * HOUR)
  expect(warningsIn(host)).toContain('no one answered approve-IMPL-fix-1 in 1h 00m')
})

test('a permission that no one grants is denied', async () => {
  const host = stubHost({
    ...bare,
    runs: [measured(3, 5), measured(5, 5), measured(5, 5)],
    prepared: {
      spending: ONE_TURN,
      hooks: ['budget'],
      questionLimits: { permission: { after: HOUR, then: 'deny' } },
    },
  })
  await runCycle(env, host, async (run) => {
    await asked(host) // nothing runs while the budget is asked about, so time may be skipped
    const permission = await run.handle.startUpdate<string, [unknown]>('ratchetAsk', {
      args: [{ id: 'q', kind: 'permission', text: '?', options: ['allow', 'deny'], askedAt: 0 }],
      waitForStage: 'ACCEPTED',
    })
    await env.sleep('61 minutes')
    expect(await permission.result()).toBe('deny')
    await run.handle.executeUpdate('answer', {
      args: [{ questionId: 'budget-1', choice: 'raise', text: '100' }],
    })
    return run.result()
  })
  expect(warningsIn(host)).toContain('no one answered q in 1h 00m (?): deny')
})

function withLimits<H extends CycleHost | LoopHost>(host: H, questionLimits: CarriedLimits): H {
  const activities = host.activities as unknown as Record<string, (input: never) => Promise<object>>
  activities['serverFacts'] = bare.serverFacts
  for (const name of ['prepareCycle', 'prepareLoop']) {
    const prepare = activities[name]
    if (prepare !== undefined)
      activities[name] = async (input) => ({ ...(await prepare(input)), questionLimits })
  }
  return host
}

test('a cycle that no one steers decides by itself, and no person is named for it', async () => {
  const host = withLimits(
    cycleHost({
      runs: [measured(3, 5), measured(5, 5)],
      turn: ({ phase, turn }) =>
        phase === 'ra' && turn === 'work'
          ? {
              says: {
                decisions: [{ description: 'Which store?', options: ['A', 'B'], recommended: 'B' }],
              },
            }
          : {},
    }),
    { default: { after: HOUR, then: 'recommended' } },
  )
  const result = await runCycle(
    env,
    host,
    async (run) => {
      await approvePlan(run) // silence would not
      return run.result()
    },
    CYCLE,
    'cycle-silent',
    'dev-cycle',
  )
  expect(result).toMatchObject({ outcome: 'completed' })
  expect(result.confirmedByPerson).toBeUndefined()
  expect(host.records.at(-1)?.state.decisions).toMatchObject([
    { chosen_option: 'B', made_by: 'ratchet' },
  ])
  expect(warningsIn(host)).toMatch(/no one answered DEC-001 .*: B\n.*no one answered .*: finish/s)
})

test('a loop whose menu no one answers does what auto mode would do, to its end', async () => {
  const host = withLimits(loopHost({ runs: [measured(3, 3)] }), {
    menu: { after: HOUR, then: 'recommended' },
  })
  const result = await runCycle(env, host, (run) => run.result(), LOOP, 'loop-silent', 'dev-loop')
  expect(result).toMatchObject({ outcome: 'completed' })
  expect(result.confirmedByPerson).toBeUndefined()
  expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
})

test('then "stop" ends a loop whose menu has no such option', async () => {
  const host = withLimits(loopHost({ runs: [measured(3, 3)] }), {
    menu: { after: HOUR, then: 'stop' },
  })
  const result = await runCycle(env, host, (run) => run.result(), LOOP, 'loop-stops', 'dev-loop')
  expect(result.reason).toContain('no one answered menu-1 in 1h 00m')
  expect(host.turnNames()).toEqual(['init'])
})

test('the clock of a menu continues after a pause', async () => {
  const host = withLimits(loopHost({ runs: [measured(3, 3)] }), {
    menu: { after: 2 * HOUR, then: 'stop' },
  })
  const { result, lasted } = await runCycle(
    env,
    host,
    async (run) => {
      await run.until('the menu', (s) => s.questions === 1)
      await env.sleep('1 hour')
      await run.handle.signal('pause')
      await run.until('the pause', (s) => s.status === 'paused')
      await env.sleep('30 days')
      await run.handle.signal('resume')
      return ended(run)
    },
    LOOP,
    'loop-paused',
    'dev-loop',
  )
  expect(result.reason).toContain('no one answered menu-1 in 2h 00m')
  expect(lasted).toBeGreaterThanOrEqual(30 * 24 * HOUR + 2 * HOUR)
  expect(lasted).toBeLessThan(30 * 24 * HOUR + 2.5 * HOUR)
})
