// The state that a test-fix run carries from one iteration to the next. Compact: lists are bounded,
// texts are references. Validated when read, as a newer version of the code may continue after a
// boundary.
import { z } from 'zod'
import { Raised, Spending } from '../budget.js'
import { AskedEvent } from '../hooks.js'
import { AgentSession, IterationSessions } from './agent-session.js'
import { CarriedLimits, QuestionClock } from '../question-limits.js'
import { TestFixInput } from './test-fix-input.js'
import { FileRef } from '../files.js'
import { RunOutage } from '../outage.js'
import { IterationSummary, RunEnv, RunUsage } from '../result.js'
import { ProposedTestChange } from './test-change.js'
import { AnalysisQuality, FixCause, FixPart, RefusedAnalysis, Strategy, TaskEntry } from './task.js'
import { Generation } from './test-quality.js'
import { RunSandboxUse } from '../sandbox.js'
import { Measured, TestRun } from '../test-run.js'
import { Commit, ConfigHash, RecordDir, Workspace } from '../workspace.js'
import { RecordName } from '../ids.js'

/** Answer of the `serverFacts` activity. */
export const ServerFacts = z.object({
  /** Search attributes of Ratchet that the server knows; only these are upserted. */
  searchAttributes: z.array(z.string()),
  /** Queue of the project's host. */
  queue: z.string(),
  /** Real path of the project. */
  project: z.string(),
  projectKey: z.string(),
})
export type ServerFacts = z.infer<typeof ServerFacts>

/** Answer of the `prepareRun` activity: everything about the project that decisions need. */
export const Prepared = z.object({
  workspace: Workspace,
  head: Commit,
  /** Record name, also the branch's last part. */
  name: RecordName,
  recordDir: RecordDir,
  configHash: ConfigHash,
  testCommand: z.string(),
  /** Agents by role, first choice first; empty if none is configured. */
  agents: z.object({
    'cli-planning-agent': z.array(z.string()),
    'test-fix-agent': z.array(z.string()),
    'code-developer': z.array(z.string()).optional(),
  }),
  limits: z.object({
    maxIterations: z.number().int(),
    agentTurnMs: z.number(),
    convergeMs: z.number(),
    idleMs: z.number(),
    analysisMs: z.number(),
  }),
  testTimeoutMs: z.number(),
  spending: Spending.optional(),
  /** Events that a hook of the project receives besides questions. */
  hooks: z.array(AskedEvent).optional(),
  /** How long questions wait for an answer. */
  questionLimits: CarriedLimits.optional(),
  /** Uncommitted files that the tests saw; absent if there are none. */
  measuredWith: z.array(z.string()).optional(),
  /** What encloses its agents, set-up, checks and tests. */
  sandbox: RunSandboxUse.optional(),
  /** Where its environment is from. */
  env: RunEnv.optional(),
  warnings: z.array(z.string()),
})
export type Prepared = z.infer<typeof Prepared>

/** The current iteration and its progress, so that a resumed run continues right there. */
export const PendingFix = z.object({
  iteration: z.number().int(),
  /** `IMPL-fix-N`. */
  task: z.string(),
  /** Its test task. */
  parent: z.string(),
  strategy: Strategy,
  quality: AnalysisQuality,
  /** One line: what the fix is to do. */
  summary: z.string(),
  points: z.number().int(),
  affectedFiles: z.array(z.string()),
  /** Files that the plan changes, the first ones. */
  files: z.array(z.string()).optional(),
  /** A person has approved the plan. */
  approved: z.literal(true).optional(),
  startedAt: z.number(),
  /** Turns of the run before the iteration. */
  turnsBefore: z.number().int(),
  notes: z.array(z.string()),
  /** Unused answers to its analysis prompt. */
  refused: z.array(RefusedAnalysis).optional(),
  /** Its candidate, once the fix is committed; `null` if it changed nothing. */
  commit: z.string().nullable().optional(),
  /** Its independent causes, if there are several. */
  causes: z.array(FixCause).optional(),
  /** Their commits, the last of which is `commit`. */
  parts: z.array(FixPart).optional(),
  /** Tasks of the causes that were taken out, as they broke a test. */
  out: z.array(z.string()).optional(),
  /** Files that it changed as `test.mayChange` allows. */
  changedTests: z.array(z.string()).optional(),
  claimed: z.number().optional(),
  /** Agent that made it. */
  agent: z.string().optional(),
  sessions: IterationSessions.optional(),
  /** Another tool planned it, and no run before it was measured yet. */
  planned: z.literal(true).optional(),
})
export type PendingFix = z.infer<typeof PendingFix>

/** A fix that was rolled back: pass rates in percent, `null` if nothing was measured. */
export const RolledBack = z.object({
  task: z.string(),
  before: z.number().nullable(),
  after: z.number().nullable(),
})
export type RolledBack = z.infer<typeof RolledBack>

/** The best measured commit so far, the baseline included: where the branch ends. */
export const Best = z.object({
  /**
   * Its commit on the branch; `run` names the candidate that was measured. A later commit of the
   * same tree may be the head.
   */
  commit: Commit,
  /** Iteration that made it; 0 is the baseline. */
  iteration: z.number().int(),
  run: Measured,
  /** Changed lines since the base. */
  size: z.number().int(),
})
export type Best = z.infer<typeof Best>

