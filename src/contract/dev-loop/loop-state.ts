// What a dev loop carries from one run to the next, and what passes between it and its host.
// Compact: lists are bounded, texts stand in the files of the record.
import { Raised, Spending } from '../budget.js'
import { z } from 'zod'
import { FileRef } from '../files.js'
import { AskedEvent } from '../hooks.js'
import { LoopAction, LoopInput, LoopMode, type ParallelAction } from './loop-input.js'
import {
  Finding,
  ParallelResults,
  Validation,
  WorkerSummary,
  type Conflict,
  type WorkerOutput,
} from './loop-record.js'
import { RunOutage } from '../outage.js'
import { PersonEdits, type OpenEdit, type PersonEdit } from '../dev-cycle/person-edit.js'
import {
  IterationSummary,
  RunUsage,
  SuggestedCommit,
  type ReportedFailure,
  type RunResult,
  type StatusReply,
} from '../result.js'
import { ServerFacts } from '../test-fix/test-fix-state.js'
import { TestRun } from '../test-run.js'
import { LoopTask, WorkerReading } from './action-reading.js'
import { Workspace } from '../workspace.js'

const Items = z.array(z.string())

/** Answer of `prepareLoop`: everything about the project that the decisions need. */
export const LoopPrepared = z.object({
  workspace: Workspace,
  head: z.string(),
  /** Loop id: name of the record, last part of the branch. */
  name: z.string(),
  recordDir: z.string(),
  configHash: z.string(),
  /** Empty where none is configured and none was found yet. */
  testCommand: z.string(),
  /** Agents by role, first choice first; empty where none is configured. */
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
export type LoopPrepared = z.infer<typeof LoopPrepared>

/**
 * A check of the project beside its tests: `lint`, `types`, `build`. `before`: what it said of the
 * base, where it fails now.
 */
export const QualityCheck = z.object({
  name: z.string(),
  command: z.string(),
  result: z.enum(['passed', 'failed', 'not_run']),
  before: z.enum(['passed', 'failed', 'not_run']).optional(),
  /**
   * Errors that it reports now and reported of the base, where it fails in both and its output says
   * so.
   */
  errors: z.object({ now: z.number().int(), before: z.number().int() }).optional(),
  /** Last lines of its output, or why it did not run; at most 500 characters. */
  tail: z.string(),
  durationMs: z.number(),
})
export type QualityCheck = z.infer<typeof QualityCheck>

/**
 * Lint, types, build and coverage of one commit, as far as the project has them. `coverage` in
 * percent of lines; `coverageBefore` of the base, missing where it was not measured. `untested`:
 * files that differ from the base and of which no test runs a line.
 */
export const Quality = z.object({
  commit: z.string(),
  checks: z.array(QualityCheck),
  coverage: z.number().nullable(),
  coverageBefore: z.number().nullable().optional(),
  untested: z.array(z.string()).optional(),
})
export type Quality = z.infer<typeof Quality>

/** How a worker ended: what the next decision reads. `synthetic`: it never answered. */
export const WorkerEnd = WorkerReading.omit({
  kind: true,
  questions: true,
  problem: true,
  form: true,
}).extend({
  /** Loop iteration that it was. */
  iteration: z.number().int(),
  agent: z.string().nullable(),
  sessionId: z.string().optional(),
  synthetic: z.boolean().optional(),
  timedOut: z.boolean().optional(),
  /** Why it failed, or what was unusual about it. */
  note: z.string().optional(),
  /** The task of a develop. */
  task: z.string().optional(),
  /**
   * A develop that was given all pending tasks and named none: `tasksCompleted` is what it was
   * given.
   */
  unnamed: z.literal(true).optional(),
  /** What its work was committed as; `null` where it changed nothing. */
  commit: z.string().nullable(),
})
export type WorkerEnd = z.infer<typeof WorkerEnd>

/**
 * One loop-back that was taken, as often in a row as it brought no progress. `mark`: how far the
 * loop was then.
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
  head: z.string(),
  lastRun: TestRun.optional(),
  /** Why nothing could be measured last. */
  unmeasured: z.string().optional(),
  baseline: FileRef.optional(),
  /** The baseline is of the commit that the run began from: what failed there was known before. */
  baselineOfBase: z.boolean().optional(),
  /**
   * Head when the further task came that this run was started for: what is older is the work of an
   * earlier task.
   */
  workFrom: z.string().optional(),
  quality: Quality.optional(),
  /** What a person edited in the progress files. */
  edits: PersonEdits.optional(),
  phase: LoopAction,
  /** Place of the next action in the order of auto mode. */
  actionIndex: z.number().int(),
  /** init has been done, by whatever came of it. */
  initialised: z.boolean(),
  workersCompleted: z.array(LoopAction),
  tasks: z.array(LoopTask),
  /** The developer has named a task by its id in this loop. */
  namesTasks: z.boolean().optional(),
  /** A person wants it completed with what is open. */
  confirmed: z.boolean().optional(),
  /** What was open after the last round of parallel mode, and its commit: a digest. */
  roundMark: z.string().optional(),
  /**
   * What the last validation that gave an answer left open, with its commit: a digest. `cannotRun`:
   * the tests could not be executed.
   */
  validationMark: z
    .object({ mark: z.string(), iteration: z.number().int(), cannotRun: z.boolean() })
    .optional(),
  /** Why the last validation is worth no further turn. */
  stalled: z.string().optional(),
  findings: z.array(Finding),
  /** The worker that ended last. */
  last: WorkerEnd.optional(),
  /** The last of each action, newest last. */
  workers: z.array(WorkerSummary),
  validation: Validation.optional(),
  /** debug has run since the last validation. */
  debugged: z.boolean(),
  /** Workers in a row that ran out of time. */
  timeouts: z.number().int(),
  loopBacks: z.array(LoopBack),
  parallelResults: ParallelResults.nullable(),
  suggestion: SuggestedCommit.optional(),
  history: z.array(IterationSummary),
  commits: z.array(z.string()),
  changedFiles: z.number().int(),
  usage: RunUsage,
  raised: Raised.optional(),
  /** Outages of agents' providers that are not over, by agent. */
  outages: z.record(z.string(), RunOutage).optional(),
  warnings: z.array(z.string()),
  pause: z.object({ mode: z.enum(['turn', 'now']), reason: z.string() }).optional(),
  requestIds: z.array(z.string()),
})
export type LoopState = z.infer<typeof LoopState>

