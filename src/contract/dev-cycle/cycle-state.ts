// The state that a dev cycle carries from one iteration to the next. Compact: lists are bounded,
// long texts are in the files of the record.
import { Raised, Spending } from '../budget.js'
import { z } from 'zod'
import { CycleInput, Scheduling } from './cycle-input.js'
import { AgentState, Blocker, CurrentPhase, Decision, FeedbackEntry } from './cycle-record.js'
import { Phase } from './discovery.js'
import { FileRef } from '../files.js'
import { Quality } from '../quality.js'
import { AskedEvent } from '../hooks.js'
import { CarriedLimits, QuestionClock } from '../question-limits.js'
import { RunOutage } from '../outage.js'
import { PersonEdits } from './person-edit.js'
import { PhaseReading } from './phase-reading.js'
import { Prep } from './prep-package.js'
import { IterationSummary, RunEnv, RunUsage } from '../result.js'
import { RunSandboxUse } from '../sandbox.js'
import { ServerFacts } from '../test-fix/test-fix-state.js'
import { TestRun } from '../test-run.js'
import { ChangedTests, Commit, ConfigHash, RecordDir, Workspace } from '../workspace.js'
import { RecordName } from '../ids.js'

/** Role of each agent of a cycle. */
export const CYCLE_ROLES = {
  ra: 'requirements-analyst',
  ep: 'exploration-planner',
  cd: 'code-developer',
  vas: 'validation-archivist',
} as const

const Items = z.array(z.string())

/**
 * The result of an agent's part of an iteration. `synthetic`: the agent never answered, and the
 * cycle continues without it.
 */
export const PhaseResult = PhaseReading.omit({
  kind: true,
  problem: true,
  form: true,
  edits: true,
}).extend({
  agent: z.string().nullable(),
  sessionId: z.string().optional(),
  synthetic: z.boolean().optional(),
  /** Why it failed, or what was unusual. */
  note: z.string().optional(),
})
export type PhaseResult = z.infer<typeof PhaseResult>

/** The current iteration, kept small: the record has the rest. */
export const CycleIteration = z.object({
  number: z.number().int(),
  extension: z.string().optional(),
  startedAt: z.number(),
  completedAt: z.number().optional(),
  /** Status and number of files by agent. */
  agentResults: z.partialRecord(
    Phase,
    z.object({ status: z.string(), files_modified: z.number().int() }),
  ),
  issuesFound: Items,
  resolved: z.boolean(),
})
export type CycleIteration = z.infer<typeof CycleIteration>

