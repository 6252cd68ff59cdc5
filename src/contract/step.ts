// Inputs and answers of the activities that every kind of run uses.
import type { FileRef } from './files.js'
import type { Question } from './question.js'
import type { StatusReply } from './result.js'
import type { Workspace } from './workspace.js'

export type ServerFactsInput = { project: string }

export type RunTestsInput = {
  run: string
  /** Unique within the run: names the files of this test run. */
  step: string
  workspace: Workspace
  commit: string
  timeoutMs: number
  configHash: string
  baseline?: FileRef
  /** Detects stuck tests, new failures and criticality. */
  compare?: Compare
  /** Test files, relative to the project, for which this run replaces every earlier run. */
  replaces?: string[]
  /**
   * After tests were written: this run becomes the baseline, which keeps tests that passed in the
   * earlier one.
   */
  founds?: boolean
  /**
   * Keeps packages that a developer may have installed. Otherwise they are restored to the prepared
   * state.
   */
  keepPackages?: boolean
}

export type Compare = {
  /** Results of the commit that the fix started from: what passed there and fails now is broken. */
  before?: FileRef
  /** Results of the best state. */
  best?: FileRef
  /** Results of the state that the run started from, if best is another one. */
  start?: FileRef
  /** Results of the best states between the start and best: ranked again as flaky tests show up. */
  earlier?: FileRef[]
  /**
   * Results of the last full run, which carry the history of each test, and whether its commit was
   * kept.
   */
  lastFull?: FileRef
  lastKept: boolean
  /** The run writes tests and may remove its own: only tests of the baseline count as missing. */
  ownTests?: boolean
  /** Whether the comparison lists tests that already failed at the baseline. */
  tellsKnown?: boolean
  /** Whether it lists removed tests in files that the run has changed. */
  tellsRemoved?: boolean
  claims?: FileRef
  /** Test files of the fix. They may run first, and decide nothing. */
  affectedFiles?: string[]
}

/** A question that a hook receives. */
export type NotifyInput = {
  run: string
  /** Project directory as the user named it. */
  project: string
  configHash: string
  recordDir: string
  status: Pick<StatusReply, 'id' | 'kind' | 'iteration' | 'maxIterations' | 'passRate' | 'branch'>
  question: Question
}