/** What the record gives back to a loop that goes on without its workflow. */
export const RestoredLoop = LoopState.pick({
  startedAt: true,
  texts: true,
  mode: true,
  iteration: true,
  maxIterations: true,
  phase: true,
  actionIndex: true,
  initialised: true,
  workersCompleted: true,
  tasks: true,
  findings: true,
  workers: true,
  validation: true,
  parallelResults: true,
  history: true,
  commits: true,
  baseline: true,
  baselineOfBase: true,
  namesTasks: true,
  workFrom: true,
  edits: true,
})
export type RestoredLoop = z.infer<typeof RestoredLoop>

export type PrepareLoopInput = {
  run: string
  chain: string
  project: string
  /** Goes on with this record; without it a new one is made under the run's own id. */
  loopId?: string
  task?: string
  extend?: string
  base?: string
  at: number
}

/** `restored` for a loop that goes on. */
export type PreparedLoop = LoopPrepared & { restored?: RestoredLoop }

/** What a worker is told of its loop. Texts of other workers are named by their paths. */
export type LoopBrief = {
  loopId: string
  action: LoopAction
  mode: LoopMode
  /** True for a worker that has others beside it, each in a clone of its own. */
  beside: boolean
  iteration: number
  maxIterations: number
  /** The whole description, further tasks included. */
  description: string
  /** develop: the task of this turn; all pending ones where it has others beside it. */
  tasks: LoopTask[]
  pending: number
  completed: number
  blocked: string[]
  /** Open ones. */
  findings: string[]
  /** What a person edited in the progress files and this worker has not heard of. */
  edits?: OpenEdit[]
  /** The last of each action. */
  workers: WorkerSummary[]
  validation?: Validation
  /** What the last test run said: for validate, and for complete. */
  measured?: TestRun
  unmeasured?: string
  /** Tests that failed before the loop and still do: one sentence. */
  known?: string
  quality?: Quality
  /** complete after a parallel round. */
  conflicts: Conflict[]
  changedFiles: number
}

