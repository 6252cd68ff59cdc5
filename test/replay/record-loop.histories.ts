// Records one history per path through the dev loop against the stub host; see record.histories.ts.
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, test } from 'vitest'
import type { Question } from '../../src/contract/question.js'
import { say as approve } from '../support/runs/approving.js'
import { HOOKS, hangs, warned } from '../support/runs/hooked-runs.js'
import {
  conflict,
  loopHost,
  loopTasks,
  type LoopHost,
  type LoopScript,
} from '../support/loop/loop-host.js'
import { AUTO, INTERACTIVE, PARALLEL } from '../support/loop/loop-runs.js'
import { localEnv } from '../support/servers/temporal.js'
import { measured } from '../support/test-runs.js'
import { waitFor } from '../support/wait.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'
import { historyId, isKept, keepHistory } from './keep-history.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await localEnv()
})
afterAll(() => env.teardown())

const GREEN = [measured(3, 3)]
const REPAIRED = [measured(3, 3), measured(2, 3), measured(2, 3), measured(3, 3)]

type Path = {
  name: string
  script: LoopScript
  input: Record<string, unknown>
  act?: (run: Running, host: LoopHost) => Promise<unknown>
}

const asked = (run: Running, id: string): Promise<Question> =>
  waitFor(
    async () => (await run.handle.query<Question[]>('questions')).find((one) => one.id === id),
    { what: `question ${id}`, timeoutMs: 20_000 },
  )
const answer = (run: Running, given: unknown) =>
  run.handle.executeUpdate('answer', { args: [given] })
const say = async (run: Running, questionId: string, choice: string) => {
  await asked(run, questionId)
  await answer(run, { questionId, choice })
}
const three: LoopScript['turn'] = (t) =>
  t.action === 'init' ? { says: { tasks: loopTasks(3) } } : {}
const oneQuestion: LoopScript['turn'] = (t) =>
  t.action === 'develop' && t.turn === 'work'
    ? {
        says: {
          status: 'needs_input',
          questions: [
            {
              id: 'Q1',
              text: 'Which database?',
              options: ['SQLite', 'Postgres'],
              recommended: 'Postgres',
            },
            { id: 'Q2', text: 'And why?', options: [] },
          ],
        },
      }
    : {}
const held: LoopScript['turn'] = (t, call) =>
  t.action === 'develop' && call <= 2 ? { waitForCancel: true } : {}
const atWork = (run: Running, host: LoopHost) =>
  run.until('the develop', () => host.turns.some(({ action }) => action === 'develop'))
const restored = {
  startedAt: 1,
  texts: ['Fix the flaky importer'],
  mode: 'interactive' as const,
  iteration: 3,
  maxIterations: 10,
  phase: 'develop' as const,
  actionIndex: 1,
  initialised: true,
  workersCompleted: ['init' as const, 'develop' as const],
  tasks: loopTasks(2).map((one, n) => (n === 0 ? { ...one, status: 'completed' as const } : one)),
  findings: [],
  workers: [],
  parallelResults: null,
  history: [],
  commits: ['old'],
}
const two = [
  conflict('src/a.ts', ['develop', 'debug', 'validate']),
  conflict('src/b.ts', ['develop', 'debug']),
]

