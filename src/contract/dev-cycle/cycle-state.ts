// The state that a dev cycle carries from one iteration to the next, and what workflow and host
// exchange. Compact: lists are bounded, long texts are in the files of the record.
import { Raised, Spending } from '../budget.js'
import { z } from 'zod'
import { CycleInput, Scheduling } from './cycle-input.js'
import { AgentState, Blocker, CurrentPhase, Decision, FeedbackEntry } from './cycle-record.js'
import { Phase } from './discovery.js'
import { FileRef } from '../files.js'
import { Quality } from '../dev-loop/loop-state.js'
import { AskedEvent } from '../hooks.js'
import { RunOutage } from '../outage.js'
import { PersonEdits, type OpenEdit, type PersonEdit } from './person-edit.js'
import { PhaseReading } from './phase-reading.js'
import { Prep, type SourceRef } from './prep-package.js'
import {
  IterationSummary,
  RunUsage,
  type ReportedFailure,
  type RunResult,
  type StatusReply,
} from '../result.js'
import { ServerFacts } from '../test-fix/test-fix-state.js'
import { TestRun } from '../test-run.js'
import { Workspace } from '../workspace.js'

export {
  AskedDecision,
  Claimed,
  ITEMS_KEPT,
  ITEM_CHARS,
  PhaseReading,
  PLAN_TASKS_TRACKED,
} from './phase-reading.js'

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
  head: z.string(),
  /** Cycle id: name of the record, last part of the branch. */
  name: z.string(),
  recordDir: z.string(),
  configHash: z.string(),
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
  /** Offset of the record's timestamps, like `+08:00`. */
  timezone: z.string(),
  /** Uncommitted files that the tests saw; absent if there are none. */
  measuredWith: z.array(z.string()).optional(),
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
  /** CD has named it, and committed nothing for it. */ claimed: z.literal(true).optional(),
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
  head: z.string(),
  lastRun: TestRun.optional(),
  /** Why the last measurement failed. */
  unmeasured: z.string().optional(),
  baseline: FileRef.optional(),
  /**
   * The baseline belongs to the commit that the run started from, so its failures are known before.
   */
  baselineOfBase: z.boolean().optional(),
  /** Head when the last further task came: earlier commits belong to earlier tasks. */
  workFrom: z.string().optional(),
  quality: Quality.optional(),
  /** The plan's tasks. */
  promised: z.array(CyclePromise).optional(),
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
  baseline: true,
  baselineOfBase: true,
  promised: true,
  untracked: true,
  namesTasks: true,
  workFrom: true,
  edits: true,
  refused: true,
})
export type RestoredCycle = z.infer<typeof RestoredCycle>

export type PrepareCycleInput = {
  run: string
  chain: string
  project: string
  /** Continues with this record; without it a new one is created under the run's id. */
  cycleId?: string
  task?: string
  extend?: string
  base?: string
  /** File of the prep package that is used even if it was written for another task. */
  prep?: string
  maxIterations?: number
  at: number
}

/**
 * `prep` and `task` (as typed and refined) for a new cycle with a usable package; `restored` for a
 * continued one.
 */
export type PreparedCycle = CyclePrepared & {
  prep?: z.infer<typeof Prep>
  task?: string
  restored?: RestoredCycle
}

/** What an agent's prompt says about its cycle. Texts of other agents are given as paths. */
export type CycleBrief = {
  cycleId: string
  phase: Phase
  iteration: number
  maxIterations: number
  /** The whole description, extensions included. */
  description: string
  /** The extension of this iteration. */
  extension?: string
  version: string
  /** Heading and sentence, or empty. */
  focus: string
  sourceRefs: SourceRef[]
  /** Issues that the previous iteration left open. */
  openIssues: string[]
  /** Decisions that were made but are not yet in the code, with the chosen option. */
  decisions: string[]
  /** A person's edits of the record that this agent has not seen. */
  edits?: OpenEdit[]
  /** The last test run, in one line. */
  measured?: string
  changedFiles: number
}

/** Input of `validate`. Without `measured`, `unmeasured` says why nothing could be measured. */
export type CycleValidation = {
  commit: string
  files: string[]
  filesTotal: number
  measured?: TestRun
  unmeasured?: string
  again: boolean
  changedTests: string[]
  /** Tasks of which CD says that they need no change. */ noChange: { id: string; why: string }[]
}

/**
 * Writes the progress of a cycle; see `recordCycle`. `settled` agents have no turn, so their
 * documents stay unchanged.
 */
export type RecordCycleInput = {
  run: string
  state: CycleState
  status: StatusReply
  at: number
  settled: Phase[]
  /** Present at the end of the run. */
  result?: RunResult
}

export type RecordCycleAnswer = {
  warnings: string[]
  failures?: ReportedFailure[]
  /** A person's edits that the state does not contain yet. */
  edits?: PersonEdit[]
  /** Documents of settled agents that others changed; they were restored. */
  foreign: string[]
  /** Lines of the board: valid ones, skipped ones, and deleted ones that were restored. */
  board: { entries: number; skipped: number; restored: number }
}

/**
 * Reads the configuration again. `phases`: agents without a turn, whose documents a person may have
 * edited; `seen`: edits that the state contains.
 */
export type ReloadCycleInput = {
  workspace: Workspace
  name: string
  iteration: number
  phases: Phase[]
  seen: number
  timezone: string
}

/** Commits the work of an iteration, then writes the record as `recordCycle` does. */
export type CommitCycleInput = {
  run: string
  step: string
  workspace: Workspace
  configHash: string
  expectHead: string
  at: number
  subject: string
  body: string
  record: RecordCycleInput
  /** There is a suite: its configuration is the user's. */ suite: boolean
}

export type CommitCycleAnswer = RecordCycleAnswer & {
  head: string
  commit: string | null
  files: string[]
  filesTotal: number
  /** Test configuration that was changed and has been restored. */
  tampered: string[]
  tamperedTotal: number
  /** Existing tests that were changed. */
  changedTests: string[]
}
