// Where agents work and tests run, and the steps that move the branch.
import { z } from 'zod'
import { RunId } from './ids.js'
import type { FixPart } from './test-fix/task.js'

/** Project directory as the user named it; may be a subfolder of its repository. */
export const ProjectDir = z.string()

/** Directory of the run's record. */
export const RecordDir = z.string()

/** Digest of the configuration that the run keeps. */
export const ConfigHash = z.string()

/** A commit by its name in hex. */
export const Commit = z.string()

/** A commit, or the one before it. */
export const CommitOrParent = z.string()

/** Name of a step, which a retry repeats. */
export const StepName = z.string()

/** A prepared workspace. Paths are absolute. */
export const Workspace = z.object({
  project: ProjectDir,
  /** Root of the clone (of the repository itself with `in-place`). */
  root: z.string(),
  /**
   * Directory for files that are kept outside the tree; the parent of `root` by default. With
   * `in-place`, the parent is the user's.
   */
  keep: z.string().optional(),
  /** Where agents and tests run: `root` plus the project's subfolder. */
  cwd: z.string(),
  /** Branch in the clone and in the user's repository. */
  branch: z.string(),
  /** Commit that holds the user's tree as it was at the start. */
  base: Commit,
  isolation: z.enum(['clone', 'in-place']),
})
export type Workspace = z.infer<typeof Workspace>

/** A step that makes a commit. It is idempotent: the same input gives the same commit. */
export const CommitInput = z.object({
  workspace: Workspace,
  /** Workflow id, for the `Ratchet-Run` trailer. */
  run: RunId,
  /** For the `Ratchet-Step` trailer; unique within the run. */
  step: StepName,
  /**
   * Commit the branch must be at; any other state is snapshotted to `refs/ratchet/…`, then moved.
   */
  expectHead: Commit,
  /** Author and committer time, epoch milliseconds, from the workflow. */
  at: z.number(),
  subject: z.string(),
  body: z.string().optional(),
  /** Name of a candidate: its commits wait for a verdict, and no published branch has them. */
  candidate: z.string().optional(),
})
export type CommitInput = z.infer<typeof CommitInput>

/** A task and its commits. `own`: what is committed now is its own work as well. */
export const TaskWork = z.object({
  id: z.string(),
  commits: z.array(Commit),
  own: z.literal(true).optional(),
})
export type TaskWork = z.infer<typeof TaskWork>

/** Such a step of a run, whose configuration says which files are guarded. */
export const RunCommitInput = CommitInput.omit({ candidate: true }).extend({
  body: z.string(),
  configHash: ConfigHash,
  /** Head when the last further task came; without one the run began at its base. */
  workFrom: Commit.optional(),
  /** Tasks whose work a commit may take back. */
  tasks: z.array(TaskWork).optional(),
})
export type RunCommitInput = z.infer<typeof RunCommitInput>

/**
 * `takenBack`: every file is as it was before the last task, despite any commits for it.
 * `tasksTakenBack`: ids of the tasks of which every file is as it was before their own commits.
 */
export type TakenBack = { takenBack?: true; tasksTakenBack?: string[] }

/**
 * Test files that existed at the start of a run and have another content now: the first of them,
 * relative to the repository, and their number.
 */
export const ChangedTests = z.object({ files: z.array(z.string()), total: z.number().int() })
export type ChangedTests = z.infer<typeof ChangedTests>

/** What the commits of a run leave. */
export type LeftByCommits = TakenBack & { changedInRun?: ChangedTests }

/**
 * Branches of an agent's clone with commits that are not part of the result, the first ten, and
 * their number. `subjects`: of the newest commits; none if they cannot be read.
 */
export type LeftBranches = {
  branches: { branch: string; commits: number; subjects: string[] }[]
  total: number
}

export type CommitResult = {
  /** Where the branch is now. */
  head: string
  /** The new commit; `null` if there was nothing to commit. */
  commit: string | null
  /** Changed files, the first 50, relative to the repository. */
  files: string[]
  filesTotal: number
  /** Guarded test and config files that were changed and have been restored, the first 20. */
  tampered: string[]
  /** All of them. */
  tamperedTotal?: number
  /** Existing tests that were changed by a step that may write tests, the first 20. */
  changedTests?: string[]
  /** A step that may write tests has neither added nor changed one. */
  noTests?: true
  /** Commits of the causes of a fix, the last of which is `commit`, if it has several. */
  parts?: FixPart[]
  /** What the agent committed on other branches of its clone alone. */
  leftBranches?: LeftBranches
  /** Ref of a snapshot of work that was not kept. */
  snapshot?: string
}
