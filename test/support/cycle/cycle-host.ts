// A host of dev cycles without files or agents: activities that answer from a script and log every
// call. test/activities and test/runs test the real ones.
import { ApplicationFailure } from '@temporalio/activity'
import type {
  CycleActivities,
  HostActivities,
  LightActivities,
  LoopActivities,
} from '../../../src/activities/index.js'
import { parsedHost } from '../hosts/parsed-host.js'
import type { CyclePrepared } from '../../../src/contract/dev-cycle/cycle-state.js'
import type { Phase } from '../../../src/contract/dev-cycle/discovery.js'
import type { QualityCheck } from '../../../src/contract/quality.js'
import type { PersonEdit } from '../../../src/contract/dev-cycle/person-edit.js'
import { MAIN_QUEUE, SEARCH_ATTRIBUTES } from '../../../src/contract/names.js'
import type { NotifyInput, RunTestsInput } from '../../../src/contract/step.js'
import type { TestRun } from '../../../src/contract/test-run.js'
import type { TurnResult } from '../../../src/contract/turn.js'
import { cancelled, notifyOf, turnResult } from '../stub-host.js'
import type {
  CommitCycleInput,
  PrepareCycleInput,
  PreparedCycle,
  RecordCycleInput,
} from '../../../src/contract/dev-cycle/cycle-step.js'
import type { PhaseReading } from '../../../src/contract/dev-cycle/phase-reading.js'
import type { SentTurn, SettleInput } from '../../../src/contract/turn-input.js'

export type CycleTurnAnswer = Partial<TurnResult> & {
  waitForCancel?: boolean
  /** What the agent still waits for when it is cancelled. */ afterCancel?: Promise<void>
  fail?: string
  says?: Partial<PhaseReading>
}

export type CycleScript = {
  /** Answers of the test runs, in order; the last one repeats. `null`: no test command is found. */
  runs: (TestRun | null)[]
  /** Answer of a turn; by default the agent succeeds without findings. */
  turn?: (
    turn: SentTurn & { phase: Phase },
    call: number,
  ) => CycleTurnAnswer | Promise<CycleTurnAnswer>
  /** Calls of `commitCycle`, from 1, with nothing to commit. */
  emptyCommits?: number[]
  tampered?: string[]
  /** Lint and types of a commit; by default the project has none. */
  checks?: (commit: string) => QualityCheck[]
  /** Coverage of the base and of the work. */
  coverage?: { before: number; now: number }
  /** Changed tests reported by the n-th call of `commitCycle`; they stay changed. */
  changedTests?: (call: number) => string[]
  foreign?: string[]
  /** Edits of a person returned by the n-th call of `recordCycle` or `commitCycle`. */
  edits?: (step: 'record' | 'commit', call: number) => PersonEdit[] | undefined
  prepared?: Partial<PreparedCycle> & { maxIterations?: number }
  reloaded?: Partial<CyclePrepared>
  notify?: HostActivities['notify']
}

export type CycleHost = {
  activities: Pick<LightActivities, 'serverFacts'> &
    Pick<HostActivities, 'runTests' | 'agentTurn' | 'settleTurn' | 'beatAtOnce' | 'notify'> &
    CycleActivities &
    Pick<LoopActivities, 'checkQuality'>
  turns: (SentTurn & { phase: Phase })[]
  tests: RunTestsInput[]
  commits: CommitCycleInput[]
  records: RecordCycleInput[]
  settled: SettleInput[]
  prepares: PrepareCycleInput[]
  /** Questions passed to a hook. */
  notices: NotifyInput[]
  /** Maximum number of concurrent turns. */
  most: () => number
  /** Turns that have ended because they were cancelled. */
  stopped: () => number
}

export const CYCLE_PREPARED: CyclePrepared = {
  workspace: {
    project: '/repo',
    root: '/state/tree',
    cwd: '/state/tree',
    branch: 'ratchet/cycle-1',
    base: 'base',
    isolation: 'clone',
  },
  head: 'base',
  name: 'cycle-1',
  recordDir: '/repo/.workflow/.cycle/cycle-1.progress',
  configHash: 'c',
  testCommand: 'npm test',
  agents: {
    'requirements-analyst': ['one'],
    'exploration-planner': ['one'],
    'code-developer': ['one'],
    'validation-archivist': ['one'],
  },
  limits: {
    maxIterations: 5,
    agentTurnMs: 1_800_000,
    convergeMs: 180_000,
    feedbackTurnMs: 900_000,
    idleMs: 600_000,
  },
  testTimeoutMs: 600_000,
  requireGreen: false,
  timezone: '+08:00',
  warnings: [],
}

