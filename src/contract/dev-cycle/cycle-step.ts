// Inputs and answers of a dev cycle's activities.
import type { CyclePrepared, RestoredCycle, CycleState } from './cycle-state.js'
import type { z } from 'zod'
import type { Prep, SourceRef } from './prep-package.js'
import type { Phase } from './discovery.js'
import type { OpenEdit, PersonEdit } from './person-edit.js'
import type { TestRun } from '../test-run.js'
import type { StatusReply, RunResult, ReportedFailure } from '../result.js'
import type { RunCommitInput, TakenBack, Workspace } from '../workspace.js'

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
  /** Tasks of which CD says that they need no change. */
  noChange: { id: string; why: string }[]
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
export type ReloadCycleInput = {
  workspace: Workspace
  name: string
  iteration: number
  phases: Phase[]
  seen: number
  timezone: string
}

/** Commits the work of an iteration, then writes the record as `recordCycle` does. */
export type CommitCycleInput = RunCommitInput & {
  record: RecordCycleInput
  /** There is a suite: its configuration is the user's. */
  suite: boolean
}

export type CommitCycleAnswer = RecordCycleAnswer &
  TakenBack & {
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
