// What a dev cycle carries from one iteration to the next, and what passes between it and its host.
// Compact: lists are bounded, texts stand in the files of the record.
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
 * How an agent's part of an iteration went. `synthetic`: it never answered; the cycle goes on
 * without it.
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
  /** Why it failed, or what was unusual about it. */
  note: z.string().optional(),
})
export type PhaseResult = z.infer<typeof PhaseResult>

/** The iteration that goes on: kept small, the record has the rest. */
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

/** Answer of `prepareCycle`: everything about the project that the decisions need. */
export const CyclePrepared = z.object({
  workspace: Workspace,
  head: z.string(),
  /** Cycle id: name of the record, last part of the branch. */
  name: z.string(),
  recordDir: z.string(),
  configHash: z.string(),
  /** Empty where none is configured and none was found yet. */
  testCommand: z.string(),
  /** Agents by role, first choice first; empty where none is configured. */
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
  /** Tests that failed before the run keep it from being done, too. */
  requireGreen: z.boolean(),
  spending: Spending.optional(),
  /** Events beside a question that a hook of the project is told of. */
  hooks: z.array(AskedEvent).optional(),
  /** Offset of the record's timestamps, like `+08:00`. */
  timezone: z.string(),
  /** What the tests see although no commit holds it; absent where that is nothing. */
  measuredWith: z.array(z.string()).optional(),
  warnings: z.array(z.string()),
})
export type CyclePrepared = z.infer<typeof CyclePrepared>

/**
 * A task of the plan, and what CD has said about it. `why`: why it needs no change. `byPerson`: a
 * person put it into the plan.
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
 * A commit that VAS has refused, in which iteration, and why. It stays refused until something is
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
  /** Iterations begun. */
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  head: z.string(),
  lastRun: TestRun.optional(),
  /** Why nothing could be measured last. */
  unmeasured: z.string().optional(),
  baseline: FileRef.optional(),
  /** The baseline is of the commit that the run began from: what failed there was known before. */
  baselineOfBase: z.boolean().optional(),
  /** Head when the last further task came: what is older is the work of an earlier one. */
  workFrom: z.string().optional(),
  quality: Quality.optional(),
  /** The plan's tasks. */
  promised: z.array(CyclePromise).optional(),
  /** Tasks of the plan behind the first PLAN_TASKS_TRACKED: they are not followed. */
  untracked: z.number().int().optional(),
  /** CD has named a task by its id in this cycle. */
  namesTasks: z.boolean().optional(),
  /** The commit that VAS refused last. */
  refused: CycleRefusal.optional(),
  /** What a person edited in the record. */
  edits: PersonEdits.optional(),
  /** Agents that have work in the next iteration; all of them where it is missing. */
  needs: z.array(Phase).optional(),
  /** Digest of what was open after the last iteration, where that iteration committed nothing. */
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
  /** 0→1 has converged: the focus has moved on. */
  oneToHundred: z.boolean(),
  /** What the next iteration begins with. */
  openIssues: Items,
  /** Extensions that wait for the next iteration. */
  pendingExtensions: Items,
  history: z.array(IterationSummary),
  commits: z.array(z.string()),
  /** Files changed by the cycle so far. */
  changedFiles: z.number().int(),
  usage: RunUsage,
  raised: Raised.optional(),
  /** Outages of agents' providers that are not over, by agent. */
  outages: z.record(z.string(), RunOutage).optional(),
  warnings: z.array(z.string()),
  pause: z.object({ mode: z.enum(['turn', 'now']), reason: z.string() }).optional(),
  requestIds: z.array(z.string()),
})
export type CycleState = z.infer<typeof CycleState>

/** What the record gives back to a cycle that goes on without its workflow. */
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
  /** Goes on with this record; without it a new one is made under the run's own id. */
  cycleId?: string
  task?: string
  extend?: string
  base?: string
  /** File of the prep package that is used whatever its task is. */
  prep?: string
  maxIterations?: number
  at: number
}

/**
 * `prep` and `task` (the typed words and the refined ones) for a new cycle that has a usable
 * package; `restored` for one that goes on.
 */
export type PreparedCycle = CyclePrepared & {
  prep?: z.infer<typeof Prep>
  task?: string
  restored?: RestoredCycle
}

/** What an agent is told about its cycle. Texts of other agents are named by their paths. */
export type CycleBrief = {
  cycleId: string
  phase: Phase
  iteration: number
  maxIterations: number
  /** The whole description, extensions included. */
  description: string
  /** The extension that this iteration is about. */
  extension?: string
  version: string
  /** Heading and sentence, or empty. */
  focus: string
  sourceRefs: SourceRef[]
  /** Issues that the iteration before has left. */
  openIssues: string[]
  /** Decisions that were made and are not in the code yet, with what was chosen. */
  decisions: string[]
  /** What a person edited in the record and this agent has not heard of. */
  edits?: OpenEdit[]
  /** What the last test run said, in one line. */
  measured?: string
  changedFiles: number
}

/**
 * What `validate` is about. `measured` is left out where nothing could be measured, `unmeasured`
 * says why.
 */
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
 * Writes what a cycle has done so far; see `recordCycle`. `settled` agents have no turn: their
 * documents stay as they are.
 */
export type RecordCycleInput = {
  run: string
  state: CycleState
  status: StatusReply
  at: number
  settled: Phase[]
  /** There at the end of the run. */
  result?: RunResult
}

export type RecordCycleAnswer = {
  warnings: string[]
  failures?: ReportedFailure[]
  /** Edits of a person that the state does not know yet. */
  edits?: PersonEdit[]
  /** Documents of settled agents that somebody else had changed; they have been restored. */
  foreign: string[]
  /**
   * Lines of the board: good ones, ones that were skipped, ones that had been deleted and are back.
   */
  board: { entries: number; skipped: number; restored: number }
}

/**
 * Reads the configuration again. `phases`: agents that have no turn, whose documents a person may
 * have edited; `seen`: edits that the state knows.
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
  /** Tests that were there before and were changed. */
  changedTests: string[]
}
