// Inputs and answers of the test-fix cycle's activities.
import { z } from 'zod'
import { Prepared, PendingFix, TestFixState, type Restored } from './test-fix-state.js'
import { FixCause, FixPart, type TaskEntry } from './task.js'
import { TestFixInput, TestsFor } from './test-fix-input.js'
import type { Generation } from './test-quality.js'
import {
  Commit,
  CommitInput,
  CommitOrParent,
  ConfigHash,
  ProjectDir,
  RecordDir,
  RunCommitInput,
  StepName,
  Workspace,
  type CommitResult,
} from '../workspace.js'
import { FileRef } from '../files.js'
import { RunId } from '../ids.js'
import { FixTaskAsk } from '../turn-input.js'
import { IterationSummary, RunResult, StatusReply, type ReportedFailure } from '../result.js'
import { ProposedTestChange } from './test-change.js'
import { TestRun } from '../test-run.js'

/**
 * `chain` is the first execution's run id: the same for every iteration, another if the id is used
 * again.
 */
export const PrepareInput = z.object({
  run: RunId,
  chain: z.string(),
  project: ProjectDir,
  session: TestFixInput.shape.session,
  base: TestFixInput.shape.base,
  at: z.number(),
  /** How the session's files are created or read. */
  open: z.object({
    generateTests: z.boolean(),
    testsFor: TestsFor.optional(),
    maxIterations: TestFixInput.shape.maxIterations,
    extend: TestFixInput.shape.extend,
    acceptTestChanges: z.literal(true).optional(),
  }),
})
export type PrepareInput = z.infer<typeof PrepareInput>

/** Reads the configuration again. */
export const ReloadInput = z.object({ workspace: Workspace, baseline: FileRef.optional() })
export type ReloadInput = z.infer<typeof ReloadInput>

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
export const ConfirmInput = z.object({
  run: RunId,
  /** Unique within the run. */
  step: StepName,
  workspace: Workspace,
  head: Commit,
  /** Results of the commit, which they name, and of the first measured one. */
  results: FileRef,
  baseline: FileRef.optional(),
  /** Results of the last confirmed commit: files that changed to passing since then come first. */
  since: FileRef.optional(),
  /** Before the end of the run: only if the runner can select files, as that is no full run. */
  early: z.boolean().optional(),
  timeoutMs: z.number(),
  configHash: ConfigHash,
})
export type ConfirmInput = z.infer<typeof ConfirmInput>

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
export const DegradedInput = FixTaskAsk.extend({
  run: RunId,
  workspace: Workspace,
  recordDir: RecordDir,
  configHash: ConfigHash,
  reason: z.string(),
  history: z.array(IterationSummary),
  at: z.number(),
})
export type DegradedInput = z.infer<typeof DegradedInput>

export const CommitTaskOptions = z.object({
  /**
   * The task may add and change tests; changed test configuration, deleted tests and other changed
   * files are restored.
   */
  writesTests: z.boolean().optional(),
  /**
   * Where to note that the fix waits for its retest, so that a resumed session does not repeat it.
   */
  record: z.object({ dir: RecordDir, pending: PendingFix }).optional(),
  /** Independent causes of a fix: what was changed for each is a commit of its own. */
  causes: z.array(FixCause).optional(),
})
export type CommitTaskOptions = z.infer<typeof CommitTaskOptions>

export const CommitFixInput = RunCommitInput.extend({
  ...CommitTaskOptions.shape,
  candidate: z.string().optional(),
})
export type CommitFixInput = z.infer<typeof CommitFixInput>

/** Makes a new commit with the tree of an earlier one. */
export const GoBackInput = RunCommitInput.extend({ toTree: CommitOrParent })
export type GoBackInput = z.infer<typeof GoBackInput>

/** Leaves a candidate: the branch is at the commit before it. */
export const RollBackInput = RunCommitInput.omit({ subject: true, body: true })
export type RollBackInput = z.infer<typeof RollBackInput>

/** One commit for the branch. */
export const AcceptedCommit = z.object({
  task: z.string(),
  subject: z.string(),
  body: z.string(),
  trailers: z.record(z.string(), z.string()),
})
export type AcceptedCommit = z.infer<typeof AcceptedCommit>

/**
 * Replaces a candidate by commits for the branch: the last one has its tree, those before it the
 * tree with the causes up to theirs.
 */
export const AcceptInput = CommitInput.omit({
  subject: true,
  body: true,
  candidate: true,
}).extend({
  commits: z.array(AcceptedCommit),
  /** Commits of the causes, also of those that are left out. */
  parts: z.array(FixPart).optional(),
})
export type AcceptInput = z.infer<typeof AcceptInput>

/** The new commits by task; the last one is the head. */
export type Accepted = { head: string; parts: FixPart[] }

/** Replaces a candidate by commits that tell its strategy and what was measured. */
export const AcceptFixInput = AcceptInput.extend({ configHash: ConfigHash })
export type AcceptFixInput = z.infer<typeof AcceptFixInput>

/** Leaves out one more of the causes of a fix, to see whether it broke a test. */
export const TakeOutInput = RunCommitInput.omit({ subject: true, body: true }).extend({
  candidate: CommitFixInput.shape.candidate,
  parts: z.array(FixPart),
  /** Tasks that are left out already. */
  out: z.array(z.string()),
  /** Tasks to leave out next, the first one now; absent before the errors of `whole` were read. */
  suspects: z.array(z.string()).optional(),
  /** Full run of the fix with all causes. */
  whole: TestRun,
  /** Existing tests that the fix changed. */
  changedTests: z.array(z.string()).optional(),
})
export type TakeOutInput = z.infer<typeof TakeOutInput>

/** `changedTests`: those of the causes that are left. */
export type TakenOut = CommitResult & { suspects: string[] }

/** Reads the test changes that an answer proposes. `head`: the commit that they must apply to. */
export const ProposeInput = z.object({
  run: RunId,
  workspace: Workspace,
  recordDir: RecordDir,
  configHash: ConfigHash,
  head: Commit,
  iteration: z.number().int(),
  agent: z.string(),
  answer: FileRef,
  known: z.array(ProposedTestChange),
})
export type ProposeInput = z.infer<typeof ProposeInput>

/** `proposals`: known and new ones; `valid`: files of the new ones. */
export type Proposed = {
  proposals: ProposedTestChange[]
  valid: string[]
  refused: { file: string; reason: string }[]
}

/** Commits test changes that a person has accepted, all of them or none. */
export const ApplyChangesInput = RunCommitInput.extend({ changes: z.array(ProposedTestChange) })
export type ApplyChangesInput = z.infer<typeof ApplyChangesInput>

/** Counts the failing tests of a run that are in these files. */
export const CountCoveredInput = z.object({ results: FileRef, files: z.array(z.string()) })
export type CountCoveredInput = z.infer<typeof CountCoveredInput>

export type AppliedChanges = CommitResult | { refused: { file: string; reason: string } }

/** A projection of the run's state, for the record. */
export const RecordInput = z.object({
  run: RunId,
  prepared: Prepared,
  status: StatusReply,
  state: TestFixState,
  at: z.number(),
  /** Present at the end of the run. */
  result: RunResult.optional(),
})
export type RecordInput = z.infer<typeof RecordInput>

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
      | 'sandbox'
      | 'env'
    >
  | { problem: string }
