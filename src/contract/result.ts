// What a run reports while it is open, and what it returns at its end.
import { z } from 'zod'
import { RunId } from './ids.js'
import { KINDS } from './names.js'
import { Question } from './question.js'
import { RunSandboxUse } from './sandbox.js'
import { IterationSessions } from './test-fix/agent-session.js'
import { AnalysisQuality, PartResult, RefusedAnalysis, Strategy } from './test-fix/task.js'
import { TestChange } from './test-fix/test-change.js'
import { Criticality, Levels } from './test-run.js'
import { ProjectDir } from './workspace.js'

export const RunStatus = z.enum([
  'created',
  'running',
  'paused',
  'completed',
  'failed',
  'user_exit',
])
export type RunStatus = z.infer<typeof RunStatus>

export const TestFixOutcome = z.enum(['success', 'partial_success', 'failed', 'blocked', 'stopped'])
export type TestFixOutcome = z.infer<typeof TestFixOutcome>

export const ReportedFailure = z.object({
  test: z.string(),
  file: z.string(),
  criticality: Criticality,
  error: z.string(),
})
export type ReportedFailure = z.infer<typeof ReportedFailure>

export const RunUsage = z.object({
  turns: z.number().int(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Of `inputTokens`: read from the provider's cache, if an agent reports it. */
  cachedTokens: z.number().optional(),
  costUsd: z.number().optional(),
  estimated: z.boolean(),
  /** Milliseconds of work of all agents, added up. */
  agentMs: z.number().optional(),
})
export type RunUsage = z.infer<typeof RunUsage>

/** One iteration for summaries and views. */
export const IterationSummary = z.object({
  iteration: z.number().int(),
  /** Percent with one decimal, rounded down; `null` if the suite did not start. */
  passRate: z.number().nullable(),
  passed: z.number().int().optional(),
  total: z.number().int().optional(),
  result: z.enum(['baseline', 'kept', 'rolled_back', 'no_change', 'not_started', 'failed']),
  commit: z.string().nullable(),
  /** Pass rate that the agent claimed, in percent, if it claimed one. */
  claimed: z.number().optional(),
  /** What happened, in one sentence, if the other fields do not show it. */
  note: z.string().optional(),
  turns: z.number().int(),
  /** Number of files that the step changed, by git, if known. */
  files: z.number().int().optional(),
  /** The fix task of the iteration and the test task it belongs to. */
  task: z.string().optional(),
  parent: z.string().optional(),
  strategy: Strategy.optional(),
  analysis: AnalysisQuality.optional(),
  /** Its root causes, if it fixed several in one turn. */
  parts: z.array(PartResult).optional(),
  /** Unused answers to the analysis prompt, with the files that keep them. */
  refused: z.array(RefusedAnalysis).optional(),
  /** Failing tests by criticality, if the run was compared. */
  levels: Levels.optional(),
  stuck: z.number().int().optional(),
  sessions: IterationSessions.optional(),
  /** Epoch milliseconds. */
  startedAt: z.number().optional(),
  completedAt: z.number().optional(),
})
export type IterationSummary = z.infer<typeof IterationSummary>

/**
 * The commit that the complete worker suggests, with what git knows. `command` is a line for a
 * shell.
 */
export const SuggestedCommit = z.object({
  message: z.string(),
  command: z.string(),
  readyForPr: z.boolean(),
  branchStrategy: z.string().optional(),
})
export type SuggestedCommit = z.infer<typeof SuggestedCommit>

/** `file`: where its command reads it; `earlier`: copy of the package that was there before. */
export const WrittenPackage = z.object({
  for: z.enum(['cycle', 'loop']),
  file: z.string(),
  prep_status: z.enum(['ready', 'needs_refinement']),
  /** Of 10. */
  quality_score: z.number(),
  earlier: z.string().optional(),
})
export type WrittenPackage = z.infer<typeof WrittenPackage>

/** `passRate` in percent; `iteration` 0 is the baseline. */
export const BestState = z.object({
  commit: z.string(),
  iteration: z.number().int(),
  passRate: z.number().nullable(),
})
export type BestState = z.infer<typeof BestState>

/**
 * Where the environment of a run comes from: the command that started or last continued the run;
 * the project's last command; the supervisor; the worker itself.
 */
export const EnvFrom = z.enum(['command', 'project', 'supervisor', 'worker'])
export type EnvFrom = z.infer<typeof EnvFrom>

/** What a run reports of its environment. `named`: variables that its configuration names. */
export const RunEnv = z.object({
  from: EnvFrom,
  named: z.array(z.string()),
  /** Variables whose values are removed from what its programs print, the first 20. */
  redacted: z.array(z.string()).optional(),
})
export type RunEnv = z.infer<typeof RunEnv>

/** Result of a finished run; the CLI adds `uiUrl`. */
export const RunResult = z.object({
  id: RunId,
  kind: z.enum(KINDS),
  outcome: z.string(),
  status: RunStatus,
  iterations: z.number().int(),
  /** Of a test-fix run: iterations that it may use. */
  maxIterations: z.number().int().optional(),
  /** 0-100 with one decimal, rounded down: 99.96 is not 100. `null` if nothing was measured. */
  passRate: z.number().nullable(),
  reviewNeeded: z.boolean(),
  /**
   * Of a test-fix run: the best measured state, where the branch ends; `null` if nothing was
   * measured.
   */
  best: BestState.nullable().optional(),
  /** Of a test-fix run: pass rate of the first full run, `null` if the suite did not start. */
  baselinePassRate: z.number().nullable().optional(),
  /**
   * Tests that passed at the baseline and fail or are missing: of a test-fix run in the best state,
   * of a dev cycle or loop in its last full run. The first of them as `file > test`. One entry
   * stands for a whole suite that no longer runs.
   */
  broken: z.array(z.string()).optional(),
  /**
   * Of a test-fix run: whether canaries confirmed the results of the best state; absent if that is
   * the start.
   */
  confirmed: z.boolean().optional(),
  /** Why not. */
  unconfirmed: z.string().optional(),
  /**
   * Of a test-fix run: number of full runs and runs with canaries. At most three more than the
   * iterations if nothing was refuted and no cause of a fix had to be found that broke a test.
   */
  fullRuns: z.number().int().optional(),
  /** Uncommitted files that the tests saw, as `workspace.copy: .env`; absent if there are none. */
  measuredWith: z.array(z.string()).optional(),
  /** What enclosed its agents, set-up, checks and tests; absent if nothing did. */
  sandbox: RunSandboxUse.optional(),
  /** Where its environment is from, and which variables are named for it. */
  env: RunEnv.optional(),
  /** Of a test-fix run: head of the branch, which has the tree of `best.commit`. */
  head: z.string().optional(),
  /**
   * Of a test-fix run: test changes that its agents propose but may not make; absent if there are
   * none.
   */
  proposedTestChanges: z.array(TestChange).optional(),
  /**
   * Of a test-fix run: files that fixes changed as `test.mayChange` allows, the first 50. Of a dev
   * cycle or loop: existing tests that are not as they were at the start, the first 20. Absent if
   * there are none.
   */
  changedTestFiles: z.array(z.string()).optional(),
  /** Of a dev cycle or loop: a person agreed to its end. */
  confirmedByPerson: z.boolean().optional(),
  /**
   * Of a dev cycle or loop that continued with a further task: all its commits belong to earlier
   * tasks, or every file is as it was before the last one.
   */
  nothingCommitted: z.literal(true).optional(),
  branch: z.string().nullable(),
  commits: z.array(z.string()),
  failures: z.array(ReportedFailure),
  failuresTotal: z.number().int(),
  /** Why it ended, and what to do next; `null` if the outcome explains it. */
  reason: z.string().nullable(),
  /**
   * What a person should know and what decided nothing, one sentence each, the newest last. With
   * `--json` also what the command itself warned about.
   */
  warnings: z.array(z.string()).default([]),
  recordDir: z.string().nullable(),
  usage: RunUsage,
  history: z.array(IterationSummary),
  /** Of a dev loop: its id again. */
  loop_id: z.string().optional(),
  /** Of a dev loop: how to commit its work. */
  suggestion: SuggestedCommit.optional(),
  /** Of a preparation: the package that it has written. */
  package: WrittenPackage.optional(),
})
export type RunResult = z.infer<typeof RunResult>

/** Answer of the `status` query. */
export const StatusReply = z.object({
  id: RunId,
  kind: z.enum(KINDS),
  project: ProjectDir,
  status: RunStatus,
  phase: z.string(),
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  passRate: z.number().nullable(),
  /** Of a test-fix run: as in its result, of the best state so far. */
  best: BestState.nullable().optional(),
  baselinePassRate: z.number().nullable().optional(),
  broken: z.number().int().optional(),
  proposedTestChanges: z.array(TestChange).optional(),
  /** One sentence for every waiting state. */
  waitingFor: z.string(),
  branch: z.string().nullable(),
  sandbox: RunSandboxUse.optional(),
  env: RunEnv.optional(),
  questions: z.number().int(),
  history: z.array(IterationSummary),
})
export type StatusReply = z.infer<typeof StatusReply>

/** An activity that runs, or waits for a worker or its next attempt. */
export const PendingActivity = z.object({
  name: z.string(),
  attempt: z.number(),
  started: z.boolean(),
  /** A worker runs it; false while it waits for one, or for its next attempt. */
  running: z.boolean(),
  /** Start of this attempt by the server's clock; epoch milliseconds. */
  startedAt: z.number().optional(),
  /** Details of its last heartbeat. */
  progress: z.record(z.string(), z.unknown()).optional(),
  /** Message and type of the previous attempt's failure. */
  lastFailure: z.string().optional(),
  lastFailureType: z.string().optional(),
})
export type PendingActivity = z.infer<typeof PendingActivity>

/** What an open run and its server say about it, however they were asked. */
export const RunFacts = z.object({
  id: z.string(),
  kind: z.enum(KINDS),
  /** As the server has indexed it; a run that has just begun has none. */
  project: z.string().optional(),
  /** Start of its first iteration; ISO 8601. */
  startedAt: z.string(),
  pending: z.array(PendingActivity),
  status: StatusReply,
  /** Those that are not answered. */
  questions: z.array(Question),
  /** Its state, if the whole run was asked for. */
  state: z.unknown().optional(),
})
export type RunFacts = z.infer<typeof RunFacts>
