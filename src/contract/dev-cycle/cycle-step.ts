// Inputs and answers of a dev cycle's activities.
import { z } from 'zod'
import { CycleState, type CyclePrepared, type RestoredCycle } from './cycle-state.js'
import { CycleInput } from './cycle-input.js'
import { SourceRef, type Prep } from './prep-package.js'
import { Phase } from './discovery.js'
import { OpenEdit, type PersonEdit } from './person-edit.js'
import { RecordName, RunId } from '../ids.js'
import { TestRun } from '../test-run.js'
import { StatusReply, RunResult, type ReportedFailure } from '../result.js'
import { Commit, ProjectDir, RunCommitInput, Workspace, type LeftByCommits } from '../workspace.js'

export const PrepareCycleInput = z.object({
  run: RunId,
  chain: z.string(),
  project: ProjectDir,
  /** Continues with this record; without it a new one is created under the run's id. */
  cycleId: CycleInput.shape.cycleId,
  task: CycleInput.shape.task,
  extend: CycleInput.shape.extend,
  base: CycleInput.shape.base,
  /** File of the prep package that is used even if it was written for another task. */
  prep: CycleInput.shape.prep,
  maxIterations: CycleInput.shape.maxIterations,
  at: z.number(),
})
export type PrepareCycleInput = z.infer<typeof PrepareCycleInput>

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
export const CycleBrief = z.object({
  cycleId: RecordName,
  phase: Phase,
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  /** The whole description, extensions included. */
  description: z.string(),
  /** The extension of this iteration. */
  extension: z.string().optional(),
  version: z.string(),
  /** Heading and sentence, or empty. */
  focus: z.string(),
  sourceRefs: z.array(SourceRef),
  /** Issues that the previous iteration left open. */
  openIssues: z.array(z.string()),
  /** Decisions that were made but are not yet in the code, with the chosen option. */
  decisions: z.array(z.string()),
  /** A person's edits of the record that this agent has not seen. */
  edits: z.array(OpenEdit).optional(),
  /** The last test run, in one line. */
  measured: z.string().optional(),
  changedFiles: z.number().int(),
})
export type CycleBrief = z.infer<typeof CycleBrief>

/** Input of `validate`. Without `measured`, `unmeasured` says why nothing could be measured. */
export const CycleValidation = z.object({
  commit: Commit,
  files: z.array(z.string()),
  filesTotal: z.number().int(),
  measured: TestRun.optional(),
  unmeasured: z.string().optional(),
  again: z.boolean(),
  changedTests: z.array(z.string()),
  /** Tasks of which CD says that they need no change. */
  noChange: z.array(z.object({ id: z.string(), why: z.string() })),
})
export type CycleValidation = z.infer<typeof CycleValidation>

/**
 * Writes the progress of a cycle; see `recordCycle`. `settled` agents have no turn, so their
 * documents stay unchanged.
 */
export const RecordCycleInput = z.object({
  run: RunId,
  state: CycleState,
  status: StatusReply,
  at: z.number(),
  settled: z.array(Phase),
  /** Present at the end of the run. */
  result: RunResult.optional(),
})
export type RecordCycleInput = z.infer<typeof RecordCycleInput>

export type RecordCycleAnswer = {
  warnings: string[]
  /** Directory of the record, if it was archived. */
  archived?: string
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
export const ReloadCycleInput = z.object({
  workspace: Workspace,
  name: RecordName,
  iteration: z.number().int(),
  phases: z.array(Phase),
  seen: z.number().int(),
  timezone: z.string(),
})
export type ReloadCycleInput = z.infer<typeof ReloadCycleInput>

/** Commits the work of an iteration, then writes the record as `recordCycle` does. */
export const CommitCycleInput = RunCommitInput.extend({
  record: RecordCycleInput,
  /** There is a suite: its configuration is the user's. */
  suite: z.boolean(),
})
export type CommitCycleInput = z.infer<typeof CommitCycleInput>

export type CommitCycleAnswer = RecordCycleAnswer &
  LeftByCommits & {
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