/** Answer of `prepareCycle`: everything about the project that decisions need. */
export const CyclePrepared = z.object({
  workspace: Workspace,
  head: Commit,
  /** Cycle id: name of the record, last part of the branch. */
  name: RecordName,
  recordDir: RecordDir,
  configHash: ConfigHash,
  /** Empty if none is configured and none was found yet. */
  testCommand: z.string(),
  /** Agents by role, first choice first; empty if none is configured. */
  agents: z.object({
    'requirements-analyst': Items,
    'exploration-planner': Items,
    'code-developer': Items,
    'validation-archivist': Items,
  }),
  limits: z.object({
    maxIterations: z.number().int(),
    agentTurnMs: z.number(),
    convergeMs: z.number(),
    feedbackTurnMs: z.number(),
    idleMs: z.number(),
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
export type CyclePrepared = z.infer<typeof CyclePrepared>

/**
 * A task of the plan, and what CD said about it. `why`: why it needs no change. `byPerson`: a
 * person added it to the plan.
 */
export const CyclePromise = z.object({
  id: z.string(),
  text: z.string(),
  state: z.enum(['open', 'done', 'no_change']),
  why: z.string().optional(),
  byPerson: z.boolean().optional(),
  /** CD has named it, and committed nothing for it. */
  claimed: z.literal(true).optional(),
  /** Commits of the iterations in which CD named it; empty if they are not followed. */
  commits: Items.optional(),
  /** Every file that these changed is as it was before. */
  takenBack: z.literal(true).optional(),
  /** The tasks whose commit did that. */
  undoneBy: Items.optional(),
  /** A task that took its work back after it had taken that one's back. */
  contradicts: z.string().optional(),
})
export type CyclePromise = z.infer<typeof CyclePromise>

/**
 * A commit that VAS refused, with the iteration and the reason. It stays refused until something is
 * committed.
 */
export const CycleRefusal = z.object({
  commit: z.string(),
  iteration: z.number().int(),
  why: z.string(),
})
export type CycleRefusal = z.infer<typeof CycleRefusal>

export const CycleState = z.object({
  schema: z.literal(1),
  input: CycleInput,
  startedAt: z.number(),
  facts: ServerFacts,
  prepared: CyclePrepared,
  /** The first task and every extension, in order; `description` is made of them. */
  tasks: z.array(z.object({ text: z.string(), iteration: z.number().int() })),
  scheduling: Scheduling,
  parallel: z.number().int(),
  interactive: z.boolean(),
  prep: Prep.optional(),
  /** Started iterations. */
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
  /** Head when the last further task came: earlier commits belong to earlier tasks. */
  workFrom: Commit.optional(),
  /** Every file is as it was before the last task, despite any commits for it. */
  takenBack: z.literal(true).optional(),
  /** Existing tests that are not as they were at the start of the run. */
  changedInRun: ChangedTests.optional(),
  quality: Quality.optional(),
  /** The plan's tasks. */
  promised: z.array(CyclePromise).optional(),
  /** Digest of the plan that a person approved last. */
  approvedPlan: z.string().optional(),
  /** Number of plan tasks beyond the first PLAN_TASKS_TRACKED, which are not tracked. */
  untracked: z.number().int().optional(),
  /** CD has named a task by its id in this cycle. */
  namesTasks: z.boolean().optional(),
  /** The commit that VAS refused last. */
  refused: CycleRefusal.optional(),
  /** A person's edits of the record. */
  edits: PersonEdits.optional(),
  /** Agents that have work in the next iteration; absent for all. */
  needs: z.array(Phase).optional(),
  /** Digest of the open items after the last iteration, if that iteration committed nothing. */
  idleWith: z.string().optional(),
  currentPhase: CurrentPhase,
  completedPhases: z.array(z.string()),
  phaseErrors: z.array(z.object({ phase: z.string(), error: z.string(), at: z.number() })),
  agents: z.record(Phase, AgentState),
  /** The last result of each agent. */
  results: z.partialRecord(Phase, PhaseResult),
  /** The last iterations; all of them are in the record. */
  iterations: z.array(CycleIteration),
  feedbackLog: z.array(FeedbackEntry),
  decisions: z.array(Decision),
  blockers: z.array(Blocker),
  /** 0→1 has converged, so the focus has changed. */
  oneToHundred: z.boolean(),
  /** Issues for the next iteration. */
  openIssues: Items,
  /** Extensions that wait for the next iteration. */
  pendingExtensions: Items,
  history: z.array(IterationSummary),
  commits: z.array(z.string()),
  /** Number of files that the cycle has changed so far. */
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
export type CycleState = z.infer<typeof CycleState>

/** The part of the state that the record restores for a cycle without its workflow. */
export const RestoredCycle = CycleState.pick({
  startedAt: true,
  tasks: true,
  scheduling: true,
  parallel: true,
  interactive: true,
  prep: true,
  iteration: true,
  maxIterations: true,
  completedPhases: true,
  phaseErrors: true,
  agents: true,
  iterations: true,
  feedbackLog: true,
  decisions: true,
  blockers: true,
  oneToHundred: true,
  openIssues: true,
  pendingExtensions: true,
  history: true,
  commits: true,
  changedFiles: true,
  usage: true,
  baseline: true,
  baselineOfBase: true,
  hadSuite: true,
  promised: true,
  approvedPlan: true,
  untracked: true,
  namesTasks: true,
  workFrom: true,
  takenBack: true,
  changedInRun: true,
  edits: true,
  refused: true,
}).partial({ usage: true })
export type RestoredCycle = z.infer<typeof RestoredCycle>
