// Hooks of a question, on a real Temporal server: they run once, delay nothing, are withdrawn by
// the answer, and are closed when a run continues as new or ends.
import { ApplicationFailure } from '@temporalio/activity'
import type { WorkflowHandleWithStartDetails } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AskedEvent } from '../../src/contract/hooks.js'
import type { Question } from '../../src/contract/question.js'
import type { NotifyInput } from '../../src/contract/step.js'
import { cycleHost } from '../support/cycle/cycle-host.js'
import { HOOKED, HOOKS, ONE_TURN, hangs, warningsOf } from '../support/runs/hooked-runs.js'
import { loopHost } from '../support/loop/loop-host.js'
import { AUTO, INTERACTIVE } from '../support/loop/loop-runs.js'
import { PREPARED, stubHost, type Script, type StubHost } from '../support/stub-host.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { measured } from '../support/test-runs.js'
import { waitFor } from '../support/wait.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const GREEN = [measured(3, 5), measured(4, 5), measured(5, 5), measured(5, 5)]
const fix = (script: Partial<Script> = {}): StubHost =>
  stubHost({ runs: GREEN, prepared: HOOKED, ...script })

const asked = (run: Running, id: string): Promise<Question> =>
  waitFor(
    async () => (await run.handle.query<Question[]>('questions')).find((one) => one.id === id),
    { what: `question ${id}`, timeoutMs: 20_000 },
  )
const answer = (run: Running, given: unknown): Promise<unknown> =>
  env.client.workflow.getHandle(run.handle.workflowId).executeUpdate('answer', { args: [given] })
const raise = async (run: Running): Promise<unknown> => {
  await asked(run, 'budget-1')
  return answer(run, { choice: 'raise', text: '100' })
}
const told = (host: { notices: NotifyInput[] }, count = 1): Promise<true> =>
  waitFor(() => host.notices.length === count, { what: 'the hook' })

/** The state of every hook, by run of the chain: `scheduled`, then how it ended. */
async function notices({
  workflowId,
  firstExecutionRunId,
}: WorkflowHandleWithStartDetails): Promise<string[][]> {
  const chain: string[][] = []
  for (let runId: string | undefined = firstExecutionRunId; runId !== undefined;) {
    const { events } = await env.client.workflow.getHandle(workflowId, runId).fetchHistory()
    const scheduled = (events ?? []).flatMap((e) =>
      e.activityTaskScheduledEventAttributes?.activityType?.name === 'notify'
        ? [String(e.eventId)]
        : [],
    )
    chain.push(
      scheduled.map((id) => {
        const end = (events ?? []).find((e) =>
          [
            e.activityTaskCompletedEventAttributes,
            e.activityTaskCanceledEventAttributes,
            e.activityTaskFailedEventAttributes,
            e.activityTaskTimedOutEventAttributes,
          ].some((attributes) => String(attributes?.scheduledEventId) === id),
        )
        return end?.activityTaskCompletedEventAttributes != null
          ? 'completed'
          : end?.activityTaskCanceledEventAttributes != null
            ? 'cancelled'
            : end === undefined
              ? 'open'
              : 'failed'
      }),
    )
    runId =
      events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined
  }
  return chain
}

