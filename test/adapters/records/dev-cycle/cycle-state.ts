// A cycle with all inputs of its record: a project, a workspace with documents of all four agents,
// a state after one iteration.
import { layOut, progressPaths } from '../../../../src/adapters/records/dev-cycle/cycle-progress.js'
import {
  cycleFiles,
  openCycleRecord,
} from '../../../../src/adapters/records/dev-cycle/cycle-paths.js'
import type { CycleState, PhaseResult } from '../../../../src/contract/dev-cycle/cycle-state.js'
import type { Phase } from '../../../../src/contract/dev-cycle/discovery.js'
import type { RunResult } from '../../../../src/contract/result.js'
import type { Measured } from '../../../../src/contract/test-run.js'
import { cycleResult } from '../../../../src/core/dev-cycle/cycle-view.js'
import type { CycleOutcome } from '../../../../src/core/dev-cycle/cycle-outcome.js'
import { AT, tempDir, writeFiles, type Files } from '../../../support/repositories/repos.js'
import { measuredRun, stored } from '../../../support/records.js'
import type { RecordCycleInput } from '../../../../src/contract/dev-cycle/cycle-step.js'

export const ID = 'cycle-v1-20261120T200000-ab12cd34'
export const OFFSET = '+08:00'
export const TIME = '2026-11-20T20:00:00+08:00'
export const MINUTE = 60_000
export { AT }

export const PLAN = {
  version: '1.0.0',
  total_tasks: 2,
  estimated_duration: '3h',
  // prettier-ignore
  tasks: [
    { id: 'TASK-001', title: 'Cart', description: 'Add up the cart', effort: 'small', depends_on: [], files: ['src/cart.js'] },
    { id: 'TASK-002', title: 'Login', description: 'Let users in', effort: 'medium', depends_on: ['TASK-001'], files: ['src/login.js'] },
  ],
  critical_path: ['TASK-001', 'TASK-002'],
}
export const REQUIREMENTS =
  '# Requirements\n\n**Version**: 1.0.0\n\n## FR-001: Totals\n\nThe cart adds up.\n\n### EC-001: Empty cart\n\nScenario: nothing in it.\n'
export const TEST_RESULTS = {
  version: '1.0.0',
  summary: { total: 10, passed: 10, failed: 0, skipped: 0 },
  coverage: { lines: 82 },
}

/** Documents of all four agents, by path below the progress directory. */
export const DOCUMENTS: Files = {
  'ra/requirements.md': REQUIREMENTS,
  'ep/exploration.md':
    '# Exploration\n\n**Version**: 1.0.0\n\n## Integration Points\n\n- src/cart.js\n',
  'ep/architecture.md': '# Architecture\n\n**Version**: 1.0.0\n\nOne module.\n',
  'ep/plan.json': `${JSON.stringify(PLAN)}\n`,
  'cd/implementation.md': '# Implementation\n\n**Version**: 1.0.0\n\nDone.\n',
  'vas/validation.md': '# Validation\n\n**Version**: 1.0.0\n',
  'vas/test-results.json': `${JSON.stringify(TEST_RESULTS)}\n`,
  'vas/summary.md': '# Summary\n\n**Version**: 1.0.0\n',
}

export type Place = { project: string; cwd: string; dir: string; record: string; master: string }

/**
 * A project with an open record, and a workspace laid out; `files` are written into the progress
 * directory there.
 */
export function place(files: Files = {}): Place {
  const [project, cwd] = [tempDir(), tempDir()]
  const record = openCycleRecord(project, ID)
  layOut(cwd, project, ID, { refs: [] })
  const { dir } = progressPaths(cwd, ID)
  writeFiles(dir, files)
  return { project, cwd, dir, record, master: cycleFiles(project, ID).master }
}

/** 9 of 10 tests pass. */
export function lastRun(dir = tempDir()): Measured {
  return measuredRun(
    dir,
    'run',
    Array.from({ length: 10 }, (_, n) =>
      stored(`cart ${n}`, n === 3 ? { error: 'expected 3 to be 4' } : {}),
    ),
  )
}

export function result(phase: Phase, rest: Partial<PhaseResult> = {}): PhaseResult {
  return {
    phase,
    agent: 'codex',
    status: 'success',
    summary: `${phase} is done`,
    issues: [],
    blockers: [],
    planIssues: [],
    files: [],
    missing: [],
    invalid: [],
    foreign: [],
    decisions: [],
    ...rest,
  }
}

