// Records one history per path through the dev cycle against the stub host; see
// record.histories.ts.
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, test } from 'vitest'
import { approvePlan, say } from '../support/runs/approving.js'
import { cycleHost, type CycleHost, type CycleScript } from '../support/cycle/cycle-host.js'
import { HOOKS, hangs, warned } from '../support/runs/hooked-runs.js'
import { localEnv } from '../support/servers/temporal.js'
import { measured, notStarted } from '../support/test-runs.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'
import { historyId, isKept, keepHistory } from './keep-history.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await localEnv()
})
afterAll(() => env.teardown())

const TASK = { project: '/repo', task: 'Add OAuth2 login' }
const GREEN = [measured(3, 3)]
const FAILING = [measured(3, 3), measured(4, 5)]

type Path = {
  name: string
  script: CycleScript
  input?: Record<string, unknown>
  act?: (run: Running, host: CycleHost) => Promise<unknown>
}
const fourAtWork = (run: Running, host: CycleHost) =>
  run.until('four turns', () => host.turns.length === 4)
const heldFirst = (): { turn: NonNullable<CycleScript['turn']>; release: () => void } => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    turn: (_turn, call) => (call <= 4 ? held.then(() => ({})) : {}),
    release: () => release(),
  }
}
const interrupted: CycleScript['turn'] = (_turn, call) => (call <= 4 ? { waitForCancel: true } : {})
const [extended, lastExtended] = [heldFirst(), heldFirst()]
const restored = {
  startedAt: 1,
  tasks: [{ text: 'Add OAuth2 login', iteration: 1 }],
  scheduling: 'parallel' as const,
  parallel: 4,
  interactive: false,
  iteration: 2,
  maxIterations: 5,
  completedPhases: [],
  phaseErrors: [],
  agents: Object.fromEntries(
    ['ra', 'ep', 'cd', 'vas'].map((p) => [
      p,
      { status: 'completed', output_files: [], iterations_completed: 2 },
    ]),
  ) as never,
  iterations: [
    { number: 2, startedAt: 1, completedAt: 2, agentResults: {}, issuesFound: [], resolved: true },
  ],
  feedbackLog: [],
  decisions: [],
  blockers: [],
  oneToHundred: false,
  openIssues: [],
  pendingExtensions: [],
  history: [],
  commits: ['old'],
  changedFiles: 3,
}