describe('an opened question runs its hooks once', () => {
  test('test-fix: an empty budget, with a complete event', async () => {
    const host = fix()
    await runCycle(env, host, async (run) => {
      await asked(run, 'budget-1')
      await told(host)
      await raise(run)
      expect(await run.result()).toMatchObject({ outcome: 'success', iterations: 2 })
      expect(await notices(run.handle)).toEqual([[], ['completed'], [], []])
    })
    expect(host.notices).toMatchObject([
      {
        run: expect.stringMatching(/^WFS-test-/) as string,
        project: '/repo',
        configHash: 'c',
        recordDir: PREPARED.recordDir,
        status: {
          kind: 'test-fix',
          iteration: 0,
          maxIterations: 5,
          passRate: 60,
          branch: 'ratchet/WFS-test-repo',
        },
        question: { id: 'budget-1', kind: 'budget' },
      },
    ])
  })

  test('dev cycle: the question between two iterations', async () => {
    const host = cycleHost({ runs: [measured(3, 3), measured(4, 5)], prepared: { hooks: HOOKS } })
    await runCycle(
      env,
      host,
      async (run) => {
        for (const [nth, id, choice] of [
          [1, 'approve-plan-1', 'approve'],
          [2, 'iteration-1', 'continue'],
          [3, 'iteration-2', 'stop'],
        ] as const) {
          await asked(run, id)
          await told(host, nth)
          await answer(run, { choice })
        }
        await run.result()
        expect(await notices(run.handle)).toEqual([['completed', 'completed'], ['completed']])
      },
      { project: '/repo', task: 'Add OAuth2 login', interactive: true },
      'hooks-cycle',
      'dev-cycle',
    )
    expect(host.notices.map(({ question }) => question.id)).toEqual([
      'approve-plan-1',
      'iteration-1',
      'iteration-2',
    ])
  })

  test('dev loop: every menu', async () => {
    const host = loopHost({ runs: [measured(3, 3)], prepared: { hooks: HOOKS } })
    await runCycle(
      env,
      host,
      async (run) => {
        for (const [n, choice] of [
          'develop',
          'develop',
          'validate',
          'develop',
          'develop',
          'exit',
        ].entries()) {
          await asked(run, `menu-${n + 1}`)
          await told(host, n + 1)
          await answer(run, { questionId: `menu-${n + 1}`, choice })
        }
        expect(await run.result()).toMatchObject({ outcome: 'user_exit' })
        expect((await notices(run.handle)).flat()).toEqual(Array(6).fill('completed'))
      },
      INTERACTIVE,
      'hooks-loop',
      'dev-loop',
    )
  })
})

test.each<{ why: string; hooks: AskedEvent[] | undefined }>([
  { why: 'a run prepared by a version without hooks', hooks: undefined },
  { why: 'no hook', hooks: [] },
  { why: 'a hook for budgets only, and a menu', hooks: ['budget'] },
])('no hook runs: $why', async ({ hooks }) => {
  const host = loopHost({ runs: [measured(3, 3)], prepared: hooks === undefined ? {} : { hooks } })
  await runCycle(
    env,
    host,
    async (run) => {
      await asked(run, 'menu-1')
      await answer(run, { choice: 'exit' })
      await run.result()
      expect(await notices(run.handle)).toEqual([[]])
    },
    INTERACTIVE,
    `no-hooks-${String(hooks?.length)}`,
    'dev-loop',
  )
  expect(host.notices).toEqual([])
})

test('a hanging hook delays nothing: the answer withdraws it before the next iteration', async () => {
  const host = fix({ notify: hangs })
  await runCycle(env, host, async (run) => {
    await asked(run, 'budget-1')
    await told(host)
    await raise(run)
    expect(await run.result()).toMatchObject({ outcome: 'success', iterations: 2 })
    expect(await notices(run.handle)).toEqual([[], ['cancelled'], [], []])
  })
})

test('a question answered before a worker takes its hook never runs it', async () => {
  const host = {
    ...fix({
      prepared: { hooks: HOOKS },
      turn: (_turn, call) => (call === 1 ? { waitForCancel: true } : {}),
    }),
    slots: 1,
  }
  await runCycle(env, host, async (run) => {
    await run.until('the turn, which takes the only slot', () => host.turns.length === 1)
    const question = {
      id: 'q-1',
      kind: 'permission',
      text: 'run it?',
      options: ['allow', 'deny'],
      recommended: 'deny',
      askedAt: 0,
    }
    const update = await run.handle.startUpdate('ratchetAsk', {
      args: [question],
      waitForStage: 'ACCEPTED',
    })
    await answer(run, { questionId: 'q-1', choice: 'allow' })
    expect(await update.result()).toBe('allow')
    await waitFor(async () => (await notices(run.handle)).flat().includes('cancelled'), {
      what: 'the withdrawal',
    })
    await run.handle.signal('stop')
    await run.result()
  })
  expect(host.notices).toEqual([])
})

