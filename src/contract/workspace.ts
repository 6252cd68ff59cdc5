// Where agents work and tests run, and the steps that move the branch.
import { z } from 'zod'
import type { FixPart } from './test-fix/task.js'

/** A prepared workspace. Paths are absolute. */
export const Workspace = z.object({
  /** Project directory as the user named it; may be a subfolder of its repository. */
  project: z.string(),
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
  base: z.string(),
  isolation: z.enum(['clone', 'in-place']),
})
export type Workspace = z.infer<typeof Workspace>

/** A step that makes a commit. It is idempotent: the same input gives the same commit. */
export type CommitInput = {
  workspace: Workspace
  /** Workflow id, for the `Ratchet-Run` trailer. */
  run: string
  /** For the `Ratchet-Step` trailer; unique within the run. */
  step: string
  /**
   * Commit the branch must be at; any other state is snapshotted to `refs/ratchet/…`, then moved.
   */
  expectHead: string
  /** Author and committer time, epoch milliseconds, from the workflow. */
  at: number
  subject: string
  body?: string
  /** Name of a candidate: its commits wait for a verdict, and no published branch has them. */
  candidate?: string
}

/** Such a step of a run, whose configuration says which files are guarded. */
export type RunCommitInput = Required<Omit<CommitInput, 'candidate'>> & {
  configHash: string
  /** Head when the last further task came; without one the run began at its base. */
  workFrom?: string
  /** Tasks whose work a commit may take back. */
  tasks?: TaskWork[]
}

/**
 * Replaces a candidate by commits for the branch: the last one has its tree, those before it the
 * tree with the causes up to theirs.
 */
export type AcceptInput = Omit<CommitInput, 'subject' | 'body' | 'candidate'> & {
  commits: AcceptedCommit[]
  /** Commits of the causes, also of those that are left out. */
  parts?: FixPart[]
}

/** One commit for the branch. */
export type AcceptedCommit = {
  task: string
  subject: string
  body: string
  trailers: Record<string, string>
}

/** The new commits by task; the last one is the head. */
export type Accepted = { head: string; parts: FixPart[] }

/** A task and its commits. `own`: what is committed now is its own work as well. */
export type TaskWork = { id: string; commits: string[]; own?: true }

/**
 * `takenBack`: every file is as it was before the last task, despite any commits for it.
 * `tasksTakenBack`: ids of the tasks of which every file is as it was before their own commits.
 */
export type TakenBack = { takenBack?: true; tasksTakenBack?: string[] }

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
  /** Commits of the causes of a fix, the last of which is `commit`, if it has several. */
  parts?: FixPart[]
  /** Ref of a snapshot of work that was not kept. */
  snapshot?: string
}