/** Writes what a loop has done so far; see `recordLoop`. */
export type RecordLoopInput = {
  run: string
  state: LoopState
  status: StatusReply
  at: number
  /** Facts about the workers of this step that only the workflow knows, for their output files. */
  workers: WorkerFacts[]
  /** At the end of the run: clones of workers that were not merged. Their work is kept. */
  clones: { action: ParallelAction; workspace: Workspace }[]
  /** There at the end of the run. */
  result?: RunResult
}

/**
 * What is added to a worker's output file: files by git, answers to its questions, what was
 * measured.
 */
export type WorkerFacts = {
  action: LoopAction
  iteration: number
  files: string[]
  clarifications: WorkerOutput['clarifications']
  tests?: WorkerOutput['tests']
  coverage?: number | null
  quality?: WorkerOutput['quality']
}

export type RecordLoopAnswer = {
  warnings: string[]
  failures?: ReportedFailure[]
  /** Edits of a person that the state does not know yet. */ edits?: PersonEdit[]
  /** complete: the command to commit with. */ suggestion?: SuggestedCommit
}

/** Reads the configuration again. `seen`: edits that the state knows. */
export type ReloadLoopInput = {
  workspace: Workspace
  name: string
  iteration: number
  seen: number
  timezone: string
}

/** Commits the work of a worker. What it may not change is put back and named. */
export type CommitLoopInput = {
  run: string
  step: string
  workspace: Workspace
  configHash: string
  expectHead: string
  at: number
  subject: string
  body: string
  action: LoopAction
  /** There is a suite: its configuration is the user's. */ suite: boolean
}

export type CommitLoopAnswer = {
  head: string
  commit: string | null
  files: string[]
  filesTotal: number
  /** Files that were changed and have been put back. */
  undone: string[]
  undoneTotal: number
  /** Tests that were there before and were changed. */
  changedTests: string[]
  warnings: string[]
}

/** Clones of the workspace at its head, one a worker. */
export type CloneWorkersInput = {
  run: string
  step: string
  /** Of the record. */ name: string
  workspace: Workspace
  head: string
  configHash: string
  workers: ParallelAction[]
}
export type CloneWorkersAnswer = {
  workspaces: { action: ParallelAction; workspace: Workspace }[]
  warnings: string[]
}

/**
 * Commits each worker's clone, brings the commits to the workspace and merges them on `expectHead`.
 *
 * With open conflicts nothing is moved and they are named; `choices` answers them, by file: a
 * worker, or `base`.
 */
export type MergeWorkersInput = {
  run: string
  step: string
  workspace: Workspace
  configHash: string
  expectHead: string
  at: number
  subject: string
  suite: boolean
  workers: { action: ParallelAction; workspace: Workspace }[]
  choices: Record<string, ParallelAction | 'base'>
}
export type MergeWorkersAnswer = {
  head: string
  /** Commits that are new: each worker's, then the merge. */
  commits: string[]
  files: string[]
  filesTotal: number
  conflicts: Conflict[]
  conflictsTotal: number
  workers: {
    action: ParallelAction
    commit: string | null
    files: string[]
    filesTotal: number
    undone: string[]
  }[]
  warnings: string[]
}

/** Runs lint, type check and coverage of a commit; one that fails is run on `base` too. */
/** `coverageBefore`: of the base, where it was measured already. */
export type CheckQualityInput = {
  run: string
  step: string
  workspace: Workspace
  commit: string
  configHash: string
  timeoutMs: number
  coverageBefore?: number | null
}
