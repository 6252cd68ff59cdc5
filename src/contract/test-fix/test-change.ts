// A change to a test that an agent proposes and may not make itself.
import { z } from 'zod'
import { FileRef } from '../files.js'

/** A proposal as result, status and reports name it. */
export const TestChange = z.object({
  /** Relative to the project, forward slashes. */
  file: z.string(),
  why: z.string(),
  /** What a person said to it; absent while it is open. */
  answer: z.enum(['accepted', 'refused']).optional(),
})
export type TestChange = z.infer<typeof TestChange>

/**
 * A proposal that was found valid, as a run carries it. A newer one for the same file takes its
 * place.
 */
export const ProposedTestChange = TestChange.extend({
  /** From 1 within the run: names its files in the record. */
  number: z.number().int(),
  iteration: z.number().int(),
  agent: z.string(),
  /** The unified diff, in the record. */
  patch: FileRef,
})
export type ProposedTestChange = z.infer<typeof ProposedTestChange>