const PATHS: Path[] = [
  { name: 'success', script: { runs: GREEN } },
  { name: 'feedback', script: { runs: [measured(3, 3), measured(4, 5), measured(5, 5)] } },
  { name: 'with-issues', script: { runs: FAILING }, input: { ...TASK, maxIterations: 2 } },
  { name: 'staged', script: { runs: GREEN }, input: { ...TASK, scheduling: 'staged' } },
  { name: 'parallel-two', script: { runs: GREEN }, input: { ...TASK, parallel: 2 } },
  { name: 'no-tests', script: { runs: [null] }, input: { ...TASK, maxIterations: 1 } },
  {
    name: 'suite-not-started',
    script: { runs: [notStarted()] },
    input: { ...TASK, maxIterations: 1 },
  },
  {
    name: 'timeout',
    script: {
      runs: GREEN,
      turn: (t) => (t.phase === 'ep' && t.turn !== 'feedback' ? { outcome: 'timed_out' } : {}),
    },
    input: { ...TASK, maxIterations: 1 },
  },
  {
    name: 'agent-failed',
    script: {
      runs: GREEN,
      turn: (t) => (t.phase === 'ep' ? { outcome: 'failed', reason: 'no credentials' } : {}),
    },
    input: { ...TASK, maxIterations: 2 },
  },
  {
    name: 'no-block',
    script: {
      runs: GREEN,
      turn: (t) =>
        t.phase === 'ra'
          ? { says: { status: 'unknown', problem: 'there is no PHASE_RESULT block', form: 'FORM' } }
          : {},
    },
    input: { ...TASK, maxIterations: 1 },
  },
  {
    name: 'no-agent',
    script: {
      runs: GREEN,
      prepared: {
        agents: {
          'requirements-analyst': ['one'],
          'exploration-planner': ['one'],
          'code-developer': [],
          'validation-archivist': ['one'],
        },
      },
    },
  },
  {
    name: 'worker-lost',
    script: { runs: GREEN, turn: (_t, call) => (call <= 4 ? { fail: 'heartbeat timeout' } : {}) },
  },
  {
    name: 'blockers-and-decisions',
    script: {
      runs: GREEN,
      turn: (t) =>
        t.phase === 'cd' && t.iteration < 3
          ? {
              says: {
                blockers: ['which provider?'],
                decisions: [
                  {
                    description: 'Which store?',
                    options: ['redis', 'memory'],
                    recommended: 'memory',
                  },
                ],
              },
            }
          : {},
    },
    input: { ...TASK, maxIterations: 3 },
  },
  {
    name: 'continued',
    script: { runs: GREEN, prepared: { restored } },
    input: { project: '/repo', cycleId: 'cycle-1', extend: 'Also add MFA' },
  },
  {
    name: 'budget-raised',
    script: { runs: GREEN, prepared: { spending: { onRateLimit: 'wait', budget: { turns: 2 } } } },
    act: async (run) => {
      await run.until('the question', (s) => s.questions === 1)
      await run.handle.executeUpdate('answer', {
        args: [{ questionId: 'budget-1', choice: 'raise', text: '10' }],
      })
    },
  },
  {
    name: 'hooks',
    script: {
      runs: FAILING,
      prepared: { hooks: HOOKS },
      notify: (input) =>
        input.question.id === 'iteration-1'
          ? Promise.resolve({
              warnings: ['the hook "question" failed for "question": ended with code 3'],
            })
          : hangs(input),
    },
    input: { ...TASK, interactive: true },
    act: async (run, host) => {
      await approvePlan(run)
      await warned(run)
      await run.handle.executeUpdate('answer', {
        args: [{ questionId: 'iteration-1', choice: 'continue' }],
      })
      await run.until('the hook of the next question', () => host.notices.length === 3)
      await run.handle.executeUpdate('answer', {
        args: [{ questionId: 'iteration-2', choice: 'stop' }],
      })
    },
  },
  {
    name: 'rate-limited',
    script: {
      runs: GREEN,
      turn: (_turn, call) =>
        call === 2 ? { outcome: 'rate_limited', limitedUntil: Date.now() + 500 } : {},
    },
  },
  {
    name: 'extension',
    script: { runs: GREEN, turn: extended.turn },
    act: async (run, host) => {
      await fourAtWork(run, host)
      await run.handle.executeUpdate('extend', {
        args: [{ task: 'Also add MFA', requestId: 'r-1' }],
      })
      extended.release()
    },
  },
  {
    name: 'extension-in-the-last',
    script: { runs: FAILING, turn: lastExtended.turn },
    input: { ...TASK, maxIterations: 1 },
    act: async (run, host) => {
      await fourAtWork(run, host)
      await run.handle.executeUpdate('extend', { args: ['Also add MFA'] })
      lastExtended.release()
    },
  },
  {
    name: 'interactive',
    script: { runs: FAILING },
    input: { ...TASK, interactive: true },
    act: async (run) => {
      await approvePlan(run)
      for (const [iteration, answer] of [
        [1, { choice: 'continue' }],
        [2, { choice: 'extend', text: 'Also add MFA' }],
        [3, { choice: 'stop' }],
      ] as const) {
        await run.until(
          `question ${iteration}`,
          (s) => s.questions === 1 && s.iteration === iteration,
        )
        await run.handle.executeUpdate('answer', { args: [answer] })
      }
    },
  },
  {
    name: 'plan-changed',
    script: { runs: GREEN },
    input: { ...TASK, interactive: true },
    act: async (run) => {
      await say(run, 'approve-plan-1', 'no new dependency')
      await say(run, 'approve-plan-1-change-1', 'approve')
      await run.until('the end to confirm', (s) => s.waitingFor.includes('Finish'))
      await run.handle.executeUpdate('answer', { args: ['finish'] })
    },
  },
  {
    name: 'paused',
    script: { runs: GREEN, turn: interrupted },
    act: async (run, host) => {
      await fourAtWork(run, host)
      await run.handle.signal('pause', { mode: 'now', reason: 'night' })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
    },
  },
  {
    name: 'stopped',
    script: { runs: GREEN, turn: interrupted },
    act: async (run, host) => {
      await fourAtWork(run, host)
      await run.handle.signal('stop', { reason: 'enough' })
    },
  },
  {
    name: 'cancelled',
    script: { runs: GREEN, turn: interrupted },
    act: async (run, host) => {
      await fourAtWork(run, host)
      await run.handle.cancel()
    },
  },
]

test.each(PATHS)('$name', async ({ name, script, input, act }) => {
  if (isKept('dev-cycle', name)) return
  const host = cycleHost(script)
  await runCycle(
    env,
    host,
    async (run) => {
      await act?.(run, host)
      await run.result().catch(() => undefined)
      await keepHistory(env, run.handle, 'dev-cycle', name)
    },
    input ?? TASK,
    historyId('dev-cycle', name),
    'dev-cycle',
  )
})
