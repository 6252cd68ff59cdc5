// A host of dev loops without files or agents: activities that answer from a script and log every
// call. test/activities and test/runs test the real ones.
import { ApplicationFailure } from '@temporalio/activity'
import type {
  HostActivities,
  LightActivities,
  LoopActivities,
} from '../../../src/activities/index.js'
import { parsedHost } from '../hosts/parsed-host.js'
import { MAIN_QUEUE, SEARCH_ATTRIBUTES } from '../../../src/contract/names.js'
import type { LoopPrepared } from '../../../src/contract/dev-loop/loop-state.js'
import type { LoopAction, ParallelAction } from '../../../src/contract/dev-loop/loop-input.js'
import type { Conflict } from '../../../src/contract/dev-loop/loop-record.js'
import type { PersonEdit } from '../../../src/contract/dev-cycle/person-edit.js'
import type { NotifyInput, RunTestsInput } from '../../../src/contract/step.js'
import type { TestRun } from '../../../src/contract/test-run.js'
import type { TurnResult } from '../../../src/contract/turn.js'
import type { LoopTask, WorkerReading } from '../../../src/contract/dev-loop/action-reading.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { cancelled, notifyOf, turnResult } from '../stub-host.js'
import type { CheckQualityInput, Quality } from '../../../src/contract/quality.js'
import type {
  CommitLoopAnswer,
  CommitLoopInput,
  MergeWorkersAnswer,
  MergeWorkersInput,
  PreparedLoop,
  PrepareLoopInput,
  RecordLoopInput,
} from '../../../src/contract/dev-loop/loop-step.js'
import type { SentTurn, SettleInput } from '../../../src/contract/turn-input.js'

export type WorkerAnswer = Partial<TurnResult> & {
  waitForCancel?: boolean
  fail?: string
  says?: Partial<WorkerReading>
}
export type LoopTurn = SentTurn & { action: LoopAction }

export type LoopScript = {
  /** Answers of the test runs, in order; the last one repeats. `null`: no test command is found. */
  runs: (TestRun | null)[]
  /** Answer of a turn; by default the worker succeeds, and init finds one task. */
  turn?: (turn: LoopTurn, call: number) => WorkerAnswer | Promise<WorkerAnswer>
  /** Actions with nothing to commit, in addition to init and complete. */
  empty?: LoopAction[]
  /** Whether the work of any other worker is committed. */
  changes?: (input: CommitLoopInput) => boolean
  undone?: Partial<Record<LoopAction, string[]>>
  quality?: (input: CheckQualityInput, call: number) => Quality
  /** Edits of a person, by the number of the record that finds them. */
  edits?: (call: number, input: RecordLoopInput) => PersonEdit[] | undefined
  /** Files with merge conflicts, with their workers. */
  conflicts?: Conflict[]
  prepared?: Partial<PreparedLoop>
  reloaded?: Partial<LoopPrepared>
  notify?: HostActivities['notify']
}

export type LoopHost = {
  activities: Pick<LightActivities, 'serverFacts'> &
    Pick<HostActivities, 'runTests' | 'agentTurn' | 'settleTurn' | 'beatAtOnce' | 'notify'> &
    LoopActivities
  turns: LoopTurn[]
  tests: RunTestsInput[]
  checks: CheckQualityInput[]
  commits: CommitLoopInput[]
  merges: MergeWorkersInput[]
  records: RecordLoopInput[]
  settled: SettleInput[]
  prepares: PrepareLoopInput[]
  /** Questions passed to a hook. */
  notices: NotifyInput[]
  /** Maximum number of concurrent turns. */
  most: () => number
  /** `action` or `action turn` of every turn. */
  turnNames: () => string[]
}

const WORKSPACE: Workspace = {
  project: '/repo',
  root: '/state/tree',
  cwd: '/state/tree',
  branch: 'ratchet/loop-1',
  base: 'base',
  isolation: 'clone',
}

export const LOOP_PREPARED: LoopPrepared = {
  workspace: WORKSPACE,
  head: 'base',
  name: 'loop-1',
  recordDir: '/repo/.workflow/.loop/loop-1.progress',
  configHash: 'c',
  testCommand: 'npm test',
  agents: {
    'loop-init': ['one'],
    'loop-develop': ['one'],
    'loop-debug': ['one'],
    'loop-validate': ['one'],
    'loop-complete': ['one'],
  },
  limits: {
    maxIterations: 10,
    agentTurnMs: 600_000,
    convergeMs: 300_000,
    idleMs: 600_000,
    parallel: { maxIterations: 10, edgeMs: 300_000, agentTurnMs: 900_000, convergeMs: 60_000 },
  },
  testTimeoutMs: 600_000,
  requireGreen: false,
  timezone: '+08:00',
  warnings: [],
}

/** Pending tasks T1 to T<count>. */
export function loopTasks(count: number): LoopTask[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `T${n + 1}`,
    description: `task ${n + 1}`,
    priority: 'medium' as const,
    status: 'pending' as const,
    files: [],
  }))
}

/** The answer of a successful worker. */
export function workerReading(
  action: LoopAction,
  says: Partial<WorkerReading> = {},
): WorkerReading {
  return {
    kind: 'worker',
    action,
    status: 'success',
    reported: 'success',
    summary: `${action} is done`,
    filesClaimed: [],
    next: null,
    questions: [],
    ...(action === 'init' ? { tasks: loopTasks(1) } : {}),
    ...says,
  }
}

/** Develop names its given tasks. */
function named({ action, ask }: LoopTurn): Partial<WorkerReading> {
  return action === 'develop' && ask.about === 'loop-work'
    ? { tasksCompleted: ask.loop.tasks.map(({ id }) => id) }
    : {}
}

