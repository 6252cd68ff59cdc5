// A host without files or agents: activities that answer from a script and log every call. It
// serves tests of the workflow's logic; test/activities and test/runs test the real activities.
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import type {
  CycleActivities,
  HostActivities,
  LightActivities,
  LoopActivities,
  PrepActivities,
} from '../../src/activities/index.js'
import { MAIN_QUEUE, SEARCH_ATTRIBUTES } from '../../src/contract/names.js'
import type { Prepared } from '../../src/contract/test-fix/test-fix-state.js'
import type { TaskEntry } from '../../src/contract/test-fix/task.js'
import type {
  CoverageFound,
  MeasuredTests,
  MeasureTestsInput,
} from '../../src/contract/test-fix/test-quality.js'
import type { BeatInput, NotifyInput, RunTestsInput } from '../../src/contract/step.js'
import type { ProposedTestChange } from '../../src/contract/test-fix/test-change.js'
import type { Measured, TestRun } from '../../src/contract/test-run.js'
import type { TurnOutcome, TurnReading, TurnResult } from '../../src/contract/turn.js'
import type { Coverage } from '../../src/core/test-fix/test-changes.js'
import { parsedHost } from './hosts/parsed-host.js'
import { compared } from './test-runs.js'
import type {
  AcceptFixInput,
  AppliedChanges,
  ApplyChangesInput,
  Confirmation,
  ConfirmInput,
  Proposed,
  ProposeInput,
  CommitFixInput,
  DegradedInput,
  PrepareInput,
  PreparedRun,
  RecordAnswer,
  GoBackInput,
  RecordInput,
  RollBackInput,
  TakeOutInput,
} from '../../src/contract/test-fix/test-fix-step.js'
import type { SentTurn, SettleInput } from '../../src/contract/turn-input.js'

export type Script = {
  /** Answers of the test runs, in order; the last one repeats. */
  runs: TestRun[]
  /** Answers of turns, by call; the default completes. */
  turn?: (input: SentTurn, call: number) => TurnAnswer | Promise<TurnAnswer>
  /** Test runs (1 is the first) that lose their worker during a cancel. */
  testsLostOnCancel?: number[]
  /** Refusal of the commit. */
  commitRefused?: string
  /** Failures that the closing record reports. */
  failures?: RecordAnswer['failures']
  /** Iterations whose fix changes nothing. */
  emptyFixes?: number[]
  prepared?: Partial<PreparedRun>
  /** Changes of the configuration read after a resume. */
  reloaded?: Partial<Prepared>
  serverFacts?: LightActivities['serverFacts']
  notify?: HostActivities['notify']
  /** What `beatAtOnce` does; by default it answers. */
  beat?: () => Promise<void>
  /** Result of the check of the test changes that a turn proposes. */
  propose?: (input: ProposeInput) => Proposed
  /**
   * Failing tests in files with a proposal, and in others; the default: all of the last run are
   * covered.
   */
  covered?: (call: number) => Coverage
  /** Results of canaries, by call; the default confirms. `wait` waits until it is cancelled. */
  confirm?: (call: number) => Confirmation | 'wait'
  /** Why leaving a candidate, or a commit with an earlier tree, fails; by default it succeeds. */
  rollBack?: (input: RollBackInput) => Error | undefined
  goBack?: (input: GoBackInput) => Error | undefined
  /** Why a commit, or writing the record, fails; `undefined` if it succeeds. */
  commit?: (input: CommitFixInput) => Error | undefined
  record?: (input: RecordInput) => Error | undefined
  /** What is measured of tests, by call; the default: nothing is missing, and they are good. */
  coverage?: (call: number) => CoverageFound
  measured?: (call: number) => MeasuredTests
  /** Answer to applying test changes; the default makes a commit. */
  applied?: (input: ApplyChangesInput) => AppliedChanges
}
export type TurnAnswer = Partial<TurnResult> & {
  waitForCancel?: boolean
  fail?: string
  failType?: string
}

