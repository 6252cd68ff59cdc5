// The state that a dev loop carries from one run to the next. Compact: lists are bounded, long
// texts are in the files of the record.
import { Raised, Spending } from '../budget.js'
import { z } from 'zod'
import { FileRef } from '../files.js'
import { AskedEvent } from '../hooks.js'
import { CarriedLimits, QuestionClock } from '../question-limits.js'
import { LoopAction, LoopInput, LoopMode } from './loop-input.js'
import { Finding, ParallelResults, Validation, WorkerSummary } from './loop-record.js'
import { RunOutage } from '../outage.js'
import { PersonEdits } from '../dev-cycle/person-edit.js'
import { IterationSummary, RunEnv, RunUsage, SuggestedCommit } from '../result.js'
import { RunSandboxUse } from '../sandbox.js'
import { ServerFacts } from '../test-fix/test-fix-state.js'
import { TestRun } from '../test-run.js'
import { LoopTask, WorkerReading } from './action-reading.js'
import { ChangedTests, Commit, ConfigHash, RecordDir, Workspace } from '../workspace.js'
import { RecordName } from '../ids.js'
import { Quality } from '../quality.js'

const Items = z.array(z.string())

/** Answer of `prepareLoop`: everything about the project that decisions need. */
export const LoopPrepared = z.object({
  workspace: Workspace,
  head: Commit,
  /** Loop id: name of the record, last part of the branch. */
  name: RecordName,
  recordDir: RecordDir,
  configHash: ConfigHash,
  /** Empty if none is configured and none was found yet. */
  testCommand: z.string(),
  /** Agents by role, first choice first; empty if none is configured. */
  agents: z.object({
    'loop-init': Items,
    'loop-develop': Items,
    'loop-debug': Items,
    'loop-validate': Items,
    'loop-complete': Items,
  }),
  limits: z.object({
    maxIterations: z.number().int(),
    agentTurnMs: z.number(),
    convergeMs: z.number(),
    idleMs: z.number(),
    parallel: z.object({
      maxIterations: z.number().int(),
      edgeMs: z.number(),
      agentTurnMs: z.number(),
      convergeMs: z.number(),
    }),
  }),
  testTimeoutMs: z.number(),
  /** Tests that failed before the run also keep it from being completed. */
  requireGreen: z.boolean(),
  spending: Spending.optional(),
  /** Events that a hook of the project receives besides questions. */
  hooks: z.array(AskedEvent).optional(),
  /** How long questions wait for an answer. */
  questionLimits: CarriedLimits.optional(),
  /** Offset of the record's timestamps, like `+08:00`. */
  timezone: z.string(),
  /** Uncommitted files that the tests saw; absent if there are none. */
  measuredWith: z.array(z.string()).optional(),
  /** What encloses its agents, set-up, checks and tests. */
  sandbox: RunSandboxUse.optional(),
  /** Where its environment is from. */
  env: RunEnv.optional(),
  warnings: z.array(z.string()),
})
export type LoopPrepared = z.infer<typeof LoopPrepared>

/** How a worker ended, for the next decision. `synthetic`: it never answered. */
export const WorkerEnd = WorkerReading.omit({
  kind: true,
  questions: true,
  problem: true,
  form: true,
}).extend({
  /** Its loop iteration. */
  iteration: z.number().int(),
  agent: z.string().nullable(),
  sessionId: z.string().optional(),
  synthetic: z.boolean().optional(),
  timedOut: z.boolean().optional(),
  /** Why it failed, or what was unusual. */
  note: z.string().optional(),
  /** The task of a develop. */
  task: z.string().optional(),
  /** A develop that got all pending tasks and named none: `tasksCompleted` is what it got. */
  unnamed: z.literal(true).optional(),
  /** The commit of its work; `null` if it changed nothing. */
  commit: z.string().nullable(),
})
export type WorkerEnd = z.infer<typeof WorkerEnd>

/**
 * A loop-back that was followed, and how often in a row without progress. `mark`: the state of the
 * loop then.
 */
export const LoopBack = z.object({
  from: LoopAction,
  to: LoopAction,
  times: z.number().int(),
  mark: z.string(),
})
export type LoopBack = z.infer<typeof LoopBack>

