// Runs with everything that a record is written from: stored test runs, fix tasks, a state.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refTo } from '../../src/adapters/files/file-ref.js'
import { recordDir } from '../../src/adapters/records/test-fix/session-paths.js'
import type {
  IterationSummary,
  RunResult,
  StatusReply,
  TestFixOutcome,
} from '../../src/contract/result.js'
import type { PendingFix, TestFixState } from '../../src/contract/test-fix/test-fix-state.js'
import type { RecordInput } from '../../src/contract/test-fix/test-fix-step.js'
import type { TaskEntry } from '../../src/contract/test-fix/task.js'
import type { Measured, StoredRun, StoredTest } from '../../src/contract/test-run.js'
import { runResult } from '../../src/core/test-fix/test-fix-result.js'
import { AT, writeFiles } from './repositories/repos.js'
import { compared as comparison } from './test-runs.js'

export const NAME = 'WFS-test-login'
export const RUN_ID = `${NAME}.0a1b2c`
const MINUTE = 60_000
const BASE = 'b'.repeat(40)

export const TEST_FIX: TaskEntry = {
  id: 'IMPL-002',
  title: 'Test and fix shop',
  type: 'test-fix',
  role: 'test-fix-agent',
  status: 'in_progress',
  dependsOn: [],
  file: 'IMPL-002.json',
  attempts: 1,
}

/** A test as a stored run has it; failing ones by `error`. */
export function stored(test: string, rest: Partial<StoredTest> = {}): StoredTest {
  return {
    file: 'test/unit/cart.test.js',
    test,
    status: rest.error === undefined ? 'passed' : 'failed',
    ...rest,
  }
}

/** Writes a stored run and returns the measured run of it. `compared` as every run is. */
export function measuredRun(
  dir: string,
  name: string,
  tests: StoredTest[],
  { commit = 'c0ffee', compared = true, missing = [] as StoredRun['missing'] } = {},
): Measured {
  mkdirSync(dir, { recursive: true })
  const text = `${JSON.stringify({ schema: 1, commit, runner: 'vitest', tests, missing })}\n`
  const [file, log] = [path.join(dir, `${name}.json`), path.join(dir, `${name}.log`)]
  writeFileSync(file, text)
  writeFileSync(log, `output of ${name}\n`)
  const failing = [...tests.filter((one) => one.status === 'failed'), ...missing]
  const total = tests.filter((one) => one.status !== 'skipped').length + missing.length
  const of = (level: string): number =>
    failing.filter((one) => (one.criticality ?? 'high') === level).length
  return {
    kind: 'measured',
    commit,
    total,
    passed: total - failing.length,
    failed: failing.length,
    skipped: tests.length + missing.length - total,
    flaky: tests.filter((one) => one.status === 'flaky').length,
    flakyTests: tests
      .filter((one) => one.status === 'flaky')
      .map((one) => `${one.file} > ${one.test}`),
    failures: failing.slice(0, 5).map(({ test, file, error = '' }) => ({ test, file, error })),
    failuresTotal: failing.length,
    results: refTo(file, text),
    output: refTo(log, `output of ${name}\n`),
    fingerprint: `f${failing.length}`,
    durationMs: 10,
    ...(compared
      ? {
          comparison: comparison({
            levels: { high: of('high'), medium: of('medium'), low: of('low'), undecided: 0 },
            stuck: 0,
            stuckTests: [],
          }),
        }
      : {}),
  }
}

export function iteration(n: number, rest: Partial<IterationSummary>): IterationSummary {
  return {
    iteration: n,
    passRate: null,
    result: 'kept',
    commit: n === 0 ? null : String(n).repeat(40),
    turns: n === 0 ? 0 : 2,
    ...(n === 0
      ? {}
      : {
          task: `IMPL-fix-${n}`,
          parent: 'IMPL-002',
          strategy: 'conservative',
          analysis: 'normal',
          startedAt: AT + n * MINUTE,
          completedAt: AT + n * MINUTE + 30_000,
        }),
    ...rest,
  }
}

export const PENDING: PendingFix = {
  iteration: 2,
  task: 'IMPL-fix-2',
  parent: 'IMPL-002',
  strategy: 'surgical',
  quality: 'normal',
  summary: 'Check for an empty cart',
  points: 1,
  affectedFiles: ['test/unit/cart.test.js'],
  startedAt: AT + 2 * MINUTE,
  turnsBefore: 2,
  notes: [],
}