export type StubHost = {
  activities: LightActivities &
    Omit<HostActivities, keyof CycleActivities | keyof LoopActivities | keyof PrepActivities>
  turns: SentTurn[]
  tests: RunTestsInput[]
  commits: CommitFixInput[]
  accepts: AcceptFixInput[]
  rollbacks: RollBackInput[]
  backs: GoBackInput[]
  takenOut: TakeOutInput[]
  records: RecordInput[]
  settled: SettleInput[]
  /** Requests to beat at once, after steps were cancelled. */
  beats: BeatInput[]
  prepares: PrepareInput[]
  degraded: DegradedInput[]
  /** Questions passed to a hook. */
  notices: NotifyInput[]
  proposes: ProposeInput[]
  /** Files of the proposals whose failing tests were counted. */
  counted: string[][]
  applies: ApplyChangesInput[]
  confirms: ConfirmInput[]
  /** Tests whose coverage was measured, and those that were checked with mutants. */
  covers: MeasureTestsInput[]
  measures: MeasureTestsInput[]
}

/**
 * For a server without our search attributes, such as the time-skipping one: the cycle must not
 * upsert any.
 */
export const bare = {
  serverFacts: () =>
    Promise.resolve({
      searchAttributes: [],
      queue: MAIN_QUEUE,
      project: '/repo',
      projectKey: 'a1b2c3d4e5f6',
    }),
}

export const PREPARED: Prepared = {
  workspace: {
    project: '/repo',
    root: '/state/tree',
    cwd: '/state/tree',
    branch: 'ratchet/WFS-test-repo',
    base: 'base',
    isolation: 'clone',
  },
  head: 'base',
  name: 'WFS-test-repo',
  recordDir: '/repo/.workflow/WFS-test-repo',
  configHash: 'c',
  testCommand: 'npm test',
  agents: { 'cli-planning-agent': ['planner'], 'test-fix-agent': ['fixer'] },
  limits: {
    maxIterations: 5,
    agentTurnMs: 1_800_000,
    convergeMs: 180_000,
    idleMs: 600_000,
    analysisMs: 2_400_000,
  },
  testTimeoutMs: 600_000,
  warnings: [],
}

export const COVERED: CoverageFound = {
  coverage: { lines: 95, branches: 90, functions: 100 },
  hasTests: true,
  untested: [],
  thresholds: {},
}

export const GOOD_TESTS: MeasuredTests = {
  coverage: { lines: 95, branches: 90, functions: 100 },
  tests: 4,
  failing: 0,
  assertions: { tests: 4, total: 9, weak: [], weakTotal: 0 },
  mutants: { tried: 10, killed: 9, survivors: ['src/a.ts:3: "<" becomes "<="'] },
}

/** The only task of a session that Ratchet creates itself. */
export const TEST_TASK: TaskEntry = {
  id: 'IMPL-002',
  title: 'Run the tests and fix what fails',
  type: 'test-fix',
  role: 'test-fix-agent',
  status: 'pending',
  dependsOn: [],
  file: 'IMPL-002.json',
  attempts: 0,
}

export const ANALYSIS: Extract<TurnReading, { kind: 'analysis' }> = {
  kind: 'analysis',
  task: 'IMPL-fix-1',
  file: 'IMPL-fix-1.json',
  summary: 'add the missing check',
  points: 1,
  confidence: 0.8,
  cause: 'a missing check',
  affectedFiles: [],
  quality: 'normal',
}

/** A turn that names three causes, if it is an analysis that is asked for several. */
export const severalCauses: NonNullable<Script['turn']> = ({ read }) => {
  if (read?.as !== 'analysis' || read.several !== true) return {}
  const task = `IMPL-fix-${read.iteration}`
  const causes = [1, 2, 3].map((n) => ({
    task: `${task}.${n}`,
    cause: `cause ${n}`,
    files: [`${n}.ts`],
  }))
  return { read: { ...ANALYSIS, task, file: `${task}.json`, cause: task, causes } }
}

