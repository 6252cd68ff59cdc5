// The state that a dev loop carries from one run to the next, and what workflow and host exchange.
// Compact: lists are bounded, long texts are in the files of the record.
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

/** Answer of `prepareLoop`: everything about the project that decisions need. */
export const LoopPrepared = z.object({
  workspace: Workspace,
  head: z.string(),
  /** Loop id: name of the record, last part of the branch. */
  name: z.string(),
  recordDir: z.string(),
  configHash: z.string(),
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
  /** Offset of the record's timestamps, like `+08:00`. */
  timezone: z.string(),
  /** Uncommitted files that the tests saw; absent if there are none. */
  measuredWith: z.array(z.string()).optional(),
  warnings: z.array(z.string()),
})
export type LoopPrepared = z.infer<typeof LoopPrepared>

/**
 * A check of the project besides its tests: `lint`, `types`, `build`. `before`: its result on the
 * base, if it fails now.
 */
export const QualityCheck = z.object({
  name: z.string(),
  command: z.string(),
  result: z.enum(['passed', 'failed', 'not_run']),
  before: z.enum(['passed', 'failed', 'not_run']).optional(),
  /**
   * Errors that it reports now and reported on the base, if it fails on both and its output counts
   * them.
   */
  errors: z.object({ now: z.number().int(), before: z.number().int() }).optional(),
  /** Last lines of its output, or why it did not run; at most 500 characters. */
  tail: z.string(),
  durationMs: z.number(),
})
export type QualityCheck = z.infer<typeof QualityCheck>

/**
 * Lint, types, build and coverage of one commit, as far as the project has them. `coverage` in
 * percent of lines; `coverageBefore` of the base, absent if it was not measured. `untested`:
 * changed files of which no test runs a line.
 */
export const Quality = z.object({
  commit: z.string(),
  checks: z.array(QualityCheck),
  coverage: z.number().nullable(),
  coverageBefore: z.number().nullable().optional(),
  untested: z.array(z.string()).optional(),
})
export type Quality = z.infer<typeof Quality>

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
  head: z.string(),
  lastRun: TestRun.optional(),
  /** Why the last measurement failed. */
  unmeasured: z.string().optional(),
  baseline: FileRef.optional(),
  /**
   * The baseline belongs to the commit that the run started from, so its failures are known before.
   */
  baselineOfBase: z.boolean().optional(),
  /** Head when this run was started for a further task: earlier commits belong to earlier tasks. */
  workFrom: z.string().optional(),
  quality: Quality.optional(),
  /** A person's edits of the progress files. */
  edits: PersonEdits.optional(),
  phase: LoopAction,
  /** Place of the next action in the order of auto mode. */
  actionIndex: z.number().int(),
  /** init has run, with any result. */
  initialised: z.boolean(),
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
  /** Continues with this record; without it a new one is created under the run's id. */
  loopId?: string
  task?: string
  extend?: string
  base?: string
  at: number
}

/** `restored` for a continued loop. */
export type PreparedLoop = LoopPrepared & { restored?: RestoredLoop }

/** What a worker's prompt says about its loop. Texts of other workers are given as paths. */
export type LoopBrief = {
  loopId: string
  action: LoopAction
  mode: LoopMode
  /** True for a worker that runs in parallel with others, each in its own clone. */
  beside: boolean
  iteration: number
  maxIterations: number
  /** The whole description, further tasks included. */
  description: string
  /** develop: the task of this turn; all pending ones if it runs in parallel with others. */
  tasks: LoopTask[]
  pending: number
  completed: number
  blocked: string[]
  /** Open ones. */
  findings: string[]
  /** A person's edits of the progress files that this worker has not seen. */
  edits?: OpenEdit[]
  /** The last of each action. */
  workers: WorkerSummary[]
  validation?: Validation
  /** The last test run: for validate and for complete. */
  measured?: TestRun
  unmeasured?: string
  /** Tests that failed before the loop and still do: one sentence. */
  known?: string
  quality?: Quality
  /** complete after a parallel round. */
  conflicts: Conflict[]
  changedFiles: number
}

/** Writes the progress of a loop; see `recordLoop`. */
export type RecordLoopInput = {
  run: string
  state: LoopState
  status: StatusReply
  at: number
  /** Facts about the workers of this step that only the workflow knows, for their output files. */
  workers: WorkerFacts[]
  /** At the end of the run: unmerged clones of workers, whose work is kept. */
  clones: { action: ParallelAction; workspace: Workspace }[]
  /** Present at the end of the run. */
  result?: RunResult
}

/** Additions to a worker's output file: files by git, answers to its questions, measurements. */
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
  /** A person's edits that the state does not contain yet. */ edits?: PersonEdit[]
  /** complete: the command to commit with. */ suggestion?: SuggestedCommit
}

/** Reads the configuration again. `seen`: edits that the state contains. */
export type ReloadLoopInput = {
  workspace: Workspace
  name: string
  iteration: number
  seen: number
  timezone: string
}

/** Commits the work of a worker. Files that it may not change are restored and named. */
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
  /** Files that were changed and have been restored. */
  undone: string[]
  undoneTotal: number
  /** Existing tests that were changed. */
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
 * Commits each worker's clone, fetches the commits into the workspace and merges them on
 * `expectHead`. With open conflicts it moves nothing and names them; `choices` answers them, by
 * file: a worker, or `base`.
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
  /** New commits: each worker's, then the merge. */
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