/** A state at the end of iteration 1. */
export function cycleState(
  { project, cwd, record }: Place,
  rest: Partial<CycleState> = {},
): CycleState {
  const agent = (n: number) => ({
    status: 'completed' as const,
    output_files: [],
    iterations_completed: n,
  })
  return {
    schema: 1,
    input: { project, task: 'Add up the cart' },
    startedAt: AT,
    facts: { searchAttributes: [], queue: 'q', project, projectKey: '0a1b2c3d4e5f' },
    prepared: {
      workspace: {
        project,
        root: cwd,
        cwd,
        branch: `ratchet/${ID}`,
        base: 'b'.repeat(40),
        isolation: 'clone',
      },
      head: 'b'.repeat(40),
      name: ID,
      recordDir: record,
      configHash: 'c'.repeat(64),
      testCommand: 'npm test',
      agents: {
        'requirements-analyst': ['codex'],
        'exploration-planner': ['codex'],
        'code-developer': ['codex'],
        'validation-archivist': ['codex'],
      },
      limits: { maxIterations: 5, agentTurnMs: 1, convergeMs: 1, feedbackTurnMs: 1, idleMs: 1 },
      timezone: '+08:00',
      testTimeoutMs: 1,
      requireGreen: false,
      warnings: [],
    },
    tasks: [{ text: 'Add up the cart', iteration: 1 }],
    scheduling: 'parallel',
    parallel: 4,
    interactive: false,
    iteration: 1,
    maxIterations: 5,
    head: '1'.repeat(40),
    lastRun: lastRun(),
    currentPhase: 'aggregation',
    completedPhases: ['ra', 'ep', 'cd', 'vas'],
    phaseErrors: [],
    agents: { ra: agent(1), ep: agent(1), cd: agent(1), vas: agent(1) },
    results: {
      ra: result('ra'),
      ep: result('ep'),
      cd: result('cd'),
      vas: result('vas', {
        claimed: { passRate: 100, coverage: 82, failedTests: [], criticalIssues: 0, ready: true },
      }),
    },
    iterations: [
      {
        number: 1,
        startedAt: AT,
        completedAt: AT + 10 * MINUTE,
        agentResults: {
          ra: { status: 'success', files_modified: 1 },
          cd: { status: 'success', files_modified: 2 },
        },
        issuesFound: ['1 test fails: cart 3'],
        resolved: false,
      },
    ],
    feedbackLog: [
      { timestamp: TIME, source: 'vas', target: 'cd', content: 'cart 3 fails', type: 'bug_report' },
    ],
    decisions: [
      { id: 'DEC-001', description: 'Which store?', options: ['sql', 'files'], status: 'pending' },
    ],
    blockers: [
      { id: 'BLK-001', description: 'no *key* for the store', reported_by: 'cd', status: 'open' },
    ],
    oneToHundred: false,
    openIssues: ['1 test fails: cart 3'],
    pendingExtensions: [],
    history: [
      {
        iteration: 1,
        passRate: 90,
        passed: 9,
        total: 10,
        result: 'kept',
        commit: '1'.repeat(40),
        turns: 4,
        startedAt: AT,
        completedAt: AT + 10 * MINUTE,
      },
    ],
    commits: ['1'.repeat(40)],
    changedFiles: 2,
    usage: { turns: 4, inputTokens: 100, outputTokens: 50, estimated: true },
    warnings: [],
    requestIds: [],
    promised: [{ id: 'TASK-001', text: 'the sum', state: 'done' }],
    namesTasks: true,
    ...rest,
  }
}

export function recordInput(
  state: CycleState,
  end?: { outcome: CycleOutcome; reason?: string },
  settled: Phase[] = [],
): RecordCycleInput {
  const result: RunResult | undefined =
    end === undefined
      ? undefined
      : cycleResult(ID, { outcome: end.outcome, reason: end.reason, review: [] }, state)
  return {
    run: ID,
    state,
    at: AT + 20 * MINUTE,
    settled,
    ...(result === undefined ? {} : { result }),
    status: {
      id: ID,
      kind: 'dev-cycle',
      project: state.input.project,
      status: 'running',
      phase: 'aggregation',
      iteration: state.iteration,
      maxIterations: 5,
      passRate: 90,
      waitingFor: '',
      branch: null,
      questions: 0,
      history: [],
    },
  }
}
