// A change to a test that an agent proposes but may not make.
import { z } from 'zod'
import { FileRef } from '../files.js'

/** A proposal in results, status and reports. */
export const TestChange = z.object({
  /** Relative to the project, forward slashes. */
  file: z.string(),
  why: z.string(),
  /** A person's answer; absent while it is open. */
  answer: z.enum(['accepted', 'refused']).optional(),
})
export type TestChange = z.infer<typeof TestChange>

/** A valid proposal in the state of a run. A newer one for the same file replaces it. */
export const ProposedTestChange = TestChange.extend({
  /** From 1 within the run: names its files in the record. */
  number: z.number().int(),
  iteration: z.number().int(),
  agent: z.string(),
  /** The unified diff, in the record. */
  patch: FileRef,
})
export type ProposedTestChange = z.infer<typeof ProposedTestChange>