export const TestFixState = z.object({
  schema: z.literal(1),
  input: TestFixInput,
  startedAt: z.number(),
  facts: ServerFacts,
  prepared: Prepared,
  /** Iterations spent. */
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  /** Commit that the workspace is at: a candidate that waits for its verdict, or the branch. */
  head: Commit,
  /** Full runs so far, and runs with canaries. */
  fullRuns: z.number().int().optional(),
  /** Full run of the tip, the commit that the next fix starts from. */
  lastRun: TestRun.optional(),
  best: Best.optional(),
  /**
   * The first best state, once another one is best: newly found flaky tests may make it best again.
   */
  start: Best.optional(),
  /**
   * Best states between the start and the best one, the newest last: if best is refuted, or if
   * newly found flaky tests made it look better, the run returns to one of them.
   */
  earlier: z.array(Best).optional(),
  /** Former best states that flaky tests made look better: further ones may show the opposite. */
  dropped: z.array(Best).optional(),
  /**
   * What canaries showed for a commit; `reason` if they did not confirm it. `refuted`: there was no
   * earlier state to return to.
   */
  confirmation: z
    .object({
      commit: z.string(),
      reason: z.string().optional(),
      refuted: z.literal(true).optional(),
    })
    .optional(),
  /** The runner cannot select files, so results are confirmed only at the end of the run. */
  confirmsAtEnd: z.boolean().optional(),
  /** Refutations since the last commit that was not refuted, and what is forged. */
  forged: z.object({ times: z.number().int(), reason: z.string() }).optional(),
  /** The tip has the tree of the best state. */
  atBest: z.boolean().optional(),
  /** Full run of the baseline: its pass rate in percent, `null` where the suite did not start. */
  baselineRate: z.number().nullable().optional(),
  /** Consecutive kept fixes that left the tip worse than the best state. */
  worse: z.number().int().optional(),
  /** The last iteration repaired or moved a test, and was kept. */
  progress: z.boolean().optional(),
  /** That iteration broke no test: the next one may fix several causes. */
  brokeNothing: z.boolean().optional(),
  /** Whether the commit of the last full run was kept. */
  lastKept: z.boolean().optional(),
  /** Consecutive iterations without a usable analysis and without progress. */
  degraded: z.number().int().optional(),
  /** Results of the first measurement; missing tests are those of this run. */
  baseline: FileRef.optional(),
  history: z.array(IterationSummary),
  commits: z.array(z.string()),
  usage: RunUsage,
  raised: Raised.optional(),
  /** Current outages of agents' providers, by agent. */
  outages: z.record(z.string(), RunOutage).optional(),
  /** Why the last fix was rolled back, for the next analysis. */
  rollbackReason: z.string().optional(),
  /** Fixes that were rolled back since the last commit of the branch, the newest. */
  rolledBack: z.array(RolledBack).optional(),
  warnings: z.array(z.string()),
  pause: z.object({ mode: z.enum(['turn', 'now']), reason: z.string() }).optional(),
  requestIds: z.array(z.string()),
  questionClock: QuestionClock.optional(),
  /**
   * Tasks of the session, in the order of the queue; closed fixes and retests are only in the
   * history.
   */
  queue: z.array(TaskEntry),
  /** There is no test plan yet; one is made before tests are generated. */
  unplanned: z.boolean().optional(),
  /** A person approves plans and tests. */
  interactive: z.boolean().optional(),
  /** A person has approved the plan of the tests. */
  testPlanApproved: z.literal(true).optional(),
  /** Task whose tests are written, and which no person has approved yet. */
  writtenTests: z.string().optional(),
  /** Tests that Ratchet plans and measures itself. */
  generation: Generation.optional(),
  /** Session of the last analysis or fix. */
  session: AgentSession.optional(),
  /** Agents that served no prompt in a continued session: each turn gets a new one. */
  needsNew: z.array(z.string()).optional(),
  /** The current iteration. */
  pending: PendingFix.optional(),
  /** Iterations granted while the run was open. */
  extended: z.number().int().optional(),
  /**
   * Results of the last full run, even if its commit was rolled back: stuck tests are counted over
   * these. Before the first one, the test files that did not load.
   */
  lastFull: FileRef.optional(),
  /** What agents said about the criticality of failures. */
  claims: FileRef.optional(),
  /** Fingerprint of the failures that were assessed last. */
  assessed: z.string().optional(),
  lastStrategy: Strategy.optional(),
  /** Most failures of the last full run are stuck. */
  stuckMajority: z.boolean().optional(),
  /** Stuck tests of a rolled back run; otherwise the last run has them. */
  stuckTests: z.array(z.string()).optional(),
  /** The last fix changed nothing, or left the same failures. */
  repeated: z.boolean().optional(),
  /** Digests of the root causes of the last analyses. */
  causes: z.array(z.string()).optional(),
  /** Further reasons for a review, besides those of the gate. */
  review: z.array(z.string()).optional(),
  /** Valid test changes that agents propose, one for each file. */
  proposals: z.array(ProposedTestChange).optional(),
  /** Files that kept fixes changed as `test.mayChange` allows. */
  changedTestFiles: z.array(z.string()).optional(),
})
export type TestFixState = z.infer<typeof TestFixState>

/** The part of the state that the record restores for a session without its workflow. */
export const Restored = TestFixState.pick({
  startedAt: true,
  iteration: true,
  lastRun: true,
  baseline: true,
  history: true,
  commits: true,
  usage: true,
  rollbackReason: true,
  rolledBack: true,
  pending: true,
  extended: true,
  lastFull: true,
  claims: true,
  assessed: true,
  lastStrategy: true,
  stuckMajority: true,
  stuckTests: true,
  best: true,
  start: true,
  earlier: true,
  dropped: true,
  confirmation: true,
  forged: true,
  atBest: true,
  baselineRate: true,
  worse: true,
  progress: true,
  brokeNothing: true,
  lastKept: true,
  degraded: true,
  repeated: true,
  causes: true,
  review: true,
  generation: true,
  proposals: true,
  changedTestFiles: true,
  interactive: true,
  testPlanApproved: true,
  writtenTests: true,
})
export type Restored = z.infer<typeof Restored>