/** A valid proposal for `test/N.test.ts`. */
export function proposed(
  number: number,
  rest: Partial<ProposedTestChange> = {},
): ProposedTestChange {
  return {
    number,
    file: `test/${number}.test.ts`,
    why: 'it expects the old message',
    iteration: 1,
    agent: 'fixer',
    patch: { path: `/repo/.workflow/${number}.patch`, sha256: `p${number}`, bytes: 1 },
    ...rest,
  }
}

// What the host parses from the answer of a successful turn.
function reading({ read }: SentTurn): { read?: TurnReading } {
  if (read?.as === 'analysis')
    return {
      read: {
        ...ANALYSIS,
        task: `IMPL-fix-${read.iteration}`,
        file: `IMPL-fix-${read.iteration}.json`,
        cause: `cause ${read.iteration}`,
      },
    }
  if (read?.as === 'gate')
    return {
      read: {
        kind: 'gate',
        critical: 0,
        error: 0,
        warning: 0,
        lines: 90,
        branches: 80,
        functions: 95,
        antiPatterns: 0,
        report: 'fine',
      },
    }
  if (read?.as === 'plan') return { read: { kind: 'plan', file: 'TEST_ANALYSIS_RESULTS.md' } }
  return {}
}

export function turnResult(outcome: TurnOutcome, rest: Partial<TurnResult> = {}): TurnResult {
  return {
    outcome,
    agent: 'stub',
    sessionId: 's-1',
    usage: { inputTokens: 10, outputTokens: 5, estimated: false },
    answer: { path: '/state/answer.md', sha256: 'a', bytes: 1 },
    tail: '',
    transcript: '/state/transcript.ndjson',
    changedFiles: [],
    attempts: 1,
    crashes: 0,
    leftovers: 0,
    durationMs: 1,
    ...rest,
  }
}

/** A run as the host compares it with earlier ones; the first of its tests pass. */
function comparing(): (run: TestRun, input: RunTestsInput) => TestRun {
  const runs = new Map<string, Measured>()
  const flaky = new Set<string>()
  return (run, { commit, compare, baseline }) => {
    if (run.kind !== 'measured') return { ...run, commit }
    const of = (ref: { path: string } | undefined) =>
      ref === undefined ? undefined : runs.get(ref.path)
    const [before, best, first] = [of(compare?.before), of(compare?.best), of(baseline)]
    const countsOf = ({ passed, failed }: Measured) => ({
      baselinePassing: passed,
      broken: Math.max(0, (first?.passed ?? 0) - passed),
      passing: passed,
      failing: failed,
    })
    const did = {
      repaired:
        before === undefined ? 0 : Math.max(0, Math.min(run.passed, before.total) - before.passed),
      broken: before === undefined ? 0 : Math.max(0, before.passed - run.passed),
      counts: countsOf(run),
      ...(best === undefined
        ? {}
        : {
            best: {
              counts: countsOf(best),
              total: best.total,
              then: best.passed,
              now: Math.min(run.passed, best.total),
            },
          }),
    }
    for (const name of run.flakyTests) flaky.add(name)
    const failing = { high: run.failed, medium: 0, low: 0, undecided: run.failed }
    const seen: Measured = {
      ...run,
      commit,
      results: {
        path: `/state/results-${runs.size + 1}.json`,
        sha256: `r${runs.size + 1}`,
        bytes: 0,
      },
      comparison: {
        ...compared({ levels: failing, flaky: flaky.size, flakyTests: [...flaky] }),
        ...run.comparison,
        ...did,
        moved: run.comparison?.moved ?? 0,
      },
    }
    runs.set(seen.results.path, seen)
    return seen
  }
}

