// The state of a loop and the ends of its workers, as the decision tables need them.
import type { LoopState, WorkerEnd } from '../../../../src/contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../../../src/contract/dev-loop/loop-input.js'
import type {
  Finding,
  Validation,
  WorkerSummary,
} from '../../../../src/contract/dev-loop/loop-record.js'
import type { LoopTask } from '../../../../src/contract/dev-loop/action-reading.js'
import { NO_USAGE } from '../../../../src/core/run/run-usage.js'
import type { Quality } from '../../../../src/contract/quality.js'

export const HEAD = 'c'.repeat(40)

export function task(
  id: string,
  status: LoopTask['status'] = 'pending',
  rest: Partial<LoopTask> = {},
): LoopTask {
  return { id, description: `build ${id}`, priority: 'medium', status, files: [], ...rest }
}

/** A successful worker, with the given changes. */
export function ended(action: LoopAction, rest: Partial<WorkerEnd> = {}): WorkerEnd {
  return {
    action,
    status: 'success',
    reported: 'success',
    summary: 'done',
    filesClaimed: [],
    next: null,
    iteration: 2,
    agent: 'playbook',
    commit: null,
    ...rest,
  }
}

/** An interrupted worker, and its changes. */
export function late(action: LoopAction, rest: Partial<WorkerEnd> = {}): WorkerEnd {
  return ended(action, {
    status: 'failed',
    reported: '',
    summary: 'Worker timeout',
    timedOut: true,
    synthetic: true,
    ...rest,
  })
}

export function validation(passed: boolean, rest: Partial<Validation> = {}): Validation {
  return {
    passed,
    why: passed ? 'all tests pass: 100 % (5 of 5)' : 'tests fail: 80 % (4 of 5)',
    iteration: 2,
    commit: HEAD,
    passRate: passed ? 100 : 80,
    ...rest,
  }
}

export function finding(
  id: string,
  status: Finding['status'] = 'open',
  rest: Partial<Finding> = {},
): Finding {
  return { id, description: `wrong in ${id}`, source: 'debug', iteration: 1, status, ...rest }
}

export function summary(action: LoopAction, rest: Partial<WorkerSummary> = {}): WorkerSummary {
  return {
    action,
    status: 'success',
    summary: 'done',
    iteration: 1,
    files: [],
    filesTotal: 0,
    ...rest,
  }
}

export function quality(
  ...checks: (Partial<Quality['checks'][number]> & { name: string })[]
): Quality {
  return {
    commit: HEAD,
    coverage: null,
    checks: checks.map((check) => ({
      command: `npm run ${check.name}`,
      result: 'failed',
      tail: '',
      durationMs: 1,
      ...check,
    })),
  }
}

/** A loop in auto mode, planned, with one task to do. */
export function loopState(rest: Partial<LoopState> = {}): LoopState {
  return {
    schema: 1,
    input: { project: '/repo', loopId: 'loop-b-x' },
    startedAt: 0,
    facts: {
      searchAttributes: [],
      queue: 'ratchet-host-key',
      project: '/repo',
      projectKey: '0a1b2c',
    },
    prepared: {
      workspace: {
        project: '/repo',
        root: '/state/ws',
        cwd: '/state/ws',
        branch: 'ratchet/loop-b-x',
        base: 'b'.repeat(40),
        isolation: 'clone',
      },
      head: 'b'.repeat(40),
      name: 'loop-b-x',
      recordDir: '/repo/.workflow/.loop/loop-b-x.progress',
      configHash: 'h',
      testCommand: 'npm test',
      agents: {
        'loop-init': ['playbook'],
        'loop-develop': ['playbook'],
        'loop-debug': ['playbook'],
        'loop-validate': ['playbook'],
        'loop-complete': ['playbook'],
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
      timezone: '+08:00',
      warnings: [],
    },
    texts: ['Add login'],
    mode: 'auto',
    iteration: 2,
    maxIterations: 10,
    head: HEAD,
    phase: 'init',
    actionIndex: 0,
    initialised: true,
    workersCompleted: ['init'],
    tasks: [task('T1')],
    findings: [],
    workers: [],
    debugged: false,
    timeouts: 0,
    loopBacks: [],
    parallelResults: null,
    history: [],
    commits: ['1'.repeat(40)],
    changedFiles: 0,
    usage: NO_USAGE,
    warnings: [],
    requestIds: [],
    ...rest,
  }
}