test('re-attaching to an open question emits no hook event; asking it again does', async () => {
  const host = fix({
    prepared: { hooks: HOOKS },
    turn: (_turn, call) => (call === 1 ? { waitForCancel: true } : {}),
  })
  await runCycle(env, host, async (run) => {
    await run.until('the turn', () => host.turns.length === 1)
    const ask = (askedAt: number) =>
      run.handle.startUpdate<string, [unknown]>('ratchetAsk', {
        args: [
          { id: 'q-1', kind: 'permission', text: 'run it?', options: ['allow', 'deny'], askedAt },
        ],
        waitForStage: 'ACCEPTED',
      })
    const [first, second] = [await ask(1), await ask(2)]
    await told(host)
    await answer(run, { choice: 'allow' })
    expect([await first.result(), await second.result()]).toEqual(['allow', 'allow'])
    const third = await ask(3)
    await told(host, 2)
    await answer(run, { choice: 'deny' })
    expect(await third.result()).toBe('deny')
    await run.handle.signal('stop')
    await run.result()
  })
  expect(host.notices.map(({ question }) => question.askedAt)).toEqual([1, 3])
})

test('a failed hook is a warning of the run', async () => {
  const host = fix({
    notify: () =>
      Promise.resolve({
        warnings: ['the hook "question" failed for "budget": ended with code 3'],
      }),
  })
  await runCycle(env, host, async (run) => {
    await asked(run, 'budget-1')
    await waitFor(async () => (await warningsOf(run)).length > 0, { what: 'the warning' })
    await raise(run)
    const warnings = ['the hook "question" failed for "budget": ended with code 3']
    expect(await run.result()).toMatchObject({ outcome: 'success', warnings })
    expect(await warningsOf(run)).toEqual(warnings)
  })
})

test('a hook whose activity fails for good is a warning too, and the run continues', async () => {
  const host = fix({ notify: () => Promise.reject(ApplicationFailure.nonRetryable('broken')) })
  await runCycle(env, host, async (run) => {
    await asked(run, 'budget-1')
    await waitFor(async () => (await warningsOf(run)).length > 0, { what: 'the warning' })
    await raise(run)
    expect(await run.result()).toMatchObject({ outcome: 'success' })
    expect(await warningsOf(run)).toEqual(['no hook received "budget": broken'])
  })
})

test('a hook whose worker dies runs on the next worker', async () => {
  let calls = 0
  const host = fix({
    notify: () =>
      ++calls === 1
        ? Promise.reject(new Error('the worker died'))
        : Promise.resolve({ warnings: [] }),
  })
  await runCycle(env, host, async (run) => {
    await asked(run, 'budget-1')
    await told(host, 2)
    await raise(run)
    expect(await run.result()).toMatchObject({ outcome: 'success' })
    expect(await warningsOf(run)).toEqual([])
  })
})

test.each(['stop', 'cancel'] as const)('a %s ends the run and withdraws the hook', async (how) => {
  const host = fix({ notify: hangs })
  await runCycle(env, host, async (run) => {
    await asked(run, 'budget-1')
    await told(host)
    await (how === 'stop' ? run.handle.signal('stop', 'enough') : run.handle.cancel())
    await run.result().catch(() => undefined)
    expect((await notices(run.handle)).flat()).not.toContain('open')
  })
  expect(host.records.at(-1)?.result).toMatchObject({ outcome: 'stopped' })
})

test('hooks changed during a pause count from resume on', async () => {
  const host = fix({
    prepared: { hooks: [], spending: ONE_TURN },
    reloaded: { hooks: HOOKS, spending: ONE_TURN },
    turn: (_turn, call) => (call === 1 ? { waitForCancel: true } : {}),
  })
  await runCycle(env, host, async (run) => {
    await run.until('the turn', () => host.turns.length === 1)
    await run.handle.signal('pause', 'now')
    await run.until('the pause', (s) => s.status === 'paused')
    await run.handle.signal('resume')
    await asked(run, 'budget-1')
    await told(host)
    await raise(run)
    await run.result()
  })
  expect(host.notices[0]?.configHash).toBe('c2')
})

test('in auto mode an empty budget asks and runs its hook', async () => {
  const host = loopHost({ runs: [measured(3, 3)], prepared: HOOKED })
  await runCycle(
    env,
    host,
    async (run) => {
      await asked(run, 'budget-1')
      await told(host)
      await raise(run)
      expect(await run.result()).toMatchObject({ outcome: 'completed' })
    },
    AUTO,
    'hooks-auto',
    'dev-loop',
  )
})
