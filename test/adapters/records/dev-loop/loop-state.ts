// A loop with all inputs of its record: a project, a prepared workspace, a state after three
// workers.
import type { LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../../../src/contract/dev-loop/loop-input.js'
import type { WorkerReading } from '../../../../src/contract/dev-loop/action-reading.js'
import type { LoopOutcome } from '../../../../src/core/dev-loop/loop-outcome.js'
import { loopResult } from '../../../../src/core/dev-loop/loop-view.js'
import {
  noteWorker,
  type WorkerNoted,
} from '../../../../src/adapters/records/dev-loop/patch-loop-record.js'
import {
  loopFiles,
  openLoopRecord,
  type LoopFiles,
} from '../../../../src/adapters/records/dev-loop/loop-paths.js'
import {
  layOutLoop,
  type LaidOutLoop,
} from '../../../../src/adapters/records/dev-loop/loop-progress.js'
import { AT, tempDir } from '../../../support/repositories/repos.js'
import { measuredRun, stored } from '../../../support/records.js'
import type { RecordLoopInput, WorkerFacts } from '../../../../src/contract/dev-loop/loop-step.js'

export const ID = 'loop-b-20261120T200000-ab12cd34'
export const OFFSET = '+08:00'
export const TIME = '2026-11-20T20:00:00+08:00'
export const MINUTE = 60_000
export { AT }

export type Place = { project: string; cwd: string; files: LoopFiles; laidOut: LaidOutLoop }

/** A project with an open record, and a workspace laid out. */
export function place(): Place {
  const [project, cwd] = [tempDir(), tempDir()]
  openLoopRecord(project, ID)
  return { project, cwd, files: loopFiles(project, ID), laidOut: layOutLoop(cwd, project, ID) }
}

/** The answer of a worker: a plain success, with the fields of `rest`. */
export function reading(action: LoopAction, rest: Partial<WorkerReading> = {}): WorkerReading {
  return {
    kind: 'worker',
    action,
    status: 'success',
    reported: 'success',
    summary: `${action} is done`,
    filesClaimed: [],
    next: null,
    questions: [],
    ...rest,
  }
}

/** Notes the end of a worker's turn. */
export function noted(
  { project, cwd }: Place,
  action: LoopAction,
  iteration: number,
  rest: Partial<WorkerReading> = {},
  more: Partial<WorkerNoted> = {},
): Promise<void> {
  return noteWorker(project, ID, {
    reading: reading(action, rest),
    detail: `details of ${action}`,
    agent: 'codex',
    iteration,
    at: AT + iteration * MINUTE,
    offset: OFFSET,
    cwd,
    ...more,
  })
}

const task = (n: number, status: 'pending' | 'in_progress' | 'completed' | 'blocked') => ({
  id: `T${n}`,
  description: `Task ${n}`,
  priority: 'medium' as const,
  status,
  files: [],
})
const worker = (action: LoopAction, iteration: number, files: string[] = []) => ({
  action,
  status: 'success' as const,
  summary: `${action} is done`,
  iteration,
  files,
  filesTotal: files.length,
})

/** 9 of 10 tests pass. */
export function lastRun(dir = tempDir()) {
  return measuredRun(
    dir,
    'run',
    Array.from({ length: 10 }, (_, n) =>
      stored(`cart ${n}`, n === 3 ? { error: 'expected 3 to be 4' } : {}),
    ),
    { commit: '1'.repeat(40) },
  )
}

/** A state after init, develop and validate. */
export function loopState(
  { project, cwd, files }: Place,
  rest: Partial<LoopState> = {},
): LoopState {
  return {
    schema: 1,
    input: { project, loopId: ID },
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
      recordDir: files.progress,
      configHash: 'c'.repeat(64),
      testCommand: 'npm test',
      agents: {
        'loop-init': ['codex'],
        'loop-develop': ['codex'],
        'loop-debug': ['codex'],
        'loop-validate': ['codex'],
        'loop-complete': ['codex'],
      },
      limits: {
        maxIterations: 10,
        agentTurnMs: 1,
        convergeMs: 1,
        idleMs: 1,
        parallel: { maxIterations: 10, edgeMs: 1, agentTurnMs: 1, convergeMs: 1 },
      },
      testTimeoutMs: 1,
      requireGreen: false,
      timezone: OFFSET,
      warnings: [],
    },
    texts: ['Add up the cart'],
    mode: 'auto',
    iteration: 3,
    maxIterations: 10,
    head: '1'.repeat(40),
    lastRun: lastRun(),
    quality: {
      commit: '1'.repeat(40),
      checks: [
        {
          name: 'lint',
          command: 'npm run lint',
          result: 'failed',
          before: 'passed',
          tail: 'a.js: no',
          durationMs: 1,
        },
        { name: 'types', command: 'npx tsc | cat', result: 'passed', tail: '', durationMs: 1 },
      ],
      coverage: 81.5,
    },
    phase: 'validate',
    actionIndex: 3,
    initialised: true,
    workersCompleted: ['init', 'develop', 'validate'],
    tasks: [task(1, 'completed'), task(2, 'in_progress'), task(3, 'blocked'), task(4, 'pending')],
    findings: [
      { id: 'F1', description: 'cart 3 fails', source: 'validate', iteration: 3, status: 'open' },
    ],
    workers: [worker('init', 1), worker('develop', 2, ['src/cart.js']), worker('validate', 3)],
    validation: {
      passed: false,
      why: '1 of 10 tests fails',
      iteration: 3,
      commit: '1'.repeat(40),
      passRate: 90,
      claimed: 100,
    },
    debugged: false,
    timeouts: 0,
    loopBacks: [],
    parallelResults: null,
    history: [1, 2, 3].map((iteration) => ({
      iteration,
      passRate: iteration === 3 ? 90 : null,
      result: iteration === 2 ? ('kept' as const) : ('no_change' as const),
      commit: iteration === 2 ? '1'.repeat(40) : null,
      note: `worker ${iteration}: success: it is done as far as it goes`,
      turns: 1,
    })),
    commits: ['1'.repeat(40)],
    changedFiles: 1,
    usage: { turns: 3, inputTokens: 100, outputTokens: 50, estimated: true },
    warnings: [],
    requestIds: [],
    ...rest,
  }
}

/** Facts about the workers of `loopState`. */
// prettier-ignore
export const FACTS: WorkerFacts[] = [
  { action: 'develop', iteration: 2, files: ['src/cart.js'], clarifications: [{ question: 'Which store?', answer: 'sql', by: 'user' }] },
  { action: 'validate', iteration: 3, files: [], clarifications: [], tests: { total: 10, passed: 9, failed: 1 }, coverage: 81.5, quality: { lint: 'failed', types: 'passed' } },
]

export function recordInput(
  state: LoopState,
  end?: { outcome: LoopOutcome; reason?: string },
  rest: Partial<RecordLoopInput> = {},
): RecordLoopInput {
  const result = end === undefined ? undefined : loopResult(ID, end.outcome, end.reason, state)
  return {
    run: ID,
    state,
    at: AT + 20 * MINUTE,
    workers: FACTS,
    clones: [],
    ...(result === undefined ? {} : { result }),
    status: {
      id: ID,
      kind: 'dev-loop',
      project: state.input.project,
      status: 'running',
      phase: 'validate',
      iteration: state.iteration,
      maxIterations: 10,
      passRate: 90,
      waitingFor: '',
      branch: null,
      questions: 0,
      history: [],
    },
    ...rest,
  }
}
