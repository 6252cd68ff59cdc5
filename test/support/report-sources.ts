// Sources of reports: a run of each kind as its files would have given it.
import type { CycleRecord } from '../../src/contract/dev-cycle/cycle-record.js'
import type { LoopRecord } from '../../src/contract/dev-loop/loop-record.js'
import type { IterationSummary, RunResult } from '../../src/contract/result.js'
import type { Patch, ReportTurn } from '../../src/core/report/model.js'
import type { ReportSource, SessionFacts } from '../../src/core/report/source.js'

export const AT = Date.UTC(2026, 10, 20, 12)
const MINUTE = 60_000

/** A turn that took a minute; `n` are minutes after the beginning. */
export function turnAt(n: number, rest: Partial<ReportTurn> = {}): ReportTurn {
  return {
    step: `iteration-1/fix`,
    role: 'test-fix-agent',
    agent: 'codex',
    turn: 'work',
    iteration: 1,
    startedAt: AT + n * MINUTE,
    endedAt: AT + (n + 1) * MINUTE,
    outcome: 'completed',
    attempts: 1,
    crashes: 0,
    workedMs: MINUTE,
    inputTokens: 1_000,
    outputTokens: 100,
    estimated: false,
    files: [{ label: 'transcript', path: '/state/turns/1/transcript.ndjson' }],
    ...rest,
  }
}

export const BASELINE: IterationSummary = {
  iteration: 0,
  passRate: 50,
  passed: 5,
  total: 10,
  result: 'baseline',
  commit: null,
  turns: 0,
}
export const KEPT: IterationSummary = {
  iteration: 1,
  passRate: 80,
  passed: 8,
  total: 10,
  result: 'kept',
  commit: 'a'.repeat(40),
  claimed: 100,
  note: 'the agent claimed 100 %, measured: 80 %',
  turns: 2,
  task: 'IMPL-fix-1',
  strategy: 'conservative',
  analysis: 'normal',
  startedAt: AT,
  completedAt: AT + 5 * MINUTE,
}
export const UNDONE: IterationSummary = {
  iteration: 2,
  passRate: 20,
  passed: 2,
  total: 10,
  result: 'rolled_back',
  commit: 'b'.repeat(40),
  note: 'rolled back: the pass rate fell from 80 % to 20 %',
  turns: 2,
  task: 'IMPL-fix-2',
  strategy: 'aggressive',
  analysis: 'normal',
  startedAt: AT + 5 * MINUTE,
  completedAt: AT + 9 * MINUTE,
}

export function patch(text: string, file = 'src/a.js', to = 'a'.repeat(40)): Patch {
  return {
    state: 'known',
    from: '0'.repeat(40),
    to,
    files: [{ path: file, added: 1, removed: 1, shown: text !== '' }],
    text,
  }
}

export const SMALL_DIFF =
  'diff --git a/src/a.js b/src/a.js\nindex 1111111..2222222 100644\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1,2 +1,2 @@\n-const a = 1\n+const a = 2\n export { a }\n'

export function sessionFactsOf(rest: Partial<SessionFacts> = {}): SessionFacts {
  return {
    kind: 'test-fix',
    title: 'Fix the failing tests of shop',
    createdAt: AT - MINUTE,
    updatedAt: AT + 9 * MINUTE,
    maxIterations: 5,
    testCommand: 'npm test',
    history: [BASELINE, KEPT, UNDONE],
    commits: ['a'.repeat(40)],
    warnings: [],
    details: new Map([
      [
        'IMPL-fix-1',
        {
          approach: 'round half up',
          points: ['src/a.js:round'],
          rootCauses: ['round() cuts'],
          affectedTests: [],
          confidence: 0.8,
          expectedOutcome: 'amounts are right',
          failures: [],
        },
      ],
    ]),
    compared: new Map([[2, { new_failures: 3 }]]),
    fixes: [
      {
        iteration: 1,
        task: 'IMPL-fix-1',
        strategy: 'conservative',
        modification_points: ['src/a.js:round'],
        root_causes: ['round() cuts'],
        failures: [{ test: 't', file: 'f', error: 'e' }],
        affected_tests: [],
        confidence: 0.8,
        commit: 'a'.repeat(40),
        pass_rate_before: 50,
        pass_rate_after: 80,
        result: 'kept',
        reason: null,
        analysis: null,
      },
    ],
    ...rest,
  }
}

