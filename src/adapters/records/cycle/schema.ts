// The master file as Ratchet stores it: what contract/cycle-record.ts says, and what a cycle that goes on
// from its record alone, or a report of a closed one, needs beside it.
import { z } from 'zod'
import { CycleNotes, CycleRecord } from '../../../contract/cycle-record.js'
import { IterationSummary, RunResult } from '../../../contract/result.js'

export const StoredNotes = CycleNotes.extend({
  /** 0→1 has converged. */
  one_to_hundred: z.boolean().optional(),
  history: z.array(IterationSummary).optional(),
  /** Of a run that has ended. */
  result: RunResult.optional(),
})
export type StoredNotes = z.infer<typeof StoredNotes>

/** Content of `.workflow/.cycle/{id}.json`. */
export const StoredCycle = CycleRecord.extend({ ratchet: StoredNotes })
export type StoredCycle = z.infer<typeof StoredCycle>
