// Inputs and answers of a dev loop's activities.
import { z } from 'zod'
import { LoopState, type LoopPrepared, type RestoredLoop } from './loop-state.js'
import { LoopAction, LoopInput, LoopMode, ParallelAction } from './loop-input.js'
import { LoopTask } from './action-reading.js'
import { OpenEdit, type PersonEdit } from '../dev-cycle/person-edit.js'
import { RecordName, RunId } from '../ids.js'
import { WorkerSummary, Validation, Conflict, WorkerOutput } from './loop-record.js'
import { TestRun } from '../test-run.js'
import { Quality } from '../quality.js'
import { StatusReply, RunResult, type ReportedFailure, type SuggestedCommit } from '../result.js'
import {
  Commit,
  ConfigHash,
  ProjectDir,
  RunCommitInput,
  StepName,
  Workspace,
  type LeftByCommits,
} from '../workspace.js'

export const PrepareLoopInput = z.object({
  run: RunId,
  chain: z.string(),
  project: ProjectDir,
  /** Continues with this record; without it a new one is created under the run's id. */
  loopId: LoopInput.shape.loopId,
  task: LoopInput.shape.task,
  extend: LoopInput.shape.extend,
  base: LoopInput.shape.base,
  /** File of the prep package that is used even if it was written for another task. */
  prep: LoopInput.shape.prep,
  at: z.number(),
})
export type PrepareLoopInput = z.infer<typeof PrepareLoopInput>

/** `restored` for a continued loop; `prep` for a new one with a usable package. */
export type PreparedLoop = LoopPrepared & {
  restored?: RestoredLoop
  prep?: { task: string; tasks: LoopTask[] }
}

/** What a worker's prompt says about its loop. Texts of other workers are given as paths. */
export const LoopBrief = z.object({
  loopId: RecordName,
  action: LoopAction,
  mode: LoopMode,
  /** True for a worker that runs in parallel with others, each in its own clone. */
  parallel: z.boolean(),
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  /** The whole description, further tasks included. */
  description: z.string(),
  /** develop: the task of this turn; all pending ones if it runs in parallel with others. */
  tasks: z.array(LoopTask),
  pending: z.number().int(),
  completed: z.number().int(),
  blocked: z.array(z.string()),
  /** Open ones. */
  findings: z.array(z.string()),
  /** A person's edits of the progress files that this worker has not seen. */
  edits: z.array(OpenEdit).optional(),
  /** The last of each action. */
  workers: z.array(WorkerSummary),
  validation: Validation.optional(),
  /** The last test run: for validate and for complete. */
  measured: TestRun.optional(),
  unmeasured: z.string().optional(),
  /** Tests that failed before the loop and still do: one sentence. */
  known: z.string().optional(),
  quality: Quality.optional(),
  /** complete after a parallel round. */
  conflicts: z.array(Conflict),
  changedFiles: z.number().int(),
})
export type LoopBrief = z.infer<typeof LoopBrief>

/** Additions to a worker's output file: files by git, answers to its questions, measurements. */
export const WorkerFacts = z.object({
  action: LoopAction,
  iteration: z.number().int(),
  files: z.array(z.string()),
  clarifications: WorkerOutput.shape.clarifications,
  tests: WorkerOutput.shape.tests,
  coverage: z.number().nullable().optional(),
  quality: WorkerOutput.shape.quality,
})
export type WorkerFacts = z.infer<typeof WorkerFacts>

const WorkerClone = z.object({ action: ParallelAction, workspace: Workspace })

/** Writes the progress of a loop; see `recordLoop`. */
export const RecordLoopInput = z.object({
  run: RunId,
  state: LoopState,
  status: StatusReply,
  at: z.number(),
  /** Facts about the workers of this step that only the workflow knows, for their output files. */
  workers: z.array(WorkerFacts),
  /** At the end of the run: unmerged clones of workers, whose work is kept. */
  clones: z.array(WorkerClone),
  /** Present at the end of the run. */
  result: RunResult.optional(),
})
export type RecordLoopInput = z.infer<typeof RecordLoopInput>

export type RecordLoopAnswer = {
  warnings: string[]
  /** Directory of the record, if it was archived. */
  archived?: string
  failures?: ReportedFailure[]
  /** A person's edits that the state does not contain yet. */
  edits?: PersonEdit[]
  /** complete: the command to commit with. */
  suggestion?: SuggestedCommit
}

/** Reads the configuration again. `seen`: edits that the state contains. */
export const ReloadLoopInput = z.object({
  workspace: Workspace,
  name: RecordName,
  iteration: z.number().int(),
  seen: z.number().int(),
  timezone: z.string(),
})
export type ReloadLoopInput = z.infer<typeof ReloadLoopInput>

/** Commits the work of a worker. Files that it may not change are restored and named. */
export const CommitLoopInput = RunCommitInput.extend({
  action: LoopAction,
  /** There is a suite: its configuration is the user's. */
  suite: z.boolean(),
})
export type CommitLoopInput = z.infer<typeof CommitLoopInput>

export type CommitLoopAnswer = LeftByCommits & {
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
export const CloneWorkersInput = z.object({
  run: RunId,
  step: StepName,
  /** Of the record. */
  name: RecordName,
  workspace: Workspace,
  head: Commit,
  configHash: ConfigHash,
  workers: z.array(ParallelAction),
})
export type CloneWorkersInput = z.infer<typeof CloneWorkersInput>

export type CloneWorkersAnswer = {
  workspaces: { action: ParallelAction; workspace: Workspace }[]
  warnings: string[]
}

/**
 * Commits each worker's clone, fetches the commits into the workspace and merges them on
 * `expectHead`. With open conflicts it moves nothing and names them; `choices` answers them, by
 * file: a worker, or `base`.
 */
export const MergeWorkersInput = RunCommitInput.omit({ body: true }).extend({
  suite: z.boolean(),
  workers: z.array(WorkerClone),
  choices: z.record(z.string(), z.enum([...ParallelAction.options, 'base'])),
})
export type MergeWorkersInput = z.infer<typeof MergeWorkersInput>

export type MergeWorkersAnswer = LeftByCommits & {
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
