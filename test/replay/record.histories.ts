// Records one history per path through the test-fix cycle, with every link of its chain, against
// the stub host. Existing histories are never overwritten: a changed workflow needs `patched` and a
// new name.
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, test } from 'vitest'
import { say } from '../support/runs/approving.js'
import { HOOKED, hangs, warned } from '../support/runs/hooked-runs.js'
import {
  COVERED,
  GOOD_TESTS,
  severalCauses,
  TEST_TASK,
  stubHost,
  type Script,
} from '../support/stub-host.js'
import type { TaskEntry } from '../../src/contract/test-fix/task.js'
import type { TestRun } from '../../src/contract/test-run.js'
import { localEnv } from '../support/servers/temporal.js'
import { compared, measured, notStarted } from '../support/test-runs.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'
import { isKept, keepHistory } from './keep-history.js'

const GREEN = [measured(3, 5), measured(5, 5), measured(5, 5)]

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await localEnv()
})
afterAll(() => env.teardown())

type Path = {
  name: string
  script: Script
  input?: unknown
  act?: (run: Running, turns: () => number, notices: () => number) => Promise<unknown>
}
const firstTurn = (run: Running, turns: () => number) =>
  run.until('the first turn', () => turns() === 1)

const answerBudget = async (
  run: Running,
  id: string,
  choice: string,
  text?: string,
): Promise<void> => {
  await run.until(`the question ${id}`, (s) => s.questions === 1)
  await run.handle.executeUpdate('answer', {
    args: [{ questionId: id, choice, ...(text === undefined ? {} : { text }) }],
  })
}

const unusable = { read: { kind: 'unusable' as const, problem: 'no fenced JSON', form: '{}' } }
const inBand = (low: number): TestRun =>
  measured(19, 20, {
    comparison: compared({
      levels: { high: 1 - low, medium: 0, low, undecided: 1 - low },
      stuck: 0,
      stuckTests: [],
    }),
  })
const stuck = (n: number): TestRun =>
  measured(10, 20, {
    fingerprint: `f${n}`,
    comparison: compared({
      levels: { high: 10, medium: 0, low: 0, undecided: 10 },
      stuck: n > 2 ? 10 : 0,
      stuckTests: [],
    }),
  })
const restored = {
  startedAt: 1,
  iteration: 0,
  history: [],
  commits: [],
  usage: { turns: 1, inputTokens: 1, outputTokens: 1, estimated: false },
  lastRun: measured(3, 5),
}
const pending = {
  iteration: 1,
  task: 'IMPL-fix-1',
  parent: 'IMPL-002',
  strategy: 'conservative' as const,
  quality: 'normal' as const,
  summary: 'fix it',
  points: 1,
  affectedFiles: [],
  startedAt: 2,
  turnsBefore: 0,
  notes: [],
}
// prettier-ignore
const GENERATED: TaskEntry[] = [
  { id: 'IMPL-001', title: 'write tests', type: 'test-gen', role: 'code-developer', status: 'pending', dependsOn: [], file: 'IMPL-001.json', attempts: 0 },
  { id: 'IMPL-001.3', title: 'check them', type: 'code-validation', role: 'test-fix-agent', status: 'pending', dependsOn: ['IMPL-001'], file: 'IMPL-001.3.json', attempts: 0 },
  { ...TEST_TASK, dependsOn: ['IMPL-001.3'] },
]
const AGENTS = {
  'cli-planning-agent': ['planner'],
  'test-fix-agent': ['fixer'],
  'code-developer': ['developer'],
}