/** The answer of a successful agent. */
export function phaseReading(phase: Phase, says: Partial<PhaseReading> = {}): PhaseReading {
  return {
    kind: 'phase',
    phase,
    status: 'success',
    summary: `${phase} is done`,
    issues: [],
    blockers: [],
    planIssues: [],
    files: [`${phase}.md`],
    missing: [],
    invalid: [],
    foreign: [],
    decisions: [],
    ...(phase === 'vas'
      ? {
          claimed: {
            passRate: null,
            coverage: 90,
            failedTests: [],
            criticalIssues: 0,
            ready: null,
          },
        }
      : {}),
    ...says,
  }
}

export function cycleHost(script: CycleScript): CycleHost {
  const calls = {
    turns: [] as CycleHost['turns'],
    tests: [] as RunTestsInput[],
    commits: [] as CommitCycleInput[],
    records: [] as RecordCycleInput[],
    settled: [] as SettleInput[],
    prepares: [] as PrepareCycleInput[],
    notices: [] as NotifyInput[],
  }
  let atWork = 0
  let most = 0
  let stopped = 0
  const told = {
    warnings: [],
    foreign: script.foreign ?? [],
    board: { entries: 0, skipped: 0, restored: 0 },
  }
  const editsOf = (step: 'record' | 'commit', call: number): { edits?: PersonEdit[] } => {
    const edits = script.edits?.(step, call)
    return edits === undefined ? {} : { edits }
  }
  const activities: CycleHost['activities'] = {
    serverFacts: () =>
      Promise.resolve({
        searchAttributes: Object.keys(SEARCH_ATTRIBUTES),
        queue: MAIN_QUEUE,
        project: '/repo',
        projectKey: 'a1b2c3d4e5f6',
      }),
    prepareCycle: (input) => {
      calls.prepares.push(input)
      return Promise.resolve({ ...CYCLE_PREPARED, ...script.prepared })
    },
    reloadCycle: () => {
      const { configHash, testCommand, agents, limits, testTimeoutMs, requireGreen, timezone } = {
        ...CYCLE_PREPARED,
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
      return Promise.resolve(run)
    },
    checkQuality: ({ commit }) =>
      Promise.resolve({
        commit,
        checks: script.checks?.(commit) ?? [],
        coverage: script.coverage?.now ?? null,
        ...(script.coverage === undefined ? {} : { coverageBefore: script.coverage.before }),
      }),
    agentTurn: async (sent) => {
      const phase = sent.read?.as === 'phase' ? sent.read.phase : 'ra'
      const turn = { ...sent, phase }
      calls.turns.push(turn)
      atWork++
      most = Math.max(most, atWork)
      try {
        const {
          waitForCancel = false,
          afterCancel,
          fail,
          says,
          ...answer
        } = (await script.turn?.(turn, calls.turns.length)) ?? {}
        if (fail !== undefined) throw ApplicationFailure.nonRetryable(fail, 'Broken')
        if (waitForCancel) {
          await cancelled()
          await afterCancel
          stopped++
          return turnResult('stopped', { agent: sent.agent, sessionId: `s-${phase}` })
        }
        return turnResult('completed', {
          agent: sent.agent,
          sessionId: `s-${phase}`,
          read: phaseReading(phase, says),
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
    commitCycle: (input) => {
      calls.commits.push(input)
      const n = calls.commits.length
      const empty = script.emptyCommits?.includes(n) === true
      const { tampered = [] } = script
      return Promise.resolve({
        head: empty ? input.expectHead : `work-${n}`,
        commit: empty ? null : `work-${n}`,
        files: empty ? [] : ['src/a.ts'],
        filesTotal: empty ? 0 : 1,
        tampered,
        tamperedTotal: tampered.length,
        changedTests: script.changedTests?.(n) ?? [],
        ...changedSoFar(script, n),
        ...told,
        ...editsOf('commit', n),
      })
    },
    notify: notifyOf(script, calls.notices),
    recordCycle: (input) => {
      calls.records.push(input)
      return Promise.resolve({
        ...told,
        ...editsOf('record', calls.records.length),
        ...(input.result === undefined ? {} : { failures: [] }),
      })
    },
  }
  return { activities: parsedHost(activities), ...calls, most: () => most, stopped: () => stopped }
}

function changedSoFar({ changedTests = () => [] }: CycleScript, call: number) {
  const files = Array.from({ length: call }, (_, n) => changedTests(n + 1)).flat()
  return files.length === 0 ? {} : { changedInRun: { files, total: files.length } }
}
