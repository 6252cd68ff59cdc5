// The master file as Ratchet stores it: the fields of contract/cycle-record.ts, and those that a
// cycle resumed from its record alone, or a report of a closed one, needs in addition.
import { z } from 'zod'
import { CycleNotes, CycleRecord } from '../../../contract/dev-cycle/cycle-record.js'
import { CyclePromise, CycleRefusal } from '../../../contract/dev-cycle/cycle-state.js'
import { PersonEdits } from '../../../contract/dev-cycle/person-edit.js'
import { FileRef } from '../../../contract/files.js'
import { IterationSummary, RunResult, RunUsage } from '../../../contract/result.js'
import { ChangedTests } from '../../../contract/workspace.js'

export const StoredNotes = CycleNotes.extend({
  /** 0→1 has converged. */
  one_to_hundred: z.boolean().optional(),
  history: z.array(IterationSummary).optional(),
  /** Results of the first full run, and whether it was of the commit that the cycle began from. */
  baseline: FileRef.optional(),
  baseline_of_base: z.boolean().optional(),
  /** A test command was found once. */
  had_suite: z.literal(true).optional(),
  /** The plan's tasks, and whether the developer has named any of them. */
  promised: z.array(CyclePromise).optional(),
  names_tasks: z.boolean().optional(),
  /** One sentence about tests that failed before the cycle and still do. */
  known_before: z.string().optional(),
  /** Tasks of the plan that are not followed. */
  /** Digest of the plan that a person approved last. */
  approved_plan: z.string().optional(),
  untracked: z.number().int().optional(),
  /** Head when the further task came that the last run was started for. */
  work_from: z.string().optional(),
  /** Every file is as it was before the last task. */
  taken_back: z.literal(true).optional(),
  /** Existing tests that are not as they were at the start. */
  changed_tests: ChangedTests.optional(),
  /** The commit that VAS refused last. */
  refused: CycleRefusal.optional(),
  /** What a person edited in the record. */
  edits: PersonEdits.optional(),
  /** Of all runs of it so far. */
  usage: RunUsage.optional(),
  /** Of a run that has ended. */
  result: RunResult.optional(),
})
export type StoredNotes = z.infer<typeof StoredNotes>

/** Content of `.workflow/.cycle/{id}.json`. */
export const StoredCycle = CycleRecord.extend({ ratchet: StoredNotes })
export type StoredCycle = z.infer<typeof StoredCycle>
