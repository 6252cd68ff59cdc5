// Inputs and answers of the test-fix cycle's activities.
import type { Prepared, Restored, PendingFix, TestFixState } from './test-fix-state.js'
import type { FixCause, FixPart, TaskEntry } from './task.js'
import type { TestsFor } from './test-fix-input.js'
import type { Generation } from './test-quality.js'
import type { AcceptInput, RunCommitInput, Workspace, CommitResult } from '../workspace.js'
import type { FileRef } from '../files.js'
import type { FixTaskAsk } from '../turn-input.js'
import type { IterationSummary, StatusReply, RunResult, ReportedFailure } from '../result.js'
import type { ProposedTestChange } from './test-change.js'
import type { TestRun } from '../test-run.js'

/**
 * `chain` is the first execution's run id: the same for every iteration, another if the id is used
 * again.
 */
export type PrepareInput = {
  run: string
  chain: string
  project: string
  session?: string
  base?: string
  at: number
  /** How the session's files are created or read. */
  open: {
    generateTests: boolean
    testsFor?: TestsFor
    maxIterations?: number
    extend?: number
    acceptTestChanges?: true
  }
}

/** Answer of `prepareRun`. */
export type PreparedRun = Prepared & {
  tasks: TaskEntry[]
  /** There is no `.process/TEST_ANALYSIS_RESULTS.md` yet. */
  unplanned?: boolean
  /** Tests that Ratchet plans and measures itself. */
  generation?: Generation
  /** A session that was started earlier and continues. */
  restored?: Restored
}

/**
 * Confirms the results of a measured commit by canaries. `head`: the branch head, before and after.
 */
export type ConfirmInput = {
  run: string
  /** Unique within the run. */
  step: string
  workspace: Workspace
  head: string
  /** Results of the commit, which they name, and of the first measured one. */
  results: FileRef
  baseline?: FileRef
  /** Results of the last confirmed commit: files that changed to passing since then come first. */
  since?: FileRef
  /** Before the end of the run: only if the runner can select files, as that is no full run. */
  early?: boolean
  timeoutMs: number
  configHash: string
}

/**
 * `confirmed`: in each checked file, a test that had to fail was reported as failed. `refuted`: in
 * `files` it was not, although it is on the first measured commit. `unconfirmed`: no canary has a
 * result, for the reason. `later`: asked early, and the runner cannot select files.
 */
export type Confirmation =
  | { verdict: 'later' }
  | { verdict: 'confirmed' }
  | { verdict: 'refuted'; files: string[] }
  | { verdict: 'unconfirmed'; reason: string }

/** A fix without a usable analysis: planned from earlier fixes and the failures. */
export type DegradedInput = FixTaskAsk & {
  run: string
  workspace: Workspace
  recordDir: string
  configHash: string
  reason: string
  history: IterationSummary[]
  at: number
}

export type CommitFixInput = RunCommitInput & CommitTaskOptions & { candidate?: string }

export type CommitTaskOptions = {
  /**
   * The task may add and change tests; changed test configuration, deleted tests and other changed
   * files are restored.
   */
  writesTests?: boolean
  /**
   * Where to note that the fix waits for its retest, so that a resumed session does not repeat it.
   */
  record?: { dir: string; pending: PendingFix }
  /** Independent causes of a fix: what was changed for each is a commit of its own. */
  causes?: FixCause[]
}

/** Makes a new commit with the tree of an earlier one. */
export type GoBackInput = RunCommitInput & { toTree: string }

/** Leaves a candidate: the branch is at the commit before it. */
export type RollBackInput = Omit<RunCommitInput, 'subject' | 'body'>

/** Replaces a candidate by commits that tell its strategy and what was measured. */
export type AcceptFixInput = AcceptInput & { configHash: string }

/** Leaves out one more of the causes of a fix, to see whether it broke a test. */
export type TakeOutInput = Omit<CommitFixInput, keyof CommitTaskOptions | 'subject' | 'body'> & {
  parts: FixPart[]
  /** Tasks that are left out already. */
  out: string[]
  /** Tasks to leave out next, the first one now; absent before the errors of `whole` were read. */
  suspects?: string[]
  /** Full run of the fix with all causes. */
  whole: TestRun
}

export type TakenOut = CommitResult & { suspects: string[] }

/** Reads the test changes that an answer proposes. `head`: the commit that they must apply to. */
export type ProposeInput = {
  run: string
  workspace: Workspace
  recordDir: string
  configHash: string
  head: string
  iteration: number
  agent: string
  answer: FileRef
  known: ProposedTestChange[]
}

/** `proposals`: known and new ones; `valid`: files of the new ones. */
export type Proposed = {
  proposals: ProposedTestChange[]
  valid: string[]
  refused: { file: string; reason: string }[]
}

/** Commits test changes that a person has accepted, all of them or none. */
export type ApplyChangesInput = Omit<CommitFixInput, keyof CommitTaskOptions> & {
  changes: ProposedTestChange[]
}

export type AppliedChanges = CommitResult | { refused: { file: string; reason: string } }

/** A projection of the run's state, for the record. */
export type RecordInput = {
  run: string
  prepared: Prepared
  status: StatusReply
  state: TestFixState
  at: number
  /** Present at the end of the run. */
  result?: RunResult
}

export type RecordAnswer = {
  warnings: string[]
  /** Directory of the record, if it was archived. */
  archived?: string
  /** With a result: the failures it reports. */
  failures?: ReportedFailure[]
}

/**
 * Answer of `reloadConfig`: what a changed configuration changes in a run, or why it cannot be
 * read.
 */
export type Reloaded =
  | Pick<
      Prepared,
      | 'configHash'
      | 'testCommand'
      | 'agents'
      | 'limits'
      | 'testTimeoutMs'
      | 'spending'
      | 'hooks'
      | 'questionLimits'
    >
  | { problem: string }