export const LoopState = z.object({
  schema: z.literal(1),
  input: LoopInput,
  startedAt: z.number(),
  facts: ServerFacts,
  prepared: LoopPrepared,
  /** The first task and every further one, in order; the description is made of them. */
  texts: Items,
  mode: LoopMode,
  /** Workers so far in interactive and auto mode, rounds in parallel mode. */
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  head: Commit,
  lastRun: TestRun.optional(),
  /** Why the last measurement failed. */
  unmeasured: z.string().optional(),
  baseline: FileRef.optional(),
  /**
   * The baseline belongs to the commit that the run started from, so its failures are known before.
   */
  baselineOfBase: z.boolean().optional(),
  /** A test command was found once: without one, the commit has lost its suite. */
  hadSuite: z.literal(true).optional(),
  /** Head when the last task was added: earlier commits belong to earlier tasks. */
  workFrom: Commit.optional(),
  /** Every file is as it was before the last task, despite any commits for it. */
  takenBack: z.literal(true).optional(),
  /** Existing tests that are not as they were at the start of the run. */
  changedInRun: ChangedTests.optional(),
  /** develop has committed something for the last task. */
  developed: z.boolean().optional(),
  quality: Quality.optional(),
  /** A person's edits of the progress files. */
  edits: PersonEdits.optional(),
  phase: LoopAction,
  /** Place of the next action in the order of auto mode. */
  actionIndex: z.number().int(),
  /** init has run, with any result. */
  initialised: z.boolean(),
  /** Of the breakdown, if a person approves it before the first action. */
  approval: z.enum(['open', 'given']).optional(),
  workersCompleted: z.array(LoopAction),
  tasks: z.array(LoopTask),
  /** The developer has named a task by its id in this loop. */
  namesTasks: z.boolean().optional(),
  /** A person wants it completed with its open items. */
  confirmed: z.boolean().optional(),
  /** Digest of the open items after the last parallel round, and its commit. */
  roundMark: z.string().optional(),
  /**
   * Digest of what the last validation with an answer left open, and its commit. `cannotRun`: the
   * tests could not be executed.
   */
  validationMark: z
    .object({ mark: z.string(), iteration: z.number().int(), cannotRun: z.boolean() })
    .optional(),
  /** Why repeating the last validation would change nothing. */
  stalled: z.string().optional(),
  findings: z.array(Finding),
  /** The worker that ended last. */
  last: WorkerEnd.optional(),
  /** The last of each action, newest last. */
  workers: z.array(WorkerSummary),
  validation: Validation.optional(),
  /** debug has run since the last validation. */
  debugged: z.boolean(),
  /** Consecutive workers that ran out of time. */
  timeouts: z.number().int(),
  loopBacks: z.array(LoopBack),
  parallelResults: ParallelResults.nullable(),
  suggestion: SuggestedCommit.optional(),
  history: z.array(IterationSummary),
  commits: z.array(z.string()),
  changedFiles: z.number().int(),
  usage: RunUsage,
  raised: Raised.optional(),
  /** Current outages of agents' providers, by agent. */
  outages: z.record(z.string(), RunOutage).optional(),
  warnings: z.array(z.string()),
  pause: z.object({ mode: z.enum(['turn', 'now']), reason: z.string() }).optional(),
  requestIds: z.array(z.string()),
  questionClock: QuestionClock.optional(),
})
export type LoopState = z.infer<typeof LoopState>

/** The part of the state that the record restores for a loop without its workflow. */
export const RestoredLoop = LoopState.pick({
  startedAt: true,
  texts: true,
  mode: true,
  iteration: true,
  maxIterations: true,
  phase: true,
  actionIndex: true,
  initialised: true,
  approval: true,
  workersCompleted: true,
  tasks: true,
  findings: true,
  workers: true,
  validation: true,
  parallelResults: true,
  history: true,
  commits: true,
  usage: true,
  baseline: true,
  baselineOfBase: true,
  hadSuite: true,
  namesTasks: true,
  workFrom: true,
  takenBack: true,
  changedInRun: true,
  developed: true,
  edits: true,
}).partial({ usage: true })
export type RestoredLoop = z.infer<typeof RestoredLoop>
