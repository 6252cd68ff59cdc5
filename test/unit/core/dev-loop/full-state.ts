// A loop with every text at its longest.
import type { LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import { LOOP_ACTIONS } from '../../../../src/contract/dev-loop/loop-input.js'
import type { Conflict } from '../../../../src/contract/dev-loop/loop-record.js'
import {
  TASKS_KEPT,
  WORKER_ITEMS,
  WORKER_ITEM_CHARS,
} from '../../../../src/contract/dev-loop/action-reading.js'
import { measured } from '../../../support/test-runs.js'
import { ended, finding, loopState, quality, summary, task, validation } from './loop-state.js'

const long = (n: number, what: string): string => `${what} ${n} `.padEnd(WORKER_ITEM_CHARS, 'x')
const many = <T>(n: number, make: (n: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i))
const files = many(WORKER_ITEMS, (n) => long(n, 'src/file'))
const items = many(WORKER_ITEMS, (n) => long(n, 'item'))
const dir = `/home/someone/${'deep/'.repeat(12)}`
const ref = (name: string) => ({ path: `${dir}${name}`, sha256: 'e'.repeat(64), bytes: 1_000_000 })

/** `chars`: of the first task. */
export function fullState(chars: number, rest: Partial<LoopState> = {}): LoopState {
  const state = loopState()
  const workers = LOOP_ACTIONS.map((action) =>
    summary(action, { summary: long(1, action), files, filesTotal: 200 }),
  )
  const last = ended('complete', {
    summary: long(1, 'complete'),
    reported: 'x'.repeat(40),
    filesClaimed: files,
    findings: items,
    recommendations: items,
    rootCause: long(1, 'cause'),
    tasksCompleted: items,
    tasksRemaining: items,
    suggestion: { message: 'm'.repeat(2_000), branchStrategy: 'squash' },
    claimed: { passed: 900, failed: 100, total: 1_000, coverage: 80 },
    sessionId: 's'.repeat(36),
    commit: 'c'.repeat(40),
    note: long(1, 'note'),
    iteration: 40,
  })
  const conflicts = many(50, (n): Conflict => ({
    file: long(n, 'src/file'),
    workers: ['develop', 'debug', 'validate'],
    resolution: 'manual',
    chosen: 'develop',
  }))
  const failures = many(50, (n) => ({
    test: long(n, 'test'),
    file: long(n, 'file'),
    error: long(n, 'error'),
  }))
  return {
    ...state,
    texts: ['t'.repeat(chars)],
    facts: {
      ...state.facts,
      searchAttributes: [
        'RatchetProject',
        'RatchetKind',
        'RatchetPhase',
        'RatchetIteration',
        'RatchetPassRate',
        'RatchetNeedsHuman',
      ],
      project: dir,
    },
    prepared: {
      ...state.prepared,
      workspace: { ...state.prepared.workspace, project: dir, root: dir, cwd: dir },
      recordDir: dir,
      configHash: 'h'.repeat(64),
      testCommand: 'npm run test --workspace packages/api',
    },
    tasks: many(TASKS_KEPT, (n) =>
      task(`T${n + 1}`, n < 5 ? 'completed' : 'pending', { description: long(n, 'task'), files }),
    ),
    findings: many(20, (n) =>
      finding(`F-${String(n).padStart(3, '0')}`, n < 5 ? 'closed' : 'open', {
        description: long(n, 'finding'),
      }),
    ),
    workers,
    last,
    parallelResults: {
      develop: workers[1] ?? null,
      debug: workers[2] ?? null,
      validate: workers[3] ?? null,
      conflicts,
      merged_at: '2026-11-20T20:00:00+08:00',
    },
    lastRun: measured(900, 1_000, {
      failures,
      flakyTests: items,
      results: ref('results.json'),
      output: ref('output.log'),
    }),
    baseline: ref('baseline.json'),
    validation: validation(false, { why: 'w'.repeat(250) }),
    quality: quality(
      ...['lint', 'types', 'coverage'].map((name) => ({
        name,
        tail: 't'.repeat(500),
        command: `npm run ${name} --workspace packages/api`,
      })),
    ),
    loopBacks: LOOP_ACTIONS.flatMap((from) =>
      LOOP_ACTIONS.slice(0, 2).map((to) => ({ from, to, times: 2, mark: 'a'.repeat(16) })),
    ),
    history: many(30, (n) => ({
      iteration: n,
      passRate: 80,
      passed: 4,
      total: 5,
      result: 'kept' as const,
      commit: 'c'.repeat(40),
      note: 'n'.repeat(330),
      turns: 1,
      task: 'T1',
      startedAt: 1_700_000_000_000,
      completedAt: 1_700_000_000_000,
    })),
    commits: many(100, () => 'c'.repeat(40)),
    warnings: many(30, (n) => long(n, 'warning')),
    requestIds: many(100, () => 'r'.repeat(36)),
    suggestion: { message: 'm'.repeat(2_000), command: 'c'.repeat(6_000), readyForPr: true },
    unmeasured: 'u'.repeat(200),
    ...rest,
  }
}
