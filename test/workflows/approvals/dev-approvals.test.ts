// With `interactive`, a person approves the plan of a cycle before development starts, and the
// breakdown of a loop before the first action; on a real Temporal server with stub hosts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { approvalOf, say } from '../../support/runs/approving.js'
import { cycleHost, type CycleHost, type CycleScript } from '../../support/cycle/cycle-host.js'
import {
  loopHost,
  loopTasks,
  type LoopHost,
  type LoopScript,
} from '../../support/loop/loop-host.js'
import { sharedEnv } from '../../support/servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../../support/servers/workflow-env.js'
import { measured } from '../../support/test-runs.js'

let env: TestWorkflowEnvironment
let n = 0
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const answer = (run: Running, given: unknown) =>
  run.handle.executeUpdate('answer', { args: [given] })

describe('the plan of a cycle', () => {
  const CYCLE = { project: '/repo', task: 'Add OAuth2 login', interactive: true }
  const PLAN = 'approve-plan-1'
  const steered = <T>(host: CycleHost, body: (run: Running) => Promise<T>, input: object = CYCLE) =>
    runCycle(env, host, body, input, `cycle-v1-${++n}`, 'dev-cycle')
  const withPlan = (more: Partial<CycleScript> = {}): CycleHost =>
    cycleHost({
      runs: [measured(3, 3)],
      turn: ({ phase, turn }) =>
        phase === 'ep'
          ? {
              says: {
                plan: {
                  tasks: 1,
                  criticalPath: [],
                  named: [{ id: 'T1', text: turn === 'work' ? 'Add a library' : 'Use fetch' }],
                },
              },
            }
          : {},
      ...more,
    })
  const turns = (host: CycleHost) => host.turns.map(({ phase, turn }) => `${phase} ${turn}`)
  const finish = async (run: Running) => {
    await run.until('the end to confirm', ({ waitingFor }) => waitingFor.includes('Finish'))
    await answer(run, 'finish')
    return run.result()
  }

  test.each(['parallel', 'staged'])(
    'is in the record and asked about before development starts: %s',
    async (scheduling) => {
      const host = withPlan()
      const result = await steered(
        host,
        async (run) => {
          const question = await approvalOf(run, PLAN)
          expect(question.text).toContain(
            'Approve the plan of iteration 1? 1 task: T1 Add a library. The plan: .workflow/.cycle/cycle-1.progress/ep/plan.json. Used so far: 2 agent turns',
          )
          expect(turns(host).sort()).toEqual(['ep work', 'ra work'])
          expect(host.records.at(-1)?.state.promised).toMatchObject([{ id: 'T1' }])
          await say(run, PLAN, 'approve')
          return finish(run)
        },
        { ...CYCLE, scheduling },
      )
      expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
      expect(turns(host)).toContain('cd work')
    },
  )

  test('a change goes to the planner, in its session and in the same iteration', async () => {
    const host = withPlan()
    const result = await steered(host, async (run) => {
      await say(run, PLAN, 'no new library')
      expect((await approvalOf(run, `${PLAN}-change-1`)).text).toContain('T1 Use fetch.')
      await say(run, `${PLAN}-change-1`, 'approve')
      return finish(run)
    })
    expect(result).toMatchObject({ iterations: 1 })
    const changed = host.turns.find(({ phase, turn }) => phase === 'ep' && turn === 'feedback')
    expect(changed?.sessionId).toEqual(expect.any(String))
    expect(changed?.ask).toMatchObject({
      about: 'cycle-feedback',
      feedback: expect.stringContaining('no new library') as string,
    })
    expect(turns(host).indexOf('ep feedback')).toBeLessThan(turns(host).indexOf('cd work'))
    expect(host.records.at(-1)?.state.feedbackLog).toMatchObject([
      { source: 'user', target: 'ep', content: 'no new library' },
    ])
  })

  test('is asked about again only when the planner has another one', async () => {
    const host = withPlan({ runs: [measured(3, 3), measured(4, 5)] })
    await steered(host, async (run) => {
      await say(run, PLAN, 'approve')
      await approvalOf(run, 'iteration-1')
      await answer(run, { choice: 'extend', text: 'Also add MFA' })
      await approvalOf(run, 'iteration-2')
      await answer(run, 'stop')
      return run.result()
    })
    const other = withPlan({
      runs: [measured(3, 3), measured(4, 5)],
      turn: ({ phase, iteration }) =>
        phase === 'ep'
          ? {
              says: {
                plan: {
                  tasks: 1,
                  criticalPath: [],
                  named: [{ id: 'T1', text: `part ${iteration}` }],
                },
              },
            }
          : {},
    })
    await steered(other, async (run) => {
      await say(run, PLAN, 'approve')
      await approvalOf(run, 'iteration-1')
      await answer(run, { choice: 'extend', text: 'Also add MFA' })
      expect((await approvalOf(run, 'approve-plan-2')).text).toContain('T1 part 2')
      await say(run, 'approve-plan-2', 'stop')
      return run.result()
    })
  })

  test('stop ends the cycle before anything is developed', async () => {
    const host = withPlan()
    const result = await steered(host, async (run) => {
      await say(run, PLAN, 'stop')
      return run.result()
    })
    expect(result).toMatchObject({
      outcome: 'stopped',
      reason: 'stopped by request: no approval of the plan of iteration 1',
    })
    expect(turns(host).sort()).toEqual(['ep work', 'ra work'])
    expect(host.records.at(-1)?.state.approvedPlan).toBeUndefined()
  })

  test('a pause leaves it open; a stop and a cancel end the cycle', async () => {
    const paused = withPlan()
    await steered(paused, async (run) => {
      await approvalOf(run, PLAN)
      await run.handle.signal('pause', { mode: 'now' })
      await say(run, PLAN, 'approve')
      await run.until('the pause', ({ status }) => status === 'paused')
      expect(turns(paused)).not.toContain('cd work')
      await run.handle.signal('resume')
      return finish(run)
    })
    const stopped = withPlan()
    const result = await steered(stopped, async (run) => {
      await approvalOf(run, PLAN)
      await run.handle.signal('stop', { reason: 'enough' })
      return run.result()
    })
    expect(result).toMatchObject({ outcome: 'stopped', reason: 'stopped by request: enough' })
    const cancelled = withPlan()
    await steered(cancelled, async (run) => {
      await approvalOf(run, PLAN)
      await run.handle.cancel()
      await expect(run.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
    })
    for (const host of [stopped, cancelled]) expect(turns(host)).not.toContain('cd work')
  })
})

describe('the breakdown of a loop', () => {
  const LOOP = { project: '/repo', task: 'Fix the importer', interactive: true }
  const PLAN = 'approve-breakdown'
  const steered = <T>(host: LoopHost, body: (run: Running) => Promise<T>, input: object = LOOP) =>
    runCycle(env, host, body, input, `loop-b-${++n}`, 'dev-loop')
  const two: LoopScript['turn'] = ({ action }, call) =>
    action === 'init' ? { says: { tasks: loopTasks(call === 1 ? 2 : 1) } } : {}
  const loop = (more: Partial<LoopScript> = {}): LoopHost =>
    loopHost({ runs: [measured(3, 3)], turn: two, ...more })
  const exit = async (run: Running, menu: string) => {
    await approvalOf(run, menu)
    await answer(run, 'exit')
    return run.result()
  }

  test('is asked about before the first action', async () => {
    const host = loop()
    const result = await steered(host, async (run) => {
      const question = await approvalOf(run, PLAN)
      expect(question).toMatchObject({ kind: 'approval', options: ['approve', 'change', 'stop'] })
      expect(question.text).toMatch(/^Approve the breakdown into tasks\? 2 tasks: T1 \(/)
      expect(host.records.at(-1)?.state).toMatchObject({ approval: 'open' })
      await say(run, PLAN, 'approve')
      return exit(run, 'menu-1')
    })
    expect(result.outcome).toBe('user_exit')
    expect(host.turnNames()).toEqual(['init'])
    expect(host.records.at(-1)?.state).toMatchObject({ approval: 'given' })
  })

  test('the mode alone asks for no approval', async () => {
    const host = loop()
    await steered(host, (run) => exit(run, 'menu-1'), {
      project: '/repo',
      task: 'Fix the importer',
      mode: 'interactive',
    })
    expect(host.records.at(-1)?.state.approval).toBeUndefined()
  })

  test('a change goes to init, in its session', async () => {
    const host = loop()
    await steered(host, async (run) => {
      await say(run, PLAN, 'one task is enough')
      expect((await approvalOf(run, `${PLAN}-change-1`)).text).toContain('? 1 task: T1')
      await say(run, `${PLAN}-change-1`, 'approve')
      return exit(run, 'menu-2')
    })
    expect(host.turnNames()).toEqual(['init', 'init'])
    expect(host.turns[0]?.sessionId).toBeUndefined()
    expect(host.turns[1]).toMatchObject({
      sessionId: expect.any(String) as string,
      ask: { about: 'loop-work', words: 'one task is enough' },
    })
  })

  test('stop ends the loop; the loop that continues asks again, and not once it is approved', async () => {
    const host = loop()
    const result = await steered(host, async (run) => {
      await say(run, PLAN, 'stop')
      return run.result()
    })
    expect(result.outcome).toBe('stopped')
    expect(host.turnNames()).toEqual(['init'])
    const { state } = host.records.at(-1) ?? {}
    if (state === undefined) throw new Error('there is no record')
    const again = (approval: 'open' | 'given') =>
      loop({ prepared: { restored: { ...state, approval } } })
    const input = { project: '/repo', loopId: 'loop-1' }
    const open = again('open')
    await steered(
      open,
      async (run) => {
        await say(run, PLAN, 'approve')
        return exit(run, 'menu-1')
      },
      input,
    )
    expect(open.turns).toEqual([])
    await steered(again('given'), (run) => exit(run, 'menu-1'), input)
  })

  test('a pause leaves it open; a cancel ends the loop', async () => {
    const paused = loop()
    await steered(paused, async (run) => {
      await approvalOf(run, PLAN)
      await run.handle.signal('pause', { mode: 'now' })
      await say(run, PLAN, 'approve')
      await run.until('the pause', ({ status }) => status === 'paused')
      await run.handle.signal('resume')
      return exit(run, 'menu-1')
    })
    await steered(loop(), async (run) => {
      await approvalOf(run, PLAN)
      await run.handle.cancel()
      await expect(run.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
    })
  })
})