/** A state after iteration 1: 9 of 10 pass. */
export function stateAfterOne(
  project: string,
  tests: string,
  rest: Partial<TestFixState> = {},
): TestFixState {
  const first = measuredRun(
    tests,
    'baseline',
    Array.from({ length: 10 }, (_, n) =>
      stored(`cart ${n + 1}`, n < 3 ? { error: `expected ${n} to be ${n + 1}` } : {}),
    ),
    { commit: BASE },
  )
  const second = measuredRun(
    tests,
    'retest',
    Array.from({ length: 10 }, (_, n) =>
      stored(
        `cart ${n + 1}`,
        n === 2
          ? {
              error: 'expected 2 to be 3\n    at test/unit/cart.test.js:14:5',
              streak: 2,
              criticality: 'medium',
              source: 'analysis',
            }
          : {},
      ),
    ),
    { commit: '1'.repeat(40) },
  )
  return {
    schema: 1,
    input: { project, session: NAME },
    startedAt: AT,
    facts: { searchAttributes: [], queue: 'q', project, projectKey: '0a1b2c3d4e5f' },
    prepared: {
      workspace: {
        project,
        root: '/state/tree',
        cwd: '/state/tree',
        branch: `ratchet/${NAME}`,
        base: BASE,
        isolation: 'clone',
      },
      head: BASE,
      name: NAME,
      recordDir: recordDir(project, NAME),
      configHash: 'c'.repeat(64),
      testCommand: 'npm test',
      agents: {
        'cli-planning-agent': ['gemini'],
        'test-fix-agent': ['codex'],
        'code-developer': [],
      },
      limits: { maxIterations: 5, agentTurnMs: 1, convergeMs: 1, idleMs: 1, analysisMs: 1 },
      testTimeoutMs: 1,
      warnings: [],
    },
    iteration: 1,
    maxIterations: 5,
    head: '1'.repeat(40),
    lastRun: second,
    baseline: first.results,
    lastFull: second.results,
    history: [
      iteration(0, { passRate: 70, passed: 7, total: 10, result: 'baseline' }),
      iteration(1, {
        passRate: 90,
        passed: 9,
        total: 10,
        levels: { high: 0, medium: 1, low: 0, undecided: 0 },
        stuck: 0,
      }),
    ],
    commits: ['1'.repeat(40)],
    usage: { turns: 2, inputTokens: 100, outputTokens: 50, estimated: true },
    warnings: [],
    requestIds: [],
    queue: [TEST_FIX],
    ...rest,
  }
}

export function recordInput(
  state: TestFixState,
  end?: { outcome: TestFixOutcome; reason?: string },
): RecordInput {
  const { prepared, iteration: n, maxIterations, history } = state
  const status: StatusReply = {
    id: RUN_ID,
    kind: 'test-fix',
    project: prepared.workspace.project,
    status: 'running',
    phase: 'x',
    iteration: n,
    maxIterations,
    passRate: null,
    waitingFor: '',
    branch: prepared.workspace.branch,
    questions: 0,
    history,
  }
  const result: RunResult | undefined =
    end === undefined ? undefined : runResult(RUN_ID, end.outcome, end.reason, state)
  return {
    run: RUN_ID,
    prepared,
    status,
    state,
    at: AT + 10 * MINUTE,
    ...(result === undefined ? {} : { result }),
  }
}

/** A fix task as an analysis writes it. */
export function fixTaskFile(n: number, rest: Record<string, unknown> = {}): string {
  return `${JSON.stringify(
    {
      id: `IMPL-fix-${n}`,
      title: `Fix test failures - Iteration ${n}`,
      status: 'pending',
      meta: {
        type: 'test-fix-iteration',
        agent: '@test-fix-agent',
        iteration: n,
        parent_task: 'IMPL-002',
        max_iterations: 5,
      },
      context: {
        requirements: [],
        failure_context: {
          failed_tests: ['test/unit/cart.test.js > cart 1', 'test/unit/cart.test.js > cart 3'],
          error_messages: ['expected 0 to be 1', 'expected 2 to be 3'],
        },
        fix_strategy: {
          approach: 'Add up what is in the cart',
          modification_points: ['src/cart.js:total:10-14'],
          expected_outcome: 'All pass',
          root_causes: ['The last item is left out'],
          confidence_score: 0.8,
          test_execution: { affected_tests: ['test/unit/cart.test.js'] },
        },
        depends_on: [],
      },
      ...rest,
    },
    null,
    2,
  )}\n`
}

/** Files that a session has before its first record. */
export function sessionFiles(project: string): void {
  writeFiles(recordDir(project, NAME), {
    'workflow-session.json': `${JSON.stringify({ schema: 1, session_id: NAME, workflow_type: 'test_session', type: 'test', project, description: 'Fix', workflow_id: RUN_ID, status: 'created', created_at: '2026-11-20T20:00:00+08:00', branch: 'b', base: 'base' })}\n`,
    'IMPL_PLAN.md': '# Plan\n',
    '.task/IMPL-002.json': `${JSON.stringify({ id: 'IMPL-002', title: 'Test and fix shop', status: 'pending', custom: { keep: 'me' }, meta: { type: 'test-fix', agent: '@test-fix-agent' }, context: { depends_on: [] } }, null, 2)}\n`,
    '.task/IMPL-fix-1.json': fixTaskFile(1),
  })
}
