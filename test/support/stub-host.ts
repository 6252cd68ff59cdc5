// A host without files or agents: activities that answer from a script and write down every call.
// What the real ones do is tested in test/activities and test/e2e; here the workflow's own logic is.
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import type { HostActivities, LightActivities } from '../../src/activities/index.js'
import { MAIN_QUEUE, SEARCH_ATTRIBUTES } from '../../src/contract/names.js'
import type { Prepared } from '../../src/contract/state.js'
import type { AgentTurnInput, CommitFixInput, PrepareInput, RecordAnswer, RecordInput, RollBackInput, RunTestsInput, SettleInput } from '../../src/contract/step.js'
import type { TestRun } from '../../src/contract/test-run.js'
import type { TurnOutcome, TurnResult } from '../../src/contract/turn.js'

export type Script = {
  /** Answers of the test runs, in order; the last one repeats. */
  runs: TestRun[]
  /** Answers of turns, by call; the default completes. */
  turn?: (input: AgentTurnInput, call: number) => TurnAnswer | Promise<TurnAnswer>
  /** Test runs (1 is the first) that lose their worker while they are cancelled. */
  testsLostOnCancel?: number[]
  /** Refusal of the commit. */
  commitRefused?: string
  /** Failures that the closing record reports. */
  failures?: RecordAnswer['failures']
  /** Iterations whose fix changes nothing. */
  emptyFixes?: number[]
  prepared?: Partial<Prepared>
  /** What a configuration read after a resume changes. */
  reloaded?: Partial<Prepared>
  serverFacts?: LightActivities['serverFacts']
}
export type TurnAnswer = Partial<TurnResult> & { waitForCancel?: boolean; fail?: string }

export type StubHost = {
  activities: LightActivities & HostActivities
  turns: AgentTurnInput[]
  tests: RunTestsInput[]
  commits: CommitFixInput[]
  rollbacks: RollBackInput[]
  records: RecordInput[]
  settled: SettleInput[]
  prepares: PrepareInput[]
}

export const PREPARED: Prepared = {
  workspace: { project: '/repo', root: '/state/tree', cwd: '/state/tree', branch: 'ratchet/WFS-test-repo', base: 'base', isolation: 'clone' },
  head: 'base', name: 'WFS-test-repo', recordDir: '/repo/.workflow/WFS-test-repo', configHash: 'c', testCommand: 'npm test',
  agents: { 'cli-planning-agent': ['planner'], 'test-fix-agent': ['fixer'] },
  limits: { maxIterations: 5, agentTurnMs: 1_800_000, convergeMs: 180_000, idleMs: 600_000, analysisMs: 2_400_000 },
  testTimeoutMs: 600_000, warnings: [],
}

export function turnResult(outcome: TurnOutcome, rest: Partial<TurnResult> = {}): TurnResult {
  return {
    outcome, agent: 'stub', sessionId: 's-1', usage: { inputTokens: 10, outputTokens: 5, estimated: false },
    answer: { path: '/state/answer.md', sha256: 'a', bytes: 1 }, tail: '', transcript: '/state/transcript.ndjson',
    changedFiles: [], attempts: 1, crashes: 0, leftovers: 0, durationMs: 1, ...rest,
  }
}

export function stubHost(script: Script): StubHost {
  const calls = { turns: [] as AgentTurnInput[], tests: [] as RunTestsInput[], commits: [] as CommitFixInput[], rollbacks: [] as RollBackInput[], records: [] as RecordInput[], settled: [] as SettleInput[], prepares: [] as PrepareInput[] }
  const activities: LightActivities & HostActivities = {
    serverFacts: script.serverFacts ?? (() => Promise.resolve({ searchAttributes: Object.keys(SEARCH_ATTRIBUTES), queue: MAIN_QUEUE, project: '/repo', projectKey: 'a1b2c3d4e5f6' })),
    prepareRun: (input) => {
      calls.prepares.push(input)
      return Promise.resolve({ ...PREPARED, ...script.prepared })
    },
    reloadConfig: () => Promise.resolve({ configHash: 'c2', testCommand: PREPARED.testCommand, agents: PREPARED.agents, limits: PREPARED.limits, testTimeoutMs: PREPARED.testTimeoutMs, ...script.reloaded }),
    runTests: async (input) => {
      calls.tests.push(input)
      const n = calls.tests.length - (script.testsLostOnCancel ?? []).filter((lost) => lost < calls.tests.length).length
      if (script.testsLostOnCancel?.includes(calls.tests.length) === true) {
        await cancelled()
        throw ApplicationFailure.nonRetryable('heartbeat timeout', 'WorkerLost')
      }
      return script.runs[Math.min(n, script.runs.length) - 1] as TestRun
    },
    agentTurn: async (input) => {
      calls.turns.push(input)
      const { waitForCancel = false, fail, ...answer } = (await script.turn?.(input, calls.turns.length)) ?? {}
      if (fail !== undefined) throw ApplicationFailure.nonRetryable(fail, 'Broken')
      if (!waitForCancel) return turnResult('completed', { agent: input.agent, ...answer })
      await cancelled()
      return turnResult('stopped', { agent: input.agent })
    },
    settleTurn: (input) => {
      calls.settled.push(input)
      return Promise.resolve(turnResult('stopped', { agent: input.agent, reason: input.reason }))
    },
    commitFix: (input) => {
      calls.commits.push(input)
      if (script.commitRefused !== undefined) throw ApplicationFailure.nonRetryable(script.commitRefused, 'BadConfig')
      const n = calls.commits.length
      if (script.emptyFixes?.includes(n) === true) return Promise.resolve({ head: input.expectHead, commit: null, files: [], filesTotal: 0, tampered: [] })
      return Promise.resolve({ head: `fix-${n}`, commit: `fix-${n}`, files: ['src/a.ts'], filesTotal: 1, tampered: [] })
    },
    rollBack: (input) => {
      calls.rollbacks.push(input)
      return Promise.resolve({ head: `revert-${calls.rollbacks.length}`, commit: `revert-${calls.rollbacks.length}`, files: [], filesTotal: 0, tampered: [] })
    },
    recordRun: (input) => {
      calls.records.push(input)
      return Promise.resolve({ warnings: [], ...(script.failures === undefined || input.result === undefined ? {} : { failures: script.failures }) })
    },
  }
  return { activities, ...calls }
}

/** Beats until the activity is cancelled. */
async function cancelled(): Promise<void> {
  const beat = setInterval(() => Context.current().heartbeat(), 200)
  await Context.current().cancelled.catch((error: unknown) => { if (!(error instanceof CancelledFailure)) throw error })
  clearInterval(beat)
}