const PATHS: Path[] = [
  {
    name: 'happy',
    script: { runs: [measured(3, 5), measured(4, 5), measured(5, 5), measured(5, 5)] },
  },
  { name: 'green-at-once', script: { runs: [measured(5, 5)] } },
  {
    name: 'budget-spent',
    script: { runs: [measured(3, 5)] },
    input: { project: '/repo', maxIterations: 2 },
  },
  {
    name: 'rolled-back',
    script: { runs: [measured(8, 10), measured(5, 10), measured(10, 10), measured(10, 10)] },
  },
  {
    name: 'several-causes-one-wrong',
    script: {
      runs: [3, 5, 4, 7, 10, 10].map((passed) => measured(passed, 10)),
      turn: severalCauses,
    },
  },
  {
    name: 'several-causes-rolled-back',
    script: { runs: [3, 5, 4].map((passed) => measured(passed, 10)), turn: severalCauses },
    input: { project: '/repo', maxIterations: 2 },
  },
  { name: 'suite-not-started', script: { runs: [notStarted(), measured(5, 5), measured(5, 5)] } },
  { name: 'no-change', script: { runs: GREEN, emptyFixes: [1] } },
  {
    name: 'no-agent',
    script: {
      runs: [measured(3, 5)],
      prepared: { agents: { 'cli-planning-agent': [], 'test-fix-agent': [] } },
    },
  },
  {
    name: 'agent-crashed',
    script: {
      runs: GREEN,
      turn: (_t, call) =>
        call === 1 ? { outcome: 'failed', reason: 'exited with code 1', crashes: 3 } : {},
    },
  },
  {
    name: 'worker-lost',
    script: { runs: GREEN, turn: (_t, call) => (call === 1 ? { fail: 'broken' } : {}) },
  },
  {
    name: 'agent-failed',
    script: {
      runs: [measured(3, 5)],
      turn: () => ({ outcome: 'failed', reason: 'no credentials' }),
    },
  },
  {
    name: 'converged',
    script: { runs: GREEN, turn: (t) => (t.turn === 'work' ? { outcome: 'timed_out' } : {}) },
  },
  { name: 'flaky', script: { runs: [measured(5, 5, { flaky: 1, flakyTests: ['a'] })] } },
  {
    name: 'budget-raised',
    script: {
      runs: GREEN,
      prepared: { spending: { onRateLimit: 'wait', budget: { turns: 1, tokens: 1_000 } } },
      turn: (_t, call) =>
        call === 2
          ? {
              outcome: 'over_budget',
              over: 'tokens',
              usage: { inputTokens: 2_000, outputTokens: 0, estimated: false },
            }
          : {},
    },
    act: async (run) => {
      await answerBudget(run, 'budget-1', 'raise')
      await answerBudget(run, 'budget-2', 'raise')
    },
  },
  {
    name: 'budget-stopped',
    script: { runs: GREEN, prepared: { spending: { onRateLimit: 'wait', budget: { turns: 1 } } } },
    act: (run) => answerBudget(run, 'budget-1', 'stop'),
  },
  // A hook that ran and printed a warning; one withdrawn while it runs, by the answer or by a stop;
  // one that fails for good.
  {
    name: 'hooks-told',
    script: {
      runs: GREEN,
      prepared: HOOKED,
      notify: () =>
        Promise.resolve({
          warnings: ['the hook "question" failed for "budget": ended with code 3'],
        }),
    },
    act: (run) => warned(run).then(() => answerBudget(run, 'budget-1', 'raise', '100')),
  },
  {
    name: 'hooks-withdrawn',
    script: { runs: GREEN, prepared: HOOKED, notify: hangs },
    act: (run, _turns, notices) =>
      run
        .until('the hook', () => notices() === 1)
        .then(() => answerBudget(run, 'budget-1', 'raise', '100')),
  },
  {
    name: 'hooks-failed',
    script: {
      runs: GREEN,
      prepared: HOOKED,
      notify: () => Promise.reject(ApplicationFailure.nonRetryable('broken')),
    },
    act: (run) => warned(run).then(() => answerBudget(run, 'budget-1', 'raise', '100')),
  },
  {
    name: 'hooks-stopped',
    script: { runs: GREEN, prepared: HOOKED, notify: hangs },
    act: (run, _turns, notices) =>
      run.until('the hook', () => notices() === 1).then(() => run.handle.signal('stop', 'enough')),
  },
  {
    name: 'rate-limited',
    script: {
      runs: GREEN,
      turn: (_t, call) =>
        call === 1 ? { outcome: 'rate_limited', limitedUntil: Date.now() + 500 } : {},
    },
  },
  {
    name: 'rate-limit-handed-over',
    script: {
      runs: GREEN,
      prepared: {
        spending: { onRateLimit: 'next' },
        agents: { ...AGENTS, 'test-fix-agent': ['fixer', 'other'] },
      },
      turn: (t) =>
        t.agent === 'fixer'
          ? { outcome: 'rate_limited', limitedUntil: Date.now() + 3_600_000, tail: 'begun' }
          : {},
    },
  },
  {
    name: 'paused',
    script: { runs: GREEN, turn: (_t, call) => (call === 1 ? { waitForCancel: true } : {}) },
    act: async (run, turns) => {
      await firstTurn(run, turns)
      await run.handle.signal('pause', { mode: 'now', reason: 'night' })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
    },
  },
  {
    name: 'stopped',
    script: { runs: GREEN, turn: () => ({ waitForCancel: true }) },
    act: async (run, turns) => {
      await firstTurn(run, turns)
      await run.handle.signal('stop', { reason: 'enough' })
    },
  },
  {
    name: 'cancelled',
    script: { runs: GREEN, turn: () => ({ waitForCancel: true }) },
    act: async (run, turns) => {
      await firstTurn(run, turns)
      await run.handle.cancel()
    },
  },
  {
    name: 'asked-and-extended',
    script: { runs: GREEN, turn: (_t, call) => (call === 1 ? { waitForCancel: true } : {}) },
    act: async (run, turns) => {
      await firstTurn(run, turns)
      const question = {
        id: 'q-1',
        kind: 'permission',
        text: 'run it?',
        options: ['allow', 'deny'],
        recommended: 'deny',
        askedAt: 0,
      }
      const asked = await run.handle.startUpdate('ratchetAsk', {
        args: [question],
        waitForStage: 'ACCEPTED',
      })
      await run.handle.executeUpdate('answer', {
        args: [{ questionId: 'q-1', choice: 'allow', requestId: 'r-1' }],
      })
      await asked.result()
      await run.handle.executeUpdate('extend', { args: [{ iterations: 1 }] })
      await run.handle.signal('pause', 'now')
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
    },
  },
  {
    name: 'assessed-low',
    script: {
      runs: [inBand(0), inBand(1)],
      turn: (t) =>
        t.turn === 'assess'
          ? {
              read: {
                kind: 'assessment',
                claims: { path: '/c', sha256: 'c', bytes: 1 },
                levels: { high: 0, medium: 0, low: 1, undecided: 0 },
              },
            }
          : {},
    },
  },
  { name: 'stuck', script: { runs: [1, 2, 3, 4].map(stuck) } },
  {
    name: 'degraded',
    script: { runs: GREEN, turn: (t) => (t.role === 'cli-planning-agent' ? unusable : {}) },
  },
  {
    name: 'degraded-blocked',
    script: {
      runs: [measured(3, 5)],
      turn: (t) => (t.role === 'cli-planning-agent' ? unusable : {}),
    },
  },
  {
    name: 'final-failed',
    script: {
      runs: [measured(3, 5), measured(5, 5), measured(4, 5), measured(5, 5), measured(5, 5)],
    },
  },
  {
    name: 'tests-generated',
    script: {
      runs: [measured(5, 5)],
      prepared: { agents: AGENTS, tasks: GENERATED, unplanned: true },
    },
  },
  {
    name: 'approved',
    script: { runs: GREEN },
    input: { project: '/repo', interactive: true },
    act: async (run) => {
      await say(run, 'approve-IMPL-fix-1', 'use integers')
      await say(run, 'approve-IMPL-fix-1-change-1', 'approve')
    },
  },
  {
    name: 'not-approved',
    script: { runs: GREEN },
    input: { project: '/repo', interactive: true },
    act: (run) => say(run, 'approve-IMPL-fix-1', 'stop'),
  },
  {
    name: 'approved-tests',
    script: {
      runs: [measured(5, 5)],
      prepared: { agents: AGENTS, tasks: GENERATED, unplanned: true },
    },
    input: { project: '/repo', interactive: true },
    act: async (run) => {
      await say(run, 'approve-IMPL-001', 'cover the parser')
      await say(run, 'approve-IMPL-001-change-1', 'approve')
      await say(run, 'approve-IMPL-001-written', 'shorter')
      await say(run, 'approve-IMPL-001-written-change-1', 'approve')
    },
  },
  {
    name: 'gate-blocked',
    script: {
      runs: [measured(5, 5)],
      prepared: { agents: AGENTS, tasks: GENERATED },
      turn: (t) => (t.ask.about === 'gate' ? unusable : {}),
    },
  },
  {
    name: 'tests-measured',
    script: {
      runs: [measured(5, 5), measured(4, 5), measured(5, 5)],
      prepared: { agents: AGENTS, tasks: GENERATED, generation: { task: 'IMPL-001' } },
      coverage: (call) => ({
        ...COVERED,
        ...(call === 1 ? { coverage: { lines: 40, branches: 30, functions: 50 } } : {}),
      }),
      measured: (call) =>
        call === 1
          ? { ...GOOD_TESTS, mutants: { tried: 10, killed: 1, survivors: [] } }
          : GOOD_TESTS,
    },
  },
  {
    name: 'resumed-fix',
    script: { runs: [measured(5, 5)], prepared: { restored: { ...restored, pending } } },
  },
  {
    name: 'resumed-retest',
    script: {
      runs: [measured(5, 5)],
      prepared: { restored: { ...restored, pending: { ...pending, commit: 'fix-0' } } },
    },
  },
]

test.each(PATHS)('$name', async ({ name, script, input, act }) => {
  if (isKept('test-fix', name)) return
  const host = stubHost(script)
  await runCycle(
    env,
    host,
    async (run) => {
      await act?.(
        run,
        () => host.turns.length,
        () => host.notices.length,
      )
      await run.result().catch(() => undefined)
      await keepHistory(env, run.handle, 'test-fix', name)
    },
    input ?? { project: '/repo' },
    `WFS-test-${name}.abc123`,
  )
})