const PATHS: Path[] = [
  { name: 'auto', script: { runs: GREEN }, input: AUTO },
  { name: 'auto-debug', script: { runs: REPAIRED }, input: AUTO },
  { name: 'auto-tasks', script: { runs: GREEN, turn: three }, input: AUTO },
  { name: 'auto-clarified', script: { runs: GREEN, turn: oneQuestion }, input: AUTO },
  {
    name: 'auto-timeout',
    script: {
      runs: GREEN,
      turn: (t) => (t.action === 'develop' && t.iteration === 2 ? { outcome: 'timed_out' } : {}),
    },
    input: AUTO,
  },
  {
    name: 'auto-stuck',
    script: {
      runs: [measured(2, 3)],
      empty: ['develop', 'validate'],
      turn: (t) =>
        t.action === 'validate'
          ? { says: { status: 'failed', loopBack: { to: 'develop', said: 'develop' } } }
          : {},
    },
    input: AUTO,
  },
  {
    name: 'max-iterations',
    script: { runs: GREEN, turn: three },
    input: { ...AUTO, maxIterations: 2 },
  },
  { name: 'no-tests', script: { runs: [null] }, input: AUTO },
  {
    name: 'no-block',
    script: {
      runs: GREEN,
      turn: (t) =>
        t.action === 'develop'
          ? {
              says: {
                status: 'unknown',
                reported: '',
                problem: 'there is no WORKER_RESULT block',
                form: 'FORM',
              },
            }
          : {},
    },
    input: { ...AUTO, maxIterations: 4 },
  },
  {
    name: 'no-agent',
    script: {
      runs: GREEN,
      prepared: {
        agents: {
          'loop-init': ['one'],
          'loop-develop': [],
          'loop-debug': ['one'],
          'loop-validate': ['one'],
          'loop-complete': ['one'],
        },
      },
    },
    input: AUTO,
  },
  {
    name: 'worker-lost',
    script: { runs: GREEN, turn: (_t, call) => (call <= 2 ? { fail: 'heartbeat timeout' } : {}) },
    input: AUTO,
  },
  {
    name: 'auto-budget-raised',
    script: { runs: GREEN, prepared: { spending: { onRateLimit: 'wait', budget: { turns: 1 } } } },
    input: AUTO,
    act: (run) =>
      say(run, 'budget-1', 'raise')
        .then(() => say(run, 'budget-2', 'raise'))
        .then(() => say(run, 'budget-3', 'raise')),
  },
  {
    name: 'parallel-rate-limited',
    script: {
      runs: GREEN,
      turn: (_turn, call) =>
        call === 2 ? { outcome: 'rate_limited', limitedUntil: Date.now() + 500 } : {},
    },
    input: PARALLEL,
  },
  {
    name: 'interactive',
    script: { runs: GREEN, turn: three },
    input: INTERACTIVE,
    act: async (run) => {
      for (const [n, choice] of [
        'develop',
        'debug',
        'develop',
        'develop',
        'validate',
        'complete',
      ].entries())
        await say(run, `menu-${n + 1}`, choice)
    },
  },
  {
    name: 'breakdown-changed',
    script: { runs: GREEN, turn: three },
    input: { ...INTERACTIVE, interactive: true },
    act: async (run) => {
      await approve(run, 'approve-breakdown', 'two tasks are enough')
      await approve(run, 'approve-breakdown-change-1', 'approve')
      await say(run, 'menu-2', 'exit')
    },
  },
  {
    name: 'interactive-clarified',
    script: { runs: GREEN, turn: oneQuestion },
    input: INTERACTIVE,
    act: async (run) => {
      await say(run, 'menu-1', 'develop')
      await asked(run, 'clarify-2-1-Q2')
      await answer(run, { answers: { Q1: 'SQLite', Q2: 'it is small' } })
      await say(run, 'menu-2', 'exit')
    },
  },
  {
    name: 'hooks',
    script: {
      runs: GREEN,
      turn: three,
      prepared: { hooks: HOOKS },
      notify: (input) =>
        input.question.id === 'menu-1'
          ? Promise.resolve({
              warnings: ['the hook "question" failed for "question": ended with code 3'],
            })
          : hangs(input),
    },
    input: INTERACTIVE,
    act: async (run, host) => {
      await warned(run)
      for (const [n, choice] of [
        'develop',
        'debug',
        'develop',
        'develop',
        'validate',
        'complete',
      ].entries()) {
        await run.until('the hook', () => host.notices.length === n + 1)
        await say(run, `menu-${n + 1}`, choice)
      }
    },
  },
  {
    name: 'user-exit',
    script: { runs: GREEN },
    input: INTERACTIVE,
    act: (run) => say(run, 'menu-1', 'exit'),
  },
  {
    name: 'paused-at-the-menu',
    script: { runs: GREEN },
    input: INTERACTIVE,
    act: async (run) => {
      await asked(run, 'menu-1')
      await run.handle.signal('pause', { reason: 'night' })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
      await say(run, 'menu-1', 'exit')
    },
  },
  {
    name: 'mode-changed',
    script: { runs: GREEN },
    input: INTERACTIVE,
    act: async (run) => {
      await asked(run, 'menu-1')
      await run.handle.signal('resume', { mode: 'auto' })
    },
  },
  {
    name: 'extended',
    script: { runs: GREEN },
    input: INTERACTIVE,
    act: async (run) => {
      await asked(run, 'menu-1')
      await run.handle.executeUpdate('extend', {
        args: [{ task: 'Also cover the CSV import', requestId: 'r-1' }],
      })
      for (const [n, choice] of ['develop', 'develop', 'validate', 'complete'].entries())
        await say(run, `menu-${n + 1}`, choice)
    },
  },
  {
    name: 'continued',
    script: { runs: GREEN, prepared: { restored } },
    input: { project: '/repo', loopId: 'loop-1', mode: 'auto' },
  },
  { name: 'parallel', script: { runs: GREEN }, input: PARALLEL },
  {
    name: 'parallel-conflict',
    script: { runs: GREEN, conflicts: two },
    input: PARALLEL,
    act: async (run) => {
      await say(run, 'conflict-1-1', 'validate')
      await say(run, 'conflict-1-2', 'debug')
    },
  },
  {
    name: 'parallel-timeout',
    script: {
      runs: [measured(3, 3), measured(2, 3)],
      turn: (t) => (t.action === 'debug' ? { outcome: 'timed_out' } : {}),
    },
    input: PARALLEL,
  },
  {
    name: 'stopped-at-a-conflict',
    script: { runs: GREEN, conflicts: two },
    input: PARALLEL,
    act: async (run) => {
      await asked(run, 'conflict-1-1')
      await run.handle.signal('stop', 'enough')
    },
  },
  {
    name: 'paused',
    script: { runs: GREEN, turn: held },
    input: AUTO,
    act: async (run, host) => {
      await atWork(run, host)
      await run.handle.signal('pause', { mode: 'now', reason: 'night' })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
    },
  },
  {
    name: 'stopped',
    script: { runs: GREEN, turn: held },
    input: AUTO,
    act: async (run, host) => {
      await atWork(run, host)
      await run.handle.signal('stop', { reason: 'enough' })
    },
  },
  {
    name: 'cancelled',
    script: { runs: GREEN, turn: held },
    input: AUTO,
    act: async (run, host) => {
      await atWork(run, host)
      await run.handle.cancel()
    },
  },
]

for (const { name, script, input, act } of PATHS) {
  test.skipIf(isKept('dev-loop', name))(`dev-loop ${name}`, async () => {
    const host = loopHost(script)
    const handle = await runCycle(
      env,
      host,
      async (run) => {
        await act?.(run, host)
        await run.result().catch(() => undefined)
        return run.handle
      },
      input,
      historyId('dev-loop', name),
      'dev-loop',
    )
    await keepHistory(env, handle, 'dev-loop', name)
  })
}
