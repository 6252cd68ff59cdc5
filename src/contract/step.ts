// Inputs and answers of the activities that every kind of run uses.
import { z } from 'zod'
import { FileRef } from './files.js'
import { RunId } from './ids.js'
import { Question } from './question.js'
import { StatusReply } from './result.js'
import { Commit, ConfigHash, ProjectDir, RecordDir, StepName, Workspace } from './workspace.js'

/** Any path: the answer says whether a project is there. */
export const ServerFactsInput = z.object({ project: z.string() })
export type ServerFactsInput = z.infer<typeof ServerFactsInput>

export const BeatInput = z.object({ run: RunId })
export type BeatInput = z.infer<typeof BeatInput>

export const Compare = z.object({
  /** Results of the commit that the fix started from: what passed there and fails now is broken. */
  before: FileRef.optional(),
  /** Results of the best state. */
  best: FileRef.optional(),
  /** Results of the state that the run started from, if best is another one. */
  start: FileRef.optional(),
  /** Results of the best states between the start and best: ranked again as flaky tests show up. */
  earlier: z.array(FileRef).optional(),
  /**
   * Results of the last full run, which carry the history of each test, and whether its commit was
   * kept.
   */
  lastFull: FileRef.optional(),
  lastKept: z.boolean(),
  /** The run writes tests and may remove its own: only tests of the baseline count as missing. */
  ownTests: z.boolean().optional(),
  /** Whether the comparison lists tests that already failed at the baseline. */
  tellsKnown: z.boolean().optional(),
  /** Whether it lists removed tests in files that the run has changed. */
  tellsRemoved: z.boolean().optional(),
  claims: FileRef.optional(),
  /** Test files of the fix. They may run first, and decide nothing. */
  affectedFiles: z.array(z.string()).optional(),
})
export type Compare = z.infer<typeof Compare>

export const RunTestsInput = z.object({
  run: RunId,
  /** Unique within the run: names the files of this test run. */
  step: StepName,
  workspace: Workspace,
  commit: Commit,
  timeoutMs: z.number(),
  configHash: ConfigHash,
  baseline: FileRef.optional(),
  /** Detects stuck tests, new failures and criticality. */
  compare: Compare.optional(),
  /** Test files, relative to the project, for which this run replaces every earlier run. */
  replaces: z.array(z.string()).optional(),
  /**
   * After tests were written: this run becomes the baseline, which keeps tests that passed in the
   * earlier one.
   */
  founds: z.boolean().optional(),
  /**
   * Keeps packages that a developer may have installed. Otherwise they are restored to the prepared
   * state.
   */
  keepPackages: z.boolean().optional(),
})
export type RunTestsInput = z.infer<typeof RunTestsInput>

/** A question that a hook receives. */
export const NotifyInput = z.object({
  run: RunId,
  project: ProjectDir,
  configHash: ConfigHash,
  recordDir: RecordDir,
  status: StatusReply.pick({
    id: true,
    kind: true,
    iteration: true,
    maxIterations: true,
    passRate: true,
    branch: true,
  }),
  question: Question,
})
export type NotifyInput = z.infer<typeof NotifyInput>