export function resultOf(rest: Partial<RunResult> = {}): RunResult {
  return {
    warnings: [],
    id: 'WFS-test-shop.0a1b2c',
    kind: 'test-fix',
    outcome: 'failed',
    status: 'failed',
    iterations: 2,
    passRate: 80,
    reviewNeeded: false,
    branch: 'ratchet/WFS-test-shop',
    commits: ['a'.repeat(40)],
    failures: [
      {
        test: 'pays once',
        file: 'test/pay.test.js',
        criticality: 'high',
        error: 'expected 1 to be 2',
      },
      { test: 'greets', file: 'test/hello.test.js', criticality: 'low', error: '' },
    ],
    failuresTotal: 2,
    reason: 'the iterations are spent',
    recordDir: '/shop/.workflow/WFS-test-shop',
    usage: { turns: 4, inputTokens: 4_000, outputTokens: 400, estimated: false },
    history: [BASELINE, KEPT, UNDONE],
    ...rest,
  }
}

export function sourceOf(rest: Partial<ReportSource> = {}): ReportSource {
  return {
    id: 'WFS-test-shop.0a1b2c',
    kind: 'test-fix',
    name: 'WFS-test-shop',
    project: '/shop',
    at: AT + 10 * MINUTE,
    facts: sessionFactsOf(),
    result: resultOf(),
    open: false,
    turns: [
      turnAt(0, { role: 'cli-planning-agent', agent: 'gemini' }),
      turnAt(1),
      turnAt(5, { iteration: 2, role: 'cli-planning-agent', agent: 'gemini' }),
      turnAt(6, { iteration: 2, outcome: 'timed_out', costUsd: 0.25 }),
    ],
    patches: new Map([
      [1, patch(SMALL_DIFF)],
      [
        2,
        { state: 'gone', to: 'b'.repeat(40), why: 'its commit is not in the repository any more' },
      ],
    ]),
    recordDir: '/shop/.workflow/WFS-test-shop',
    records: [{ label: 'IMPL_PLAN.md', path: '/shop/.workflow/WFS-test-shop/IMPL_PLAN.md' }],
    links: new Map(),
    notes: [],
    ...rest,
  }
}

const agent = { status: 'completed' as const, output_files: [], iterations_completed: 1 }

