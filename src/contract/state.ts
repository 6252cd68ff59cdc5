// What a test-fix run carries from one iteration to the next. Compact: lists are bounded, texts are
// references. Checked when read, because a newer version of the code may take over at the boundary.
import { z } from 'zod'
import { Raised, Spending } from './budget.js'
import { AskedEvent } from './hooks.js'
import { TestFixInput } from './input.js'
import { FileRef } from './files.js'
import { IterationSummary, RunUsage } from './result.js'
import { Strategy, AnalysisQuality, TaskEntry } from './task.js'
import { TestRun } from './test-run.js'
import { Workspace } from './workspace.js'

/** Answer of the `serverFacts` activity. */
export const ServerFacts = z.object({
  /** Search attributes of ours that the server knows; only these are upserted. */
  searchAttributes: z.array(z.string()),
  /** Queue of the project's host. */
  queue: z.string(),
  /** Real path of the project. */
  project: z.string(),
  projectKey: z.string(),
})
export type ServerFacts = z.infer<typeof ServerFacts>

/** Answer of the `prepareRun` activity: everything about the project that the decisions need. */
export const Prepared = z.object({
  workspace: Workspace,
  head: z.string(),
  /** Record name, also the branch's last part. */
  name: z.string(),
  recordDir: z.string(),
  configHash: z.string(),
  testCommand: z.string(),
  /** Agents by role, first choice first; empty where none is configured. */
  agents: z.object({ 'cli-planning-agent': z.array(z.string()), 'test-fix-agent': z.array(z.string()), 'code-developer': z.array(z.string()).optional() }),
  limits: z.object({ maxIterations: z.number().int(), agentTurnMs: z.number(), convergeMs: z.number(), idleMs: z.number(), analysisMs: z.number() }),
  testTimeoutMs: z.number(),
  spending: Spending.optional(),
  /** Events beside a question that a hook of the project is told of. */
  hooks: z.array(AskedEvent).optional(),
  warnings: z.array(z.string()),
})
export type Prepared = z.infer<typeof Prepared>

/** An iteration that has begun: what is done of it, so that a resumed run goes on right there. */
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
  startedAt: z.number(),
  /** Turns the run had taken when it began. */
  turnsBefore: z.number().int(),
  notes: z.array(z.string()),
  /** There from the moment the fix is committed; `null` where it changed nothing. */
  commit: z.string().nullable().optional(),
  claimed: z.number().optional(),
})
export type PendingFix = z.infer<typeof PendingFix>

export const TestFixState = z.object({
  schema: z.literal(1),
  input: TestFixInput,
  rules: z.number().int(),
  startedAt: z.number(),
  facts: ServerFacts,
  prepared: Prepared,
  /** Iterations spent. */
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  head: z.string(),
  /** Full run of `head`. */
  lastRun: TestRun.optional(),
  /** Results of the first run that measured something; missing tests are told against it. */
  baseline: FileRef.optional(),
  history: z.array(IterationSummary),
  commits: z.array(z.string()),
  usage: RunUsage,
  raised: Raised.optional(),
  /** Why the last fix was rolled back, for the next analysis. */
  rollbackReason: z.string().optional(),
  warnings: z.array(z.string()),
  pause: z.object({ mode: z.enum(['turn', 'now']), reason: z.string() }).optional(),
  requestIds: z.array(z.string()),
  // From here on: rules 2. A run of rules 1 has none of it.
  /** Tasks of the session, in the order of the queue; closed fixes and retests are left out, the history has them. */
  queue: z.array(TaskEntry).optional(),
  /** There is no test plan yet; one is made before tests are generated. */
  unplanned: z.boolean().optional(),
  /** The iteration that has begun. */
  pending: PendingFix.optional(),
  /** Iterations granted while it ran. */
  extended: z.number().int().optional(),
  /** Results of the last full run, whatever became of its commit: stuck tests are counted over these. */
  lastFull: FileRef.optional(),
  /** What agents said about the criticality of failures. */
  claims: FileRef.optional(),
  /** Fingerprint of the failures that were assessed last. */
  assessed: z.string().optional(),
  lastStrategy: Strategy.optional(),
  /** Most of the failures of the last full run are stuck. */
  stuckMajority: z.boolean().optional(),
  /** Stuck tests of a run that was rolled back; else the last run has them. */
  stuckTests: z.array(z.string()).optional(),
  /** Iteration that was made reflective because most failures were stuck. */
  stuckSwitch: z.number().int().optional(),
  /** The last fix changed nothing, or left the very same failures. */
  repeated: z.boolean().optional(),
  /** Digests of the root causes of the last analyses. */
  causes: z.array(z.string()).optional(),
  /** Why the outcome needs a review, beside what the gate says. */
  review: z.array(z.string()).optional(),
  /** Tests that passed only on re-run since the last fix. */
  flakySeen: z.array(z.string()).optional(),
})
export type TestFixState = z.infer<typeof TestFixState>

/** What the record gives back to a session that goes on without its workflow. */
export const Restored = TestFixState.pick({
  startedAt: true, iteration: true, lastRun: true, baseline: true, history: true, commits: true, usage: true, rollbackReason: true,
  pending: true, extended: true, lastFull: true, claims: true, assessed: true, lastStrategy: true, stuckMajority: true, stuckTests: true, stuckSwitch: true, repeated: true, causes: true, review: true,
})
export type Restored = z.infer<typeof Restored>