export function loopHost(script: LoopScript): LoopHost {
  const calls = {
    turns: [] as LoopTurn[],
    tests: [] as RunTestsInput[],
    checks: [] as CheckQualityInput[],
    commits: [] as CommitLoopInput[],
    merges: [] as MergeWorkersInput[],
    records: [] as RecordLoopInput[],
    settled: [] as SettleInput[],
    prepares: [] as PrepareLoopInput[],
    notices: [] as NotifyInput[],
  }
  let atWork = 0
  let most = 0
  const activities: LoopHost['activities'] = {
    serverFacts: () =>
      Promise.resolve({
        searchAttributes: Object.keys(SEARCH_ATTRIBUTES),
        queue: MAIN_QUEUE,
        project: '/repo',
        projectKey: 'a1b2c3d4e5f6',
      }),
    prepareLoop: (input) => {
      calls.prepares.push(input)
      return Promise.resolve({ ...LOOP_PREPARED, ...script.prepared })
    },
    reloadLoop: () => {
      const { configHash, testCommand, agents, limits, testTimeoutMs, requireGreen, timezone } = {
        ...LOOP_PREPARED,
        configHash: 'c2',
        ...script.reloaded,
      }
      return Promise.resolve({
        configHash,
        testCommand,
        agents,
        limits,
        testTimeoutMs,
        requireGreen,
        timezone,
      })
    },
    runTests: (input) => {
      calls.tests.push(input)
      const run = script.runs[Math.min(calls.tests.length, script.runs.length) - 1]
      if (run === null || run === undefined)
        throw ApplicationFailure.nonRetryable(
          'no test command is configured and none was found',
          'NoTestCommand',
        )
      return Promise.resolve({ ...run, commit: input.commit })
    },
    checkQuality: (input) => {
      calls.checks.push(input)
      return Promise.resolve(
        script.quality?.(input, calls.checks.length) ?? {
          commit: input.commit,
          checks: [],
          coverage: null,
        },
      )
    },
    agentTurn: async (sent) => {
      const action = sent.read?.as === 'worker' ? sent.read.action : 'init'
      const turn = { ...sent, action }
      calls.turns.push(turn)
      atWork++
      most = Math.max(most, atWork)
      try {
        const {
          waitForCancel = false,
          fail,
          says,
          ...answer
        } = (await script.turn?.(turn, calls.turns.length)) ?? {}
        if (fail !== undefined) throw ApplicationFailure.nonRetryable(fail, 'Broken')
        if (waitForCancel) {
          await cancelled()
          return turnResult('stopped', { agent: sent.agent, sessionId: `s-${action}` })
        }
        return turnResult('completed', {
          agent: sent.agent,
          sessionId: `s-${action}`,
          read: workerReading(action, { ...named(turn), ...says }),
          ...answer,
        })
      } finally {
        atWork--
      }
    },
    beatAtOnce: () => Promise.resolve(),
    settleTurn: (input) => {
      calls.settled.push(input)
      return Promise.resolve(turnResult('stopped', { agent: input.agent, reason: input.reason }))
    },
    commitLoop: (input) => {
      calls.commits.push(input)
      const empty =
        input.action === 'init' ||
        input.action === 'complete' ||
        script.empty?.includes(input.action) === true ||
        script.changes?.(input) === false
      const undone = script.undone?.[input.action] ?? []
      const head = empty ? input.expectHead : `work-${calls.commits.length}`
      const answer: CommitLoopAnswer = {
        head,
        commit: empty ? null : head,
        files: empty ? [] : ['src/a.ts'],
        filesTotal: empty ? 0 : 1,
        undone,
        undoneTotal: undone.length,
        changedTests: [],
        warnings: [],
      }
      return Promise.resolve(answer)
    },
    cloneWorkers: ({ workers }) =>
      Promise.resolve({
        workspaces: workers.map((action) => ({
          action,
          workspace: {
            ...WORKSPACE,
            root: `/state/workers/${action}`,
            cwd: `/state/workers/${action}`,
          },
        })),
        warnings: [],
      }),
    mergeWorkers: (input) => {
      calls.merges.push(input)
      const open = (script.conflicts ?? []).filter(({ file }) => input.choices[file] === undefined)
      const workers = input.workers.map(({ action }) => ({
        action,
        commit: `work-${action}`,
        files: [`src/${action}.ts`],
        filesTotal: 1,
        undone: [],
      }))
      const none: MergeWorkersAnswer = {
        head: input.expectHead,
        commits: [],
        files: [],
        filesTotal: 0,
        conflicts: open,
        conflictsTotal: open.length,
        workers,
        warnings: [],
      }
      const head = input.expectHead === 'base' ? 'merged' : `merged-${calls.merges.length}`
      return Promise.resolve(
        open.length > 0
          ? none
          : {
              ...none,
              head,
              commits: [...workers.map(({ commit }) => commit), head],
              files: ['src/develop.ts'],
              filesTotal: 3,
            },
      )
    },
    notify: notifyOf(script, calls.notices),
    recordLoop: (input) => {
      calls.records.push(input)
      const edits = script.edits?.(calls.records.length, input)
      return Promise.resolve({
        warnings: [],
        ...(edits === undefined ? {} : { edits }),
        ...(input.result === undefined ? {} : { failures: [] }),
      })
    },
  }
  return {
    activities: parsedHost(activities),
    ...calls,
    most: () => most,
    turnNames: () =>
      calls.turns.map((t) => (t.turn === 'work' ? t.action : `${t.action} ${t.turn}`)),
  }
}

/** Conflicts of a file between workers. */
export function conflict(file: string, workers: ParallelAction[]): Conflict {
  return { file, workers, resolution: 'manual' }
}