export function cycleSource(rest: Partial<CycleRecord> = {}): ReportSource {
  const record: CycleRecord = {
    schema: 1,
    cycle_id: 'cycle-v1-20261120T200203-4k2j9x0q',
    title: 'add discounts',
    description: 'add discounts',
    task_history: ['add discounts', 'also in euros'],
    status: 'completed',
    created_at: '2026-11-20T12:00:00.000Z',
    updated_at: '2026-11-20T12:20:00.000Z',
    max_iterations: 5,
    current_iteration: 2,
    agents: { ra: agent, ep: agent, cd: agent, vas: agent },
    current_phase: 'complete',
    completed_phases: [],
    phase_errors: [],
    requirements: {
      version: '1.1.0',
      specification: '# Requirements\n\n- FR-001 a discount',
      edge_cases: [],
      last_updated: '',
    },
    plan: {
      version: '1.1.0',
      tasks: [
        {
          id: 'TASK-001',
          title: 'discounted()',
          description: 'in percent',
          effort: 'small',
          depends_on: [],
          status: 'completed',
          files: ['src/cart.js'],
        },
      ],
      total_estimated_effort: '',
      critical_path: [],
      last_updated: '',
    },
    iterations: [
      {
        number: 1,
        started_at: '',
        completed_at: '',
        agent_results: { ra: { status: 'completed', files_modified: 1 } },
        issues_found: ['the percentage is cents'],
        resolved: false,
      },
    ],
    coordination: {
      feedback_log: [
        {
          timestamp: '',
          source: 'vas',
          target: 'cd',
          content: 'two tests fail',
          type: 'bug_report',
        },
      ],
      pending_decisions: [],
      blockers: [],
    },
    convergence: null,
    phase_gates: null,
    agent_focus: null,
    source_refs: null,
    ratchet: {
      outcome: 'completed_with_issues',
      scheduling: 'parallel',
      interactive: false,
      parallel: 4,
      commits: ['a'.repeat(40)],
      warnings: ['a warning'],
      open_issues: ['the docs are missing'],
      pending_extensions: [],
    },
    ...rest,
  }
  const { id, kind } = { id: record.cycle_id, kind: 'dev-cycle' as const }
  return sourceOf({
    id,
    kind,
    name: id,
    result: resultOf({
      id,
      kind,
      outcome: 'completed_with_issues',
      reason: 'the iterations are spent',
    }),
    links: new Map(),
    facts: {
      kind,
      record,
      history: [BASELINE, KEPT],
      documents: [
        { label: 'ra/requirements.md', path: '/r/ra/requirements.md' },
        {
          label: 'ra/history/requirements-v1.0.0.md',
          path: '/r/ra/history/requirements-v1.0.0.md',
        },
      ],
    },
  })
}

export function loopSource(rest: Partial<LoopRecord> = {}): ReportSource {
  const record: LoopRecord = {
    schema: 1,
    loop_id: 'loop-b-20261120T200203-4k2j9x0q',
    title: 'add discounts',
    description: 'add discounts',
    mode: 'parallel',
    status: 'user_exit',
    current_iteration: 2,
    max_iterations: 5,
    created_at: '2026-11-20T12:00:00.000Z',
    updated_at: '2026-11-20T12:20:00.000Z',
    skill_state: {
      phase: 'complete',
      action_index: 4,
      workers_completed: ['init'],
      pending_tasks: [
        { id: 'T2', description: 'total()', priority: 'low', status: 'blocked', files: [] },
      ],
      completed_tasks: [
        { id: 'T1', description: 'discounted()', priority: 'high', status: 'completed', files: [] },
      ],
      findings: [
        { id: 'F-1', description: 'cents', source: 'debug', iteration: 1, status: 'open' },
      ],
      parallel_results: {
        develop: null,
        debug: null,
        validate: null,
        conflicts: [
          {
            file: 'src/cart.js',
            workers: ['develop', 'debug'],
            resolution: 'manual',
            chosen: 'debug',
          },
        ],
        merged_at: '',
      },
    },
    ratchet: {
      run: 'loop-b-20261120T200203-4k2j9x0q',
      commits: [],
      warnings: [],
      task_history: [],
      workers: [],
      history: [BASELINE],
    },
    ...rest,
  }
  const { id, kind } = { id: record.loop_id, kind: 'dev-loop' as const }
  const outputs = [
    {
      schema: 1 as const,
      action: 'develop' as const,
      status: 'success' as const,
      reported: 'success',
      summary: 'done',
      files_changed: ['src/cart.js'],
      files_claimed: [],
      next_suggestion: null,
      loop_back_to: null,
      detailed_output: '',
      timestamp: '',
      iteration: 2,
      agent: 'codex',
      clarifications: [{ question: 'cents?', answer: 'yes', by: 'user' as const }],
    },
  ]
  return sourceOf({
    id,
    kind,
    name: id,
    result: resultOf({ id, kind, outcome: 'user_exit', status: 'user_exit', reason: null }),
    facts: {
      kind,
      record,
      history: [BASELINE],
      outputs,
      links: new Map([['develop', [{ label: 'output', path: '/r/develop.output.json' }]]]),
    },
  })
}