export function stubHost(script: Script): StubHost {
  const seen = comparing()
  /** Commits before candidates. */
  const before = new Map<string, string>()
  const calls = {
    turns: [] as SentTurn[],
    tests: [] as RunTestsInput[],
    commits: [] as CommitFixInput[],
    accepts: [] as AcceptFixInput[],
    rollbacks: [] as RollBackInput[],
    backs: [] as GoBackInput[],
    takenOut: [] as TakeOutInput[],
    records: [] as RecordInput[],
    settled: [] as SettleInput[],
    beats: [] as BeatInput[],
    prepares: [] as PrepareInput[],
    degraded: [] as DegradedInput[],
    notices: [] as NotifyInput[],
    proposes: [] as ProposeInput[],
    counted: [] as string[][],
    applies: [] as ApplyChangesInput[],
    confirms: [] as ConfirmInput[],
    covers: [] as MeasureTestsInput[],
    measures: [] as MeasureTestsInput[],
  }
  const activities: LightActivities &
    Omit<HostActivities, keyof CycleActivities | keyof LoopActivities | keyof PrepActivities> = {
    serverFacts:
      script.serverFacts ??
      (() =>
        Promise.resolve({
          searchAttributes: Object.keys(SEARCH_ATTRIBUTES),
          queue: MAIN_QUEUE,
          project: '/repo',
          projectKey: 'a1b2c3d4e5f6',
        })),
    prepareRun: (input) => {
      calls.prepares.push(input)
      return Promise.resolve({ ...PREPARED, tasks: [TEST_TASK], ...script.prepared })
    },
    reloadConfig: () =>
      Promise.resolve({
        configHash: 'c2',
        testCommand: PREPARED.testCommand,
        agents: PREPARED.agents,
        limits: PREPARED.limits,
        testTimeoutMs: PREPARED.testTimeoutMs,
        ...script.reloaded,
      }),
    runTests: async (input) => {
      calls.tests.push(input)
      const n =
        calls.tests.length -
        (script.testsLostOnCancel ?? []).filter((lost) => lost < calls.tests.length).length
      if (script.testsLostOnCancel?.includes(calls.tests.length) === true) {
        await cancelled()
        throw ApplicationFailure.nonRetryable('heartbeat timeout', 'WorkerLost')
      }
      return seen(script.runs[Math.min(n, script.runs.length) - 1] as TestRun, input)
    },
    confirmResults: async (input) => {
      calls.confirms.push(input)
      const said = script.confirm?.(calls.confirms.length) ?? { verdict: 'confirmed' }
      if (said !== 'wait') return said
      await cancelled()
      throw new CancelledFailure('stopped')
    },
    agentTurn: async (input) => {
      calls.turns.push(input)
      const {
        waitForCancel = false,
        fail,
        failType = 'Broken',
        ...answer
      } = (await script.turn?.(input, calls.turns.length)) ?? {}
      if (fail !== undefined) throw ApplicationFailure.nonRetryable(fail, failType)
      if (!waitForCancel)
        return turnResult('completed', { agent: input.agent, ...reading(input), ...answer })
      await cancelled()
      return turnResult('stopped', { agent: input.agent })
    },
    degradedAnalysis: (input) => {
      calls.degraded.push(input)
      return Promise.resolve({
        ...ANALYSIS,
        task: `IMPL-fix-${input.iteration}`,
        file: `IMPL-fix-${input.iteration}.json`,
        confidence: 0,
        quality: 'degraded',
      })
    },
    beatAtOnce: (input) => {
      calls.beats.push(input)
      return script.beat?.() ?? Promise.resolve()
    },
    settleTurn: (input) => {
      calls.settled.push(input)
      return Promise.resolve(turnResult('stopped', { agent: input.agent, reason: input.reason }))
    },
    commitFix: (input) => {
      calls.commits.push(input)
      failWith(script.commit?.(input))
      if (script.commitRefused !== undefined)
        throw ApplicationFailure.nonRetryable(script.commitRefused, 'BadConfig')
      const n = calls.commits.length
      if (script.emptyFixes?.includes(n) === true)
        return Promise.resolve({
          head: input.expectHead,
          commit: null,
          files: [],
          filesTotal: 0,
          tampered: [],
          ...(input.writesTests === true ? { noTests: true as const } : {}),
        })
      const made = { files: ['src/a.ts'], filesTotal: 1, tampered: [] }
      const parts = input.causes?.map(({ task }, at) => ({ task, commit: `fix-${n}.${at + 1}` }))
      const commit = parts?.at(-1)?.commit ?? `fix-${n}`
      if (input.candidate !== undefined) before.set(commit, input.expectHead)
      return Promise.resolve({ head: commit, commit, ...made, ...(parts && { parts }) })
    },
    acceptFix: (input) => {
      calls.accepts.push(input)
      const parts = input.commits.map(({ task }, at, all) => {
        const part = input.parts?.find((one) => one.task === task)?.commit
        const measured = at === all.length - 1 ? input.expectHead : (part ?? '')
        return { task, commit: measured.replace(/^fix-|^/, 'kept-') }
      })
      return Promise.resolve({ head: parts.at(-1)?.commit ?? '', parts })
    },
    rollBack: (input) => {
      calls.rollbacks.push(input)
      failWith(script.rollBack?.(input))
      return Promise.resolve({ head: before.get(input.expectHead) ?? 'base' })
    },
    goBack: (input) => {
      calls.backs.push(input)
      failWith(script.goBack?.(input))
      return Promise.resolve({
        head: `back-${calls.backs.length}`,
        commit: `back-${calls.backs.length}`,
        files: [],
        filesTotal: 0,
        tampered: [],
      })
    },
    takeOut: (input) => {
      calls.takenOut.push(input)
      const commit = `without-${calls.takenOut.length}`
      before.set(commit, before.get(input.expectHead) ?? 'base')
      return Promise.resolve({
        head: commit,
        commit,
        files: [],
        filesTotal: 0,
        tampered: [],
        suspects: input.suspects ?? input.parts.map(({ task }) => task),
      })
    },
    proposeTestChanges: (input) => {
      calls.proposes.push(input)
      return Promise.resolve(
        script.propose?.(input) ?? {
          proposals: [
            ...input.known,
            proposed(input.known.length + 1, { iteration: input.iteration, agent: input.agent }),
          ],
          valid: [`test/${input.known.length + 1}.test.ts`],
          refused: [],
        },
      )
    },
    countCovered: ({ files }) => {
      calls.counted.push(files)
      return Promise.resolve(script.covered?.(calls.counted.length) ?? { covered: 1, uncovered: 0 })
    },
    applyTestChanges: (input) => {
      calls.applies.push(input)
      const commit = `change-${calls.applies.length}`
      return Promise.resolve(
        script.applied?.(input) ?? {
          head: commit,
          commit,
          files: input.changes.map(({ file }) => file),
          filesTotal: input.changes.length,
          tampered: [],
        },
      )
    },
    measureCoverage: (input) => {
      calls.covers.push(input)
      return Promise.resolve(script.coverage?.(calls.covers.length) ?? COVERED)
    },
    measureTests: (input) => {
      calls.measures.push(input)
      return Promise.resolve(script.measured?.(calls.measures.length) ?? GOOD_TESTS)
    },
    planSupplement: ({ number }) =>
      Promise.resolve({
        id: `IMPL-supplement-${number}`,
        title: 'Write the tests that are still missing',
        type: 'test-gen',
        role: 'code-developer',
        status: 'pending',
        dependsOn: [],
        file: `IMPL-supplement-${number}.json`,
        attempts: 0,
      }),
    notify: notifyOf(script, calls.notices),
    recordRun: (input) => {
      calls.records.push(input)
      failWith(script.record?.(input))
      return Promise.resolve({
        warnings: [],
        ...(script.failures === undefined || input.result === undefined
          ? {}
          : { failures: script.failures }),
      })
    },
  }
  return { activities: parsedHost(activities), ...calls }
}

function failWith(error: Error | undefined): void {
  if (error !== undefined) throw error
}

/** Logs the events of a hook. */
export function notifyOf(
  { notify }: { notify?: HostActivities['notify'] },
  notices: NotifyInput[],
): HostActivities['notify'] {
  return (input) => {
    notices.push(input)
    return notify?.(input) ?? Promise.resolve({ warnings: [] })
  }
}

/** Beats until the activity is cancelled. */
export async function cancelled(): Promise<void> {
  const beat = setInterval(() => Context.current().heartbeat(), 200)
  await Context.current().cancelled.catch((error: unknown) => {
    if (!(error instanceof CancelledFailure)) throw error
  })
  clearInterval(beat)
}
