// Inputs and answers of a dev loop's activities.
import type { LoopPrepared, RestoredLoop, LoopState } from './loop-state.js'
import type { LoopAction, LoopMode, ParallelAction } from './loop-input.js'
import type { LoopTask } from './action-reading.js'
import type { OpenEdit, PersonEdit } from '../dev-cycle/person-edit.js'
import type { WorkerSummary, Validation, Conflict, WorkerOutput } from './loop-record.js'
import type { TestRun } from '../test-run.js'
import type { Quality } from '../quality.js'
import type { StatusReply, RunResult, ReportedFailure, SuggestedCommit } from '../result.js'
import type { RunCommitInput, TakenBack, Workspace } from '../workspace.js'

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
  parallel: boolean
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
  /** Directory of the record, if it was archived. */
  archived?: string
  failures?: ReportedFailure[]
  /** A person's edits that the state does not contain yet. */
  edits?: PersonEdit[]
  /** complete: the command to commit with. */
  suggestion?: SuggestedCommit
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
export type CommitLoopInput = RunCommitInput & {
  action: LoopAction
  /** There is a suite: its configuration is the user's. */
  suite: boolean
}

export type CommitLoopAnswer = TakenBack & {
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
  /** Of the record. */
  name: string
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
export type MergeWorkersInput = Omit<RunCommitInput, 'body'> & {
  suite: boolean
  workers: { action: ParallelAction; workspace: Workspace }[]
  choices: Record<string, ParallelAction | 'base'>
}

export type MergeWorkersAnswer = TakenBack & {
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
